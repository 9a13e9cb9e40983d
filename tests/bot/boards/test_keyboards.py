"""The keyboards of challenges and games: their buttons, layout and colours."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from bot.boards import keyboards, matchmaking
from bot.boards.buttons import Button, HideWanted, OnGame, ShowWanted, read
from bot.boards.players import DIFFICULTIES
from bot.boards.translations import texts
from bot.game.actions import (
    ConfirmResign,
    Move,
    Permission,
    PlayOn,
    Refuse,
    Rematch,
    Resign,
    SetFirst,
    SetLevel,
    ShowAll,
    ShowRules,
    TakeBack,
)
from bot.game.attempt import State, state_of
from bot.game.new_game import ADAPTIVE
from bot.game.pages import RULES
from engine import Mark
from engine.rules.catalogue import MENU, longest_line
from engine.rules.geometry import LARGEST, SMALLEST
from storage.games.game import Game, Offer, Termination
from tests.bot.game.test_matchmaking import wait_of
from tests.bot.games import (
    ANN,
    BO,
    asking,
    board_in,
    computer_game,
    decided,
    done,
    drawn,
    game_of_two,
    open_challenge,
)

T = texts("en")


def buttons(game: Game, viewer: int | None = None) -> list[list[dict[str, Any]]]:
    """The buttons of a game, row by row."""
    keyboard: dict[str, list[list[dict[str, Any]]]] = json.loads(keyboards.of_game(game, T, viewer))
    return keyboard["inline_keyboard"]


def labels(game: Game, viewer: int | None = None) -> list[list[str]]:
    """The labels of a game's keyboard."""
    return [[button["text"] for button in row] for row in buttons(game, viewer)]


def styled(game: Game, viewer: int | None = None) -> list[str]:
    """The rows of cells, each cell with the first letter of its colour or a dot."""
    return ["".join(button.get("style", ".")[0] for button in row) for row in buttons(game, viewer)[:3]]


def test_the_cells_are_drawn_as_they_are_and_carry_game_ply_and_cell() -> None:
    game = game_of_two(drawn("X.O", ".X.", "..."))
    assert labels(game)[:3] == [["❌", "·", "🟡"], ["·", "❌", "·"], ["·", "·", "·"]]
    carried = [read(button["callback_data"]) for row in buttons(game)[:3] for button in row]
    assert carried == [OnGame(7, Move(3, cell)) for cell in range(9)]


def test_the_last_moves_are_highlighted() -> None:
    assert styled(game_of_two("401")) == [".p.", "...", "..."], "the last one between people"
    assert styled(computer_game("40")) == ["p..", ".p.", "..."], "and the computer's answer as well as your own"


@pytest.mark.parametrize("viewer", [None, ANN.id, BO.id])
@pytest.mark.parametrize(
    ("game", "cells"),
    [
        (computer_game(drawn("XXX", "OO.", "...")), ["sss", "...", "..."]),
        (computer_game(drawn("XX.", "OOO", "X..")), ["...", "ppp", "..."]),
        (computer_game("012365874"), ["s.s", ".s.", "s.s"]),
        (game_of_two(drawn("XOX", "XOO", "OXX")), ["...", "...", "..."]),
        (game_of_two("40")._replace(termination=Termination.RESIGNATION, winner=Mark.X), ["...", "...", "..."]),
    ],
    ids=["won", "won by the computer", "two lines", "drawn", "resigned"],
)
def test_at_the_end_only_lines_are_highlighted_blue_if_the_computer_has_won(
    game: Game, cells: list[str], viewer: int | None
) -> None:
    assert styled(game, viewer) == cells


def test_a_line_is_green_for_its_winner_and_blue_for_the_loser() -> None:
    won = game_of_two(drawn("XXX", "OO.", "..."))
    assert [styled(won, who)[0] for who in (ANN.id, BO.id, None)] == ["sss", "ppp", "sss"]
    misere = won._replace(rules="3x3x3-misere", winner=Mark.O)
    assert [styled(misere, who)[0] for who in (ANN.id, BO.id, None)] == ["ppp", "sss", "ppp"]


