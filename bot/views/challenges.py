"""The messages of challenges, and of games that inline mode offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.challenges import challenger_of
from bot.game.new_game import First
from bot.views import names
from engine import Mark
from storage.game import Termination

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.game import Game


def challenge_text(game: Game, link: str | None, t: NullTranslations) -> str:
    """The text of a challenge, open or closed; `link` is the one that it is made by, if any."""
    mark = challenger_of(game)
    name = names.shown(game.name(mark), t.gettext("Player"))
    if game.is_over:
        return _closed(game, t)
    if link is not None:
        head = t.gettext("⚔️ <b>Challenge a friend</b>: whoever opens this link first plays you.") + f"\n{link}"
        first = (
            t.gettext("You play ❌ and move first.")
            if mark is Mark.X
            else t.gettext("You play ⭕ and move second.")
        )
        return f"{head}\n\n{first}"
    rival = None
    if game.rival_name is not None:
        rival = names.shown(game.rival_name, t.gettext("Player"))
        if game.rival_id is not None:
            rival = f'<a href="tg://user?id={game.rival_id}">{rival}</a>'
    return invitation(name, First.ME if mark is Mark.X else First.BOT, t, rival)


def invitation(name: str, first: First, t: NullTranslations, rival: str | None = None) -> str:
    """The text of a challenge; the names are safe HTML, and `first` is meant from the challenger's side."""
    if rival is None:
        head = t.gettext("⚔️ <b>{name} challenges you</b> to noughts and crosses: who takes it up?").format(
            name=name
        )
    else:
        head = t.gettext("⚔️ <b>{name} challenges {rival}</b> to noughts and crosses.").format(
            name=name, rival=rival
        )
    sentences = {
        First.ME: t.gettext("{name} plays ❌ and moves first."),
        First.BOT: t.gettext("{name} plays ⭕; the other side has ❌ and moves first."),
        First.RANDOM: t.gettext("A coin decides who moves first."),
    }
    return f"{head}\n\n{sentences[first].format(name=name)}"


def announcement(name: str, level: str, t: NullTranslations) -> str:
    """The text of a game against the computer that has not begun; the names are safe HTML."""
    return t.gettext("{name} is about to play OXO at level {level}.").format(name=name, level=level)


def _closed(game: Game, t: NullTranslations) -> str:
    """How a challenge came to nothing."""
    if game.termination is Termination.CANCELLED:
        return t.gettext("The challenge was withdrawn.")
    if game.termination is Termination.DECLINED:
        return t.gettext("The challenge was declined.")
    return t.gettext("The challenge has expired: nobody took it.")
