"""The rules for every screen: whole games by all rules, tries, what is shared, and puzzles, in every language.

`tests/two/both.py` holds the same after every step of the machine, `tests/e2e/test_sharing.py` for what is sent.
"""

import json
import re
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from bot.boards.board import board_view
from bot.boards.buttons import Play
from bot.boards.finished import sent_text
from bot.boards.players import Scene
from bot.boards.view import Key, View
from bot.context.feature import Waiting
from bot.delivery.boards import render
from bot.delivery.entries import Prompt, is_silent, saying
from bot.delivery.pace import Priority
from bot.features.basics import group_greeting, waiting
from bot.game.attempt import Refusal
from bot.game.pages import LEVEL_PAGE, OPTIONS, Review, ReviewMode
from bot.language import _, spoken
from engine import Mark, parse_rules
from engine.rules.catalogue import MENU
from storage.games.game import Game, Offer, Termination
from storage.games.record import Board, Notice, NoticeKind
from tests.bot.games import (
    ANN,
    BO,
    GROUP,
    asking,
    board_in,
    computer_game,
    game_of_two,
    open_challenge,
    watched_game,
)
from tests.bot.reading import ME, buttons, height, labels
from tests.bot.screens import ended, puzzling, sharing, trying

SHORT: Final = 16
"""The cells of a board whose games are played three times, move by move."""
MOST_BELOW: Final = 3
"""The most buttons below a finished board."""
MOST_LINES: Final = 7
"""The most lines that a folded board has besides those of its cells; Ultimate has two empty ones among them."""
CELLS: Final = set("⬜◽❌❎🟡🟢🟦")
DRAWN: Final = CELLS | set(" \u2003\u2066\u2069\u200e\u00a0")
"""What the lines with its cells are made of."""


def whole_game(rules: str, seed: int) -> str:
    """The moves of a random game to its end."""
    position, random, moves = parse_rules(rules).start(), Random(seed), []
    while not position.is_over:
        moves.append(random.choice(position.legal_moves))
        position = position.play(moves[-1])
    return position.rules.moves_text(moves)


def plies(last: int) -> list[int]:
    """Those of a short game, and of a longer one its beginning, its end and some between."""
    return sorted({*range(1, min(last, 12) + 1), *range(12, last, 7), last - 1, last})


def course(rules: str, seed: int) -> Iterator[Game]:
    """A game of two, one against OXO and a watched one, with each question on the way."""
    moves, random = whole_game(rules, seed), Random(seed)
    for ply in plies(len(moves)):
        two, alone = (ended(make(moves[:ply], rules=rules)) for make in (game_of_two, computer_game))
        yield from (two, alone, ended(watched_game(moves[:ply], rules=rules)))
        if two.is_over:
            yield from (two._replace(**asking(f"rematch:{mark}")) for mark in Mark)
            yield two._replace(**asking("declined rematch:X"))
        elif ply > 1:
            asked = random.choice([*(f"{offer}:{mark}" for offer in ("takeback", "resign") for mark in Mark)])
            yield two._replace(**asking(asked))
            yield two._replace(left=random.choice([*Mark]))
            if "resign" in asked:
                yield alone._replace(**asking(f"resign:{Mark.X}"))


BOARDS: Final = (
    board_in(),
    board_in()._replace(chat_id=None, inline_message_id="i"),
    board_in(ANN.id, viewer=ANN.id),
    board_in(BO.id, viewer=BO.id),
)


def as_seen(game: Game) -> Iterator[tuple[Board, list[list[dict[str, Any]]]]]:
    for board in BOARDS:
        yield board, buttons(render(game, board, ME).keyboard)


@pytest.mark.parametrize("rules", MENU)
def test_from_the_first_move_to_the_last_one_row_is_below_the_cells_and_a_question_takes_its_place(
    rules: str,
) -> None:
    for seed in range(3 if len(parse_rules(rules).start().legal_moves) <= SHORT else 1):
        for game in course(rules, seed):
            for board, rows in as_seen(game):
                keyboard = json.dumps({"inline_keyboard": rows})
                is_folded = game.is_over and board.viewer is None
                assert len(rows) == height(keyboard) + 1, (game.moves, game.offer, labels(keyboard))
                assert (height(keyboard) == 0) is is_folded
                assert sum(button.get("style") == "primary" for button in rows[-1]) <= 1, "one is blue"
                if game.is_over:
                    assert len(rows[-1]) <= MOST_BELOW, "no more buttons than that are below a finished game"


def test_before_the_first_move_the_choices_share_that_row_and_its_menus_take_no_other() -> None:
    for first, page in product((True, False), (None, OPTIONS)):
        game = computer_game(first=first)
        rows = buttons(board_view(Scene(game, ANN.id, page=page)).keyboard)
        assert len(rows) == 3 + 1, page
    assert "Back" in str(buttons(board_view(Scene(computer_game(), ANN.id, page=LEVEL_PAGE)).keyboard)[-1])


