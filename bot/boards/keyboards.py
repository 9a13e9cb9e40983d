"""The keyboard of a game: its cells, and the actions below them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final, TypeAlias
from urllib.parse import quote

from bot.boards import wording
from bot.boards.buttons import Button, FindOpponent, OnGame, game_text
from bot.boards.players import DIFFICULTIES, level_name
from bot.boards.rules import is_misere, rules_name
from bot.boards.view import ARROWS, FADING, NOBODYS, button, compact, marks_of
from bot.boards.wording import duration
from bot.game.actions import Action
from bot.game.attempt import is_asked_to_resign, question_of
from bot.game.choices import ADAPTIVE, CLOCKS, SERIES
from bot.game.exhibitions import PlayWinner
from bot.game.new_game import USUAL_LEVEL, Cancel, Decline, LetComputerPlay, SetClock, SetSeries, seen_with
from bot.game.pages import (
    CHOOSING,
    MORE,
    Hint,
    LookBack,
    Share,
    ShowAll,
    ShowMoreRules,
    ShowRegion,
    ShowRules,
    TryCell,
    shown_region,
)
from bot.game.play import Move, SetFirst, SetLevel, SetRules, edition_of, is_fresh
from bot.game.questions import (
    Agree,
    ConfirmResign,
    PlayAgain,
    PlayOn,
    Refuse,
    Rematch,
    Resign,
    SwapSides,
    TakeBack,
)
from bot.language import _
from engine import Mark, Position
from engine.rules.catalogue import MENU
from storage.games.game import COMPUTER, RESIGNING, Game, Termination, is_erased, replay, rules_of
from storage.results.result import series_goes_on

Row: TypeAlias = "list[dict[str, str]]"

PLACEHOLDER: Final = "999999999999999999"
"""A placeholder for the game's id in the cached part of a keyboard; no game has this id."""


PICKED: Final = ("3x3x3", "4x4x4", "5x5x4", "8x8x5", "3x3x3-misere", "ultimate", "vanishing")
"""The boards that the picker shows first; the others are behind More."""


def of_challenge(
    game: Game, link: str | None, page: str | None = None, *, viewer: int | None = None
) -> str | None:
    """The keyboard of a challenge as JSON; none once it is over. `link` leads to it, if it was made as a link.

    The board picker opens below the other buttons, so that these stay in place and others can still accept.
    """
    if game.is_over:
        return None
    cancel = button(_("Cancel"), on(game, Cancel()))
    rules = rules_menu(game, page, below=True) if page in CHOOSING else [[rules_button(game)]]
    rules = [[_clock_button(game), _series_button(game)], *rules]
    if link is not None:
        share = {"text": _("Share link"), "url": f"https://t.me/share/url?url={quote(link, safe='')}"}
        return compact({"inline_keyboard": [[share], [cancel], *rules]})
    answers = [button(_("Accept"), on(game, seen_with(game)), "success")]
    if game.names_rival:
        answers.append(button(_("Decline"), on(game, Decline()), "danger"))
    if viewer is not None and game.mark_of(viewer) is None:
        return compact({"inline_keyboard": [answers]})
    alone = button(_("Play OXO"), on(game, LetComputerPlay()))
    return compact({"inline_keyboard": [answers, [alone, cancel], *rules]})


def of_game(
    game: Game,
    viewer: int | None,
    hint: int | None = None,
    theme: str | None = None,
    *,
    page: str | None = None,
) -> str:
    """The keyboard of a game as JSON, as the person `viewer` sees it, or anybody; a hint marks its cell.

    Below the cells is what people want most: before the first move the choices, during the game Undo, Hint and
    Resign, afterwards another game and then its review. The answers to a question share the last row, Yes first,
    where there was nothing before, so that a double tap never answers by accident. A page (`bot.game.pages`) shows
    a region of a big board, with the way back first in the first row, or the board picker instead of everything
    else.
    """
    if page in CHOOSING:
        return compact({"inline_keyboard": rules_menu(game, page)})
    last = 0 if game.is_over else 2 if game.is_against_computer else 1
    cells = _cells(game.rules, game.moves, last, hint, theme, page, line_style(game, viewer), over=game.is_over)
    return _cells_and_rows(cells, game, [row for row in _actions(game, viewer, page) if row])


def line_style(game: Game, viewer: int | None) -> str:
    """The colour of a completed line: blue if it lost the game for the viewer, or for everybody.

    It is never red, on which a red mark can hardly be seen.
    """
    if game.winner is None or game.is_exhibition:
        return "success"
    own = None if viewer is None else game.mark_of(viewer)
    if game.is_against_computer:
        is_lost = game.seat(game.winner) == COMPUTER
    else:
        is_lost = is_misere(game.rules) if own is None else game.winner is not own
    return "primary" if is_lost else "success"


