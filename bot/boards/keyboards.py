"""The keyboard of a game: its cells, and the actions below them."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import orjson

from bot.boards.buttons import Block, FindOpponent, Invite, OnGame, Play, game_text, write
from bot.boards.challenges import sentence
from bot.boards.finished import after_try, send_key
from bot.boards.links import Me
from bot.boards.players import DIFFICULTIES, Scene, level_name
from bot.boards.rules import is_misere, rules_name
from bot.boards.view import (
    ARROWS,
    FADING,
    NOBODYS,
    Key,
    Query,
    Row,
    as_json,
    in_rows,
    keyboard,
    marks_of,
    offered,
    rows_as_json,
    sending,
)
from bot.boards.wording import duration
from bot.game.actions import Action
from bot.game.analysis import lesson_of
from bot.game.attempt import Question, is_asked_to_resign, question_of, thought_of
from bot.game.choices import ADAPTIVE, ANY, CLOCKS, SERIES
from bot.game.deadlines import Nudge
from bot.game.departures import ClaimWin, given_up, may_claim_win
from bot.game.exhibitions import GoFaster, PlayWinner, Stop, WatchAgain, has_paces
from bot.game.matchmaking import PlayMeanwhile, Stay, WantAny
from bot.game.new_game import USUAL_LEVEL, Cancel, Decline, LetComputerPlay, SetClock, SetSeries, seen_with
from bot.game.pages import (
    CHOOSING,
    HELLO,
    LEVEL_PAGE,
    MORE,
    NUDGE,
    OPTIONS,
    Bring,
    Hint,
    LookBack,
    OurGames,
    Share,
    ShowAll,
    ShowLevels,
    ShowMoreRules,
    ShowOptions,
    ShowRegion,
    ShowRules,
    TryAgain,
    TryCell,
    are_rivals,
    shown_region,
)
from bot.game.play import Move, SetFirst, SetLevel, SetRules, edition_of, is_fresh, last_ply_of
from bot.game.questions import (
    Agree,
    ConfirmResign,
    OfferDraw,
    PlayAgain,
    PlayOn,
    Refuse,
    Rematch,
    Resign,
    TakeBack,
    may_agree_on_draw,
)
from bot.language import _
from engine import Mark, Position
from engine.rules.catalogue import MENU
from storage.games.game import COMPUTER, RESIGNING, Game, Limits, Termination, is_erased
from storage.results.result import counts, is_called_off, series_goes_on

PLACEHOLDER: Final = 999_999_999_999_999_999
"""A placeholder for the game's id in the cached part of a keyboard; no game has this id."""


MOST_BELOW: Final = 3
"""The most buttons below a finished board."""

PICKED: Final = ("3x3x3", "4x4x4", "5x5x4", "6x6x4", "7x7x5", "8x8x5", "vanishing")
"""The boards that the picker shows first: all sizes, and what is most fun; other rules are behind More."""


def rows_of(scene: Scene) -> list[Row]:
    """The buttons below the cells of a game, or below a challenge, as the reader sees them; no row is empty.

    Below the cells is one row from the first move to the last, so that nothing moves under the thumb: before the
    first move the choices, during the game Resign, Hint and Undo, afterwards another game, sending it on and its
    review. A question takes the place of that row; where a button was that asks, or ends the game, is nothing then
    that answers, or begins another, so a double tap doesn't do so by accident. An open page (`bot.game.pages`)
    shows a region of a big board, with the way back first in that row, or a menu instead of everything else.
    """
    game = scene.game
    if game.is_challenge:
        rows = _wait(scene) if game.is_wait else _challenge(scene)
    elif scene.page == LEVEL_PAGE:
        rows = _levels_menu(game)
    elif scene.page in CHOOSING:
        rows = rules_menu(game, scene.page)
    elif game.is_over:
        rows = _words_after(scene) if scene.is_typed else [_finished(scene)]
    else:
        rows = _exhibition(game) if game.is_exhibition else _running(scene)
    return offered(rows)


def keyboard_of(scene: Scene, rows: Sequence[Row], hint: int | None) -> str | None:
    """The keyboard of a game with these rows as JSON; a hint marks its cell. None if it has no buttons."""
    game = scene.game
    if game.is_challenge or scene.page in CHOOSING or scene.is_folded:
        return keyboard(rows) if rows else None
    is_own = game.is_over or thought_of(game) is not None  # nobody is to be shown their own move
    return with_cells(scene, rows, 0 if is_own else 1, hint)


