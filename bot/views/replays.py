"""A shared game in words: what is drawn beside its board, and what stands below the picture."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from bot.game.acts import Act
from bot.views import names, watched
from bot.views.buttons import OnGame
from bot.views.cells import short_name
from bot.views.choices import level_name
from bot.views.looks import DEFAULT, LETTERS, LOOKS
from bot.views.people import computer, named, nobody
from bot.views.rules import is_misere, line_of, rules_name
from bot.views.texts import listed
from bot.views.view import View, button, keyboard
from engine import CLASSIC, Mark
from engine.mnk_rules import MnkRules
from storage.game import COMPUTER, Termination, rules_of

if TYPE_CHECKING:
    from gettext import NullTranslations

    from bot.views.people import Eyes
    from storage.board import Board
    from storage.game import Game


def look_of(board: Board | None, chosen: str | None) -> str:
    """The look in which a game is drawn: that of its board, else the one that the chat has chosen."""
    look = chosen if board is None else LETTERS if board.as_text else board.look
    return look if look is not None and look in LOOKS else DEFAULT


def scene(game: Game, look: str, t: NullTranslations) -> dict[str, Any]:
    """All that is drawn of a game, as `bot.thinking.drawing.replays.Scene` has it."""
    moves = t.ngettext("{count} move", "{count} moves", game.ply).format(count=game.ply)
    return {
        "rules": game.rules,
        "moves": game.moves,
        "look": look,
        "x_name": _name(game, Mark.X, t),
        "o_name": _name(game, Mark.O, t),
        "winner": None if game.winner is None else str(game.winner),
        "result": result(game, t),
        "detail": f"{_played(game.rules, t)} · {moves}",
    }


def result(game: Game, t: NullTranslations) -> str:
    """How a game ended, in a few plain words; a name in them is isolated, so that it turns none of them around."""
    if game.winner is not None:
        name = names.plain(_name(game, game.winner, t), "")
        if game.termination is Termination.RESIGNATION:
            return t.gettext("{name} wins: the other side has resigned").format(name=name)
        if game.termination is Termination.TIMEOUT:
            return t.gettext("{name} wins on time").format(name=name)
        return t.gettext("{name} wins").format(name=name)
    return (
        t.gettext("A draw") if game.termination is Termination.FULL_BOARD else t.gettext("Not played to the end")
    )


def caption(game: Game, eyes: Eyes, link: str | None, *, as_text: bool) -> str:
    """What stands below the picture: who has played, how it ended, and the way to challenge them.

    Who plays in text is also told the moves, since they may not see the picture.
    """
    t = eyes.t
    sign = "🤝" if game.winner is None else "🏆"
    lines = ["   ".join(_sides(game, eyes)), f"{sign} {html.escape(result(game, t))}"]
    if as_text:
        rules = rules_of(game.rules)
        cells = " ".join(short_name(cell, rules) for cell in rules.read_moves(game.moves))
        lines.append(t.gettext("Moves: {cells}").format(cells=cells))
    if link is not None:
        words = t.gettext("Challenge who has played this")
        lines.append(f'⚔️ <a href="{link}">{words}</a>')
    return "\n".join(lines)


def below(text: str, game: Game, t: NullTranslations, *, moving: bool) -> View:
    """The caption with the button that brings the still of the game's end, below its animation."""
    if not moving:
        return View(text)
    return View(text, keyboard([[button(t.gettext("As a picture"), OnGame(game.id, game.ply, Act.STILL))]]))


def _sides(game: Game, eyes: Eyes) -> list[str]:
    """Both marks with who plays them, as HTML."""
    if game.host is not None:
        return watched.sides(game, eyes)
    return [
        f"{eyes.marks[mark]} {computer(game, eyes.t) if game.seat(mark) == COMPUTER else named(game, mark, eyes)}"
        for mark in Mark
    ]


def _name(game: Game, mark: Mark, t: NullTranslations) -> str:
    """Who plays a mark, as plain text; never "you", since others will look at it."""
    if game.host is not None:
        return f"OXO ({level_name(game.level_of(mark) or '', t, game.rules)})"
    if game.seat(mark) == COMPUTER:
        return computer(game, t)
    return names.clean(game.name(mark) or "") or nobody(game.seat(mark), t)


def _played(text: str, t: NullTranslations) -> str:
    """What was played, as plain text."""
    rules = rules_of(text)
    if rules is CLASSIC or not isinstance(rules, MnkRules):
        return rules_name(text, t)
    if is_misere(text):
        return listed(t, [rules_name(text, t), t.gettext("{line} loses").format(line=line_of(text, t))])
    return listed(t, [f"{rules.columns}×{rules.rows}", line_of(text, t)])
