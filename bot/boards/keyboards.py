"""The keyboard of a game: the cells, and what else can be done now."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never
from urllib.parse import quote

from bot.boards import exhibitions as watched
from bot.boards.buttons import FindOpponent, OnGame
from bot.boards.choices import level_name
from bot.boards.rules import rules_name
from bot.boards.themes import ARROWS, FADING, NOBODYS, marks_of
from bot.boards.view import button, compact
from bot.game import actions
from bot.game.new_game import DEFAULT_LEVEL
from bot.game.pages import RULES, shown_region
from bot.game.play import is_fresh
from bot.game.states import question_of
from engine import Level
from engine.rules.offered import MENU
from storage.games.game import COMPUTER, Offer, Termination, is_erased, replay, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from gettext import NullTranslations

    from bot.boards.buttons import Button
    from bot.game.actions import Action
    from engine import Mark, Position
    from storage.games.game import Game

Row: TypeAlias = "list[dict[str, str]]"

PLACEHOLDER: Final = "999999999999999999"
"""Stands for a game's id in the cached part of a keyboard; no game gets that far."""


MENU_ROWS: Final = 5
"""So many rows of boards a menu has: as many as stand above its button on the smallest board."""

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
    cancel = button(t.gettext("Cancel"), OnGame(game.id, actions.Cancel()))
    rules = rules_menu(game, t, below=True) if page == RULES else [[rules_button(game, t)]]
    if link is not None:
        share = {"text": t.gettext("Share link"), "url": f"https://t.me/share/url?url={quote(link, safe='')}"}
        return compact({"inline_keyboard": [[share], [cancel], *rules]})
    answers = [button(t.gettext("Accept"), OnGame(game.id, actions.Accept(game.rules)), "success")]
    if game.rival_id is not None:
        answers.append(button(t.gettext("Decline"), OnGame(game.id, actions.Decline()), "danger"))
    if viewer is not None and game.mark_of(viewer) is None:
        return compact({"inline_keyboard": [answers]})
    alone = button(t.gettext("Play OXO"), OnGame(game.id, actions.LetComputerPlay()))
    return compact({"inline_keyboard": [answers, [alone, cancel], *rules]})


