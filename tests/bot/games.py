"""Games drawn in a test, and wishes to act on them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

from bot.game.acts import Player, Wish
from bot.game.gate import Where
from bot.game.machine import decide
from bot.game.new_game import against_computer, challenge
from bot.game.time_limits import TimeLimits
from bot.game.watched import watched
from engine import CLASSIC
from storage.board import Board
from storage.game import Game, termination_of
from storage.record import Decision, Record

if TYPE_CHECKING:
    from bot.game.acts import Act
    from bot.game.machine import Ruling
    from bot.game.refusals import Refusal

ANN: Final = Player(4_503_599_627_370_495, "Ann", "ann_annson", "en")
"""Who begins; her id is the largest that Telegram may give, 52 bits."""
BO: Final = Player(102, "小波", "bo", "zh-hans")
"""Who plays her."""
CEM: Final = Player(103, "Cem", None, None)
"""Who only looks on."""

GROUP: Final = -1_002_147_483_648
NOW: Final = 1_700_000_000
LIMITS: Final = TimeLimits()
HERE: Final = Where(GROUP, message_id=9)


def drawn(*rows: str) -> str:
    """The moves that lead to a board drawn with X, O and dots: X first, each side in reading order."""
    cells = "".join(rows)
    xs, os = ([cell for cell, mark in enumerate(cells) if mark == wanted] for wanted in "XO")
    order = [cell for pair in zip(xs, [*os, None], strict=False) for cell in pair if cell is not None]
    return "".join(map(str, order))


def computer_game(
    moves: str | None = None,
    *,
    first: bool = True,
    level: str = "medium",
    seed: int = 0,
    rules: str = CLASSIC.text,
) -> Game:
    """Ann's game against the computer, with these moves or as it begins."""
    game = against_computer(
        ANN,
        first=first,
        level=level,
        chat_id=GROUP,
        now=NOW,
        limits=LIMITS,
        rng=Random(seed),
        rules=rules,
        update_id=1,
    )
    return _moved(game._replace(id=7), game.moves if moves is None else moves)


def open_challenge(*, first: bool = True, rival: Player | None = None, **values: Any) -> Game:  # noqa: ANN401
    """Ann's challenge to everybody, or to a rival; `values` are fields of the game that are otherwise."""
    game = challenge(ANN, first=first, chat_id=GROUP, now=NOW, limits=LIMITS, update_id=1, rival=rival)
    return game._replace(id=7, **values)


def game_of_two(moves: str = "", **values: Any) -> Game:  # noqa: ANN401 - any field of a game
    """A game in which Ann has X and Bo has O."""
    seated = open_challenge()._replace(o_seat=BO.id, o_name=BO.name)
    return _moved(seated._replace(**values), moves)


def watched_game(moves: str = "", *, x: str = "perfect", o: str = "random", **values: Any) -> Game:  # noqa: ANN401 - any field of a game
    """A game that Ann lets the computer play against itself."""
    game = watched(ANN, x, o, rules=CLASSIC.text, chat_id=GROUP, now=NOW, limits=LIMITS, rng=Random(0))
    return _moved(game._replace(id=7, **values), moves)


def board_in(place: int = GROUP, *, id: int = 1, **values: Any) -> Board:  # noqa: A002, ANN401 - a board's field
    """A board of a game in a chat."""
    return Board(id=id, game_id=7, chat_id=place, message_id=9, language="en", shown=1)._replace(**values)


def wish(act: Act, who: Player = ANN, where: Where = HERE, **details: Any) -> Wish:  # noqa: ANN401 - of a wish
    """Somebody's wish for an act, in the group."""
    given = {"now": NOW, "rng": Random(0), "limits": LIMITS, **details}
    return Wish(act=act, who=who, where=where, **given)


def decided(game: Game, act: Act, who: Player = ANN, **details: Any) -> Decision[Ruling]:  # noqa: ANN401
    """What becomes of a game, shown in the group, if somebody acts on it there."""
    return decide(Record(game, (board_in(),)), wish(act, who, **details))


def done(game: Game, act: Act, who: Player = ANN, **details: Any) -> Game:  # noqa: ANN401 - of a wish
    """The game after an act that must be done."""
    decision = decided(game, act, who, **details)
    assert decision.result.refusal is None, decision.result
    return decision.game


def refused(game: Game, act: Act, who: Player = ANN, **details: Any) -> Refusal:  # noqa: ANN401 - of a wish
    """Why an act is not done; it must leave the game as it was."""
    decision = decided(game, act, who, **details)
    assert decision.result.refusal is not None
    assert decision.game is game
    assert decision.following is None
    assert decision.notices == ()
    return decision.result.refusal


def _moved(game: Game, moves: str) -> Game:
    """The game with these moves, and the end that they bring."""
    game = game._replace(moves=moves)
    outcome = game.position.outcome
    if outcome is None:
        return game
    return game._replace(termination=termination_of(outcome.winner), winner=outcome.winner)
