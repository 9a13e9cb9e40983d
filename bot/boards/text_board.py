"""The text board, for people who cannot use buttons well: the last move first, the cells drawn with their names.

Marks are letters, because a screen reader reads an emoji out by its long name; an empty cell shows what to type to
play it. In a private chat there are no buttons, and commands take their place; in a group others may want to tap.
"""

from __future__ import annotations

from gettext import NullTranslations
from string import ascii_lowercase

from bot.boards import exhibitions, keyboards, matchmaking
from bot.boards.cells import CENTRE, cell_name, short_name
from bot.boards.challenges import challenge_text
from bot.boards.comments import comment
from bot.boards.message import (
    level_line,
    link_of,
    playing,
    rating_line,
    score_line,
    series_line,
    state_line,
    time_line,
)
from bot.boards.milestones import milestone_lines
from bot.boards.overview import fading_line, lettered, next_line
from bot.boards.players import Viewer, mention, mover, side
from bot.boards.questions import question_line
from bot.boards.rules import rules_line
from bot.boards.themes import LETTERS, marks_of
from bot.boards.translations import in_order, listed, sentences, texts
from bot.boards.view import View
from bot.game.pages import open_page
from bot.game.play import last_ply_of
from bot.game.states import question_of, thought_of
from engine import Mark, Position
from storage.games.board import Board
from storage.games.game import Game, Offer, rules_of
from storage.people.wait import Wait


def text_board_view(game: Game, board: Board, username: str) -> View:
    """A game's message in text; `username` is the bot's, for links to it."""
    viewer = Viewer(board.viewer, texts(board.language), marks_of(LETTERS))
    t, page = viewer.t, open_page(game, board)
    if game.is_challenge:
        link = link_of(game, board, username)
        parts = [challenge_text(game, link, viewer), _line(_answers(game, board.viewer), t)]
        keyboard = None if board.viewer else keyboards.of_challenge(game, t, link, page)
    else:
        parts = [
            _happened(game, viewer),
            series_line(game, viewer),
            _spoken(game, board, t),
            time_line(game, viewer),
            question_line(game, viewer) or matchmaking.met_line(game, viewer),
            _where_next(game, t, page),
            fading_line(game, t, marks_of(LETTERS)[game.turn].lower()),
            f"<pre>{in_order(drawing(game.position, is_over=game.is_over), t)}</pre>",
            rules_line(game.rules, t),
            playing(game, viewer, board),
            score_line(game, viewer),
            rating_line(game, viewer),
            level_line(game, t),
            *milestone_lines(game, viewer),
            _how_to_move(game, viewer),
            _line(_commands(game, board.viewer), t),
        ]
        keyboard = None if board.viewer else keyboards.of_game(game, t, None, theme=LETTERS, page=page)
    return View("\n".join(part for part in parts if part), keyboard)


def wait_text_view(wait: Wait, board: Board) -> View:
    """The message of somebody who waits for an opponent, in text."""
    t = texts(board.language)
    said = [matchmaking.text(wait, t), _line([] if wait.is_over else ["leave"], t)]
    return View("\n\n".join(part for part in said if part))


def drawing(position: Position, *, is_over: bool = False) -> str:
    """The cells, with a letter above each column and a number before each row."""
    rules, layout, marks = position.rules, position.rules.layout, marks_of(LETTERS)
    if len(layout.regions) > 1:
        return lettered(position)
    names = {
        cell: marks[mark] if (mark := position.mark_at(cell)) else short_name(cell, rules) for cell in layout.drawn
    }
    if not is_over:
        names |= {cell: names[cell].lower() for cell in position.fading}
    rows = [f"   {'  '.join(ascii_lowercase[: layout.columns])}"]
    for row in range(layout.rows):
        cells = [names[layout.cell_at(row, column)] for column in range(layout.columns)]
        rows.append(f"{row + 1}  " + " ".join(cell.ljust(2) for cell in cells).rstrip())
    return "\n".join(rows)


