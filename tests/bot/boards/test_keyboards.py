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
    NUDGE,
    OPTIONS,
    RULES,
    ShowAll,
    ShowLevels,
    ShowMoreRules,
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
from storage.games.game import LEFT, Game, Limits, Offer, Side, Termination
from storage.games.record import Record
from tests.bot.game.test_matchmaking import wait_of
from tests.bot.games import (
    ANN,
    BO,
    EXAMPLES,
    LATE,
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
from tests.bot.reading import below, buttons, by_label, carried, cells, colours, height, keyboard_for, labels

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
    viewers = (ANN.id, BO.id) if game.is_over else (None, ANN.id, BO.id)
    expected = [hers, his] if game.is_over else [hers, hers, his]
    assert [colours(shown(game, viewer)) for viewer in viewers] == expected


FRESH = ["Difficulty | Options"]
SURE = ["No, keep playing | Yes, resign"]
SENDS = ["Send | 🔎"]
TAKEBACK = game_of_two("40", **asking("takeback:O"))
RESIGNING = game_of_two("40", **asking("resign:O"))
REMATCH = game_of_two(X_WON, **asking("rematch:O"))


@pytest.mark.parametrize(
    ("game", "viewer", "rows"),
    [
        (computer_game(), None, FRESH),
        (computer_game(first=False), None, FRESH),
        (done(computer_game(), Resign(0)), None, ["No, keep playing | Yes, call it off"]),
        (computer_game("40"), None, ["Resign | Hint, no 🏅 | Undo"]),
        (computer_game("40")._replace(hints=1), None, ["Resign | Hint | Undo"]),
        (done(computer_game("40"), TakeBack(2)), None, ["Call off | Hint"]),
        (done(computer_game("40"), Resign(2)), None, SURE),
        (game_of_two(), None, ["Call off"]),
        (game_of_two("4"), None, ["Call off | Undo"]),
        (TAKEBACK, None, ["Decline | Accept"]),
        (TAKEBACK, ANN.id, ["Decline | Accept"]),
        (TAKEBACK, BO.id, ["Withdraw | Undo"]),
        (game_of_two("40", **asking("declined takeback:O")), None, ["Resign | Undo"]),
        (game_of_two(LATE, rules="4x4x4"), None, ["Resign | Draw? | Undo"]),
        (game_of_two(LATE, rules="4x4x4", time_limits=Limits.CUP), None, ["Resign | ⬇️"]),
        (game_of_two(LATE[:9], rules="4x4x4"), None, ["Resign | Undo"]),
        (game_of_two(LATE, rules="4x4x4", **asking("draw:O")), ANN.id, ["Decline | Accept"]),
        (RESIGNING, None, SURE),
        (RESIGNING, BO.id, SURE),
        (RESIGNING, ANN.id, ["Resign | Undo"]),
        (computer_game(X_WON), None, ["Play again | Send | 🔎"]),
        (computer_game(X_WON)._replace(next_game=8), ANN.id, SENDS),
        (TWO_WON, None, ["Rematch | Send | 🔎"]),
        (TWO_WON._replace(time_limits=Limits.CUP), ANN.id, SENDS),
        (game_of_two("", termination=Termination.TIMEOUT, winner=Mark.O), None, ["Rematch"]),
        (REMATCH, None, ["Rematch ✓ | ✕ | 🔎"]),
        (REMATCH, ANN.id, ["Rematch ✓ | ✕ | 🔎"]),
        (REMATCH, BO.id, ["Rematch… | ✕ | 🔎"]),
        (TWO_WON._replace(next_game=8), None, SENDS),
        (TWO_WON._replace(next_game=8, o=Side(LEFT - 5)), None, SENDS),
        (watched_game(X_WON), None, ["Again | ⚔️ ❌ | 🔎"]),
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


def places(game: Game, viewer: int | None) -> dict[int, Button | None]:
    """What is at each place of the row below the cells, in sixths of it."""
    keyboard = shown(game, viewer)
    (row,) = buttons(keyboard)[height(keyboard) :]
    return {sixth: read(row[sixth * len(row) // 6].get("callback_data")) for sixth in range(6)}


def tapped(game: Game, button: Button | None, who: Player) -> Game | None:
    """The game after a tap; the game that follows it, if one does, and None if nothing changes."""
    if not isinstance(button, OnGame) or isinstance(button.action, Permission):
        return None
    with suppress(NotAllowed):
        decision = decided(game, button.action, who)
        return decision.following or decision.game
    return None


def counts_for_good(before: Game, after: Game) -> bool:
    """Whether a tap has ended or begun a game, or answered or withdrawn a question to somebody else."""
    asked = before.offer in (Offer.TAKEBACK, Offer.REMATCH)
    if not before.moves:  # nobody has played anything
        return False
    return after.id != before.id or after.is_over != before.is_over or (asked and after.offer is not before.offer)


@pytest.mark.parametrize(
    "begun", [game_of_two("4"), computer_game("40", level="beginner")], ids=["two", "computer"]
)
def test_a_second_tap_at_the_same_place_ends_begins_answers_and_withdraws_nothing(begun: Game) -> None:
    """The row below the cells is always one, so something else comes where a button was."""
    seen, waiting = {begun}, [(begun, 0)]
    met: set[str] = set()
    while waiting:
        game, depth = waiting.pop()
        for who in (ANN, BO):
            cell = next((each for each in range(9) if str(each) not in game.moves), 0)
            for viewer in (None, who.id):
                for place, button in places(game, viewer).items():
                    if (after := tapped(game, button, who)) is None or after == game or after.id != game.id:
                        continue
                    second = tapped(after, places(after, viewer)[place], who)
                    told = f"put another button there: {button}, {game.moves=}, {game.offer} to {after.offer}"
                    assert second is None or not counts_for_good(after, second), told
                    if after not in seen and depth < 4:
                        seen.add(after)
                        waiting.append((after, depth + 1))
                        met.add(str(after.offer or after.termination))
            moved = tapped(game, OnGame(7, Move(game.ply, cell)), who)
            if moved is not None and moved not in seen and depth < 4:
                seen.add(moved)
                waiting.append((moved, depth + 1))
    questions = {"resign", "resignation", *({"takeback", "rematch"} if begun.o.seat == BO.id else ())}
    assert questions <= met


def test_a_fresh_game_offers_every_difficulty_and_behind_options_who_moves_first_and_the_board() -> None:
    game = computer_game()
    levels = carried(keyboard_for(game, ANN.id, page=LEVEL_PAGE))
    offered = [OnGame(7, SetLevel(level)) for level in DIFFICULTIES if level != "medium"]
    assert levels == [*offered, OnGame(7, ShowAll(0)), OnGame(7, ShowAll(0))]
    assert labels(keyboard_for(game, ANN.id, page=LEVEL_PAGE))[-2:] == [["✓ Medium"], ["‹ Back"]]
    assert below(keyboard_for(game, ANN.id, page=OPTIONS)) == ["First: Me | ‹ Back | 3×3"]
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
    assert keyboard_for(over, is_in_chat=False) is None, "nothing new begins in a message of inline mode"


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
    half = closed[-1].index(OnGame(7, opens))
    place = len(closed) - 1
    for row in (*opened[place : place + 1], opened[-1]):
        there = row if len(row) == 1 else row[half * len(row) // 2 :]
        assert {*there} <= {OnGame(7, ShowAll(0)), OnGame(7, ShowRules(0))}


def _rows(keyboard: str | None) -> list[list[Button | None]]:
    return [[read(each.get("callback_data")) for each in row] for row in buttons(keyboard)]


@pytest.mark.parametrize("kind", ["fresh", "challenge", "by link", "wait"])
def test_a_second_tap_on_the_button_of_the_board_goes_back_or_turns_the_page(kind: str) -> None:
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
        place, third = next((number, row.index(opens)) for number, row in enumerate(closed) if opens in row)
        for row in (*opened[place : place + 1], opened[place - len(closed)]):
            assert row[third * len(row) // 3] in (back, OnGame(7, ShowMoreRules(0))), rules


def test_every_word_of_an_action_is_among_the_commands_of_a_board_in_text() -> None:
    """`play.meant` finds it there."""
    watched = [watched_game(X_WON), watched_game("40", chat_id=ANN.id)]
    others = [computer_game("40"), computer_game(X_WON), open_challenge(rival=BO), REMATCH]
    games = [
        *EXAMPLES.values(),
        *watched,
        *others,
        game_of_two(LATE, rules="4x4x4"),
        game_of_two(),
        game_of_two("40", left=Mark.O),
    ]
    seen = [Scene(game, viewer, as_text=True) for game in games for viewer in EVERYBODY]
    seen.append(Scene(game_of_two("40"), BO.id, as_text=True, page=NUDGE))
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
