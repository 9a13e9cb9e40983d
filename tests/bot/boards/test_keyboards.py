"""The keyboards of challenges and games: their buttons, layout and colours; and the parts of a message."""

import json
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.board import board_view, lesson_line, level_line
from bot.boards.buttons import Button, Invite, OnGame, read, write
from bot.boards.keyboards import rows_of
from bot.boards.players import DIFFICULTIES, Scene, scene_of
from bot.boards.view import THEMES, Key, coded, keyboard, marks_of, quoted, theme_in
from bot.dispatch import FEATURES, WORDS
from bot.game.actions import ACTION_KINDS, Permission
from bot.game.attempt import NotAllowed, Player, state_of
from bot.game.pages import (
    LEVEL_PAGE,
    OPTIONS,
    RULES,
    ShowAll,
    ShowLevels,
    ShowOptions,
    ShowRules,
    TryAgain,
    open_page,
)
from bot.game.play import Move, SetFirst, SetLevel
from bot.game.questions import Refuse, Resign, TakeBack
from bot.language import speaking
from engine import Mark
from engine.rules.catalogue import MENU, longest_line
from engine.rules.mnk import LARGEST, SMALLEST
from storage.games.game import LEFT, Game, Offer, Side, Termination
from storage.games.record import Record
from tests.bot.game.test_matchmaking import wait_of
from tests.bot.games import (
    ANN,
    BO,
    EXAMPLES,
    asking,
    board_in,
    computer_game,
    decided,
    done,
    drawn,
    game_of_two,
    open_challenge,
    watched_game,
)
from tests.bot.reading import below, buttons, by_label, carried, cells, colours, keyboard_for, labels

X_WON, O_WON = drawn("XXX", "OO.", "..."), drawn("XX.", "OOO", "X..")
TWO_WON = game_of_two(X_WON)
RESIGNED = game_of_two("40", termination=Termination.RESIGNATION, winner=Mark.X)
EVERYBODY = (None, ANN.id, BO.id)


def shown(game: Game, viewer: int | None = None, hint: int | None = None) -> str:
    return keyboard_for(game, viewer, hint) or ""


def test_the_cells_are_drawn_as_they_are_and_carry_game_ply_and_cell_and_a_hint_is_marked() -> None:
    drawn_ = shown(game_of_two(drawn("X.O", ".X.", "...")))
    assert cells(drawn_) == "❌·🟡 ·❌· ···"
    assert carried(drawn_)[:9] == [OnGame(7, Move(3, cell)) for cell in range(9)]
    assert colours(shown(computer_game("40"), ANN.id, 8)) == "p.. ... ..s"


@pytest.mark.parametrize(("moves", "said"), [("672184", "win"), ("408613", "draw")])
def test_a_loss_against_oxo_ends_in_one_lesson_to_be_found_on_the_board(moves: str, said: str) -> None:
    game = computer_game(moves)
    assert lesson_line(Scene(game, ANN.id)) == f"💡 You had a {said} at move 5."
    assert by_label(shown(game, ANN.id))["Find it"] == OnGame(7, TryAgain(5))
    assert lesson_line(Scene(game)) is None, "in a group nobody is taught in front of the others"
    assert "Find it" not in by_label(shown(game))
    for other in (computer_game(X_WON), game_of_two(moves), computer_game(moves[:-1])):
        assert lesson_line(Scene(other, ANN.id)) is None


def test_a_win_with_a_hint_brings_no_medal_and_no_level_and_the_board_says_so() -> None:
    won = computer_game(X_WON, level="easy")._replace(next_level="easy")
    assert level_line(won) == "🟩🟩⬜⬜⬜ Next: easy"
    assert level_line(won._replace(hints=1)) == "💡 You had a hint, so there's no medal and no new level."
    assert level_line(won._replace(hints=1, takebacks=1)) is None


MISERE = TWO_WON._replace(rules="3x3x3-misere", winner=Mark.O)
COLOURED = {
    "the last move of two": (game_of_two("401"), ".p. ... ...", ".p. ... ..."),
    "the computer's answer alone": (computer_game("40"), "p.. ... ...", "p.. ... ..."),
    "won": (computer_game(X_WON), "sss ... ...", "sss ... ..."),
    "won by the computer": (computer_game(O_WON), "... ppp ...", "... ppp ..."),
    "two lines": (computer_game("012365874"), "s.s .s. s.s", "s.s .s. s.s"),
    "drawn": (game_of_two(drawn("XOX", "XOO", "OXX")), "... ... ...", "... ... ..."),
    "resigned": (RESIGNED, "... ... ...", "... ... ..."),
    "won by her": (TWO_WON, "sss ... ...", "ppp ... ..."),
    "lost by her, in misère": (MISERE, "ppp ... ...", "sss ... ..."),
}


