"""The commands about a running game: the one whose board a message answers, else the person's newest here."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bot import acts, boards, placing, play, sequels, views, words
from bot.acts import Why
from bot.asking import asking
from bot.buttons import Act
from bot.refusals import REFUSALS, words_for
from bot.views import View
from storage import chats, games, lookups
from storage.chats import Person
from storage.game import cell_of, geometry_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from gettext import NullTranslations

    from sqlalchemy import Connection
    from telegram import Update

    from bot.asking import Asking
    from bot.context import Asker, Context
    from engine import Geometry
    from storage.game import Game

PAIR: Final = re.compile(r"([0-9]{1,3})\s*[,;:. ]\s*([0-9]{1,3})")
NUMBER: Final = re.compile(r"[0-9]{1,3}")
LIKE_A_MOVE: Final = re.compile(r"^\s*[0-9][0-9\s,;:.]*$")
"""What is taken for a move, good or bad, in answer to a board; other words there are talk between people."""


class BadMove(ValueError):
    """A typed move that cannot be read or lies beside the board; the error's text says why."""


async def board(update: Update, context: Context) -> None:
    """Bring a running board down to the newest message; of several, the one that is chosen."""
    if (asked := asking(update, context)) is None:
        return
    found = await _found(asked)
    if len(found) == 1:
        if refusal := await _bring(asked.asker, found[0], asked.place.thread_id):
            asked.reply(asked.t.gettext(refusal))
    elif found:
        t = asked.t
        rows = [
            [views.button(boards.line_of(game, t, asked.asker.user.id), Act(game.id, game.ply, "bring"))]
            for game in found
        ]
        asked.reply(View(t.gettext("Which board shall I bring?"), views.keyboard(rows)))
    else:
        asked.reply(_nothing_here(asked.t))


async def list_games(update: Update, context: Context) -> None:
    """List a person's running games in this chat, with whose turn it is."""
    if (asked := asking(update, context)) is None:
        return
    user = asked.asker.user
    running = await asked.services.store.run(partial(lookups.running, chat_id=asked.place.chat_id, person=user.id))
    if not running:
        asked.reply(_nothing_here(asked.t))
        return
    lines = [boards.line_of(game, asked.t, user.id) for game in running]
    head = asked.t.gettext("Your running games here; /board brings one down:")
    asked.reply("\n".join([head, *lines]))


async def move(update: Update, context: Context) -> None:
    """Play a typed move: `2,3` is row 2, column 3; `5` is the fifth cell."""
    if (asked := asking(update, context)) is not None:
        await _move(asked, " ".join(context.args or []))


async def typed(update: Update, context: Context) -> None:
    """Play a move that somebody writes in answer to a board."""
    message = update.effective_message
    replied = None if message is None else message.reply_to_message
    to_us = replied is not None and replied.from_user is not None and replied.from_user.id == context.bot.id
    if message is None or not (to_us or message.chat.id > 0):
        return
    if (asked := asking(update, context)) is not None:
        await _move(asked, message.text or "")


async def undo(update: Update, context: Context) -> None:
    """Take back the last move, as the button does."""
    await _on_newest(update, context, _undo)


async def resign(update: Update, context: Context) -> None:
    """Resign, after a second thought, as the button does."""
    await _on_newest(update, context, _resign)


async def hint_(update: Update, context: Context) -> None:
    """Say which cell is the best, as the button does."""
    await _on_newest(update, context, lambda asked, game: hint(asked.asker, game.id))


async def takebacks(update: Update, context: Context) -> None:
    """Say whether others may ask this person for takebacks."""
    if (asked := asking(update, context)) is None:
        return
    t = asked.t
    wish = " ".join(context.args or []).lower()
    player = asked.asker.player
    person = Person(player.id, player.name, player.language)
    if wish in ("on", "off"):
        allow = partial(chats.allow_takebacks, person=person, allowed=wish == "on")
        await asked.services.store.run(allow)
        allowed = wish == "on"
    else:
        allowed = await asked.services.store.run(partial(chats.allows_takebacks, person_id=player.id))
    may, may_not = (
        t.gettext("Others may ask you for takebacks."),
        t.gettext("Others cannot ask you for takebacks."),
    )
    known = t.gettext("You can say {words}.").format(words=words.coded(("/takebacks on", "/takebacks off")))
    asked.reply(f"{may if allowed else may_not} {known}")


async def hint(asker: Asker, game_id: int) -> str | None:
    """The best cell of a game for a person, in words."""
    game = await asker.services.store.run(partial(games.load, game_id=game_id))
    found = acts.hint(game, person=asker.user.id)
    t = asker.t
    if not isinstance(found, tuple):
        return words_for(found)
    cell, why = found
    place = views.cell_name(cell, geometry_of(game.geometry).m, t)
    reasons = {
        Why.WIN: t.gettext("it wins at once"),
        Why.BLOCK: t.gettext("it stops my line"),
        Why.FORK: t.gettext("it threatens two lines at once"),
        Why.BEST: t.gettext("nothing is stronger"),
    }
    return t.gettext("💡 Play {cell}: {reason}.").format(cell=place, reason=reasons[why])


