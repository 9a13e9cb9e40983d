"""Keyboards as people see them, in the language that is spoken: one of each kind."""

import json
from collections.abc import Iterator
from itertools import product

from bot.boards.cups import Shown, cup_view
from bot.boards.finished import shared_view
from bot.boards.lists import games_list
from bot.boards.players import DIFFICULTIES, Scene
from bot.boards.rules import family_name
from bot.boards.view import View
from bot.context.services import Retention
from bot.delivery.boards import render
from bot.dispatch import FEATURES
from bot.features import basics as help_
from bot.features import settings
from bot.features.privacy import pages
from bot.features.puzzle.view import FIRST_DAY, ShownPuzzle, folded_page, puzzle_page, solved_page
from bot.game.choices import CLOCKS, SERIES
from bot.game.pages import MORE, NUDGE, OPTIONS, RULES
from bot.language import _, spoken
from engine import Level, Mark, parse_rules
from engine.puzzles import Puzzle, puzzle_of, solution, try_cell
from engine.rules.catalogue import FAMILIES, MENU
from storage.games.game import Game, Limits, Side, Termination, termination_of
from storage.games.record import Gauntlet, TryScore
from storage.people.person import Cup, CupState, Solving
from storage.results.result import OVERALL
from tests.bot.games import (
    ANN,
    BO,
    GROUP,
    LATE,
    NOW,
    asking,
    board_in,
    computer_game,
    game_of_two,
    open_challenge,
    watched_game,
)
from tests.bot.reading import ME, keyboard_for


def helping() -> list[View]:
    told = (help_.help_page(FEATURES, topic) for topic in (None, *help_.TOPICS))
    return [help_.waiting([]), help_.group_greeting(), *told]


def choosing() -> list[View]:
    own = {name: option.read(None) for name, option in settings.SETTINGS.items()}
    here = {name: value for name, value in own.items() if not settings.SETTINGS[name].personal}
    asked = [name for name, option in settings.SETTINGS.items() if option.question]
    pages = [(chosen, name) for chosen in (own, here) for name in ("", settings.RARE, *asked)]
    for name, option in settings.SETTINGS.items():
        where = own if option.personal else here
        pages += [({**where, name: value}, settings.page_after(name)) for value in option.values]
    return [settings.settings_page(settings.Chosen(chosen), name) for chosen, name in pages]


def playing() -> list[str]:
    alone, two = computer_game(), game_of_two("4")
    over = [game._replace(termination=Termination.RESIGNATION, winner=Mark.O) for game in (alone, two)]
    over += [computer_game("041236"), game_of_two("03142")]  # one with a mistake, and one that neither gave up
    over += [over[-1]._replace(best_of=3, **asked) for asked in ({}, asking("rematch:X"))]
    over += [watched_game("03142", x=level) for level in Level]
    games = [
        alone,
        game_of_two(LATE, rules="4x4x4"),
        computer_game("40"),
        two,
        game_of_two("4", **asking("takeback:X")),
        *over,
    ]
    made = [keyboard_for(game, viewer) for game in games for viewer in (ANN.id, BO.id, None)]
    made += [keyboard_for(alone, ANN.id, page=page) for page in (RULES, MORE)]
    made.append(keyboard_for(game_of_two("4"), ANN.id, page=NUDGE))
    made += [keyboard_for(open_challenge(rival=rival)) or "" for rival in (None, BO)]
    terms = product((None, *CLOCKS), (None, *SERIES[1:]))
    made += [keyboard_for(open_challenge(clock=time, best_of=most), page=OPTIONS) for time, most in terms]
    return [*filter(None, made), render(two, board_in(language=spoken()), ME).keyboard or ""]


LONG_NAME = "Bartholomew Cornelius Fitzgerald"


def sharing() -> Iterator[View]:
    """What is sent of a game that was won, lost or drawn, with inline mode and without it."""
    for moves, me in product(("03142", "031485", "012435768"), (ME, ME._replace(has_inline=False))):
        for game in (computer_game(moves), game_of_two(moves)):
            over = ended(game)._replace(names={ANN.id: LONG_NAME, BO.id: BO.name})
            scores = TryScore("Ann", over.ply), TryScore("Dora", 5), TryScore("Eli", None)
            yield shared_view(Scene(over, me=me, gauntlet=Gauntlet(over, scores)), 2)
            yield shared_view(Scene(over, me=me), 0)