def of_review(
    then: Game, marked: int | None, theme: str | None, part: str | None, rows: Sequence[Row], *, viewer: int | None
) -> str:
    """The keyboard of a review as JSON: the cells as they were at a ply, perhaps one marked, above these rows.

    Where the next move may choose among little boards, `part` is the one whose cells are shown.
    """
    last = 0 if marked is not None or then.is_over else 1
    style = line_style(then, viewer)
    cells = _cells(then.rules, then.moves, last, marked, theme, part, style, TryCell, over=then.is_over)
    return _cells_and_rows(cells, then, rows)


def _cells_and_rows(cells: str, game: Game, rows: Sequence[Row]) -> str:
    made = f",{compact(rows)[1:-1]}" if rows else ""
    return f'{{"inline_keyboard":[{cells.replace(PLACEHOLDER, game_text(game.id, edition_of(game)))}{made}]}}'


def on(game: Game, action: Action) -> OnGame:
    """An action on a game as it is now."""
    return OnGame(game.id, action, 0 if action.for_ply is None else edition_of(game))


def _act(game: Game, label: str, action: Action, style: str | None = None) -> dict[str, str]:
    return button(label, on(game, action), style)


def _actions(game: Game, viewer: int | None, page: str | None) -> list[Row]:
    act = partial(_act, game)
    if game.is_over:
        again, answers = rematch_rows(game, viewer)
        share, review = act(_("Share"), Share()), act(_("Review"), LookBack(0))
        return [again, [review, share] if game.moves else [], answers]
    if game.is_exhibition:
        return wording.actions(game)
    question = question_of(game)
    back = [] if page is None else [button(_("‹ Boards"), on(game, ShowAll(game.ply)))]
    if is_fresh(game):
        chosen = [[each] for each in (*_fresh_buttons(game), rules_button(game))]
        return [back, *chosen, _answers(game, viewer)]
    undo = [act(_("Undo"), TakeBack(game.ply))] if game.moves else []
    hint = [act(_("Hint"), Hint())] if game.is_against_computer else []
    resign = [act(_("Resign"), Resign(game.ply))]
    if question is not None and question.offer in RESIGNING:
        undo = []
    return [[*back, *undo, *hint, *resign], _answers(game, viewer)]


def _answers(game: Game, viewer: int | None) -> Row:
    question = question_of(game)
    if question is None:
        return []
    is_asker = game.seat(question.by) == viewer
    if question.offer in RESIGNING:
        mark = None if viewer is None else game.mark_of(viewer)
        if viewer is not None and not (mark and is_asked_to_resign(game, mark)):
            return []
        return [
            _act(game, _("Yes, resign"), ConfirmResign(), "danger"),
            _act(game, _("No, keep playing"), PlayOn()),
        ]
    if is_asker:
        return [_act(game, _("Withdraw"), Refuse(game.ply))]
    return [
        _act(game, _("Accept"), Agree(game.ply), "success"),
        _act(game, _("Decline"), Refuse(game.ply), "danger"),
    ]


def rematch_rows(game: Game, viewer: int | None) -> tuple[Row, Row]:
    """The buttons for another game after a finished one, and the answers to a request for a rematch."""
    act = partial(_act, game)
    new_opponent = [button(_("New opponent"), FindOpponent(game.rules))] if game.is_between_strangers else []
    if new_opponent and game.termination is Termination.EXPIRED:
        return new_opponent, []
    if game.next_game is not None or is_erased(game.x_seat) or is_erased(game.o_seat):
        return [], []
    if game.is_exhibition:
        return wording.actions(game)[0], []
    if game.is_against_computer:
        again = act(_("Play again"), PlayAgain(), "primary")
        return [again, act(_("Swap sides"), SwapSides())], []
    label = _("Next game") if series_goes_on(game) else _("Rematch")
    rematch = act(label, Rematch(), "primary")
    lets_next_in = viewer is None and (game.chat_id or 0) < 0 and game.winner and not series_goes_on(game)
    winner = [act(_("Play the winner"), PlayWinner())] if lets_next_in else []
    return [rematch, *winner, *new_opponent], _answers(game, viewer)


def _fresh_buttons(game: Game) -> list[dict[str, str]]:
    level = ADAPTIVE if game.next_level else game.level or USUAL_LEVEL
    # A game from an exhibition may have a strategy that is no level: the first difficulty comes after it.
    now = DIFFICULTIES.index(level) if level in DIFFICULTIES else -1
    following = DIFFICULTIES[(now + 1) % len(DIFFICULTIES)]
    person_first = game.o_seat == COMPUTER
    return [
        button(
            _("Difficulty: {level}").format(level=level_name(level, game.rules)),
            on(game, SetLevel(following)),
        ),
        button(
            _("First: Me") if person_first else _("First: OXO"),
            on(game, SetFirst(is_person=not person_first)),
        ),
    ]


