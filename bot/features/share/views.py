"""The caption of a shared game, as the picture itself has no words."""

from __future__ import annotations

import html
from gettext import NullTranslations

from bot.boards import exhibitions, names
from bot.boards.buttons import OnGame
from bot.boards.cells import short_name
from bot.boards.level_names import level_name
from bot.boards.players import Viewer, computer, named, nobody
from bot.boards.rules import rules_played
from bot.boards.themes import DEFAULT, LETTERS, THEMES
from bot.boards.view import View, button, keyboard
from bot.game.actions import Share
from engine import Mark
from storage.games.board import Board
from storage.games.game import COMPUTER, DRAWN, Game, Termination, rules_of


def theme_of(board: Board | None, chosen: str | None) -> str:
    """The theme in which a game is drawn: its board's, else the chat's."""
    theme = chosen if board is None else LETTERS if board.as_text else board.theme
    return theme if theme is not None and theme in THEMES else DEFAULT


def result(game: Game, t: NullTranslations) -> str:
    """How a game ended, in a few plain words; a name is isolated, so that the rest keeps its direction."""
    if game.winner is not None:
        name = names.plain(_name(game, game.winner, t), "")
        if game.termination is Termination.RESIGNATION:
            return t.gettext("{name} wins by resignation").format(name=name)
        if game.termination is Termination.TIMEOUT:
            return t.gettext("{name} wins on time").format(name=name)
        return t.gettext("{name} wins").format(name=name)
    return t.gettext("A draw") if game.termination in DRAWN else t.gettext("Not finished")


def caption(game: Game, viewer: Viewer, link: str | None, *, as_text: bool) -> str:
    """The caption of the picture: who played, how it ended, what was played, and a link to challenge them.

    For text boards it also has the moves, since their readers may not see the picture.
    """
    t = viewer.t
    sign = "🤝" if game.winner is None else f"🏆 {viewer.marks[game.winner]}"
    moves = t.ngettext("{count} move", "{count} moves", game.ply).format(count=game.ply)
    lines = [
        "   ".join(_sides(game, viewer)),
        f"{sign} {html.escape(result(game, t))}",
        f"{html.escape(rules_played(game.rules, t))} · {moves}",
    ]
    if as_text:
        rules = rules_of(game.rules)
        cells = " ".join(short_name(cell, rules) for cell in rules.read_moves(game.moves))
        lines.append(t.gettext("Moves: {cells}").format(cells=cells))
    if link is not None:
        words = t.gettext("Challenge this player")
        lines.append(f'⚔️ <a href="{link}">{words}</a>')
    return "\n".join(lines)


def below(text: str, game: Game, t: NullTranslations, *, moving: bool) -> View:
    """The caption of an animation, with the button that sends the still of the game's end."""
    if not moving:
        return View(text)
    return View(text, keyboard([[button(t.gettext("As a picture"), OnGame(game.id, Share(as_picture=True)))]]))


def _sides(game: Game, viewer: Viewer) -> list[str]:
    """Both marks with their players, as HTML."""
    if game.is_exhibition:
        return exhibitions.sides(game, viewer)
    return [
        f"{viewer.marks[mark]} "
        f"{computer(game, viewer.t) if game.seat(mark) == COMPUTER else named(game, mark, viewer)}"
        for mark in Mark
    ]


def _name(game: Game, mark: Mark, t: NullTranslations) -> str:
    """A mark's player, as plain text; never "you", since others will read it."""
    if game.is_exhibition:
        return f"OXO ({level_name(game.level_of(mark) or '', t, game.rules)})"
    if game.seat(mark) == COMPUTER:
        return computer(game, t)
    return names.clean(game.name(mark) or "") or nobody(game.seat(mark), t)