@pytest.mark.parametrize(("game", "hers", "his"), COLOURED.values(), ids=COLOURED)
def test_last_moves_are_highlighted_and_at_the_end_only_lines_blue_if_they_lost(
    game: Game, hers: str, his: str
) -> None:
    assert [colours(shown(game, viewer)) for viewer in (None, ANN.id, BO.id)] == [hers, hers, his]


FRESH = ["Difficulty: medium", "Options"]
SURE = "Yes, resign | No, keep playing"
AFTER = "Review | Share"
OF_TWO = "Review | Share | Our games"
TAKEBACK = game_of_two("40", **asking("takeback:O"))
RESIGNING = game_of_two("40", **asking("resign:O"))
REMATCH = game_of_two(X_WON, **asking("rematch:O"))


@pytest.mark.parametrize(
    ("game", "viewer", "rows"),
    [
        (computer_game(), None, FRESH),
        (computer_game(first=False), None, FRESH),
        (done(computer_game(), Resign(0)), None, [*FRESH, "Yes, call it off | No, keep playing"]),
        (computer_game("40"), None, ["Undo | Hint, no 🏅 | Resign"]),
        (computer_game("40")._replace(hints=1), None, ["Undo | Hint | Resign"]),
        (done(computer_game("40"), TakeBack(2)), None, ["Hint | Call off"]),
        (done(computer_game("40"), Resign(2)), None, ["Hint, no 🏅 | Resign", SURE]),
        (game_of_two(), None, ["Call off"]),
        (game_of_two("4"), None, ["Undo | Call off"]),
        (TAKEBACK, None, ["Undo | Resign", "Accept | Decline"]),
        (TAKEBACK, ANN.id, ["Undo | Resign", "Accept | Decline"]),
        (TAKEBACK, BO.id, ["Undo | Resign", "Withdraw"]),
        (game_of_two("40", **asking("declined takeback:O")), None, ["Undo | Resign"]),
        (RESIGNING, None, ["Resign", SURE]),
        (RESIGNING, BO.id, ["Resign", SURE]),
        (RESIGNING, ANN.id, ["Resign"]),
        (computer_game(X_WON), None, ["Play again", AFTER]),
        (TWO_WON, None, ["Rematch | Play the winner", OF_TWO]),
        (REMATCH, None, ["Rematch | Play the winner", OF_TWO, "Accept | Decline"]),
        (REMATCH, ANN.id, ["Accept", OF_TWO, "Decline"]),
        (REMATCH, BO.id, ["Rematch", OF_TWO, "Withdraw"]),
        (TWO_WON._replace(next_game=8), None, [OF_TWO]),
        (TWO_WON._replace(next_game=8, o=Side(LEFT - 5)), None, [AFTER]),
    ],
    ids=lambda value: state_of(value).value if isinstance(value, Game) else "",
)
def test_what_can_be_done_now_is_below_the_cells(game: Game, viewer: int | None, rows: list[str]) -> None:
    assert below(shown(game, viewer)) == rows


def test_every_button_means_the_board_as_it_is_shown() -> None:
    for game in (game_of_two("40"), TAKEBACK, computer_game("40")):
        for each in carried(shown(game))[9:]:
            assert isinstance(each, OnGame)
            assert (each.game_id, getattr(each.action, "ply", 2)) == (7, 2)
    assert by_label(shown(TAKEBACK, BO.id))["Withdraw"] == OnGame(7, Refuse(2))


TELLING = frozenset({"Yes, resign", "Yes, call it off", "Accept", "Decline", "Withdraw"})
"""What changes the game, or what the other is asked, for good."""
HARMLESS = frozenset({"Review", "Share"})
SAME = ("Rematch", "Accept")
"""Who taps Rematch agrees to one, and nobody agrees to what they have asked themselves."""