def of_game(
    game: Game,
    t: NullTranslations,
    viewer: int | None,
    hint: int | None = None,
    theme: str | None = None,
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
    last = 0 if game.is_over else 2 if game.is_against_computer else 1
    cells = _cells(game.rules, game.moves, last, hint, theme, page, over=game.is_over)
    rows = [cells.replace(PLACEHOLDER, str(game.id))]
    rows += [compact(row) for row in _actions(game, t, viewer, page) if row]
    return f'{{"inline_keyboard":[{",".join(rows)}]}}'


def of_review(then: Game, marked: int | None, theme: str | None, part: str | None, rows: Sequence[Row]) -> str:
    """The keyboard of a review as JSON: the cells as they were then, perhaps one marked, above these rows.

    Where the next move may choose among little boards, `part` is the one whose cells there are.
    """
    last = 0 if marked is not None or then.is_over else 1
    cells = _cells(then.rules, then.moves, last, marked, theme, part, actions.TryCell, over=then.is_over)
    cells = cells.replace(PLACEHOLDER, str(then.id))
    made = ",".join(compact(row) for row in rows)
    return f'{{"inline_keyboard":[{cells},{made}]}}'


def rematch_rows(game: Game, t: NullTranslations, viewer: int | None) -> list[Row]:
    """The rows of a finished game that begin another one."""
    return _rematch_rows(game, t, viewer, [])


def _act(game: Game, label: str, action: Action, style: str | None = None) -> dict[str, str]:
    return button(label, OnGame(game.id, action), style)


def _actions(game: Game, t: NullTranslations, viewer: int | None, page: str | None) -> list[Row]:
    """The rows below the cells."""
    act = partial(_act, game)
    if game.is_over:
        if not game.moves:
            return _rematch_rows(game, t, viewer, [])
        look_back = [button(t.gettext("Review"), OnGame(game.id, actions.LookBack(0)))]
        share = act(t.gettext("Share"), actions.Share())
        # The way out of a review stands where the way in has stood, and nothing where a question may come.
        return _rematch_rows(game, t, viewer, [share, *look_back])
    if game.is_exhibition:
        return watched.actions(game, t)
    question = question_of(game)
    fresh, rules = (_fresh_buttons(game, t), [rules_button(game, t)]) if is_fresh(game) else ([], [])
    back = [] if page is None else [button(t.gettext("‹ Boards"), OnGame(game.id, actions.ShowAll(game.ply)))]
    undo = [*back, act(t.gettext("Undo"), actions.TakeBack(game.ply))] if game.moves and not fresh else back
    hint = [act(t.gettext("Hint"), actions.Hint())] if game.is_against_computer else []
    resign = [] if fresh else [act(t.gettext("Resign"), actions.Resign(game.ply))]
    if question is None:
        return [[*undo, *hint, *resign], fresh, rules]
    asker = game.seat(question.by)
    match question.offer:
        case Offer.RESIGN if viewer not in (None, asker):
            return [[*undo, *resign]]
        case Offer.RESIGN:
            yes = act(t.gettext("Yes, resign"), actions.ConfirmResign(), "danger")
            if game.is_against_computer and game.ply <= FIRST_MOVES:
                undo = back  # it would make the board fresh, whose choices come where yes is
            return [[*undo, act(t.gettext("No, keep playing"), actions.PlayOn())], fresh, rules, [yes]]
        case Offer.TAKEBACK:
            return [[*undo, *resign], _takeback_answers(game, t, is_asker=viewer == asker)]
        case Offer.REMATCH:
            return []  # is asked about finished games alone
        case unknown:
            assert_never(unknown)


def _takeback_answers(game: Game, t: NullTranslations, *, is_asker: bool) -> Row:
    """What may be answered where a takeback is asked for."""
    if is_asker:
        return [_act(game, t.gettext("Withdraw"), actions.Refuse(game.ply))]
    return [
        _act(game, t.gettext("Accept"), actions.Agree(game.ply), "success"),
        _act(game, t.gettext("Decline"), actions.Refuse(game.ply), "danger"),
    ]


def _rematch_rows(game: Game, t: NullTranslations, viewer: int | None, look_back: Row) -> list[Row]:
    """The rows of a finished game; what looks back on it stands at the end of the first."""
    act = partial(_act, game)
    if game.is_between_strangers and game.termination is Termination.EXPIRED:
        return _somebody_else(game, t)
    if game.next_game is not None or is_erased(game.x_seat) or is_erased(game.o_seat):
        return [look_back]
    if game.is_exhibition:
        (row,) = watched.actions(game, t)
        return [[*row, *look_back]]
    if game.is_against_computer:
        again = act(t.gettext("Play again"), actions.PlayAgain(), "primary")
        return [[again, act(t.gettext("Swap sides"), actions.SwapSides()), *look_back]]
    question = question_of(game)
    rematch = act(t.gettext("Rematch"), actions.Rematch(), "primary")
    if question is None:
        return [[rematch, *look_back], *_somebody_else(game, t)]
    if game.seat(question.by) == viewer:
        return [[rematch, *look_back], [act(t.gettext("Withdraw"), actions.Refuse(game.ply))]]
    agree = act(t.gettext("Accept"), actions.Agree(game.ply), "success")
    return [[agree, *look_back], [act(t.gettext("Decline"), actions.Refuse(game.ply), "danger")]]


def _somebody_else(game: Game, t: NullTranslations) -> list[Row]:
    """Where matchmaking has paired two, each may look for somebody else."""
    if not game.is_between_strangers:
        return []
    return [[button(t.gettext("New opponent"), FindOpponent(game.rules))]]


def _fresh_buttons(game: Game, t: NullTranslations) -> list[dict[str, str]]:
    level = game.level or DEFAULT_LEVEL
    levels = list(Level)
    # Who has taken a seat may play a strategy that is no level: the first level comes after it.
    next_level = levels[(levels.index(Level(level)) + 1) % len(levels)] if level in levels else levels[0]
    person_first = game.o_seat == COMPUTER
    return [
        button(
            t.gettext("Difficulty: {level}").format(level=level_name(level, t, game.rules)),
            OnGame(game.id, actions.SetLevel(next_level)),
        ),
        button(
            t.gettext("First: Me") if person_first else t.gettext("First: OXO"),
            OnGame(game.id, actions.SetFirst(is_person=not person_first)),
        ),
    ]


def rules_button(game: Game, t: NullTranslations) -> dict[str, str]:
    """What is played, which opens the choice among the others."""
    return menu_button(game.rules, t, OnGame(game.id, actions.ShowRules(game.ply)))


def rules_menu(game: Game, t: NullTranslations, *, below: bool = False) -> list[Row]:
    """The boards that there are, with the one that is played marked, and the way back."""
    back = OnGame(game.id, actions.ShowAll(game.ply))
    return menu_of(game.rules, t, lambda rules: OnGame(game.id, actions.SetRules(rules)), back, below=below)


def menu_button(rules: str, t: NullTranslations, opens: Button) -> dict[str, str]:
    """What is played, or is to be, on the button that opens the choice among the others."""
    return button(t.gettext("Board: {rules}").format(rules=rules_name(rules, t)), opens)


def menu_of(
    chosen: str, t: NullTranslations, choose: Callable[[str], Button], back: Button, *, below: bool
) -> list[Row]:
    """The boards that there are, two in a row, with the chosen one marked, and the way back.

    The second of two taps on the button that opens it goes back, whether clients keep the top or the bottom of the
    keyboard in its place. For that the last of five rows has all that is left, and what is chosen has a row for
    itself where no menu shows it, and the first one in a menu `below` other rows.
    """
    made = {rules: button(rules_name(rules, t), choose(rules)) for rules in (*MENU, chosen)}
    made[chosen] = button(f"✓ {rules_name(chosen, t)}", back, "primary")
    first = [[made.pop(chosen)]] if below else []
    unlisted = [] if below or chosen in MENU else [[made.pop(chosen)]]
    rest = list(made.values())
    rows = [rest[start : start + 2] for start in range(0, 2 * MENU_ROWS - 2, 2)]
    return [*first, *rows, rest[2 * MENU_ROWS - 2 :], *unlisted, [button(t.gettext("‹ Back"), back)]]


@lru_cache(maxsize=8192)
def _cells(  # noqa: PLR0917 - a cache is asked more quickly by place than by name
    rules: str,
    moves: str,
    last: int,
    hint: int | None,
    theme: str | None,
    page: str | None,
    carries: type[actions.Move | actions.TryCell] = actions.Move,
    *,
    over: bool,
) -> str:
    """The rows of cells as JSON, with a placeholder for the id, so that games with equal moves share them.

    The `last` moves stand out, and so do winning lines, and the cell of a hint.
    """
    position, marks = replay(rules, moves), marks_of(theme)
    fading = () if over else position.fading
    played = rules_of(rules).read_moves(moves)
    styles = dict.fromkeys(played[-last:] if last else (), "primary")
    if hint is not None:
        styles[hint] = "success"
    if position.outcome is not None:
        for line in position.outcome.lines:
            styles |= dict.fromkeys(line, "success")
    layout, shown = position.rules.layout, shown_region(position, page)
    if shown is None:
        made, width = [_region_button(position, region, marks, styles) for region in layout.regions], layout.across
    else:
        width = layout.region_columns
        made = [
            button(
                marks[position.mark_at(cell)] + (FADING if cell in fading else ""),
                OnGame(int(PLACEHOLDER), carries(position.ply, cell)),
                styles.get(cell),
            )
            for cell in layout.regions[shown]
        ]
    return ",".join(compact(made[start : start + width]) for start in range(0, len(made), width))


def _region_button(
    position: Position, cells: range, marks: Mapping[Mark | None, str], styles: Mapping[int, str]
) -> dict[str, str]:
    """A region as a button, which opens it: whose it is, or where it lies; it looks like one of its cells."""
    number = position.rules.layout.region_of(cells[0])
    region = position.regions[number]
    if region.winner is not None:
        label = marks[region.winner]
    elif region.is_finished:
        label = NOBODYS
    else:
        label = marks[None] if position.is_over else ARROWS[number]
    own = [styles[cell] for cell in cells if styles.get(cell) == "success"]
    carries = OnGame(int(PLACEHOLDER), actions.ShowRegion(position.ply, number))
    return button(label, carries, own[0] if own else None)
