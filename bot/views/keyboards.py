"""The keyboard of a game: the cells, and what else can be done now."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never
from urllib.parse import quote

from bot.game.acts import Act
from bot.game.new_game import DEFAULT_LEVEL
from bot.game.pages import ALL, RULES
from bot.game.play import is_fresh
from bot.game.states import free_seat, question_of
from bot.views import ultimate, watched
from bot.views.buttons import Cell, OnGame, Queue, SetFirst, SetLevel, SetRules, Turn
from bot.views.choices import level_name
from bot.views.looks import marks_of
from bot.views.rules import rules_name
from bot.views.view import button, compact
from engine import Level
from engine.offered import MENU
from engine.ultimate import UltimatePosition
from storage.game import COMPUTER, Offer, Termination, has_left, replay, rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations

    from storage.game import Game

Row: TypeAlias = "list[dict[str, str]]"

OF_PLAY, OF_SMALL, OF_REVIEW = '"callback_data":"1t:', '"callback_data":"1u:', '"callback_data":"1y:'
"""How what the cells carry begins: in play, on little boards, and in a review."""

PLACEHOLDER: Final = "999999999999999999"
"""Stands for a game's id in the cached part of a keyboard; no game gets that far."""


FIRST_MOVES: Final = 3
"""The plies up to which a person has made no more than one move against the computer."""


def of_challenge(
    game: Game, t: NullTranslations, link: str | None, page: str | None = None, *, viewer: int | None = None
) -> str | None:
    """The keyboard of a challenge as JSON; none once it is over. `link` is the one that it is made by, if any.

    The choice of another board opens below the rest, so that nothing of it moves and others can still accept.
    """
    if game.is_over:
        return None
    cancel = button(t.gettext("Cancel"), OnGame(game.id, 0, Act.CANCEL))
    rules = rules_menu(game, t, below=True) if page == RULES else [[rules_button(game, t)]]
    if link is not None:
        share = {"text": t.gettext("Share the link"), "url": f"https://t.me/share/url?url={quote(link, safe='')}"}
        return compact({"inline_keyboard": [[share], [cancel], *rules]})
    answers = [button(t.gettext("Accept"), OnGame(game.id, 0, Act.ACCEPT, game.rules), "success")]
    if game.rival_name is not None:
        answers.append(button(t.gettext("Decline"), OnGame(game.id, 0, Act.DECLINE), "danger"))
    if viewer is not None and game.mark_of(viewer) is None:
        return compact({"inline_keyboard": [answers]})
    alone = button(t.gettext("Play the computer"), OnGame(game.id, 0, Act.COMPUTER))
    return compact({"inline_keyboard": [answers, [alone, cancel], *rules]})


def of_game(
    game: Game,
    t: NullTranslations,
    viewer: int | None,
    hint: int | None = None,
    look: str | None = None,
    *,
    page: str | None = None,
) -> str:
    """The keyboard of a game as JSON, as the person `viewer` sees it, or anybody; a hint marks its cell.

    Below the cells stands one row whose places never change: Undo, Hint, Resign. What depends on a question stands
    in a row of its own below it, where nothing else ever is, so that no tap in haste finds an answer where a
    moment before another button was: the second of two taps on Resign plays on, and the second of two on Undo or
    Rematch withdraws nothing. A fresh board has its choices there, and Hint above them, where Undo has just been.
    A page (`bot.game.pages`) shows a part of a big board, whose way back stands first in that one row, or the
    choice among the boards that there are, in the place of all else.
    """
    if page == RULES:
        return compact({"inline_keyboard": rules_menu(game, t)})
    last = 0 if game.is_over else 2 if game.is_against_computer and game.host is None else 1
    cells = _cells(game.rules, game.moves, last, hint, look, page)
    rows = [cells.replace(PLACEHOLDER, str(game.id))]
    rows += [compact(row) for row in _actions(game, t, viewer, look, page) if row]
    return f'{{"inline_keyboard":[{",".join(rows)}]}}'


