"""Short commands that answer a question or start the next game, for people who type instead of tapping."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sqlalchemy import Connection
from telegram import Update

from bot.boards.refusals import words_for
from bot.context.acting import act
from bot.context.requests import CommandRequest, request_of
from bot.context.services import Context
from bot.game.gate import is_shown
from bot.game.typed_answers import Answer, meant_in
from storage.games import lookups
from storage.games.record import Record


async def accept(update: Update, context: Context) -> None:
    """Say yes: accept a challenge, agree to what the opponent asks, confirm a resignation."""
    await _say(update, context, Answer.YES)


async def decline(update: Update, context: Context) -> None:
    """Say no: decline a challenge or what the opponent asks, or play on."""
    await _say(update, context, Answer.NO)


async def cancel(update: Update, context: Context) -> None:
    """Withdraw one's own challenge or question."""
    await _say(update, context, Answer.CANCEL)


async def again(request: CommandRequest) -> None:
    """Play again; between two people, ask for a rematch."""
    await _answer(request, Answer.AGAIN)


async def swap(update: Update, context: Context) -> None:
    """Play again with sides swapped."""
    await _say(update, context, Answer.SWAP)


async def _say(update: Update, context: Context, answer: Answer) -> None:
    if (request := request_of(update, context)) is not None:
        await _answer(request, answer)


async def _answer(request: CommandRequest, answer: Answer) -> None:
    """Apply an answer to the newest game here in which it means something."""
    player = request.requester.player
    for record in await request.services.store.read(partial(_find, request=request)):
        # The review of a game that was played elsewhere is no place for answers.
        played_here = is_shown(record.game, record.boards, request.requester.where)
        action = meant_in(record.game, answer, player) if played_here else None
        if action is not None:
            below = request.message.message_id
            done = await act(request.requester, record.game.id, action, below=below)
            if refusal := words_for(done.refusal):
                request.reply(request.t.gettext(refusal))
            return
    request.reply(request.t.gettext("There's nothing to answer here. /games lists your games."))


def _find(connection: Connection, *, request: CommandRequest) -> Sequence[Record]:
    """The games that an answer can mean: the one whose message it replies to, else the newest in the chat."""
    replied = request.message.reply_to_message
    if replied is not None:
        record = lookups.on_message(connection, request.chat_id, replied.message_id)
        if record is not None:
            return [record]
    return lookups.newest(connection, request.chat_id)
