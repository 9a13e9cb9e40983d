"""The keyboard of a game: the cells, and what else can be done now."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from bot.game.acts import Act
from bot.game.new_game import DEFAULT_LEVEL
from bot.game.play import is_fresh
from bot.game.states import question_of
from bot.views.buttons import Cell, OnGame, SetFirst, SetLevel
from bot.views.choices import level_name
from bot.views.view import MARKS, button, compact
from engine import Level
from storage.game import COMPUTER, Offer, replay, rules_of

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.game import Game

PLACEHOLDER: Final = "999999999999999999"
"""Stands for a game's id in the cached part of a keyboard; no game gets that far."""


def of_challenge(game: Game, t: NullTranslations, link: str | None) -> str | None:
    """The keyboard of a challenge as JSON; none once it is over. `link` is the one that it is made by, if any."""
    if game.is_over:
        return None
    cancel = button(t.gettext("Cancel"), OnGame(game.id, 0, Act.CANCEL))
    if link is not None:
        share = {"text": t.gettext("Share the link"), "url": f"https://t.me/share/url?url={quote(link, safe='')}"}
        return compact({"inline_keyboard": [[share], [cancel]]})
    answers = [button(t.gettext("Accept"), OnGame(game.id, 0, Act.ACCEPT), "success")]
    if game.rival_name is not None:
        answers.append(button(t.gettext("Decline"), OnGame(game.id, 0, Act.DECLINE), "danger"))
    alone = button(t.gettext("Play the computer"), OnGame(game.id, 0, Act.COMPUTER))
    return compact({"inline_keyboard": [answers, [alone, cancel]]})


def of_game(game: Game, t: NullTranslations, viewer: int | None) -> str:
    """The keyboard of a game as JSON, as the person `viewer` sees it, or anybody.

    Below the cells is a row of what can be done now, and below that a row for the takeback alone:
    it is asked for in haste, so its place is never another button's.
    """
    cells = _cells(game.rules, game.moves, _line_style(game, viewer), last=2 if game.is_against_computer else 1)
    rows = [cells.replace(PLACEHOLDER, str(game.id))]
    rows += [compact(row) for row in _actions(game, t)]
    return f'{{"inline_keyboard":[{",".join(rows)}]}}'


def _actions(game: Game, t: NullTranslations) -> list[list[dict[str, str]]]:
    """The rows below the cells."""

    def act(label: str, act: Act, style: str | None = None) -> dict[str, str]:
        return button(label, OnGame(game.id, game.ply, act), style)

    question = question_of(game)
    if game.next_game is not None:
        return []
    takeback = act(t.gettext("Undo"), Act.TAKEBACK)
    if question is not None and question.offer is Offer.RESIGN:
        # A second tap on the place of Resign, by haste, plays on.
        return [
            [act(t.gettext("No, play on"), Act.PLAY_ON)],
            [takeback],
            [act(t.gettext("Yes, resign"), Act.CONFIRM, "danger")],
        ]
    if question is not None:
        return [[act(t.gettext("Accept"), Act.AGREE, "success"), act(t.gettext("Decline"), Act.REFUSE, "danger")]]
    if game.is_over:
        if game.is_against_computer:
            return [[act(t.gettext("Play again"), Act.AGAIN, "primary"), act(t.gettext("Swap sides"), Act.SWAP)]]
        return [[act(t.gettext("Rematch"), Act.REMATCH, "primary")]]
    if is_fresh(game):
        return [_fresh_buttons(game, t)]
    resign = act(t.gettext("Resign"), Act.RESIGN)
    first = [act(t.gettext("Hint"), Act.HINT), resign] if game.is_against_computer else [resign]
    return [first, [takeback]] if game.moves else [first]


def _fresh_buttons(game: Game, t: NullTranslations) -> list[dict[str, str]]:
    level = game.level or DEFAULT_LEVEL
    levels = [str(each) for each in Level]
    next_level = levels[(levels.index(level) + 1) % len(levels)]
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
    seat = game.seat(game.winner)
    lost = seat == COMPUTER or (viewer is not None and seat != viewer)
    return "danger" if lost else "success"


@lru_cache(maxsize=8192)
def _cells(rules: str, moves: str, line_style: str, last: int) -> str:
    """The rows of cells as JSON, with a placeholder for the id, so that games with equal moves share them.

    The `last` moves stand out, and so does a winning line.
    """
    position = replay(rules, moves)
    played = rules_of(rules).read_moves(moves)
    styles = dict.fromkeys(played[-last:], "primary")
    if position.outcome is not None:
        for line in position.outcome.lines:
            styles |= dict.fromkeys(line, line_style)
    cells = [
        button(MARKS[position.mark_at(cell)], Cell(int(PLACEHOLDER), len(moves), cell), styles.get(cell))
        for cell in range(position.rules.cells)
    ]
    width = position.rules.columns
    return ",".join(compact(cells[start : start + width]) for start in range(0, len(cells), width))
