"""The text board, for who cannot use buttons well: the last move said first, the cells drawn with their names.

Marks are letters, because a screen reader says an emoji by its long name; an empty cell shows what one types to
play it. In a private chat there are no buttons: what they would do is said by commands. In a group others may tap.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from bot.game.pages import open_page
from bot.game.play import last_ply_of
from bot.game.states import free_seat, question_of, thought_of
from bot.views import keyboards, queue, watched
from bot.views.boards import ending, link_of, playing, score_line, time_line
from bot.views.cells import CENTRE, cell_name, short_name
from bot.views.challenges import challenge_text
from bot.views.looks import LETTERS, marks_of
from bot.views.people import Eyes, mention, mover, side
from bot.views.questions import question_line
from bot.views.remarks import remark
from bot.views.rules import rules_line
from bot.views.texts import listed, sentences, texts
from bot.views.ultimate import lettered, next_line
from bot.views.view import View
from engine import CLASSIC, Mark
from engine.ultimate import ULTIMATE, UltimatePosition
from storage.game import Offer, rules_of

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.board import Board
    from storage.game import Game


def text_board_view(game: Game, board: Board, username: str) -> View:
    """A game's message in text; `username` is the bot's, for links to it."""
    eyes = Eyes(board.viewer, texts(board.language), marks_of(LETTERS))
    t, page = eyes.t, open_page(game, board.page)
    if game.is_of_queue and game.is_challenge:
        keyboard = None if board.viewer else queue.keyboard_of(game, t, page)
        return View("\n\n".join([queue.text(game, eyes), *_of_queue(game, t)]), keyboard)
    if game.is_challenge:
        link = link_of(game, board, username)
        parts = [challenge_text(game, link, eyes), _line(_answers(game, board.viewer), t)]
        keyboard = None if board.viewer else keyboards.of_challenge(game, t, link, page)
    else:
        parts = [
            _happened(game, eyes),
            _spoken(game, board, t),
            time_line(game, eyes),
            question_line(game, eyes) or watched.free_seat_line(game, eyes) or queue.met_line(game, eyes),
            _where_next(game, t, page),
            f"<pre>{drawing(game)}</pre>",
            rules_line(game.rules, t),
            playing(game, eyes, board),
            score_line(game, eyes),
            _how_to_move(game, eyes),
            _line(_commands(game, board.viewer), t),
        ]
        keyboard = None if board.viewer else keyboards.of_game(game, t, None, look=LETTERS, page=page)
    return View("\n".join(part for part in parts if part), keyboard)


def drawing(game: Game) -> str:
    """The cells, with a letter above each column and a number before each row."""
    rules, position, marks = rules_of(game.rules), game.position, marks_of(LETTERS)
    if isinstance(position, UltimatePosition):
        return lettered(position)
    head = "  ".join(ascii_lowercase[: rules.columns])
    rows = [f"   {head}"]
    for row in range(rules.rows):
        cells = rules.drawn[row * rules.columns : (row + 1) * rules.columns]
        names = [marks[mark] if (mark := position.mark_at(cell)) else short_name(cell, rules) for cell in cells]
        rows.append(f"{row + 1}  " + " ".join(name.ljust(2) for name in names).rstrip())
    return "\n".join(rows)


def _where_next(game: Game, t: NullTranslations, page: str | None) -> str | None:
    """Where in ultimate the next move has to be, as cells marked by a plus."""
    position = game.position
    if game.is_over or not isinstance(position, UltimatePosition):
        return None
    return next_line(position, page, t, "+")


def _happened(game: Game, eyes: Eyes) -> str:
    """The last move, and whose turn it is or how the game ended."""
    t = eyes.t
    if game.is_over or game.host is not None:
        now = ending(game, eyes)
    elif thought_of(game) is not None:
        now = t.gettext("OXO is thinking.")
    elif game.seat(game.turn) == eyes.viewer:
        now = t.gettext("Your turn.")
    else:
        now = t.gettext("{name}'s turn.").format(name=mention(game, game.turn, eyes))
    if not game.moves:
        return now
    rules = rules_of(game.rules)
    mark = Mark.X if game.ply % 2 else Mark.O
    last = t.gettext("{name}: {cell}.").format(
        name=side(game, mark, eyes) if game.host is not None else mover(game, game.ply, eyes),
        cell=cell_name(rules.read_moves(game.moves)[-1], rules, t),
    )
    return sentences(t, last, now)


def _spoken(game: Game, board: Board, t: NullTranslations) -> str | None:
    """What the computer says about its move, in quotation marks, which a screen reader says as speech."""
    said = remark(game, board, t)
    # Translators: quotation marks around what the computer says.
    return said and t.gettext("“{words}”").format(words=said)


def _how_to_move(game: Game, eyes: Eyes) -> str | None:
    if game.is_over or game.host is not None or thought_of(game) is not None:
        return None
    if eyes.viewer is not None and game.seat(game.turn) != eyes.viewer:
        return None
    rules, t = rules_of(game.rules), eyes.t
    free = game.position.legal_moves
    cell = CENTRE if CENTRE in free and rules.cells == 2 * CENTRE + 1 else free[0]
    words = {"number": cell + 1, "short": short_name(cell, rules), "name": cell_name(cell, rules, t)}
    if rules is ULTIMATE:
        both = "{} {}".format(*(each + 1 for each in divmod(cell, 9)))
        return t.gettext("Write a cell to play it: {short}, or its board and itself, {both}.").format(
            **words, both=both
        )
    if rules is not CLASSIC:
        return t.gettext("Write a cell to play it: {short} or {number}.").format(**words)
    return t.gettext("Write a cell to play it: {short}, {number} or {name}.").format(**words)


def _commands(game: Game, viewer: int | None) -> list[str]:
    """What can be said now, apart from moves; in a group whatever any of the two may say."""
    review = ["review", "share"] if game.is_over and game.moves else []
    if game.next_game is not None:
        return review
    if game.host is not None:
        return [*watched.commands(game), *review]
    question = question_of(game)
    if question is not None:
        by_viewer = viewer is not None and game.seat(question.by) == viewer
        if question.offer is Offer.RESIGN:
            return [] if viewer is not None and not by_viewer else ["yes", "no"]
        return ["cancel"] if by_viewer else ["yes", "no"]
    if game.is_over:
        return [*(["again", "swap"] if game.is_against_computer else ["rematch"]), *review]
    hint = ["hint"] if game.is_against_computer else []
    free = free_seat(game)
    seat = [] if free is None or viewer is not None else [f"take_{free.lower()}"]
    players = [viewer] if viewer is not None else [seat for seat in (game.x_seat, game.o_seat) if seat]
    undo = ["undo"] if any(_has_moved(game, player) for player in players) else []
    return [*undo, *hint, "resign", *seat]


def _has_moved(game: Game, person: int) -> bool:
    mark = game.mark_of(person)
    return mark is not None and last_ply_of(game, mark) is not None


def _of_queue(game: Game, t: NullTranslations) -> list[str]:
    """What can be said while one waits in the queue."""
    line = _line([] if game.is_over else ["leave"], t)
    return [] if line is None else [line]


def _answers(game: Game, viewer: int | None) -> list[str]:
    """What can be said to a challenge."""
    if game.is_over:
        return []
    if viewer is not None:
        return ["cancel"] if game.mark_of(viewer) is not None else ["accept", "decline"]
    return ["accept", *(["decline"] if game.rival_name is not None else []), "cancel"]


def _line(commands: list[str], t: NullTranslations) -> str | None:
    return listed(t, [f"/{name}" for name in commands]) if commands else None