def of_review(then: Game, marked: int | None, look: str | None, part: str | None, rows: Sequence[Row]) -> str:
    """The keyboard of a review as JSON: the cells as they were then, perhaps one marked, above these rows.

    Where the next move may choose among little boards, `part` is the one whose cells there are.
    """
    last = 0 if marked is not None or then.is_over else 1
    cells = _cells(then.rules, then.moves, last, marked, look, part).replace(PLACEHOLDER, str(then.id))
    made = ",".join(compact(row) for row in rows)
    # The cells of a review are told from those of play by their letter alone.
    cells = cells.replace(OF_PLAY, OF_REVIEW).replace(OF_SMALL, OF_REVIEW)
    return f'{{"inline_keyboard":[{cells},{made}]}}'


def follow_up(game: Game, t: NullTranslations, viewer: int | None, look: str | None) -> list[Row]:
    """The rows of a finished game that begin another one."""
    return _follow_up(game, t, viewer, look, [])


def _act(game: Game, label: str, act: Act, style: str | None = None) -> dict[str, str]:
    return button(label, OnGame(game.id, game.ply, act), style)


def _actions(game: Game, t: NullTranslations, viewer: int | None, look: str | None, page: str | None) -> list[Row]:
    """The rows below the cells."""
    act = partial(_act, game)
    if game.is_over:
        if not game.moves:
            return _follow_up(game, t, viewer, look, [])
        look_back = [button(t.gettext("Review"), OnGame(game.id, 0, Act.REVIEW))]
        share = act(t.gettext("Share"), Act.SHARE)
        # The way out of a review stands where the way in has stood, and nothing where a question may come.
        return _follow_up(game, t, viewer, look, [share, *look_back])
    if game.host is not None:
        return watched.actions(game, t, look)
    question = question_of(game)
    fresh, rules = (_fresh_buttons(game, t), [rules_button(game, t)]) if is_fresh(game) else ([], [])
    back = [] if page is None else [button(t.gettext("‹ Boards"), Turn(game.id, game.ply, ALL))]
    undo = [*back, act(t.gettext("Undo"), Act.TAKEBACK)] if game.moves and not fresh else back
    hint = [act(t.gettext("Hint"), Act.HINT)] if game.is_against_computer else []
    resign = [] if fresh else [act(t.gettext("Resign"), Act.RESIGN)]
    if question is None:
        free = free_seat(game)
        seat = [] if free is None else [watched.seat_button(game, free, t, marks_of(look))]
        return [[*undo, *hint, *resign], fresh, rules, seat]
    asker = game.seat(question.by)
    match question.offer:
        case Offer.RESIGN if viewer not in (None, asker):
            return [[*undo, *resign]]
        case Offer.RESIGN:
            yes = act(t.gettext("Yes, resign"), Act.CONFIRM, "danger")
            if game.is_against_computer and game.ply <= FIRST_MOVES:
                undo = back  # it would make the board fresh, whose choices come where yes is
            return [[*undo, act(t.gettext("No, play on"), Act.PLAY_ON)], fresh, rules, [yes]]
        case Offer.TAKEBACK:
            return [[*undo, *resign], _takeback_answers(game, t, is_asker=viewer == asker)]
        case Offer.REMATCH:
            return []  # is asked about finished games alone
        case unknown:
            assert_never(unknown)


def _takeback_answers(game: Game, t: NullTranslations, *, is_asker: bool) -> Row:
    """What may be answered where a takeback is asked for."""
    if is_asker:
        return [_act(game, t.gettext("Withdraw"), Act.REFUSE)]
    return [
        _act(game, t.gettext("Accept"), Act.AGREE, "success"),
        _act(game, t.gettext("Decline"), Act.REFUSE, "danger"),
    ]