def _challenge(scene: Scene) -> list[Row]:
    """The options, and the board picker below them, open below the answers, so that others can still accept."""
    game = scene.game
    if game.is_over:
        return [[Key(_("New game"), Play())]] if scene.is_in_chat and not _is_rivals(scene) else []
    cancel = _key(game, _("Cancel"), Cancel())
    rules = rules_menu(game, scene.page, below=True) if scene.page in CHOOSING else [[rules_key(game)]]
    rules = [[_clock_key(game), _series_key(game)], *rules]
    if scene.link is not None:
        return [[sending(_("Send to a friend"), scene.link, sentence(game))], [cancel], *rules]
    answers = [_key(game, _("Accept"), seen_with(game), "success")]
    if game.names_rival:
        answers.append(_key(game, _("Decline"), Decline(), "danger"))
    else:
        answers.append(cancel)
    if _is_rivals(scene):
        return [answers, [Key(_("Block"), Block(game.id), typed=("block",))]]
    if scene.page is None and not scene.as_text:
        return [answers, [_key(game, _("Options"), ShowOptions(game.ply))]]
    others = [_key(game, _("Play OXO"), LetComputerPlay()), *([cancel] if game.names_rival else [])]
    return [answers, [_key(game, _("‹ Back"), ShowAll(game.ply))], others, *rules]


def _is_rivals(scene: Scene) -> bool:
    """Whether a challenge is shown in the private chat of the person challenged."""
    return scene.you is not None and scene.own is None


def _wait(scene: Scene) -> list[Row]:
    game = scene.game
    if game.is_over:
        return [[Key(_("Look again"), FindOpponent(game.rules))]]
    leave = _key(game, _("Leave"), Cancel(), typed=("leave", *Cancel.rule.typed))
    if game.reminded is not None:
        return [[_key(game, _("Still here"), Stay(), "success"), leave]]
    choice = rules_menu(game, scene.page, below=True) if scene.page in CHOOSING else [[rules_key(game)]]
    return [[_key(game, _("Play OXO meanwhile"), PlayMeanwhile())], *choice, [leave]]


def line_style(scene: Scene) -> str:
    """The colour of a completed line: blue if it lost the game for the reader, or for everybody.

    It is never red, on which a red mark can hardly be seen.
    """
    game = scene.game
    if game.winner is None or game.is_exhibition:
        return "success"
    if game.is_against_computer:
        is_lost = game.seat(game.winner) == COMPUTER
    else:
        is_lost = is_misere(game.rules) if scene.own is None else game.winner is not scene.own
    return "primary" if is_lost else "success"


def with_cells(
    scene: Scene,
    rows: Sequence[Row],
    last: int,
    marked: int | None,
    carries: Callable[[int, int], Move | TryCell] = Move,
) -> str:
    """The keyboard of a game as JSON: its cells, the last and a marked one highlighted, above these rows."""
    game, position = scene.game, scene.game.position
    recent = position.rules.read_moves(game.moves[-last:]) if last else ()
    style, over = line_style(scene), game.is_over
    cells = _cells(position, recent, marked, scene.theme, scene.page, style, carries, over=over)
    own = cells.replace(b"%d" % PLACEHOLDER, game_text(game.id, edition_of(game)).encode())
    made = b",%b" % rows_as_json(rows)[1:-1] if rows else b""
    return (b'{"inline_keyboard":[%b%b]}' % (own, made)).decode()


def on(game: Game, action: Action) -> OnGame:
    """An action on a game as it is now."""
    return OnGame(game.id, action, 0 if action.for_ply is None else edition_of(game))


def _key(game: Game, label: str, action: Action, style: str | None = None, typed: tuple[str, ...] = ()) -> Key:
    return Key(label, on(game, action), style, typed)


def _running(scene: Scene) -> list[Row]:
    game, question = scene.game, question_of(scene.game)
    answers = [] if question is None else _answers(scene, question)
    claim = [] if game.left is None else _claim(game)
    if scene.is_typed:
        means = [] if answers and question and question.offer in RESIGNING else _means(scene, question)
        return [answers, [*means, *claim]]
    back = [_key(game, _("‹ Boards"), ShowAll(game.ply))] if (scene.page or "").isdecimal() else []
    usual = _fresh_row(scene) if is_fresh(game) else _means(scene, question)
    return [[*back, *(claim or answers or usual)]]


