"""What the buttons do: each tap is read, taken to one use case, and answered."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.game.acts import Act
from bot.game.gate import OF_THE_WATCHED, REVIEWING, SHARING
from bot.game.new_game import First
from bot.handlers import (
    basics,
    choices,
    hints,
    inline,
    links,
    new_games,
    pages,
    queue,
    reviews,
    rights,
    rivals,
    running,
    settings,
    sharing,
    stats,
    takebacks,
    top,
    watch,
)
from bot.handlers.acting import Done, act
from bot.handlers.hints import Later
from bot.handlers.links import UNKNOWN_GAME
from bot.handlers.requests import Sender
from bot.handlers.reviews import Link
from bot.intake.tapped import arrival_of, reply_of, where_of
from bot.views import buttons
from bot.views.buttons import (
    AllowTakebacks,
    Begin,
    Cell,
    ChooseFirst,
    ChooseLevel,
    Dare,
    Forget,
    Invite,
    OnGame,
    Play,
    Queue,
    SetFirst,
    SetLevel,
    SetRules,
    Setting,
    Stats,
    Top,
    Topic,
    Try,
    Turn,
)
from bot.views.cells import cell_name
from bot.views.looks import marks_in
from bot.views.menus import TOPICS
from bot.views.texts import N_
from engine import Level
from engine.offered import is_offered_as
from storage.errors import CorruptGame, GameNotFound
from storage.game import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from telegram import Update

    from bot.context import Context
    from bot.views.buttons import Button

log = logging.getLogger(__name__)

UNKNOWN_BUTTON: Final = N_("I do not know this button. /newgame gives you a fresh board.")
TOO_SOON: Final = N_("Another board has just come up there. Tap once more for this cell.")
BROKEN_GAME: Final = N_("I cannot read my notes of this game. Sorry! /newgame starts another.")


async def on_button(update: Update, context: Context) -> None:
    """Take a tap on any button."""
    query = update.callback_query
    if query is None:
        return
    where = where_of(query)
    words: str | None = UNKNOWN_BUTTON
    t = None
    if where is not None:
        sender = Sender(context.services, query.from_user, update.update_id, where)
        t = sender.t
        if where.inline_message_id is not None:
            context.services.publisher.know_chat(where.inline_message_id, where.chat_instance)
        try:
            say = partial(context.services.publisher.answer, query.id)
            done = await _do(sender, query.data, arrival_of(query), say)
            if isinstance(done, Later):
                return
            if isinstance(done, Link):
                context.services.publisher.answer(query.id, url=done.url, reply=reply_of(query))
                return
            words = done
        except GameNotFound:
            words = UNKNOWN_GAME
        except CorruptGame as error:
            log.error("%s", error, extra={"game_id": error.game_id, "update_id": update.update_id})  # noqa: TRY400
            words = BROKEN_GAME
    context.services.publisher.answer(query.id, t.gettext(words) if words and t else words, reply=reply_of(query))


async def _do(
    sender: Sender, data: str | None, arrived: float, say: Callable[[str | None], None]
) -> str | Link | Later | None:
    """Do what a button says; its tapper is told the result, or led there, or `say` tells them later."""
    on_game = partial(act, sender, arrived=arrived)
    match buttons.read(data):
        case Cell(game_id, ply, cell, is_small):
            if is_small and sender.services.double_taps.is_second(game_id, sender.user.id, arrived):
                return TOO_SOON
            done = await on_game(game_id, Act.MOVE, ply=ply, cell=cell)
            if is_small and done.refusal is None:
                sender.services.double_taps.note(game_id, sender.user.id, arrived)
            return _played(sender, done, cell)
        case OnGame() as button:
            return await _on_game(sender, button, arrived, say)
        case Try(game_id, ply, cell):
            return await reviews.tapped(sender, Act.TRY_CELL, game_id, ply, cell)
        case SetLevel(game_id, level) if level in tuple(Level):
            done = await on_game(game_id, Act.SET_LEVEL, value=level)
        case SetRules(game_id, rules) if is_offered_as(rules):
            done = await on_game(game_id, Act.SET_RULES, value=rules)
            await queue.rules_chosen(sender, done.record)
        case Turn(game_id, ply, page):
            done = await pages.turn(sender, game_id, ply, page)
            if done.refusal is None:
                sender.services.double_taps.note(game_id, sender.user.id, arrived)
        case SetFirst(game_id, First.ME | First.BOT as first):
            done = await on_game(game_id, Act.SET_FIRST, value=first)
        case Begin(offer) if sender.where.inline_message_id is not None:
            return await inline.begin(sender, offer, sender.where.inline_message_id)
        case other:
            return await _beside(sender, other)
    return done.words


async def _on_game(
    sender: Sender, button: OnGame, arrived: float, say: Callable[[str | None], None]
) -> str | Link | Later | None:
    """Do an act that a button names; the result is as that of `_do`."""
    game_id, ply, what, rules = button
    if what is Act.HINT:
        return await hints.hint(sender, game_id, say)
    if what is Act.BRING:
        return (await running.bring(sender, game_id)).words
    if what in OF_THE_WATCHED:
        return await watch.tapped(sender, game_id, what, arrived, ply=ply)
    if what in SHARING:
        return await sharing.tapped(sender, what, game_id)
    if what in REVIEWING:
        return await reviews.tapped(sender, what, game_id, ply)
    if what is Act.ACCEPT:
        return (await act(sender, game_id, what, arrived=arrived, value=rules)).words
    return (await act(sender, game_id, what, arrived=arrived, ply=ply)).words


async def _beside(sender: Sender, button: Button | None) -> str | None:
    """Do what a button says that belongs to no game; the result is what its tapper is told."""
    match button:
        case ChooseLevel(level) if level in tuple(Level):
            return await choices.tapped(sender, "level", level)
        case ChooseFirst(first) if first in tuple(First):
            return await choices.tapped(sender, "first", first)
        case AllowTakebacks(word) if word in takebacks.WORDS:
            return await takebacks.tapped(sender, word)
        case Setting() as setting:
            return await settings.tapped(sender, setting)
        case Stats() | Top() | Forget() as wished:
            return await _record(sender, wished)
        case Queue() as wished:
            return await queue.tapped(sender, wished)
        case Topic(topic) if topic in TOPICS:
            basics.turn_page(sender, topic)
            return None
        case Play() | Invite() | Dare() as begun if sender.where.chat_id is not None:
            return await _begin(sender, sender.where.chat_id, begun)
    return UNKNOWN_BUTTON


async def _record(sender: Sender, button: Stats | Top | Forget) -> str | None:
    """Do what a button says about the record of people; the result as before."""
    match button:
        case Stats():
            return await stats.tapped(sender, button)
        case Top():
            return await top.tapped(sender, button)
        case Forget(word):
            return await rights.tapped(sender, word)


async def _begin(sender: Sender, chat_id: int, button: Play | Invite | Dare) -> str | None:
    """Begin a game, or challenge somebody: whoever opens a link, or who has played a shared game."""
    match button:
        case Play():
            return await new_games.play(sender)
        case Dare():
            return await rivals.challenge(sender, button)
    done = await links.invite(sender, chat_id)
    return done.words if isinstance(done, Done) else done


def _played(sender: Sender, done: Done, cell: int) -> str | None:
    """What is told about a move: nothing where the board shows it at once."""
    if done.refusal is not None or not done.is_slow:
        return done.words
    game = done.record.game
    mark = game.mark_of(sender.user.id)
    marks = marks_in(done.record.boards, sender.where.chat_id)
    words = sender.t.gettext("{mark} {cell} is in. Telegram lets this chat change slowly now; the board follows.")
    return words.format(mark=marks[mark], cell=cell_name(cell, rules_of(game.rules), sender.t))
