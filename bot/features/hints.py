"""/hint and its button: the cell that the engine would choose, and why."""

import time
from functools import partial
from typing import Final

from bot.boards.cells import cell_name
from bot.context.acting import bring
from bot.context.at_hand import game_at_hand
from bot.context.feature import Command, Feature, Heading, HelpPage, Later
from bot.context.requests import CommandRequest, Requester
from bot.game.analysis import hinted_cell
from bot.game.attempt import Refusal
from bot.game.attention import is_out_of_sight
from bot.game.gate import decide
from bot.game.pages import Hint
from bot.language import N_, _
from bot.workers import jobs
from bot.workers.pool import Job, NoAnswer, Superseded
from engine import Reason, Rules
from engine.reviews import Choice
from storage.errors import StorageError
from storage.games import games
from storage.games.game import Game, rules_of
from storage.games.record import Record


def words_for_hint(hint: Choice, rules: Rules) -> str:
    """A hint as a sentence."""
    reasons = {
        Reason.WIN: _("it wins"),
        Reason.BLOCK: _("it blocks OXO's line"),
        Reason.FORK: _("it makes two threats"),
        Reason.BLOCK_FORK: _("it keeps OXO from making two threats"),
        Reason.THREAT: _("it threatens a line, so OXO has to block"),
        Reason.TRAP: _("whatever OXO plays next completes a line"),
        Reason.WIN_BOARD: _("it wins a little board"),
        Reason.BLOCK_BOARD: _("it keeps OXO from winning a little board"),
        Reason.CENTRE: _("it's a strong cell"),
        Reason.CORNER: _("it's a strong cell"),
        Reason.LINE: _("a line can still go through it"),
        Reason.SAFE: _("it can't complete a line"),
    }
    hard = _("it's the best you can do here")
    reasons |= dict.fromkeys((Reason.ALLOWS_WIN, Reason.ALLOWS_FORK, Reason.LOSES, Reason.COMPLETES_LINE), hard)
    best = _("it looks strongest")
    return _("💡 Hint: {cell} ({reason}).").format(
        cell=cell_name(hint.cell, rules), reason=reasons.get(hint.reason, best)
    )


HINT_SECONDS: Final = 1.0
"""How many seconds the search may take; a tap has to be answered soon."""
BUSY: Final = N_("I'm too busy thinking right now. Please ask again in a moment.")


async def show(requester: Requester, game_id: int, action: Hint | None = None) -> str | Later:
    """Mark the best cell of a game for a person; returns it in words, or why there is none."""
    record = await requester.services.store.read(games.load, game_id=game_id)
    decide(record, action or Hint(), requester.attempt())
    found = hinted_cell(record.game)
    if found is not None:
        return await _shown(requester, record, found)
    return Later(_searched(requester, record.game))


async def _searched(requester: Requester, game: Game) -> str | None:
    work = partial(jobs.best_advice, game.rules, game.moves)
    try:
        found = await requester.services.workers.run(
            Job(("hint", game.id), work, HINT_SECONDS, whose=requester.user.id)
        )
        record = await requester.services.store.read(games.load, game_id=game.id)
    except Superseded:
        return None
    except (NoAnswer, StorageError):
        return _(BUSY)
    if record.game.moves == game.moves and not record.game.is_over:
        return await _shown(requester, record, found)
    return _(Refusal.STALE.value)


async def _shown(requester: Requester, record: Record, found: Choice) -> str:
    """Mark the cell on all boards but text boards, where it isn't marked yet; returns the hint in words."""
    await requester.services.store.run(games.note_hint, game_id=record.game.id)
    for board in record.boards:
        marked, told = (board.id, board.wanted, found.cell), requester.services.told_at
        if not board.leaving and not board.as_text and marked not in told:
            told[board.id, board.wanted + 1, found.cell] = time.monotonic()
            requester.services.boards.show_again(board.id, requester.prompt, hint=found.cell)
    return words_for_hint(found, rules_of(record.game.rules))


async def hint(request: CommandRequest) -> None:
    """Show the best cell, as the button does."""
    if (record := await game_at_hand(request)) is None:
        return
    # In a group one message is enough, and on a text board the words are.
    if request.is_private and not any(board.as_text for board in record.boards):
        await _bring_into_sight(request, record)
    answer = await show(request, record.game.id)
    if isinstance(answer, Later):
        request.services.tasks.start(_reply_later(request, answer))
    else:
        request.reply(_(answer))


async def _reply_later(request: CommandRequest, answer: Later) -> None:
    words = await answer.words
    if words is not None:
        request.reply(words)


async def _bring_into_sight(request: CommandRequest, record: Record) -> None:
    below = request.message.message_id
    here = record.boards_in(request.chat_id)
    if here and all(is_out_of_sight(board, below, request.where.thread_id) for board in here):
        await bring(request, record.game.id)


FEATURE: Final = Feature(
    heading=Heading.IN_A_GAME,
    commands=[Command("hint", hint, N_("Get a hint"), plain=N_("hint|help me"))],
    taps={Hint: show},
    helps={HelpPage.PLAY: lambda: _("<b>Hint</b> shows a good move and why.")},
)
