"""The application: Telegram as this bot's account, and the handlers."""

from __future__ import annotations

import os
from functools import partial
from typing import cast

from telegram.ext import Application, ContextTypes, ExtBot

from bot import outbox_messages
from bot.commands import COMMANDS, register
from bot.context.services import App, Context, Services
from bot.features.matchmaking import service as matchmaking
from bot.intake.polling import PollingTransport
from bot.intake.updates import note_failure
from bot.network.transport import Transport


def connect(token: str, api_url: str, transport: Transport, polling: PollingTransport) -> ExtBot[None]:
    """Telegram as this bot's account; the connection opens with `App.initialize`."""
    # The library reads this at each refusal, and warns if it isn't set; `pause` reads both kinds of times.
    os.environ.setdefault("PTB_TIMEDELTA", "true")
    return ExtBot(
        token,
        base_url=f"{api_url}/bot",
        base_file_url=f"{api_url}/file/bot",
        request=transport,
        get_updates_request=polling,
    )


def build(bot: ExtBot[None], services: Services) -> App:
    """The application with its handlers; it starts nothing, and takes no updates by itself."""
    made = cast("type[Services]", lambda: services)  # the builder only ever calls it
    app = (
        Application.builder()
        .bot(bot)
        .context_types(ContextTypes(context=Context, bot_data=made))
        .job_queue(None)
        .updater(None)
        .build()
    )
    register(app)
    app.add_error_handler(note_failure)
    services.commands = {each.name: each.description for each in COMMANDS}
    services.let_go = partial(matchmaking.let_go, services)
    services.publisher.on_gone(partial(matchmaking.drop, services))
    services.publisher.on_notice(partial(outbox_messages.words_of, services))
    return app