def _where_next(game: Game, t: NullTranslations, page: str | None) -> str | None:
    """The regions, with a plus where the next move may be."""
    position = game.position
    if game.is_over or len(position.regions) == 1:
        return None
    return next_line(position, page, t, "+")


def _happened(game: Game, viewer: Viewer) -> str:
    """The last move, and whose turn it is or how the game ended."""
    t = viewer.t
    if game.is_over or game.is_exhibition:
        now = state_line(game, viewer)
    elif thought_of(game) is not None:
        now = t.gettext("OXO is thinking.")
    elif game.seat(game.turn) == viewer.person:
        now = t.gettext("Your turn.")
    else:
        now = t.gettext("{name}'s turn.").format(name=mention(game, game.turn, viewer))
    if not game.moves:
        return now
    rules = rules_of(game.rules)
    mark = Mark.X if game.ply % 2 else Mark.O
    last = t.gettext("{name}: {cell}.").format(
        name=side(game, mark, viewer) if game.is_exhibition else mover(game, game.ply, viewer),
        cell=cell_name(rules.read_moves(game.moves)[-1], rules, t),
    )
    return sentences(t, last, now)


def _spoken(game: Game, board: Board, t: NullTranslations) -> str | None:
    """The computer's comment in quotation marks, which a screen reader reads as speech."""
    said = comment(game, board, t)
    # Translators: quotation marks around what the computer says.
    return said and t.gettext("“{words}”").format(words=said)


def _how_to_move(game: Game, viewer: Viewer) -> str | None:
    if game.is_over or game.is_exhibition or thought_of(game) is not None:
        return None
    if viewer.person is not None and game.seat(game.turn) != viewer.person:
        return None
    rules, t = rules_of(game.rules), viewer.t
    layout, free = rules.layout, game.position.legal_moves
    in_regions = len(layout.regions) > 1
    cell = CENTRE if CENTRE in free and layout.has_names and not in_regions else free[0]
    words = {"number": cell + 1, "short": short_name(cell, rules), "name": cell_name(cell, rules, t)}
    if in_regions:
        region = layout.region_of(cell)
        both = f"{region + 1} {layout.regions[region].index(cell) + 1}"
        return t.gettext("Type a cell to play it: {short}, or board and cell: {both}.").format(**words, both=both)
    if not layout.has_names:
        return t.gettext("Type a cell to play it: {short} or {number}.").format(**words)
    return t.gettext("Type a cell to play it: {short}, {number} or {name}.").format(**words)


def _commands(game: Game, viewer: int | None) -> list[str]:
    """The commands that apply now, apart from moves; in a group those of either player."""
    review = ["review", "share"] if game.is_over and game.moves else []
    if game.next_game is not None:
        return review
    if game.is_exhibition:
        return [*exhibitions.commands(game), *review]
    question = question_of(game)
    if question is not None:
        by_viewer = viewer is not None and game.seat(question.by) == viewer
        if question.offer is Offer.RESIGN:
            return [] if viewer is not None and not by_viewer else ["yes", "no"]
        return ["cancel"] if by_viewer else ["yes", "no"]
    if game.is_over:
        return [*(["again", "swap"] if game.is_against_computer else ["rematch"]), *review]
    hint = ["hint"] if game.is_against_computer else []
    players = [viewer] if viewer is not None else [seat for seat in (game.x_seat, game.o_seat) if seat]
    undo = ["undo"] if any(_has_moved(game, player) for player in players) else []
    return [*undo, *hint, "resign"]


def _has_moved(game: Game, person: int) -> bool:
    mark = game.mark_of(person)
    return mark is not None and last_ply_of(game, mark) is not None


def _answers(game: Game, viewer: int | None) -> list[str]:
    """The commands that answer a challenge."""
    if game.is_over:
        return []
    if viewer is not None:
        return ["cancel"] if game.mark_of(viewer) is not None else ["accept", "decline"]
    return ["accept", *(["decline"] if game.rival_id is not None else []), "cancel"]


def _line(commands: list[str], t: NullTranslations) -> str | None:
    return listed(t, [f"/{name}" for name in commands]) if commands else None