def test_a_hint_marks_its_cell() -> None:
    def cells(hint: int | None) -> list[str]:
        rows = json.loads(keyboards.of_game(computer_game("40"), T, ANN.id, hint))["inline_keyboard"][:3]
        return ["".join(button.get("style", ".")[0] for button in row) for row in rows]

    assert cells(8) == ["p..", ".p.", "..s"]
    assert cells(None) == ["p..", ".p.", "..."]


def test_a_hasty_second_tap_on_resign_answers_nothing() -> None:
    for game, who in ((game_of_two("4"), BO), (computer_game("4081"), ANN)):
        asked = done(game, Resign(game.ply), who)
        assert labels(game)[3][-1] == "Resign"
        hint = ["Hint"] if game.is_against_computer else []
        assert labels(asked)[3:] == [[*hint, "Resign"], ["Yes, resign", "No, keep playing"]]
        assert len(labels(game)) == 4, "nothing was where yes is now"
        resigned, played_on = done(asked, ConfirmResign(), who), done(asked, PlayOn(), who)
        assert len(labels(played_on)) == 4
        assert labels(resigned)[4] == ["Review", "Share"], "which neither undo nor start anything"


def test_a_hasty_second_tap_on_undo_or_rematch_withdraws_nothing() -> None:
    running = game_of_two("40")
    asked = done(running, TakeBack(2), ANN)
    for viewer in (None, ANN.id):
        assert labels(running, viewer)[3] == labels(asked, viewer)[3] == ["Undo", "Resign"]
    over = game_of_two(drawn("XXX", "OO.", "..."))
    wished = done(over, Rematch(), ANN)
    assert labels(over)[3:] == [["Rematch", "Play the winner"], ["Review", "Share"]]
    assert labels(wished, ANN.id)[3:] == [["Rematch"], ["Review", "Share"], ["Withdraw"]]
    assert labels(wished)[3:] == [["Rematch", "Play the winner"], ["Review", "Share"], ["Accept", "Decline"]]


TELLING = frozenset({"Yes, resign", "Accept", "Decline", "Withdraw"})
"""What changes the game, or what the other is asked, for good."""
HARMLESS = frozenset({"Review", "Share"})
SAME = ("Rematch", "Accept")
"""Who taps Rematch agrees to one, and nobody agrees to what they have asked themselves."""