def _follow_up(game: Game, t: NullTranslations, viewer: int | None, look: str | None, look_back: Row) -> list[Row]:
    """The rows of a finished game; what looks back on it stands at the end of the first."""
    act = partial(_act, game)
    if game.next_game is not None and game.termination is Termination.EXPIRED:
        return _somebody_else(game, t)
    if game.next_game is not None or has_left(game.x_seat) or has_left(game.o_seat):
        return [look_back]
    if game.host is not None:
        first, *others = watched.actions(game, t, look)
        return [[*first, *look_back], *others]
    if game.is_against_computer:
        again = act(t.gettext("Play again"), Act.AGAIN, "primary")
        return [[again, act(t.gettext("Swap sides"), Act.SWAP), *look_back]]
    question = question_of(game)
    rematch = act(t.gettext("Rematch"), Act.REMATCH, "primary")
    if question is None:
        return [[rematch, *look_back], *_somebody_else(game, t)]
    if game.seat(question.by) == viewer:
        return [[rematch, *look_back], [act(t.gettext("Withdraw"), Act.REFUSE)]]
    agree = act(t.gettext("Accept"), Act.AGREE, "success")
    return [[agree, *look_back], [act(t.gettext("Decline"), Act.REFUSE, "danger")]]


def _somebody_else(game: Game, t: NullTranslations) -> list[Row]:
    """Where two met in the queue, each may go on looking there."""
    if not game.is_of_queue:
        return []
    return [[button(t.gettext("Play somebody else"), Queue("play", game.rules))]]


def _fresh_buttons(game: Game, t: NullTranslations) -> list[dict[str, str]]:
    level = game.level or DEFAULT_LEVEL
    levels = [str(each) for each in Level]
    # Who has taken a seat may play a strategy that is no level: the first level comes after it.
    next_level = levels[(levels.index(level) + 1) % len(levels)] if level in levels else levels[0]
    person_first = game.o_seat == COMPUTER
    return [
        button(
            t.gettext("Level: {level}").format(level=level_name(level, t, game.rules)),
            SetLevel(game.id, next_level),
        ),
        button(
            t.gettext("You move first") if person_first else t.gettext("I move first"),
            SetFirst(game.id, "bot" if person_first else "me"),
        ),
    ]


def rules_button(game: Game, t: NullTranslations) -> dict[str, str]:
    """What is played, which opens the choice among the others."""
    label = t.gettext("Board: {rules}").format(rules=rules_name(game.rules, t))
    return button(label, Turn(game.id, game.ply, RULES))


def rules_menu(game: Game, t: NullTranslations, *, below: bool = False) -> list[list[dict[str, str]]]:
    """The boards that there are, two in a row, with the one that is played marked, and the way back.

    The second of two taps on the button that opens it goes back, whether clients keep the top or the bottom of the
    keyboard in its place. For that, in a menu `below` other rows what is played has the first row for itself.
    """
    back = Turn(game.id, game.ply, ALL)
    made = {rules: button(rules_name(rules, t), SetRules(game.id, rules)) for rules in (*MENU, game.rules)}
    made[game.rules] = button(f"✓ {rules_name(game.rules, t)}", back, "primary")
    first = [[made.pop(game.rules)]] if below else []
    rest = list(made.values())
    pairs = [rest[start : start + 2] for start in range(0, len(rest), 2)]
    return [*first, *pairs, [button(t.gettext("‹ Back"), back)]]


@lru_cache(maxsize=8192)
def _cells(  # noqa: PLR0917 - a cache is asked more quickly by place than by name
    rules: str, moves: str, last: int, hint: int | None, look: str | None, page: str | None
) -> str:
    """The rows of cells as JSON, with a placeholder for the id, so that games with equal moves share them.

    The `last` moves stand out, and so do winning lines, and the cell of a hint.
    """
    position, marks = replay(rules, moves), marks_of(look)
    played = rules_of(rules).read_moves(moves)
    styles = dict.fromkeys(played[-last:] if last else (), "primary")
    if hint is not None:
        styles[hint] = "success"
    if position.outcome is not None:
        for line in position.outcome.lines:
            styles |= dict.fromkeys(line, "success")
    if isinstance(position, UltimatePosition):
        return ",".join(map(compact, ultimate.rows(position, page, int(PLACEHOLDER), marks, styles)))
    cells = [
        button(marks[position.mark_at(cell)], Cell(int(PLACEHOLDER), len(moves), cell), styles.get(cell))
        for cell in range(position.rules.cells)
    ]
    width = position.rules.columns
    return ",".join(compact(cells[start : start + width]) for start in range(0, len(cells), width))
