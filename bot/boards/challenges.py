"""The messages of challenges, and of games that inline mode offers."""

import html
from collections.abc import Mapping

from bot.boards import names
from bot.boards.players import Scene, called, mention, nobody
from bot.boards.rules import rules_line, rules_name
from bot.boards.translations import sentences
from bot.boards.view import MARKS
from bot.boards.wording import clock_line, left_line
from bot.game.choices import First
from bot.game.new_game import DEFAULT_RULES, challenger_of, closed_by_other
from bot.language import _
from engine import Mark
from storage.games.game import Game, Termination


def challenge_text(scene: Scene) -> str:
    """The text of a challenge, open or closed; its challenger sees the link that leads to it, if it has one."""
    game, link = scene.game, scene.link
    mark = challenger_of(game)
    if game.is_over:
        return _closed(game, link)
    if link is not None:
        head = _("⚔️ <b>Play a friend:</b> the first person to open this link plays you.")
        if game.names_rival:
            head = _("⚔️ <b>You challenged {rival}.</b> No answer? Send them this link; it works only for them.")
        head = head.format(rival=_rival(game))
        # Who types has no button that sends it.
        head += (
            f"\n<blockquote>{html.escape(sentence(game))}\n{link}</blockquote>" if scene.as_text else f"\n{link}"
        )
        return _with_rules(head, game.rules, _yours(mark, scene.marks), game.clock, game.best_of)
    rival = None
    if game.names_rival:
        rival = _rival(game) if game.rival_id is None else names.linked(_rival(game), game.rival_id)
    first_mover = First.ME if mark is Mark.X else First.BOT
    return invitation(
        _challenger(game),
        first_mover,
        rival,
        scene.marks,
        rules=game.rules,
        clock=game.clock,
        best_of=game.best_of,
    )


def invitation(
    name: str,
    first: First,
    rival: str | None = None,
    marks: Mapping[Mark | None, str] = MARKS,
    *,
    rules: str = DEFAULT_RULES,
    clock: int | None = None,
    best_of: int | None = None,
) -> str:
    """The text of a challenge; names are safe HTML, and `first` is from the challenger's point of view."""
    if rival is None:
        head = _("⚔️ <b>{name} is looking for an opponent.</b> Who's in?").format(name=name)
    else:
        head = _("⚔️ <b>{rival}, {name} challenges you</b> to tic-tac-toe.").format(name=name, rival=rival)
    said = {
        First.ME: _("{name} plays {x} and moves first."),
        First.BOT: _("{name} plays {o}; the opponent plays {x} and moves first."),
        First.RANDOM: _("A coin flip decides who moves first."),
    }[first].format(name=name, x=marks[Mark.X], o=marks[Mark.O])
    return _with_rules(head, rules, said, clock, best_of)


def sentence(game: Game) -> str:
    """What goes with the link of an open challenge to those who get it: plain text, which notifies nobody."""
    mark = challenger_of(game)
    name = names.plain(game.name(mark), nobody(game.seat(mark)))
    terms = (rules_name(game.rules), clock_line(game.clock), _series(game.best_of))
    said = _("⚔️ {name} challenges you to tic-tac-toe: {terms}.")
    said = said.format(name=name, terms=" · ".join(term for term in terms if term is not None))
    return sentences(said, _yours(mark.other, MARKS))


def _yours(mark: Mark, marks: Mapping[Mark | None, str]) -> str:
    first = _("You play {mark} and move first.") if mark is Mark.X else _("You play {mark} and move second.")
    return first.format(mark=marks[mark])


def announcement(name: str, level: str, rules: str = DEFAULT_RULES) -> str:
    """The text of an inline game against the computer that hasn't begun; names are safe HTML."""
    said = _("{name} wants to play OXO ({level}).").format(name=name, level=level)
    return "\n\n".join(part for part in (said, rules_line(rules)) if part)


def _with_rules(head: str, rules: str, rest: str, clock: int | None, best_of: int | None) -> str:
    lines = (head, "", rules_line(rules), rest, clock_line(clock), _series(best_of))
    return "\n".join(line for line in lines if line is not None)


def _series(best_of: int | None) -> str | None:
    return None if best_of is None else _("Best of {count}").format(count=best_of)


def _closed(game: Game, link: str | None) -> str:
    if (gone := left_line(game)) is not None:
        return sentences(gone, _("This challenge is closed."))
    withdrawn = game.termination is Termination.CANCELLED
    if link is not None:
        if withdrawn:
            return _("You've withdrawn your challenge. Its link no longer works.")
        if game.termination is Termination.DECLINED:
            return _("{rival} declined your challenge.").format(rival=_rival(game))
        return _("💤 Your challenge expired: nobody opened the link.")
    words = {"name": _challenger(game), "rival": _rival(game)}
    if game.termination is Termination.DECLINED:
        mentioned = mention(game, challenger_of(game))
        return _("{rival} declined {name}'s challenge.").format(name=mentioned, rival=words["rival"])
    if withdrawn:
        return _withdrawn(game).format(other=called(game, game.ended_by), **words)
    if not game.names_rival:
        return _("💤 {name}'s challenge expired: nobody accepted it.").format(**words)
    return _("💤 {name}'s challenge to {rival} expired without an answer.").format(**words)


def _withdrawn(game: Game) -> str:
    to_all = not game.names_rival
    if closed_by_other(game) and not game.name_of(game.ended_by):
        if to_all:
            return _("An admin closed {name}'s challenge.")
        return _("An admin closed {name}'s challenge to {rival}.")
    if closed_by_other(game):
        if to_all:
            return _("Admin {other} closed {name}'s challenge.")
        return _("Admin {other} closed {name}'s challenge to {rival}.")
    if to_all:
        return _("{name} withdrew the challenge.")
    return _("{name} withdrew the challenge to {rival}.")


def _challenger(game: Game) -> str:
    mark = challenger_of(game)
    return called(game, game.seat(mark))


def _rival(game: Game) -> str:
    """The person challenged; a username as it is, so that Telegram notifies its person."""
    return called(game, game.rival_id) if game.rival_username is None else f"@{game.rival_username}"