def rules_button(game: Game) -> dict[str, str]:
    """The button that names the board, and opens the board picker."""
    return menu_button(game.rules, on(game, ShowRules(game.ply)))


def _series_button(game: Game) -> dict[str, str]:
    following = SERIES[(SERIES.index(game.best_of or 1) + 1) % len(SERIES)]
    label = _("Best of {count}").format(count=game.best_of) if game.best_of else _("One game")
    return button(label, on(game, SetSeries(following)))


def _clock_button(game: Game) -> dict[str, str]:
    choices = (0, *CLOCKS)
    following = choices[(choices.index(game.clock or 0) + 1) % len(choices)]
    # Translators: a button; how much time the players have for a move.
    label = _("Clock: {time}").format(time=duration(game.clock) if game.clock else _("none"))
    return button(label, on(game, SetClock(following)))


def rules_menu(game: Game, page: str | None, *, below: bool = False) -> list[Row]:
    """A page of the board picker, with the present board marked, and the way back."""

    def choose(rules: str) -> Button:
        return on(game, SetRules(rules))

    back, more = on(game, ShowAll(game.ply)), on(game, ShowMoreRules(game.ply))
    if page == MORE:
        return more_of(game.rules, choose, on(game, ShowRules(game.ply)))
    return menu_of(game.rules, choose, back, more, below=below)


def menu_button(rules: str, opens: Button) -> dict[str, str]:
    """The label of the button that opens the board picker: the board that is, or will be, played."""
    return button(_("Board: {rules}").format(rules=rules_name(rules)), opens)


def more_of(chosen: str, choose: Callable[[str], Button], back: Button) -> list[Row]:
    """The other boards, two in a row, and the way back."""
    rest = [button(rules_name(rules), choose(rules)) for rules in MENU if rules not in (*PICKED, chosen)]
    return [*_in_pairs(rest), [button(_("‹ Back"), back)]]


def menu_of(
    chosen: str,
    choose: Callable[[str], Button],
    back: Button,
    more: Button,
    others: Sequence[str] = (),
    *,
    below: bool,
) -> list[Row]:
    """The boards that most people want, two in a row, with the present one marked, More, and the way back.

    The second of two quick taps on the button that opens it goes back, whether a client keeps the top or the
    bottom of the keyboard in place. That's why a chosen board that isn't one of these gets a row of its own, as
    does the first one of a picker `below` other rows.
    """
    made = {rules: button(rules_name(rules), choose(rules)) for rules in (*PICKED, *others, chosen)}
    made[chosen] = button(f"✓ {rules_name(chosen)}", back, "primary")
    own = [[made.pop(chosen)]] if below or chosen not in PICKED else []
    rows = _in_pairs([*made.values(), button(_("More"), more)])
    rows = [*own, *rows] if below else [*rows, *own]
    return [*rows, [button(_("‹ Back"), back)]]


def _in_pairs(row: Row) -> list[Row]:
    return [row[start : start + 2] for start in range(0, len(row), 2)]


@lru_cache(maxsize=8192)
def _cells(  # noqa: PLR0917 - a cache is asked more quickly by place than by name
    rules: str,
    moves: str,
    last: int,
    hint: int | None,
    theme: str | None,
    page: str | None,
    line: str,
    carries: type[Move | TryCell] = Move,
    *,
    over: bool,
) -> str:
    """The rows of cells as JSON, with a placeholder for the game's id, so that games with equal moves share them.

    The `last` moves, completed lines (in the style `line`) and the cell of a hint are highlighted.
    """
    position, marks = replay(rules, moves), marks_of(theme)
    fading = () if over else position.fading
    played = rules_of(rules).read_moves(moves)
    styles = dict.fromkeys(played[-last:] if last else (), "primary")
    if hint is not None:
        styles[hint] = "success"
    if position.outcome is not None:
        for cells in position.outcome.lines:
            styles |= dict.fromkeys(cells, line)
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
    number = position.rules.layout.region_of(cells[0])
    region = position.regions[number]
    if region.winner is not None:
        label = marks[region.winner]
    elif region.is_finished:
        label = NOBODYS
    else:
        label = marks[None] if position.is_over else ARROWS[number]
    own = [styles[cell] for cell in cells if cell in styles and (position.is_over or styles[cell] != "primary")]
    carries = OnGame(int(PLACEHOLDER), ShowRegion(position.ply, number))
    return button(label, carries, own[0] if own else None)