def _claim(game: Game) -> Row:
    """What the opponent of somebody who has left can do."""
    if not may_claim_win(game):
        return []
    label = _("Close the game") if given_up(game).winner is None else _("Claim win")
    return [_key(game, label, ClaimWin(), "primary")]


def _means(scene: Scene, question: Question | None) -> Row:
    """What a player can do besides moving."""
    game = scene.game
    may_undo = bool(game.moves)
    if scene.is_typed and scene.own is not None:  # who types is told of it only once they have moved
        may_undo = question is None and last_ply_of(game, scene.own) is not None
    is_cup = game.time_limits is Limits.CUP
    undo = [_undo(game)] if may_undo and not is_cup else []
    help_ = _hint(game) if game.is_against_computer else _draw(scene)
    resign = _key(game, _("Call off") if is_called_off(game) else _("Resign"), Resign(game.ply))
    if scene.page == NUDGE:
        # Translators: a button that reminds the opponent to move.
        return [resign, _key(game, _("👋 Nudge"), Nudge(game.ply))]
    if scene.is_typed:
        return [*undo, *help_, resign]
    # It never has the row to itself, where the second of two quick taps would confirm it.
    down = [_key(game, "⬇️", Bring())] if is_cup and scene.is_in_chat else []
    return [resign, *help_, *undo, *down]


def _hint(game: Game) -> Row:
    # Translators: a button; 🏅 is the medal that a win with a hint doesn't bring.
    label = _("Hint") if game.hints or game.takebacks or game.time_limits is Limits.PRACTICE else _("Hint, no 🏅")
    return [_key(game, label, Hint())]


def _draw(scene: Scene) -> Row:
    game, is_narrow = scene.game, (scene.page or "").isdecimal()  # beside the way back to all boards
    # Translators: a button that offers the opponent a draw.
    return [_key(game, _("Draw?"), OfferDraw(game.ply))] if may_agree_on_draw(game) and not is_narrow else []


def _undo(game: Game) -> Key:
    return _key(game, _("Undo"), TakeBack(game.ply))


def _exhibition(game: Game) -> list[Row]:
    faster = [_key(game, _("Faster"), GoFaster())] if has_paces(game) else []
    return [[*faster, _key(game, _("Stop"), Stop())]]


def _answers(scene: Scene, question: Question) -> Row:
    game = scene.game
    if question.offer in RESIGNING:
        if scene.you is not None and not (scene.own and is_asked_to_resign(game, scene.own)):
            return []
        label = _("Yes, call it off") if is_called_off(game) else _("Yes, resign")
        yes, no = _key(game, label, ConfirmResign(), "danger"), _key(game, _("No, keep playing"), PlayOn())
        return [yes, no] if scene.is_typed else [no, yes]
    if scene.own is question.by:
        withdraw = _key(game, _("Withdraw"), Refuse(game.ply), typed=("cancel", "withdraw", "no", "decline"))
        return [withdraw] if scene.is_typed else [withdraw, _undo(game)]
    accept = _key(game, _("Accept"), Agree(game.ply), "success")
    decline = _key(game, _("Decline"), Refuse(game.ply), "danger")
    return [accept, decline] if scene.is_typed else [decline, accept]


def _words_after(scene: Scene) -> list[Row]:
    """What those who type can do after a game."""
    game, question, again = scene.game, question_of(scene.game), _again(scene)
    answers = [] if question is None else _answers(scene, question)
    finished = [_key(game, _("Review"), LookBack(0)), _key(game, _("Share"), Share())] if game.moves else []
    if are_rivals(game) and scene.is_in_chat and counts(game) and game.time_limits is not Limits.CUP:
        finished.append(_key(game, _("Our games"), OurGames()))
    return [answers, again, finished]


def _finished(scene: Scene) -> Row:
    """The three buttons below a finished game: another one, sending it on, and its review."""
    if (row := after_try(scene)) is not None:
        return [*row, _review_key(scene)]
    game, again = scene.game, _again(scene)
    if not game.moves or (game.time_limits is Limits.CUP and scene.you is None):
        return again
    send = [send_key(scene, _("Send"))] if len(again) < MOST_BELOW - 1 else []
    return [*again, *send, _review_key(scene)]


