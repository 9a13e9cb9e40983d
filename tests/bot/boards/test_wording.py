"""What the computer says: its comments, and the message of a game that it plays against itself."""

import pytest

from bot.boards.players import scene_of
from bot.boards.wording import WORDINGS, comment_line
from bot.game.exhibitions import Stop
from bot.language import _
from engine import Reason
from storage.games.game import Game, Limits, Termination
from tests.bot.games import ANN, board_in, computer_game, done, drawn, watched_game
from tests.bot.reading import below, colours, keyboard_of, lines

BLOCKED = computer_game("0412")
HALL, HERS = board_in(), board_in(viewer=ANN.id)


@pytest.mark.parametrize("number", range(4))
def test_no_comment_comes_twice_in_a_game_nor_in_the_one_with_the_next_number(number: int) -> None:
    moves = "01823456BAJIRQZY"
    said: tuple[list[str], list[str]] = ([], [])
    for following, these in enumerate(said):
        game = computer_game("")._replace(id=number + following, rules="8x8x5")
        found = (comment_line(scene_of(game._replace(moves=moves[:plies]), HALL)) for plies in range(17))
        these.extend(line for line in found if line is not None)
    assert all(said)
    assert len({*said[0], *said[1]}) == len(said[0]) + len(said[1])


@pytest.mark.usefixtures("tag")
def test_a_comment_is_one_short_sentence_and_no_two_are_alike() -> None:
    said = [_(wording) for wordings in WORDINGS.values() for wording in wordings]
    assert len(set(said)) == len(said)
    assert all(len(words) <= 50 and not set(words) & set("<>&") for words in said)
    assert all(len(wordings) % 2 == 0 for wordings in WORDINGS.values()), "odd and even games have half each"


def test_the_wording_depends_on_the_game_and_the_ply_alone() -> None:
    said = {comment_line(scene_of(BLOCKED._replace(id=id_), HALL)) for id_ in range(12)}
    assert said == {f"💬 <i>{wording}</i>" for wording in WORDINGS[Reason.BLOCK]}
    elsewhere = comment_line(scene_of(BLOCKED._replace(version=8), board_in(id=2, wanted=9)))
    assert elsewhere == comment_line(scene_of(BLOCKED, HALL))


def test_the_move_of_somebody_whose_place_it_has_taken_gets_none() -> None:
    taken_over = BLOCKED._replace(time_limits=Limits.PRACTICE)
    assert comment_line(scene_of(taken_over, HALL)) is None
    assert comment_line(scene_of(taken_over._replace(moved_at=taken_over.created_at + 2), HALL)) is not None


def test_it_is_the_last_line_of_the_message_and_in_text_follows_what_has_happened_unless_a_chat_is_silent() -> (
    None
):
    assert lines(BLOCKED, HERS)[-1] == "💬 <i>Nice try! This cell is mine.</i>"
    assert lines(BLOCKED, HERS._replace(as_text=True))[:2] == [
        "OXO: top right. Your turn.",
        "“Nice try! This cell is mine.”",
    ]
    silent = HERS._replace(no_comments=True)
    assert "💬" not in "".join(lines(BLOCKED, silent))
    assert "“" not in "".join(lines(BLOCKED, silent._replace(as_text=True)))


WON = watched_game(drawn("XXX", "OO.", "..."))
DRAWN = watched_game(drawn("XOX", "XXO", "OXO"))
RUNNING = watched_game("408")
ALONE = RUNNING._replace(chat_id=ANN.id)
IN_TEXT = board_in(viewer=ANN.id, as_text=True)


def test_it_says_whose_turn_it_is_and_who_plays_what_in_the_chats_language_and_marks_the_last_move() -> None:
    game = watched_game("4", x="perfect", o="open-lines")
    english = ["<b>🟡 Open-lines's turn.</b> I'm playing myself.", "", "❌ Perfect   🟡 Open-lines"]
    assert lines(game, HALL) == english
    chinese = ["<b>轮到 🟡 开放线。</b>我和自己下。", "", "❌ 完美   🟡 开放线"]
    assert lines(game, board_in(language="zh-hans")) == chinese
    assert colours(keyboard_of(game, HALL)) == "... .p. ..."


@pytest.mark.parametrize(
    ("game", "rows", "commands"),
    [
        (ALONE, ["Faster | Stop"], "/faster, /stop"),
        (RUNNING, ["Stop"], "/stop"),
        (WON, ["Again | ⚔️ ❌ | 🔎"], "/again, /play_winner, /review, /share"),
        (DRAWN, ["Again | Send | 🔎"], "/again, /review, /share"),
        (WON._replace(next_game=8), ["Send | 🔎"], "/review, /share"),
    ],
    ids=["alone", "in a group", "won", "drawn", "followed"],
)
def test_what_can_be_done_is_below_and_named_in_text_and_groups_are_offered_no_pace(
    game: Game, rows: list[str], commands: str
) -> None:
    assert below(keyboard_of(game, HALL)) == rows
    assert lines(game, IN_TEXT)[-1] == commands


@pytest.mark.parametrize(
    ("game", "first"),
    [
        (WON, "🏆 <b>❌ Perfect wins.</b> 5 moves."),
        (DRAWN, "🤝 <b>Draw.</b> The board is full and nobody has a line. 9 moves."),
        (done(watched_game("4"), Stop(), ANN), "⏹ <b>Stopped</b> by Ann. 1 move."),
        (watched_game("4")._replace(termination=Termination.EXPIRED), "⏹ <b>Stopped.</b> 1 move."),
    ],
    ids=["won", "drawn", "stopped", "closed"],
)
def test_at_the_end_it_says_how_it_ended_and_after_how_many_moves(game: Game, first: str) -> None:
    assert lines(game, HALL)[0] == first
    assert lines(ALONE, IN_TEXT)[0] == "X Perfect: bottom right. <b>O Random's turn.</b> I'm playing myself."
    assert "Score" not in "".join(lines(game, HALL))
