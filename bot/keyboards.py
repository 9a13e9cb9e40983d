"""The keyboard of a game: the cells, and what else can be done now."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from bot import acts, play
from bot.acts import REMATCH, RESIGN, TAKEBACK
from bot.buttons import Act, SetFirst, SetLevel, Tap
from bot.views import LEVELS, MARKS, button, compact, level_name
from engine import Mark
from storage.game import COMPUTER, cell_of, replay

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.game import Game

PLACEHOLDER: Final = "999999999999999999"
"""Stands for a game's id in the cached part of a keyboard; no game gets that far."""


def of_challenge(game: Game, t: NullTranslations, link: str | None) -> str | None:
    """The keyboard of a challenge as JSON; none once it is over. `link` is the one that it is made by, if any."""
    if game.is_over:
        return None
    cancel = button(t.gettext("Cancel"), Act(game.id, 0, "cancel"))
    if link is not None:
        share = {"text": t.gettext("Share the link"), "url": f"https://t.me/share/url?url={quote(link, safe='')}"}
        return compact({"inline_keyboard": [[share], [cancel]]})
    answers = [button(t.gettext("Accept"), Act(game.id, 0, "accept"), "success")]
    if game.rival_name is not None:
        answers.append(button(t.gettext("Decline"), Act(game.id, 0, "decline"), "danger"))
    alone = button(t.gettext("Play the computer"), Act(game.id, 0, "computer"))
    return compact({"inline_keyboard": [answers, [alone, cancel]]})


def of_game(game: Game, t: NullTranslations, viewer: int | None) -> str:
    """The keyboard of a game as JSON, as the person `viewer` sees it, or anybody.

    Below the cells is a row of what can be done now, and below that a row for the takeback alone:
    it is asked for in haste, so its place is never another button's.
    """
    cells = _cells(game.geometry, game.moves, _line_style(game, viewer), last=2 if game.is_against_computer else 1)
    rows = [cells.replace(PLACEHOLDER, str(game.id))]
    rows += [compact(row) for row in _actions(game, t)]
    return f'{{"inline_keyboard":[{",".join(rows)}]}}'


def _actions(game: Game, t: NullTranslations) -> list[list[dict[str, str]]]:
    """The rows below the cells."""

    def act(label: str, action: str, style: str | None = None) -> dict[str, str]:
        return button(label, Act(game.id, game.ply, action), style)

    offer = acts.offer_of(game)
    if game.next_game is not None:
        return []
    undo = act(t.gettext("Undo"), "undo")
    if offer is not None and offer.kind == RESIGN:
        # A second tap on the place of Resign, by haste, plays on.
        return [
            [act(t.gettext("No, play on"), "goon")],
            [undo],
            [act(t.gettext("Yes, resign"), "giveup", "danger")],
        ]
    if offer is not None and offer.kind in (TAKEBACK, REMATCH):
        return [[act(t.gettext("Accept"), "yes", "success"), act(t.gettext("Decline"), "no", "danger")]]
    if game.is_over:
        if game.is_against_computer:
            return [[act(t.gettext("Play again"), "again", "primary"), act(t.gettext("Swap sides"), "swap")]]
        return [[act(t.gettext("Rematch"), "rematch", "primary")]]
    if play.is_fresh(game):
        return [_fresh_buttons(game, t)]
    resign = act(t.gettext("Resign"), "resign")
    first = [act(t.gettext("Hint"), "hint"), resign] if game.is_against_computer else [resign]
    return [first, [undo]] if game.moves else [first]


def _fresh_buttons(game: Game, t: NullTranslations) -> list[dict[str, str]]:
    level = game.level or play.DEFAULT_LEVEL
    next_level = LEVELS[(LEVELS.index(level) + 1) % len(LEVELS)]
    person_first = game.o_seat == COMPUTER
    return [
        button(t.gettext("Level: {level}").format(level=level_name(level, t)), SetLevel(game.id, next_level)),
        button(
            t.gettext("You move first") if person_first else t.gettext("I move first"),
            SetFirst(game.id, "bot" if person_first else "me"),
        ),
    ]


def _line_style(game: Game, viewer: int | None) -> str:
    """The style of the winning line: good news or bad for who looks at it."""
    if game.winner is None:
        return "success"
    seat = game.seat(Mark(game.winner))
    lost = seat == COMPUTER or (viewer is not None and seat != viewer)
    return "danger" if lost else "success"


@lru_cache(maxsize=8192)
def _cells(geometry: str, moves: str, line_style: str, last: int) -> str:
    """The rows of cells as JSON, with a placeholder for the id, so that games with equal moves share them.

    The `last` moves stand out, and so does a winning line.
    """
    position = replay(geometry, moves)
    played = [cell_of(character) for character in moves]
    styles = dict.fromkeys(played[-last:], "primary")
    if position.outcome is not None:
        for line in position.outcome.lines:
            styles |= dict.fromkeys(line, line_style)
    cells = [
        button(MARKS[position.mark_at(cell)], Tap(int(PLACEHOLDER), len(moves), cell), styles.get(cell))
        for cell in range(position.geometry.cells)
    ]
    width = position.geometry.m
    return ",".join(compact(cells[start : start + width]) for start in range(0, len(cells), width))