def _review_key(scene: Scene) -> Key:
    """What opens the review: if something is to be learnt from the game, where that is."""
    game = scene.game
    if (lesson := lesson_of(game, scene.you)) is None:
        return _key(game, "🔎", LookBack(0))
    return _key(game, _("Find it"), TryAgain(lesson.number))


def _again(scene: Scene) -> Row:
    """The buttons for another game after a finished one, or a request for it with the answer to that."""
    game = scene.game
    if game.time_limits is Limits.CUP:  # which goes on
        return []
    question = question_of(game)
    if game.left is not None and question is None:  # nobody is there for a rematch, unless they ask for it
        return [Key(_("New opponent"), Play(), "primary")]
    new_opponent = [Key(_("New opponent"), FindOpponent(game.rules))] if game.is_between_strangers else []
    if new_opponent and game.termination is Termination.EXPIRED:
        return new_opponent
    is_gone = is_erased(game.x.seat) or is_erased(game.o.seat)
    if game.next_game is not None or is_gone:
        return []
    if game.is_exhibition:
        again = _key(game, _("Again"), WatchAgain(), "primary")
        winner = game.winner and f"⚔️ {scene.marks[game.winner]}"  # "Play" and a name are cut beside two others
        return [again, *([_key(game, winner, PlayWinner())] if winner else [])]
    if game.is_against_computer:
        return [_key(game, _("Play again"), PlayAgain(), "primary")]
    label = _("Next game") if series_goes_on(game) else _("Rematch")
    if question is None or scene.is_typed:
        return [_key(game, label, Rematch(), "primary"), *new_opponent]
    refuse = _key(game, "✕", Refuse(game.ply))
    if scene.own is question.by:
        return [_key(game, f"{label}…", Rematch()), refuse]
    return [_key(game, f"{label} ✓", Agree(game.ply), "primary"), refuse]


def _fresh_row(scene: Scene) -> Row:
    """What can be chosen before the person's first move: the difficulty, or with the options open all else.

    Where the button was that opens them are the way back and the board, whose picker can do no harm: a second tap
    on that button changes nothing.
    """
    game = scene.game
    if scene.page == HELLO:
        return with_people(scene.me)
    if scene.page == OPTIONS:
        person_first = game.o.seat == COMPUTER
        first = _("First: Me") if person_first else _("First: OXO")
        return [
            _key(game, first, SetFirst(is_person=not person_first)),
            _key(game, _("‹ Back"), ShowAll(game.ply)),
            _key(game, rules_name(game.rules), ShowRules(game.ply)),
        ]
    return [
        _key(game, _("Difficulty"), ShowLevels(game.ply)),
        _key(game, _("Options"), ShowOptions(game.ply)),
    ]


def with_people(me: Me) -> Row:
    """The ways to play somebody else: a friend in a chat that is chosen or, without inline mode, by a link."""
    return [
        Key(_("Play a friend"), Query("") if me.has_inline else Invite()),
        Key(_("Find an opponent"), FindOpponent()),
    ]


def ways_to_play(me: Me) -> list[Row]:
    """The ways to begin a game."""
    return [[Key(_("Play OXO"), Play(), "primary")], with_people(me)]


def _level_of(game: Game) -> str:
    """The difficulty as it was chosen: a level, adaptive, or the strategy of a game from an exhibition."""
    return ADAPTIVE if game.next_level else game.level or USUAL_LEVEL


def _levels_menu(game: Game) -> list[Row]:
    """The other difficulties, two in a row, and the present one in its own, which leads back as the last does."""
    now, back = _level_of(game), ShowAll(game.ply)

    def label(level: str) -> str:
        name = level_name(level, game.rules)
        return f"{name[:1].upper()}{name[1:]}"

    rest = [_key(game, label(level), SetLevel(level)) for level in DIFFICULTIES if level != now]
    own = _key(game, f"✓ {label(now)}", back, "primary")
    return [*in_rows(rest), [own], [_key(game, _("‹ Back"), back)]]


