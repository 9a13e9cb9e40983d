"""Games drawn as text, and attempts to act on them."""

from collections.abc import Callable
from random import Random
from typing import Any, Final, ParamSpec

from bot.game.actions import Action
from bot.game.attempt import Attempt, Facts, NotAllowed, Player, Refusal, State, TimeLimits, Where
from bot.game.exhibitions import exhibition
from bot.game.gate import decide
from bot.game.new_game import against_computer, new_challenge
from bot.game.play import Move
from engine import CLASSIC, Mark
from storage.games.game import Game, GameKind, Limits, Offer, Side, Termination, termination_of
from storage.games.record import WHOLE, Board, Decision, Page, Record

P = ParamSpec("P")

ANN: Final = Player(4_503_599_627_370_495, "Ann", "ann_annson", "en")
"""Who begins; her id is the largest that Telegram may give, 52 bits."""
BO: Final = Player(102, "小波", "bo", "zh-hans")
"""Who plays her."""
CEM: Final = Player(103, "Cem", None, None)
"""Who only looks on."""
UNKNOWN: Final = Player(0, "", "bo")
"""Whoever has a username: it is Bo's."""

Act = Action | Callable[[int], Action]
"""An action, or what makes one for the game's ply."""

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
    by_ann = attempt(ANN, rng=Random(seed))
    game = against_computer(by_ann, first=first, level=level, rules=rules)
    return _moved(game._replace(id=7), game.moves if moves is None else moves)


def open_challenge(*, first: bool = True, rival: Player | None = None, **values: Any) -> Game:  # noqa: ANN401
    game = new_challenge(attempt(ANN), first=first, rival=rival)
    return game._replace(id=7, **values)


def game_of_two(moves: str = "", **values: Any) -> Game:  # noqa: ANN401 - any field of a game
    """A game in which Ann has X and Bo has O."""
    seated = open_challenge()._replace(kind=GameKind.PAIR, o=Side(BO.id), names={ANN.id: ANN.name, BO.id: BO.name})
    return _moved(seated._replace(**values), moves)


LATE: Final = "0213647589"
"""Moves on sixteen cells after which two people may agree on a draw."""


def scored(game: Game, x: int, o: int) -> Game:
    """The game, before which its players have won so many of their series."""
    return game.with_side(Mark.X, wins=x).with_side(Mark.O, wins=o)


def asking(words: str) -> dict[str, Any]:
    """The fields of a game in which a player has asked something, such as `takeback:X`, or was declined."""
    offer, _, mark = words.removeprefix("declined ").partition(":")
    if words.startswith("declined "):
        return {"declined": Offer(offer), "declined_by": Mark(mark).other}
    return {"offer": Offer(offer), "offered_by": Mark(mark)}


def watched_game(moves: str = "", *, x: str = "perfect", o: str = "random", **values: Any) -> Game:  # noqa: ANN401 - any field of a game
    game = exhibition(attempt(ANN), x, o, rules=CLASSIC.text)
    return _moved(game._replace(id=7, **values), moves)


def board_in(place: int = GROUP, *, id: int = 1, page: Page = WHOLE, **values: Any) -> Board:  # noqa: A002, ANN401 - a board's field
    board = Board(id=id, game_id=7, chat_id=place, message_id=9, language="en", shown=1)
    return board.showing(page)._replace(**values)


def attempt(who: Player = ANN, where: Where = HERE, **details: Any) -> Attempt:  # noqa: ANN401 - of an attempt
    """A person's attempt at an action in the group; the details may include facts."""
    facts = Facts(**{name: details.pop(name) for name in Facts._fields if name in details})
    return Attempt(who, where, **{"now": NOW, "rng": Random(0), "limits": LIMITS, "facts": facts, **details})


def cell_(cell: int) -> Callable[[int], Move]:
    return lambda ply: Move(ply, cell)


def decided(game: Game, action: Act, who: Player = ANN, **details: Any) -> Decision:  # noqa: ANN401 - of an attempt
    """The result of an action in the group on a game shown there; by default, at the game's ply."""
    now = action(game.ply) if callable(action) else action
    return decide(Record(game, (board_in(),)), now, attempt(who, **details))


def done(game: Game, action: Act, who: Player = ANN, **details: Any) -> Game:  # noqa: ANN401 - likewise
    """The game after an action that must succeed."""
    return decided(game, action, who, **details).game


def followed(game: Game, action: Act, who: Player = ANN, **details: Any) -> Game:  # noqa: ANN401 - likewise
    """The next game, which an action must begin."""
    decision = decided(game, action, who, **details)
    assert decision.following is not None
    return decision.following


def why_not(decide: Callable[P, Decision], *args: P.args, **kwargs: P.kwargs) -> Refusal | None:
    """Why something is refused; None if it isn't."""
    try:
        decide(*args, **kwargs)
    except NotAllowed as refused:
        return refused.refusal
    return None


def refused(game: Game, action: Act, who: Player = ANN, **details: Any) -> Refusal | None:  # noqa: ANN401 - likewise
    """Why an action on a game is refused; None if it isn't."""
    return why_not(decided, game, action, who, **details)


def _moved(game: Game, moves: str) -> Game:
    game = game._replace(moves=moves)
    outcome = game.position.outcome
    if outcome is None:
        return game
    return game._replace(termination=termination_of(outcome), winner=outcome.winner)


ENDED: Final[dict[str, Any]] = {"termination": Termination.RESIGNATION, "winner": Mark.X}
EXAMPLES: Final[dict[State, Game]] = {
    State.OPEN: open_challenge(),
    State.WAITING: open_challenge(time_limits=Limits.STRANGERS),
    State.RUNNING: game_of_two("40"),
    State.THINKING: computer_game("4", rules="4x4x4"),
    State.WATCHED: watched_game("40"),
    State.AGREEMENT_ASKED: game_of_two("40", **asking("takeback:O")),
    State.RESIGNATION_ASKED: game_of_two("40", **asking("resign:O")),
    State.OVER: game_of_two("40", **ENDED),
    State.REMATCH_ASKED: game_of_two("40", **asking("rematch:O"), **ENDED),
    State.FOLLOWED: game_of_two("40", next_game=8, **ENDED),
    State.CLOSED: open_challenge(termination=Termination.EXPIRED),
}
