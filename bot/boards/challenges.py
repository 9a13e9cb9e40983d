"""The messages of challenges, and of games that inline mode offers."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import Final

from bot.boards.players import Viewer, called, mention
from bot.boards.rules import rules_line
from bot.boards.view import MARKS
from bot.boards.wording import clock_line
from bot.game.choices import First
from bot.game.new_game import DEFAULT_RULES, challenger_of, closed_by_other
from bot.language import N_
from engine import Mark
from storage.games.game import Game, Termination

PLENTY: Final = N_("They've had enough challenges from you for today. Please try again tomorrow.")


def challenge_text(game: Game, link: str | None, viewer: Viewer) -> str:
    """The text of a challenge, open or closed; `link` leads to it, if it was made as a link."""
    mark, t = challenger_of(game), viewer.t
    if game.is_over:
        return _closed(game, link, viewer)
    if link is not None:
        head = t.gettext("⚔️ <b>Play a friend:</b> the first person to open this link plays you.")
        if game.names_rival:
            head = t.gettext(
                "⚔️ <b>You challenged {rival}.</b> No answer? Send them this link; it works only for them."
            )
        head = head.format(rival=_rival(game, t)) + f"\n{link}"
        first = (
            t.gettext("You play {mark} and move first.")
            if mark is Mark.X
            else t.gettext("You play {mark} and move second.")
        )
        said = first.format(mark=viewer.marks[mark])
        return _with_rules(head, game.rules, said, t, game.clock, game.best_of)
    rival = None
    if game.names_rival:
        rival = _rival(game, t)
        if game.rival_id is not None:
            rival = f'<a href="tg://user?id={game.rival_id}">{rival}</a>'
    first_mover = First.ME if mark is Mark.X else First.BOT
    return invitation(
        _challenger(game, t),
        first_mover,
        t,
        rival,
        viewer.marks,
        rules=game.rules,
        clock=game.clock,
        best_of=game.best_of,
    )


def invitation(
    name: str,
    first: First,
    t: NullTranslations,
    rival: str | None = None,
    marks: Mapping[Mark | None, str] = MARKS,
    *,
    rules: str = DEFAULT_RULES,
    clock: int | None = None,
    best_of: int | None = None,
) -> str:
    """The text of a challenge; names are safe HTML, and `first` is from the challenger's point of view."""
    if rival is None:
        head = t.gettext("⚔️ <b>{name} is looking for an opponent.</b> Who's in?").format(name=name)
    else:
        head = t.gettext("⚔️ <b>{rival}, {name} challenges you</b> to tic-tac-toe.").format(name=name, rival=rival)
    sentences = {
        First.ME: t.gettext("{name} plays {x} and moves first."),
        First.BOT: t.gettext("{name} plays {o}; the opponent plays {x} and moves first."),
        First.RANDOM: t.gettext("A coin flip decides who moves first."),
    }
    said = sentences[first].format(name=name, x=marks[Mark.X], o=marks[Mark.O])
    return _with_rules(head, rules, said, t, clock, best_of)


def announcement(name: str, level: str, t: NullTranslations, rules: str = DEFAULT_RULES) -> str:
    """The text of an inline game against the computer that hasn't begun; names are safe HTML."""
    said = t.gettext("{name} wants to play OXO ({level}).").format(name=name, level=level)
    return "\n\n".join(part for part in (said, rules_line(rules, t)) if part)


def _with_rules(  # noqa: PLR0917 - all of them always
    head: str, rules: str, rest: str, t: NullTranslations, clock: int | None, best_of: int | None
) -> str:
    series = None if best_of is None else t.gettext("Best of {count}").format(count=best_of)
    lines = (head, "", rules_line(rules, t), rest, clock_line(clock, t), series)
    return "\n".join(line for line in lines if line is not None)


def _closed(game: Game, link: str | None, viewer: Viewer) -> str:
    t = viewer.t
    withdrawn = game.termination is Termination.CANCELLED
    if link is not None:
        if withdrawn:
            return t.gettext("You've withdrawn your challenge. Its link no longer works.")
        if game.termination is Termination.DECLINED:
            return t.gettext("{rival} declined your challenge.").format(rival=_rival(game, t))
        return t.gettext("💤 Your challenge expired: nobody opened the link.")
    words = {"name": _challenger(game, t), "rival": _rival(game, t)}
    if game.termination is Termination.DECLINED:
        mentioned = mention(game, challenger_of(game), viewer)
        return t.gettext("{rival} declined {name}'s challenge.").format(name=mentioned, rival=words["rival"])
    if withdrawn:
        return _withdrawn(game, t).format(other=called(game, game.ended_by, t), **words)
    if not game.names_rival:
        return t.gettext("💤 {name}'s challenge expired: nobody accepted it.").format(**words)
    return t.gettext("💤 {name}'s challenge to {rival} expired without an answer.").format(**words)


def _withdrawn(game: Game, t: NullTranslations) -> str:
    to_all = not game.names_rival
    if closed_by_other(game) and not game.name_of(game.ended_by):
        if to_all:
            return t.gettext("An admin closed {name}'s challenge.")
        return t.gettext("An admin closed {name}'s challenge to {rival}.")
    if closed_by_other(game):
        if to_all:
            return t.gettext("{other}, an admin, closed {name}'s challenge.")
        return t.gettext("{other}, an admin, closed {name}'s challenge to {rival}.")
    if to_all:
        return t.gettext("{name} withdrew the challenge.")
    return t.gettext("{name} withdrew the challenge to {rival}.")


def _challenger(game: Game, t: NullTranslations) -> str:
    mark = challenger_of(game)
    return called(game, game.seat(mark), t)


def _rival(game: Game, t: NullTranslations) -> str:
    """The person challenged; a username as it is, so that Telegram notifies its person."""
    return called(game, game.rival_id, t) if game.rival_username is None else f"@{game.rival_username}"