def places(game: Game, viewer: int | None) -> dict[tuple[int, int], str]:
    """The label at each position of the rows below the cells, in sixths of a row."""
    rows = enumerate(labels(shown(game, viewer))[3:])
    return {(number, sixth): row[sixth * len(row) // 6] for number, row in rows for sixth in range(6)}


def steps(game: Game) -> list[Game]:
    """The games that one tap of either player can lead to."""
    found = []
    for who in (ANN, BO):
        cell = next((each for each in range(9) if str(each) not in game.moves), 0)
        offered = (button.action for button in carried(shown(game, who.id))[9:] if isinstance(button, OnGame))
        for action in (Move(game.ply, cell), *offered):
            if isinstance(action, Permission):
                continue
            with suppress(NotAllowed):
                found.append(decided(game, action, who).game)
    return [each for each in found if each != game]


@pytest.mark.parametrize("begun", [game_of_two(), computer_game(level="beginner")], ids=["two", "computer"])
def test_what_counts_for_good_is_never_where_another_button_was_a_moment_before_nor_the_other_way(
    begun: Game,
) -> None:
    """So that a hasty second tap answers, withdraws and starts nothing."""
    seen, waiting = {begun}, [(begun, 0)]
    met: set[str] = set()
    while waiting:
        game, depth = waiting.pop()
        for after in steps(game):
            for viewer in EVERYBODY:
                one, two = places(game, viewer), places(after, viewer)
                for place in one.keys() & two.keys():
                    pair = one[place], two[place]
                    if game.offer is Offer.TAKEBACK and pair[1] in (*SURE.split(" | "), "Yes, call it off"):
                        continue  # they count only for whoever has just tapped Resign, elsewhere on the board
                    if pair[0] != pair[1] and pair not in (SAME, SAME[::-1]):
                        told = (pair, game.moves, game.offer, after.moves, after.offer)
                        assert pair[1] not in TELLING, told
                        assert pair[0] not in TELLING or pair[1] in HARMLESS, told
                met |= TELLING & {*two.values()}
            if after not in seen and depth < 5:
                seen.add(after)
                waiting.append((after, depth + 1))
    assert met == (TELLING if begun.o.seat == BO.id else {"Yes, resign", "Yes, call it off"})


def test_a_fresh_game_offers_every_difficulty_and_behind_options_who_moves_first_and_the_board() -> None:
    game = computer_game()
    levels = carried(keyboard_for(game, ANN.id, page=LEVEL_PAGE))
    offered = [OnGame(7, SetLevel(level)) for level in DIFFICULTIES if level != "medium"]
    assert levels == [*offered, OnGame(7, ShowAll(0)), OnGame(7, ShowAll(0))]
    assert labels(keyboard_for(game, ANN.id, page=LEVEL_PAGE))[-2:] == [["✓ Medium"], ["‹ Back"]]
    assert below(keyboard_for(game, ANN.id, page=OPTIONS)) == ["First: Me", "‹ Back", "Board: 3×3"]
    for first in (True, False):
        options = by_label(keyboard_for(computer_game(first=first), ANN.id, page=OPTIONS))
        assert options["First: Me" if first else "First: OXO"] == OnGame(7, SetFirst(is_person=not first))


@pytest.mark.parametrize(
    ("rival", "link", "answers"),
    [
        (None, None, ["Accept | Cancel", "‹ Back", "Play OXO"]),
        (BO, None, ["Accept | Decline", "‹ Back", "Play OXO | Cancel"]),
        (None, "https://t.me/oxo_bot?start=x", ["Send to a friend", "Cancel"]),
    ],
    ids=["to all", "to one", "by link"],
)
def test_a_challenge_is_answered_or_withdrawn_until_it_is_over(
    rival: Player | None, link: str | None, answers: list[str]
) -> None:
    challenge = open_challenge(rival=rival)
    closed, opened = (
        [" | ".join(row) for row in labels(keyboard_for(challenge, link=link, page=page))]
        for page in (None, OPTIONS)
    )
    assert opened == [*answers, "Clock: none | Series: 1 game", "Board: 3×3"]
    assert closed == (opened if link else [answers[0], "Options"])
    over = challenge._replace(termination=Termination.CANCELLED)
    assert labels(keyboard_for(over, link=link)) == [["New game"]]
    assert keyboard_for(over, is_numbered=False) is None, "nothing new begins in a message of inline mode"


def sizes() -> list[str]:
    sides = range(SMALLEST, LARGEST + 1)
    named = [f"{columns}x{rows}x{longest_line(columns, rows)}" for columns, rows in product(sides, sides)]
    return [*dict.fromkeys((*MENU, *named))]


@pytest.mark.parametrize("opens", [ShowLevels(0), ShowOptions(0)])
def test_a_second_tap_on_a_button_of_a_fresh_game_changes_nothing(opens: ShowLevels | ShowOptions) -> None:
    """Whether a client keeps the top or the bottom of the keyboard in place."""
    game = computer_game()
    page = open_page(game, board_in(page=opens.page(game)))
    closed, opened = ([*_rows(keyboard_for(game, ANN.id, page=each))] for each in (None, page))
    place = closed.index([OnGame(7, opens)])
    for row in (*opened[place : place + 1], opened[place - len(closed)]):
        assert row in ([OnGame(7, ShowAll(0))], [OnGame(7, ShowRules(0))])


def _rows(keyboard: str | None) -> list[list[Button | None]]:
    return [[read(each.get("callback_data")) for each in row] for row in buttons(keyboard)]


@pytest.mark.parametrize("kind", ["fresh", "challenge", "by link", "wait"])
def test_a_second_tap_on_the_button_of_the_board_goes_back(kind: str) -> None:
    def keyboard(rules: str, page: str | None) -> str | None:
        match kind:
            case "fresh":
                return keyboard_for(computer_game(rules=rules), ANN.id, page=page)
            case "wait":
                return keyboard_for(wait_of(id=7, rules=rules), ANN.id, page=page)
            case _:
                link = "https://t.me/x" if kind == "by link" else None
                return keyboard_for(open_challenge(rules=rules), link=link, page=page)

    opens, back = OnGame(7, ShowRules(0)), OnGame(7, ShowAll(0))
    for rules in sizes():
        begins = OPTIONS if kind in ("fresh", "challenge") else None
        closed, opened = (_rows(keyboard(rules, page)) for page in (begins, RULES))
        place = closed.index([opens])
        for row in (*opened[place : place + 1], opened[place - len(closed)]):
            assert row == [back], rules


def test_every_word_of_an_action_is_among_the_commands_of_a_board_in_text() -> None:
    """`play.meant` finds it there."""
    watched = [watched_game(X_WON), watched_game("40", chat_id=ANN.id)]
    others = [computer_game("40"), computer_game(X_WON), open_challenge(rival=BO), REMATCH]
    games = [*EXAMPLES.values(), *watched, *others, game_of_two(), game_of_two("40", left=Mark.O)]
    seen = [Scene(game, viewer, as_text=True) for game in games for viewer in EVERYBODY]
    found = {word for scene in seen for row in rows_of(scene) for key in row for word in key.words}
    assert {word for kind in ACTION_KINDS for word in kind.rule.typed} <= found
    assert found <= {*WORDS, *FEATURES.words, *FEATURES.commands}, "and each is a command"


# The parts that messages are made of, and how marks look.

SHAPES = board_in(ANN.id, viewer=ANN.id, theme="shapes")


@given(st.text())
def test_a_quoted_word_is_text_and_no_markup(word: str) -> None:
    inside = quoted(word).removeprefix("<code>").removesuffix("</code>")
    assert inside
    assert not set("<>\"'") & set(inside)


def test_words_to_copy_are_set_apart() -> None:
    assert coded(("me", "bot")) == "<code>me</code>, <code>bot</code>"
    with speaking("zh-hans"):
        assert coded(("me", "bot")) == "<code>me</code>、<code>bot</code>"


def test_a_keyboard_is_json_without_spaces() -> None:
    made = keyboard([[Key("A", Invite()), Key("B", OnGame(7, Move(0, 1)), "danger")]])
    a = {"text": "A", "callback_data": write(Invite())}
    b = {"text": "B", "callback_data": write(OnGame(7, Move(0, 1))), "style": "danger"}
    assert json.loads(made) == {"inline_keyboard": [[a, b]]}
    assert made == json.dumps(json.loads(made), separators=(",", ":"), ensure_ascii=False)
    assert " " not in made


def test_no_mark_is_in_two_themes_or_blank_and_the_empty_cell_differs() -> None:
    for name, theme in THEMES.items():
        assert theme.keys() == {*Mark, None}
        assert len({mark.strip() for mark in theme.values()} - {""}) == 3
        assert len(name) <= 8, "it fits its column"
    assert len({THEMES[theme][mark] for theme in THEMES for mark in Mark}) == 2 * len(THEMES)


def test_words_about_a_board_use_its_marks_and_the_default_without_a_choice_or_with_an_outdated_one() -> None:
    assert theme_in(Record(TWO_WON, (board_in(theme="sky"), SHAPES)), ANN.id) == "shapes"
    assert theme_in(Record(TWO_WON, (SHAPES._replace(as_text=True),)), ANN.id) == "letters"
    assert theme_in(Record(TWO_WON, (SHAPES._replace(leaving=True),)), ANN.id) is None
    assert marks_of(None) == marks_of("pink") == THEMES["classic"]


def test_a_board_shows_its_look_in_the_cells_and_in_the_words() -> None:
    view = board_view(scene_of(game_of_two("40", **asking("takeback:O")), SHAPES))
    assert cells(view.keyboard) == "●·· ·▲· ···"
    assert "▲ You" in view.text
    assert "undo ●" in view.text
    assert "❌" not in view.text