@pytest.mark.parametrize("rules", MENU)
@pytest.mark.usefixtures("tag")
def test_a_folded_board_reads_as_a_text_in_every_language(rules: str) -> None:
    game = ended(game_of_two(whole_game(rules, 1), rules=rules))
    rows, sent = parse_rules(rules).layout.rows, sent_text(Scene(game))
    for each in (game, game._replace(**asking("rematch:O")), game._replace(next_game=8)):
        seen = [render(each, board, ME).text for board in (BOARDS if each.next_game else BOARDS[:2])]
        for text in (*seen, sent):
            lines = text.splitlines()
            assert sum(set(line) <= DRAWN and bool(CELLS & {*line}) for line in lines) == rows
            assert len(lines) <= rows + MOST_LINES
    assert "<a " not in sent, "nobody is called by it"


REVIEWED: Final = game_of_two("0863214")


@pytest.mark.usefixtures("tag")
def test_a_review_has_two_rows_below_its_cells_on_every_page_and_two_controls_while_one_solves() -> None:
    for mode, ply, board in product(ReviewMode, range(8), BOARDS):
        cell = 4 if mode in (ReviewMode.MISSED, ReviewMode.FOUND, ReviewMode.ANSWER) else None
        if cell is not None and ply != 1:
            continue
        page = Review(mode, min(ply, 6) if mode is ReviewMode.TRY else ply, cell, BO.id).page
        shown = board._replace(shows=page.shows, reviewer=BO.id if board.viewer is None else None)
        keyboard = render(REVIEWED, shown, ME).keyboard
        rows = buttons(keyboard)
        assert len(rows) == 3 + 2, (mode, ply)
        if mode in (ReviewMode.TRY, ReviewMode.MISSED):
            assert sum(len(row) for row in rows[3:]) == 2


@pytest.mark.usefixtures("tag")
def test_what_is_shared_carries_at_most_three_links_alone_and_the_first_is_blue() -> None:
    for view in sharing():
        (row,) = buttons(view.keyboard)
        assert len(row) <= MOST_BELOW
        assert not any("callback_data" in button for button in row), (
            "it would take all with it when it is forwarded"
        )
        assert [button.get("style") for button in row] == ["primary"] + [None] * (len(row) - 1)


def test_one_button_of_a_greeting_is_blue() -> None:
    two = Waiting("2 games wait for you", [[Key("One", Play())], [Key("Another", Play())]])
    for view in (waiting([]), waiting([two]), group_greeting()):
        made = [button.get("style") for row in buttons(view.keyboard) for button in row]
        assert made == ["primary"] + [None] * (len(made) - 1)


@pytest.mark.usefixtures("tag")
def test_a_try_of_a_shared_game_keeps_its_one_row_offers_no_other_game_and_then_leads_on() -> None:
    for game, gauntlet in trying():
        view = render(game, board_in(BO.id, viewer=BO.id, language=spoken()), ME, gauntlet=gauntlet)
        rows = buttons(view.keyboard)
        assert len(rows) == 3 + 1
        assert len(rows[-1]) <= MOST_BELOW
        assert "🎯" in view.text
        if game.is_over:
            assert [button.get("style") for button in rows[-1]].count("primary") == 1
        else:
            assert {"resign", "giveup"} & {str(button["callback_data"]).split(":")[0] for button in rows[-1]}


@pytest.mark.usefixtures("tag")
def test_a_puzzle_keeps_its_cells_in_place_with_two_controls_while_one_solves_and_then_three_buttons() -> None:
    for puzzle, view in puzzling():
        rows, columns = buttons(view.keyboard), puzzle.position.rules.layout.columns
        cells = [row for row in rows if len(row) == columns and "z:" in str(row[0].get("callback_data"))]
        below = [button for row in rows[len(cells) :] for button in row]
        assert len(cells) in (0, puzzle.position.rules.layout.rows)
        assert len(below) <= (2 if "❤️" in view.text and cells else MOST_BELOW)
        assert [button.get("style") for button in below].count("primary") <= 1
        assert any("url" in button or "callback_data" in button for button in below), "it leads on"


def prompted(chat_id: int | None) -> Prompt:
    return Prompt(ANN.id, 0.0, Priority.TAPPED, chat_id)


HERS, HALL, CALLED = board_in(ANN.id, viewer=ANN.id), board_in(), board_in()._replace(called=True)
SOUNDS: Final = (
    # a board, its game, what it is sent for; whether it sounds
    (HERS, game_of_two("40"), prompted(ANN.id), False),
    (HERS, game_of_two("40"), prompted(GROUP), True),
    (HERS, game_of_two("40"), None, True),
    (HERS, computer_game("40"), prompted(ANN.id), False),
    (board_in(BO.id, viewer=BO.id), open_challenge(rival=BO), prompted(ANN.id), False),
    (HALL, game_of_two("40"), prompted(GROUP), False),
    (CALLED, game_of_two("40"), None, True),
    (HALL, open_challenge(), prompted(GROUP), False),
    (HALL, open_challenge(rival=BO), prompted(GROUP), True),
    (HALL, open_challenge(rival=BO, hushed=True), prompted(GROUP), False),
)