def places(game: Game, viewer: int | None) -> dict[tuple[int, int], str]:
    """The label at each position of the rows below the cells, in sixths of a row."""
    return {
        (row, sixth): made[sixth * len(made) // 6]
        for row, made in enumerate(labels(game, viewer)[3:])
        for sixth in range(6)
    }


def steps(game: Game) -> list[Game]:
    """The games that one tap of either player can lead to."""
    found = []
    for who in (ANN, BO):
        shown = [read(each["callback_data"]) for row in buttons(game, who.id)[3:] for each in row]
        cell = next((each for each in range(9) if str(each) not in game.moves), 0)
        offered = (button.action for button in shown if isinstance(button, OnGame))
        for action in (Move(game.ply, cell), *offered):
            if isinstance(action, Permission):
                continue
            decision = decided(game, action, who)
            if decision.result.refusal is None and decision.game != game:
                found.append(decision.game)
    return found


@pytest.mark.parametrize("begun", [game_of_two(), computer_game(level="beginner")], ids=["two", "computer"])
def test_what_counts_for_good_is_never_where_another_button_was_a_moment_before_nor_the_other_way(
    begun: Game,
) -> None:
    seen, waiting = {begun}, [(begun, 0)]
    met: set[str] = set()
    while waiting:
        game, depth = waiting.pop()
        for after in steps(game):
            for viewer in (None, ANN.id, BO.id):
                one, two = places(game, viewer), places(after, viewer)
                for place in one.keys() & two.keys():
                    pair = one[place], two[place]
                    if game.offer is Offer.TAKEBACK and pair[1] in ("Yes, resign", "No, keep playing"):
                        continue  # they count only for whoever has just tapped Resign, elsewhere on the board
                    if pair[0] != pair[1] and pair not in (SAME, SAME[::-1]):
                        told = (pair, game.moves, game.offer, after.moves, after.offer)
                        assert pair[1] not in TELLING, told
                        assert pair[0] not in TELLING or pair[1] in HARMLESS, told
                met |= TELLING & {*two.values()}
            if after not in seen and depth < 5:
                seen.add(after)
                waiting.append((after, depth + 1))
    assert met == (TELLING if begun.o_seat == BO.id else {"Yes, resign"})


def test_a_hasty_second_tap_on_undo_changes_no_level() -> None:
    fresh = done(computer_game("40"), TakeBack(2))
    assert labels(fresh)[3:] == [["Hint", "Resign"]], "the choice is final once a move was made"


def test_resigning_a_fresh_game_moves_none_of_its_buttons() -> None:
    asked = done(computer_game(), Resign(0))
    choices = [["Difficulty: medium"], ["First: Me"], ["Board: 3×3"]]
    assert labels(asked)[3:] == [*choices, ["Yes, resign", "No, keep playing"]]


def test_the_person_who_asks_may_withdraw_and_the_one_who_is_asked_may_answer() -> None:
    asked = game_of_two("40", **asking("takeback:X"))
    assert labels(asked, ANN.id)[4:] == [["Withdraw"]]
    assert labels(asked, BO.id)[4:] == labels(asked)[4:] == [["Accept", "Decline"]]
    withdraw = read(buttons(asked, ANN.id)[4][0]["callback_data"])
    assert withdraw == OnGame(7, Refuse(2))
    resigning = game_of_two("40", **asking("resign:X"))
    assert labels(resigning, BO.id)[3:] == [["Resign"]], "that isn't for him to answer"


def test_a_fresh_game_against_the_computer_offers_its_choices() -> None:
    game = computer_game(level="perfect")
    row = [button for row in buttons(game)[3:5] for button in row]
    assert [button["text"] for button in row] == ["Difficulty: perfect", "First: Me"]
    carried = [read(button["callback_data"]) for button in row]
    assert carried == [OnGame(7, SetLevel(ADAPTIVE)), OnGame(7, SetFirst(is_person=False))], (
        "after the strongest level comes adaptive"
    )
    second = computer_game(first=False)
    assert labels(second)[4][0] == "First: OXO"
    assert read(buttons(second)[4][0]["callback_data"]) == OnGame(7, SetFirst(is_person=True))


def test_taps_on_the_difficulty_reach_every_one_and_come_round() -> None:
    game, seen = computer_game(), []
    for _ in DIFFICULTIES:
        carried = read(buttons(game)[3][0]["callback_data"])
        assert isinstance(carried, OnGame)
        assert isinstance(carried.action, SetLevel)
        seen.append(carried.action.level)
        game = done(game, carried.action)
    assert sorted(seen) == sorted(DIFFICULTIES)
    assert labels(game)[3][0] == labels(computer_game())[3][0]
    assert game == computer_game()


@pytest.mark.parametrize(
    ("game", "below"),
    [
        (computer_game("40"), [["Undo", "Hint", "Resign"]]),
        (game_of_two(), [["Resign"]]),
        (game_of_two("4"), [["Undo", "Resign"]]),
        (game_of_two("40", **asking("takeback:O")), [["Undo", "Resign"], ["Accept", "Decline"]]),
        (game_of_two("40", **asking("declined takeback:O")), [["Undo", "Resign"]]),
        (game_of_two("40", **asking("resign:O")), [["Resign"], ["Yes, resign", "No, keep playing"]]),
        (computer_game(drawn("XXX", "OO.", "...")), [["Play again", "Swap sides"], ["Review", "Share"]]),
        (game_of_two(drawn("XXX", "OO.", "...")), [["Rematch", "Play the winner"], ["Review", "Share"]]),
        (
            game_of_two(drawn("XXX", "OO.", "..."), **asking("rematch:O")),
            [["Rematch", "Play the winner"], ["Review", "Share"], ["Accept", "Decline"]],
        ),
        (game_of_two(drawn("XXX", "OO.", "..."), next_game=8), [["Review", "Share"]]),
    ],
    ids=lambda value: state_of(value).value if not isinstance(value, list) else "",
)
def test_what_can_be_done_now_is_below_the_cells(game: Game, below: list[list[str]]) -> None:
    assert labels(game)[3:] == below


def test_every_button_means_the_board_as_it_is_shown() -> None:
    for game in (game_of_two("40"), game_of_two("40", **asking("takeback:O")), computer_game("40")):
        for row in buttons(game)[3:]:
            for button in row:
                carried = read(button["callback_data"])
                assert isinstance(carried, OnGame)
                assert (carried.game_id, getattr(carried.action, "ply", 2)) == (7, 2)


def test_a_challenge_is_answered_or_withdrawn() -> None:
    def rows(game: Game, link: str | None = None) -> list[list[str]]:
        keyboard = json.loads(keyboards.of_challenge(game, T, link) or "")
        return [[button["text"] for button in row] for row in keyboard["inline_keyboard"]]

    others = [["Play OXO", "Cancel"], ["Clock: none", "One game"], ["Board: 3×3"]]
    assert rows(open_challenge()) == [["Accept"], *others]
    assert rows(open_challenge(rival=BO)) == [["Accept", "Decline"], *others]
    assert rows(open_challenge(), "https://t.me/oxo_bot?start=x") == [
        ["Share link"],
        ["Cancel"],
        ["Clock: none", "One game"],
        ["Board: 3×3"],
    ]


def sizes() -> list[str]:
    sides = range(SMALLEST, LARGEST + 1)
    named = [f"{columns}x{rows}x{longest_line(columns, rows)}" for columns, rows in product(sides, sides)]
    return [*dict.fromkeys((*MENU, *named))]


@pytest.mark.parametrize("kind", ["fresh", "challenge", "by link", "wait"])
def test_a_second_tap_on_the_button_of_the_board_goes_back(kind: str) -> None:
    def shown(game: Game, page: str | None) -> list[list[Button | None]]:
        match kind:
            case "fresh":
                made: str | None = keyboards.of_game(game, T, ANN.id, page=page)
            case "wait":
                board = board_in(ANN.id, choosing=page is not None)
                made = matchmaking.keyboard_of(wait_of(rules=game.rules), board, T)
            case _:
                made = keyboards.of_challenge(game, T, "https://t.me/x" if kind == "by link" else None, page)
        rows = json.loads(made or "")["inline_keyboard"]
        return [[read(each.get("callback_data")) for each in row] for row in rows]

    for rules in sizes():
        game = computer_game(rules=rules) if kind == "fresh" else open_challenge(rules=rules)
        closed, opened = shown(game, None), shown(game, RULES)
        opens, back = (
            (ShowWanted(), HideWanted()) if kind == "wait" else (OnGame(7, ShowRules(0)), OnGame(7, ShowAll(0)))
        )
        place = closed.index([opens])
        from_below = place - len(closed)
        for row in (*opened[place : place + 1], opened[from_below]):
            assert row == [back], rules


def test_a_challenge_that_is_over_has_no_buttons() -> None:
    closed = open_challenge()._replace(termination=Termination.CANCELLED)
    assert state_of(closed) is State.CLOSED
    assert keyboards.of_challenge(closed, T, None) is None
    assert keyboards.of_challenge(closed, T, "https://t.me/oxo_bot?start=x") is None
