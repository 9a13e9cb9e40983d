"""The messages of challenges and of people who wait for an opponent or have found one, and lists of games."""

import pytest

from bot.boards.buttons import OnGame
from bot.boards.challenges import announcement, challenge_text, invitation, sentence
from bot.boards.lists import ago, game_line, games_list
from bot.boards.players import Scene, number_shown
from bot.boards.view import marks_of, sending
from bot.game.attempt import Player
from bot.game.choices import First
from bot.game.matchmaking import never_begun
from bot.game.new_game import Cancel
from bot.game.pages import Bring
from bot.language import LANGUAGES, speaking
from engine import Mark
from storage.games.game import Game, Termination
from tests.bot.game.test_matchmaking import of_both, wait_of
from tests.bot.games import ANN, BO, CEM, NOW, UNKNOWN, board_in, computer_game, done, game_of_two, open_challenge
from tests.bot.reading import carried, keyboard_of, labels, lines, plain

ANN_LINKED = f'<a href="tg://user?id={ANN.id}">Ann</a>'
LINK = "https://t.me/oxo_bot?start=abc"


@pytest.mark.parametrize("theme", ["classic", "shapes"])
@pytest.mark.parametrize("first", [True, False])
def test_a_challenge_says_who_moves_first_in_the_marks_of_its_board(theme: str, *, first: bool) -> None:
    scene = Scene(open_challenge(first=first), theme=theme)
    x, o = (marks_of(theme)[mark] for mark in Mark)
    lines = plain(challenge_text(scene)).splitlines()
    assert lines[0] == "⚔️ <b>Ann is looking for an opponent.</b> Who's in?"
    assert lines[2] == (
        f"Ann plays {x} and moves first." if first else f"Ann plays {o}; the opponent plays {x} and moves first."
    )
    by_link = challenge_text(scene._replace(link=LINK)).splitlines()
    assert by_link[1] == LINK
    assert by_link[3] == (f"You play {x} and move first." if first else f"You play {o} and move second.")


def declined(rival: Player) -> Game:
    return open_challenge(rival=rival, termination=Termination.DECLINED)


def withdrawn(who: Player, rival: Player | None = None) -> Game:
    """A challenge that was withdrawn, by an administrator if not by Ann."""
    return done(open_challenge(rival=rival), Cancel(), who, is_admin=True)


EXPIRED = open_challenge(termination=Termination.EXPIRED)
EXPIRED_FOR_BO = open_challenge(rival=BO, termination=Termination.EXPIRED)


@pytest.mark.parametrize(
    ("game", "link", "words"),
    [
        (declined(BO), None, f"小波 declined {ANN_LINKED}'s challenge."),
        (declined(UNKNOWN), None, f"@bo declined {ANN_LINKED}'s challenge."),
        (EXPIRED, None, "💤 Ann's challenge expired: nobody accepted it."),
        (EXPIRED_FOR_BO, None, "💤 Ann's challenge to 小波 expired without an answer."),
        (EXPIRED, LINK, "💤 Your challenge expired: nobody opened the link."),
        (withdrawn(ANN), LINK, "You've withdrawn your challenge. Its link no longer works."),
        (withdrawn(ANN), None, "Ann withdrew the challenge."),
        (withdrawn(ANN._replace(name="Anna"), BO), None, "Anna withdrew the challenge to 小波."),
        (withdrawn(CEM, BO), None, "Admin Cem closed Ann's challenge to 小波."),
        (withdrawn(CEM._replace(name="<b>")), None, "Admin &lt;b&gt; closed Ann's challenge."),
        (withdrawn(CEM._replace(name=""), BO), None, "An admin closed Ann's challenge to 小波."),
    ],
)
def test_a_challenge_that_came_to_nothing_says_why_and_keeps_both_people(
    game: Game, link: str | None, words: str
) -> None:
    """Who waited for an answer is mentioned once it is declined."""
    assert plain(challenge_text(Scene(game, link=link))) == words


def test_what_inline_mode_offers_says_who_moves_first_or_the_level() -> None:
    offered = {invitation("Ann", first) for first in First}
    assert len(offered) == len(First)
    assert all("Ann is looking for an opponent" in text for text in offered)
    assert announcement("Ann", "hard") == "Ann wants to play OXO (hard)."


# People who wait.

PAIRED = of_both()
LATE = PAIRED._replace(reminded=0)


def seen(game: Game, language: str = "en", viewer: int = ANN.id) -> tuple[str, list[str]]:
    """The text, without isolates, and the labels below it."""
    board = board_in(viewer, viewer=viewer, language=language)
    return "\n".join(lines(game, board)), [label for row in labels(keyboard_of(game, board)) for label in row]


@pytest.mark.parametrize(
    ("wait", "words", "below"),
    [
        (wait_of(told=0), "Typical wait: almost none", ["Play OXO meanwhile", "Board: 3×3", "Leave"]),
        (wait_of(told=0, created_at=NOW + 297), "in 5 minutes", ["Play OXO meanwhile", "Board: 3×3", "Leave"]),
        (wait_of(any_rules=True), "any board", ["Play OXO meanwhile", "Board: Any", "Leave"]),
        (wait_of(reminded=0), "Still there?", ["Still here", "Leave"]),
        (wait_of(termination=Termination.EXPIRED), "You didn't answer", ["Look again"]),
    ],
)
def test_a_waiting_person_is_told_how_long_others_waited_or_why_it_ended(
    wait: Game, words: str, below: list[str]
) -> None:
    text, found = seen(wait)
    assert words in text
    assert found == below