def rules_key(game: Game) -> Key:
    """The button that names the board, and opens the board picker."""
    label = _("Board: {rules}").format(rules=rules_name(_chosen(game)))
    return _key(game, label, ShowRules(game.ply))


def _series_key(game: Game) -> Key:
    following = SERIES[(SERIES.index(game.best_of or 1) + 1) % len(SERIES)]
    label = _("Best of {count}").format(count=game.best_of) if game.best_of else _("Series: 1 game")
    return _key(game, label, SetSeries(following))


def _clock_key(game: Game) -> Key:
    choices = (0, *CLOCKS)
    following = choices[(choices.index(game.clock or 0) + 1) % len(choices)]
    label = f"⏱ {duration(game.clock)}" if game.clock else _("Clock: none")
    return _key(game, label, SetClock(following))


def rules_menu(game: Game, page: str | None, *, below: bool = False) -> list[Row]:
    """A page of the board picker: the boards that most people want, or the others, two in a row; and the way back.

    The second of two quick taps on the button that opens it goes back, whether a client keeps the top or the
    bottom of the keyboard in place. That's why a chosen board that isn't one of these gets a row of its own, as
    does the first one of a picker `below` other rows.
    """
    chosen, back = _chosen(game), on(game, ShowAll(game.ply))

    def key(rules: str) -> Key:
        return _key(game, rules_name(rules), WantAny() if rules == ANY else SetRules(rules))

    if page == MORE:
        rest = [key(rules) for rules in MENU if rules not in (*PICKED, chosen)]
        return [*in_rows(rest), [_key(game, _("‹ Back"), ShowRules(game.ply))]]
    made = {rules: key(rules) for rules in (*PICKED, *((ANY,) if game.is_wait else ()), chosen)}
    made[chosen] = Key(f"✓ {rules_name(chosen)}", back, "primary")
    own = [[made.pop(chosen)]] if below or chosen not in PICKED else []
    rows = in_rows([*made.values(), _key(game, _("More"), ShowMoreRules(game.ply))])
    rows = [*own, *rows] if below else [*rows, *own]
    return [*rows, [Key(_("‹ Back"), back)]]


def _chosen(game: Game) -> str:
    return ANY if game.any_rules else game.rules


@lru_cache(maxsize=4096)
def _cells(  # noqa: PLR0917 - a cache is asked more quickly by place than by name
    position: Position,
    last: tuple[int, ...],
    hint: int | None,
    theme: str | None,
    page: str | None,
    line: str,
    carries: Callable[[int, int], Move | TryCell],
    *,
    over: bool,
) -> bytes:
    """The rows of cells as JSON, with a placeholder for the game's id, so that games that look alike share them.

    The `last` moves, completed lines (in the style `line`) and the cell of a hint are highlighted.
    """
    marks = marks_of(theme)
    fading = () if over else position.fading
    styles = dict.fromkeys(last, "primary")
    if hint is not None:
        styles[hint] = "success"
    if position.outcome is not None:
        for cells in position.outcome.lines:
            styles |= dict.fromkeys(cells, line)
    layout, shown = position.rules.layout, shown_region(position, page)
    if shown is None:
        made = [_region_button(position, region, marks, styles).json for region in layout.regions]
        width = layout.across
    else:
        width = layout.region_columns
        data = write(OnGame(PLACEHOLDER, carries(position.ply, 0))).removesuffix("0")  # the cell is its last value
        labels = {
            cell: marks[position.mark_at(cell)] + FADING * (cell in fading) for cell in layout.regions[shown]
        }
        made = [as_json(label, f"{data}{cell}", styles.get(cell)) for cell, label in labels.items()]
    return orjson.dumps(in_rows(made, width))[1:-1]


def _region_button(
    position: Position, cells: range, marks: Mapping[Mark | None, str], styles: Mapping[int, str]
) -> Key:
    number = position.rules.layout.region_of(cells[0])
    region = position.regions[number]
    if region.winner is not None:
        label = marks[region.winner]
    elif region.is_finished:
        label = NOBODYS
    else:
        label = marks[None] if position.is_over else ARROWS[number]
    own = [styles[cell] for cell in cells if cell in styles and (position.is_over or styles[cell] != "primary")]
    carries = OnGame(PLACEHOLDER, ShowRegion(position.ply, number))
    return Key(label, carries, own[0] if own else None)