def trying() -> Iterator[tuple[Game, Gauntlet]]:
    """Tries of a shared game, from the position that it is played from to their end, which are of each kind."""
    shared = ended(computer_game("0214356"))._replace(names={ANN.id: LONG_NAME})
    for moves in ("02", "0241", "02418", "0214356", "021456", "024853176"):
        tried = ended(computer_game(moves))._replace(x=Side(BO.id), beats=1, time_limits=Limits.PRACTICE)
        yield from ((tried, Gauntlet(shared, is_told=told)) for told in (True, False))
        yield tried._replace(takebacks=1), Gauntlet(shared)


def puzzling() -> Iterator[tuple[Puzzle, View]]:
    """The pages of a week's puzzles."""
    for day in range(FIRST_DAY, FIRST_DAY + 7):
        puzzle = puzzle_of(day)
        right, text = solution(puzzle), puzzle.position.rules.moves_text
        wrong = next(cell for cell in puzzle.position.legal_moves if cell not in right)
        answered = try_cell(puzzle, (), wrong).cells
        for solving in (
            Solving(1, day),
            Solving(1, day, text(right[: 2 * (len(right) > 2)])),
            *(Solving(1, day, text([wrong]), missed=True, wrong=count) for count in (1, 3)),
            Solving(1, day, text(answered), missed=True, wrong=1),
            Solving(1, day, text(right), wrong=3),
            Solving(1, day, text(right), solved_at=day, streak=8, wrong=2),
        ):
            for is_new, better in ((True, None), (False, 61)):
                shown = ShownPuzzle(solving, None, is_reminded=is_new, is_new=is_new, better_than=better)
                yield puzzle, puzzle_page(puzzle, shown, "https://t.me/oxo_bot?start=puzzle")
                yield puzzle, folded_page(puzzle, shown)
                yield puzzle, solved_page(puzzle, day, right, shown)


def ended(game: Game) -> Game:
    """A game as it is once nobody can move any more."""
    outcome = game.position.outcome
    return game if outcome is None else game._replace(termination=termination_of(outcome), winner=outcome.winner)


def listing() -> Iterator[View]:
    long = {ANN.id: "Ann", BO.id: LONG_NAME}
    for rules in MENU:
        played = parse_rules(rules)
        first = played.move_text(played.start().legal_moves[0])
        made = [game_of_two(first, rules=rules, names=long)._replace(id=987_654_321)]
        made += [computer_game(level=level, rules=rules)._replace(id=987_654_321) for level in DIFFICULTIES[1:]]
        for seconds in (30, 59 * 60, 23 * 3600, 29 * 86_400):
            yield games_list("", made, ANN.id, NOW + seconds)


def choices() -> Iterator[str]:
    """Labels of buttons that share a row of two if they are chosen, and those of reviews."""
    names = [family_name(family) for family in (OVERALL, *FAMILIES)]
    names += map(_, ("Rating", "Wins this week", "This chat", "Everybody", "in this chat", "everywhere"))
    yield from (f"✓ {name}" for name in names)
    yield from map(_, ("Find a better move", "Show me", "⚡ Turning point"))


def labels() -> Iterator[tuple[str, int]]:
    cup = cup_view(Shown(CupState(Cup(1, GROUP, None, None, "3x3x3", CLOCKS[0])), {}, {}, {}), "oxo")
    kept = Retention(None, 30)
    private = (pages.question(), pages.short_page(kept, is_private=True), pages.privacy_page(kept, FEATURES.keeps))
    views = [
        *helping(),
        *choosing(),
        *private,
        cup,
        *listing(),
        *sharing(),
        *(page for _puzzle, page in puzzling()),
    ]
    his = board_in(BO.id, viewer=BO.id, language=spoken())
    views += [render(game, his, ME, gauntlet=of) for game, of in trying()]
    for keyboard in [*(view.keyboard for view in views), *playing()]:
        if keyboard:
            for row in json.loads(keyboard)["inline_keyboard"]:
                yield from ((button["text"], len(row)) for button in row)
    yield from ((label, 2) for label in choices())