@pytest.mark.parametrize(
    ("game", "viewer", "words"),
    [
        (PAIRED, ANN, ["You're playing 小波.", "❌ You   🟡 小波 (1500?)"]),
        (PAIRED, BO, ["You're playing Ann.", "⏱ 3 minutes for the first move", "❌ Ann (1612)   🟡 You"]),
        (PAIRED._replace(moves="04"), ANN, ["⏱ 2 minutes a move", "❌ You   🟡 小波 (1500?)"]),
        (LATE, ANN, ["You're playing 小波.", "Move soon, or 小波 leaves"]),
        (LATE, BO, ["You're playing Ann.", "If Ann doesn't move soon, I'll find you someone else"]),
        (never_begun(LATE), ANN, ["You didn't move for too long"]),
    ],
    ids=["hers", "his", "begun", "late, hers", "late, his", "never begun"],
)
def test_both_are_told_whom_they_play_and_what_follows_if_one_does_not_turn_up(
    game: Game, viewer: Player, words: list[str]
) -> None:
    text, _ = seen(game, viewer=viewer.id)
    assert all(said in text for said in words)
    assert ("You're playing" in text) == ("You're playing" in words[0])


def test_a_finished_game_offers_another_opponent_besides_a_rematch_if_it_was_begun() -> None:
    played = PAIRED._replace(moves="04", termination=Termination.TIMEOUT, winner=PAIRED.turn)
    assert {"Rematch", "🔎", "New opponent"} <= {*seen(played)[1]}
    *_, cell, last = seen(never_begun(LATE))[1]
    assert (cell, last) == ("·", "New opponent")


def test_in_text_it_is_said_by_commands() -> None:
    board = board_in(ANN.id, viewer=ANN.id, as_text=True)
    assert keyboard_of(wait_of(), board) is None
    assert "/leave" in lines(wait_of(), board)
    assert any("You're playing" in line for line in lines(PAIRED, board))


# Lists: each line identifies its game, and its button brings up the board.


@pytest.mark.parametrize(
    ("game", "person", "line"),
    [
        (computer_game("40", level="hard"), ANN.id, "👉 #7 · OXO (hard) · 5 min ago"),
        (game_of_two("4"), ANN.id, "⏳ #7 · 小波 · 5 min ago"),
        (game_of_two("4"), BO.id, "👉 #7 · Ann · 5 min ago"),
        (game_of_two(rules="5x5x4"), ANN.id, "👉 #7 · 5×5 · 小波 · 5 min ago"),
        (game_of_two("40", names={ANN.id: "<b>&\u202e"}), BO.id, "⏳ #7 · <b>& · 5 min ago"),
    ],
)
def test_a_line_says_as_plain_text_whose_turn_it_is_number_opponent_and_time(
    game: Game, person: int, line: str
) -> None:
    """It's a button's label (D18)."""
    assert plain(game_line(game, person, NOW + 300)) == line
    with speaking("zh"):
        assert game_line(game, person, NOW + 300).endswith(" · 5 分钟前")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bartholomew Cornelius Fitzgerald", "Bartholomew Cornelius F…"),
        ("小波" * 20, "小波小波小波小波小波小…"),
        ("Bartholomew Corneliu\U0001f469\u200d\U0001f680 Fitz", "Bartholomew Corneliu…"),
    ],
)
def test_a_long_name_is_cut_where_a_phone_would_cut_what_matters(name: str, shown: str) -> None:
    assert plain(game_line(game_of_two("4", names={BO.id: name}), ANN.id, NOW)) == f"⏳ #7 · {shown}"


def test_numbers_stay_short_and_keep_their_sign_before_them_among_arabic_letters() -> None:
    """After Arabic letters, digits would move the sign to their other side (UAX #9, W2 and W5)."""
    game = game_of_two()._replace(id=123_456_789)
    assert number_shown(game) == "#789"
    with speaking("ar"):
        assert number_shown(game) == "\u200e#789"


def test_how_long_ago_is_told_in_few_letters() -> None:
    told = {-3: "just now", 59: "just now", 60: "1 min ago", 3599: "59 min ago", 3600: "1 h ago"}
    told |= {86399: "23 h ago", 86400: "1 day ago", 3 * 86400: "3 days ago"}
    assert {seconds: ago(seconds) for seconds in told} == told


def test_each_line_is_a_button_that_brings_its_board() -> None:
    view = games_list("Which?", [game_of_two("4"), computer_game("40")._replace(id=8)], ANN.id, NOW)
    assert view.text == "Which?\n👉 your turn, ⏳ their turn"
    assert carried(view.keyboard) == [OnGame(7, Bring()), OnGame(8, Bring())]
    alone = games_list("Which?", [computer_game("40", level="hard", rules="5x5x4")], ANN.id, NOW).keyboard
    assert "#" not in str(alone), "one game needs no number"


@pytest.mark.parametrize("tag", LANGUAGES)
def test_what_is_sent_along_with_a_link_fits_whatever_the_challenger_is_called(tag: str) -> None:
    longest = open_challenge(first=False)._replace(rules="8x8x5-misere", clock=86400, best_of=7)
    longest = longest._replace(names={ANN.id: "\U0001f600" * 128})
    with speaking(tag):
        told = sentence(longest)
        address = str(sending("", f"https://t.me/{'b' * 32}?start={'x' * 64}", told).carries)
    assert len(told) < 256
    assert len(address) < 2048, "what browsers and servers take"
