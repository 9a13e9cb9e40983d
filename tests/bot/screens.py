"""Keyboards as people see them, in the language that is spoken: one of each kind."""

import json
from collections.abc import Iterator
from itertools import product

from bot.boards.cups import Shown, cup_view
from bot.boards.lists import games_list
from bot.boards.players import DIFFICULTIES
from bot.boards.rules import family_name
from bot.boards.view import View
from bot.context.services import Retention
from bot.delivery.boards import render
from bot.dispatch import FEATURES
from bot.features import basics as help_
from bot.features import settings
from bot.features.privacy import pages
from bot.game.choices import CLOCKS, SERIES
from bot.game.pages import MORE, NUDGE, OPTIONS, RULES
from bot.language import _, spoken
from engine import Level, Mark, parse_rules
from engine.rules.catalogue import FAMILIES, MENU
from storage.games.game import Termination
from storage.people.person import Cup, CupState
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


def listing() -> Iterator[View]:
    long = {ANN.id: "Ann", BO.id: "Bartholomew Cornelius Fitzgerald"}
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
    views = [*helping(), *choosing(), *private, cup, *listing()]
    for keyboard in [*(view.keyboard for view in views), *playing()]:
        if keyboard:
            for row in json.loads(keyboard)["inline_keyboard"]:
                yield from ((button["text"], len(row)) for button in row)
    yield from ((label, 2) for label in choices())