async def bring(asker: Asker, game_id: int, thread_id: int | None) -> str | None:
    """Bring a board down, as chosen from the list of several, to the topic of that list."""
    game = await asker.services.store.run(partial(games.load, game_id=game_id))
    return await _bring(asker, game, thread_id)


async def _bring(asker: Asker, game: Game, thread_id: int | None) -> str | None:
    """Bring a player's board down; the result is why not, if it is not done."""
    if game.mark_of(asker.user.id) is None:
        return words_for(play.Refusal.NOT_YOURS)
    if game.is_over:
        return words_for(play.Refusal.OVER)
    guest = asker.user.id == game.guest_chat_id
    if not guest and thread_id != game.thread_id:
        await asker.services.store.run(partial(games.move_to, game_id=game.id, thread_id=thread_id))
        game = replace(game, thread_id=thread_id)
    placing.bring_down(asker.services, game, guest=guest)
    return None


async def _found(asked: Asking) -> Sequence[Game]:
    """The games that a command can mean: the one whose board it answers, else the person's running ones."""
    return await asked.services.store.run(partial(_find, asked=asked))


def _find(connection: Connection, *, asked: Asking) -> Sequence[Game]:
    replied = asked.message.reply_to_message
    if replied is not None:
        game = lookups.on_message(connection, asked.place.chat_id, replied.message_id)
        if game is not None:
            return [game]
    return lookups.running(connection, asked.place.chat_id, asked.asker.user.id)


async def _on_newest(
    update: Update, context: Context, do: Callable[[Asking, Game], Awaitable[str | None]]
) -> None:
    """Do something to the game at hand, and say what it answers."""
    if (asked := asking(update, context)) is None:
        return
    found = await _found(asked)
    answer = await do(asked, found[0]) if found else _nothing_here(asked.t)
    if answer:
        asked.reply(asked.t.gettext(answer))


async def _undo(asked: Asking, game: Game) -> str | None:
    return words_for(await sequels.undo(asked.asker, game.id, game.ply))


async def _resign(asked: Asking, game: Game) -> str | None:
    change = partial(acts.resign, person=asked.asker.user.id, ply=game.ply)
    return await _change(asked, game, change)


async def _change(asked: Asking, game: Game, change: play.Change) -> str | None:
    changed, refusal = await asked.services.store.change(game.id, change, asked.asker.update_id)
    if refusal is None:
        asked.services.publisher.show(changed)
    return words_for(refusal)


async def _move(asked: Asking, text: str) -> None:
    t = asked.t
    found = await _found(asked)
    if not found:
        asked.reply(_nothing_here(t))
        return
    game = found[0]
    geometry = geometry_of(game.geometry)
    try:
        cell = read_move(text, geometry, t)
    except BadMove as error:
        asked.reply(str(error))
        return
    tap = partial(
        play.tap,
        person=asked.asker.user.id,
        ply=game.ply,
        cell=cell,
        now=int(time.time()),
        rng=asked.services.rng,
    )
    changed, refusal = await asked.services.store.change(game.id, tap, asked.asker.update_id)
    if refusal is not None:
        asked.reply(t.gettext(REFUSALS[refusal]))
        return
    asked.services.publisher.show(changed)
    if changed.ply > game.ply:
        asked.reply(_told(changed, changed.moves[game.ply :], asked))


def read_move(text: str, geometry: Geometry, t: NullTranslations) -> int:
    """The cell that a typed move means: a row and a column, or a number, all from 1.

    Raises:
        BadMove: with a sentence for a bad format, and another for a cell beside the board.
    """
    text = text.strip()
    if pair := PAIR.fullmatch(text):
        row, column = (int(part) for part in pair.groups())
        if not (1 <= row <= geometry.n and 1 <= column <= geometry.m):
            raise BadMove(
                t.gettext("There is no such cell: rows go from 1 to {rows}, columns from 1 to {columns}.").format(
                    rows=geometry.n, columns=geometry.m
                )
            )
        return (row - 1) * geometry.m + column - 1
    if NUMBER.fullmatch(text):
        if not 1 <= int(text) <= geometry.cells:
            raise BadMove(
                t.gettext("There is no such cell: they are numbered from 1 to {cells}.").format(
                    cells=geometry.cells
                )
            )
        return int(text) - 1
    raise BadMove(
        t.gettext(
            "I read a move as row and column, like <code>/move 2,3</code>, or as a number from 1 to {cells}, "
            "like <code>/move 5</code>."
        ).format(cells=geometry.cells)
    )


def _told(game: Game, played: str, asked: Asking) -> str:
    """A move and its answer in words, for those who do not see the board."""
    t = asked.t
    columns = geometry_of(game.geometry).m
    own = t.gettext("You played {cell}.").format(cell=views.cell_name(cell_of(played[0]), columns, t))
    parts = [own]
    if len(played) > 1:
        cell = views.cell_name(cell_of(played[1]), columns, t)
        parts.append(t.gettext("I answered {cell}.").format(cell=cell))
    if game.is_over:
        parts.append(boards.ending(game, t, asked.asker.user.id if asked.is_private else None))
    return " ".join(parts)


def _nothing_here(t: NullTranslations) -> str:
    return t.gettext("You have no running game here. /newgame starts one.")
