"""What is sent when a game is shared."""

import pytest

from bot.boards.finished import result, sent_text
from bot.boards.players import Scene
from bot.features.share import caption, theme_of
from engine import Mark
from storage.games.game import LEFT, Game, Side, Termination
from tests.bot.games import ANN, board_in, computer_game, drawn, game_of_two, watched_game
from tests.bot.reading import plain

X_WON = drawn("XXX", "OO.", "...")
WON = game_of_two(X_WON)
SKY = Scene(WON, theme="sky")


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (WON._replace(termination=Termination.RESIGNATION), "Ann wins by resignation"),
        (WON._replace(termination=Termination.TIMEOUT), "Ann wins on time"),
        (game_of_two(drawn("XOX", "XOO", "OXX")), "A draw"),
        (computer_game("40")._replace(termination=Termination.EXPIRED), "Not finished"),
        (computer_game(X_WON, first=False), "OXO (medium) wins"),
        (watched_game(X_WON), "OXO (perfect) wins"),
        (WON._replace(names={}), "Player wins"),
        (WON._replace(x=Side(LEFT - 5)), "Somebody who left wins"),
    ],
)
def test_every_end_has_its_words(game: Game, said: str) -> None:
    assert plain(result(game)) == said


@pytest.mark.parametrize(
    ("rules", "detail"),
    [
        ("7x6x4", "7×6, four in a row · 2 moves"),
        ("3x3x3-misere", "Misère, three in a row loses · 2 moves"),
        ("ultimate", "Ultimate · 2 moves"),
    ],
)
def test_what_was_played_is_below(rules: str, detail: str) -> None:
    game = game_of_two("4a" if rules == "ultimate" else "40", rules=rules, termination=Termination.RESIGNATION)
    assert caption(Scene(game)).splitlines()[2] == detail


def test_the_caption_says_it_in_the_marks_of_the_board_and_to_readers_also_the_moves() -> None:
    assert plain(caption(SKY)) == "⭐ Ann   🎈 小波\n🏆 ⭐ Ann wins\n3×3 · 5 moves"
    assert plain(caption(SKY._replace(as_text=True))).splitlines()[-1] == "Moves: a1 a2 b1 b2 c1"


@pytest.mark.parametrize(("name", "shown"), [("م" * 40, "م" * 40), ("<b>&", "&lt;b&gt;&amp;")])
def test_a_name_in_the_caption_is_text_in_its_own_direction(name: str, shown: str) -> None:
    sides, end, _ = caption(SKY._replace(game=WON._replace(names={ANN.id: name}))).splitlines()
    assert end == f"🏆 ⭐ \u2068{shown}\u2069 wins"
    assert sides.startswith(f"⭐ \u2068{shown}\u2069 ")


SENT = {
    "3x3x3": ("❎❎❎\n🟡🟡⬜\n⬜⬜⬜", ""),
    "3x3x3-misere": ("🟦🟦🟦\n🟡🟡⬜\n⬜⬜⬜", "Misère, three in a row loses"),
    "vanishing": ("❎❎❎\n🟡🟡⬜\n⬜⬜⬜", "Vanishing"),
}


@pytest.mark.parametrize("rules", SENT)
def test_what_a_friend_is_sent_has_the_result_the_players_and_the_board_with_its_line(rules: str) -> None:
    winner = Mark.O if "misere" in rules else Mark.X
    game = WON._replace(rules=rules, winner=winner)
    name = "🟡 小波" if winner is Mark.O else "❌ Ann"
    board, played = SENT[rules]
    head = f"<b>🏆 {name} wins</b> · 5 moves\n❌ Ann   🟡 小波\n\n"
    assert plain(sent_text(Scene(game))) == "\n".join(filter(None, (head + board, played)))
    assert "🟩🟩🟩\n🎈🎈⬜" in sent_text(Scene(game, theme="sky")) or "misere" in rules
    letters = sent_text(Scene(game, theme="letters"))
    assert letters == sent_text(Scene(game)).replace("❌", "X").replace("🟡 ", "O ")


def test_the_look_is_that_of_the_board_and_else_of_the_chat() -> None:
    assert theme_of(board_in(theme="sky"), "shapes") == "sky"
    assert theme_of(board_in(as_text=True), None) == "letters"
    assert theme_of(None, "shapes") == "shapes"
    assert theme_of(board_in(theme="gone"), None) == "classic"