UNASKED: Final = (
    (NoticeKind.PUZZLE, ANN.id, None, True),
    (NoticeKind.PUZZLE, GROUP, None, False),
    (NoticeKind.CUP, GROUP, None, False),
    (NoticeKind.ROUND, GROUP, None, True),
    (NoticeKind.BEATEN, ANN.id, None, False),
    (NoticeKind.FORGOTTEN, ANN.id, None, False),
)
"""Notices by their kind, their chat and who has asked for them; whether they sound."""


def test_only_who_is_called_hears_a_sound() -> None:
    for board, game, prompt, sounds in SOUNDS:
        assert is_silent(board, game, prompt) is not sounds, (board, game, prompt)
    asked_for = [(*each, ANN.id, False) for each in product(NoticeKind, (GROUP, ANN.id))]
    for kind, chat_id, person, sounds in (*asked_for, *UNASKED):
        notice = Notice(1, kind, None, None, chat_id, None, None, 0, person)
        assert saying(notice)(View("")).is_silent is not sounds, (kind, chat_id, person)


def test_games_that_end_otherwise_fold_too_and_keep_their_words() -> None:
    for why, winner in (
        (Termination.RESIGNATION, Mark.X),
        (Termination.TIMEOUT, Mark.O),
        (Termination.EXPIRED, None),
    ):
        for moves, offer in product(("", "40", "4086"), (None, Offer.REMATCH)):
            game = game_of_two(moves, termination=why, winner=winner)
            if offer:
                game = game._replace(**asking("rematch:X"))
            view = render(game, board_in(GROUP), ME)
            assert len(buttons(view.keyboard)) == 1
            assert ("⬜" in view.text) is bool(moves)


COMMAND: Final = re.compile("(?<![a-z])/[a-z]+")
TO_WAIT: Final = {
    *(
        Refusal.OUT_OF_REACH,
        Refusal.NOT_YOUR_TURN,
        Refusal.NOBODY_YET,
        Refusal.OWN_CHALLENGE,
        Refusal.OWN_QUESTION,
    ),
    *(Refusal.ASKED, Refusal.ASKED_LATELY, Refusal.THINKING, Refusal.STILL_LOOKING, Refusal.TOO_MANY_EXHIBITIONS),
    *(Refusal.TOO_MANY_SENT, Refusal.ENOUGH_FROM_YOU, Refusal.ENOUGH_WAITING, Refusal.ENOUGH_TODAY),
    *(Refusal.NUDGED_SOON, Refusal.NUDGED),
}
"""It goes on by itself, or once others have done something."""
ON_THE_BOARD: Final = {
    *(Refusal.OVER, Refusal.STALE, Refusal.TAKEN, Refusal.BEGUN, Refusal.FOLLOWED, Refusal.NOT_ASKED, Refusal.MET),
    *(Refusal.NOTHING_TO_TAKE_BACK, Refusal.NO_TAKEBACKS, Refusal.NO_TAKEBACKS_IN_CUPS, Refusal.COMPUTER_ONLY),
    *(Refusal.WATCHED, Refusal.GROUPS_ARE_SLOW, Refusal.FASTEST, Refusal.ELSEWHERE, Refusal.BOARD_FINISHED),
    *(Refusal.LOOKING_BACK, Refusal.NO_DRAW, Refusal.YOUR_TURN),
}
"""The board goes on: its buttons are below it, and it is shown again if it was out of date."""
BY_WORDS: Final = {
    *(Refusal.OTHER_NAME, Refusal.NOT_YOUR_CHALLENGE, Refusal.NOT_YOURS_TO_STOP, Refusal.EXHIBITION_GOES_ON),
    *(Refusal.UNKNOWN, Refusal.ANONYMOUS, Refusal.ADMINISTRATORS_ONLY, Refusal.ONLY_IN_PRIVATE, Refusal.USED),
    *(Refusal.TOO_MANY_OPEN, Refusal.SENT_LONG_AGO),
}
"""They say who can, where one can, or what else to send."""


@pytest.mark.usefixtures("tag")
def test_every_refusal_names_a_command_to_go_on_with_or_a_reason_why_none_is_needed() -> None:
    others = TO_WAIT | ON_THE_BOARD | BY_WORDS
    for refusal in Refusal:
        is_said = bool(COMMAND.search(_(refusal.value)))
        assert is_said is (refusal not in others), f"{refusal} names a command, or is in one of the sets above"
