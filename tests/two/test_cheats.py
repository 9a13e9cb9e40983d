"""Of two people with a clock nobody gains time, keeps a rating, wins a series alone, or is kept in a game.

All orders of what they may do are tried, up to a length, and each state is compared with the rules as one would
explain them at a table (docs/results.md has the list of what people try).
"""

from functools import cache
from random import Random
from typing import Final, NamedTuple

import pytest

from bot.game.actions import Action
from bot.game.attempt import Attempt, NotAllowed, Player, Where
from bot.game.deadlines import look
from bot.game.gate import decide, decide_by_clock
from bot.game.play import Move
from bot.game.questions import Agree, ConfirmResign, PlayOn, Refuse, Rematch, Resign, TakeBack
from engine import Mark
from storage.games.game import Game, Termination
from storage.games.record import LOOK_NEVER, Board, Decision, Record
from storage.results.result import counts, may_be_rated, score_of, series_goes_on
from tests.bot.games import ANN, BO, HERE, LIMITS, NOW, board_in, game_of_two, scored
from tests.soak import SOAK
from tests.two.model import LINES

CLOCK: Final = 30
OPENINGS: Final = dict.fromkeys(("", "4", "40", "01", "048", "0148"), 7) if SOAK else {"": 4, "40": 5, "014": 4}
"""What was played before, and how many things happen then."""
WAITS: Final = (7, CLOCK - 3)
"""How long people do nothing, in seconds: twice the first is less than a clock, both together are more."""


class Table(NamedTuple):
    """What happens between two people, and what the model knows of it."""

    game: Game
    board: Board
    now: int
    begun: int
    """When the person to move began to think, moved back by what they had used before."""
    took: tuple[int, ...]
    """The seconds that each move took."""


def tables(moves: str) -> Table:
    """Ann and Bo have just played these moves, each in a second, in the second game of a best of five."""
    took = (1,) * len(moves)
    spent = " ".join(map(str, took))
    game = game_of_two(moves, clock=CLOCK, best_of=5, moved_at=NOW, due_at=NOW, spent=spent)
    return Table(scored(game, 1, 0), board_in(shown_at=NOW), NOW, NOW, took)


def attempt(now: int, who: Player | None = None) -> Attempt:
    where = Where() if who is None else HERE
    return Attempt(who or Player(-1, ""), where, now, Random(0), LIMITS)


def done(table: Table, who: Player, action: Action) -> Decision:
    try:
        return decide(Record(table.game, (table.board,)), action, attempt(table.now, who))
    except NotAllowed:
        return Decision(table.game)


def after(table: Table, who: Player, action: Action) -> Table | None:
    """What becomes of it, whose new board Telegram shows at once; None if nothing."""
    game = done(table, who, action).game
    if game is table.game:
        return None
    board = table.board._replace(wanted=table.board.wanted + 1)
    begun, took = table.begun, table.took
    if game.ply > table.game.ply:
        begun, took = table.now, (*took, table.now - begun)
    elif game.ply < table.game.ply:
        begun, took = table.now - took[game.ply], took[: game.ply]
    if (game.ply, game.moved_at) != (table.game.ply, table.game.moved_at):
        board = board.unseen()._replace(shown_at=table.now)
    return table._replace(game=game, board=board._replace(shown=board.wanted), begun=begun, took=took)


def waited(table: Table, seconds: int) -> Table:
    """Time passes; the clock looks at what is due, at most once a second, as `bot.background.clock` does."""
    game, now, end = table.game, table.now, table.now + seconds
    while (now := max(game.due_at or end + 1, now + 1)) <= end:
        record = Record(game, (table.board,))
        found = look(record, now, LIMITS)
        if found.due is None:
            game = game._replace(due_at=found.again_at)
        else:
            game = decide_by_clock(record, attempt(now)).game
        if game.is_over:
            return table._replace(game=game, now=now)
    return table._replace(game=game, now=end)


def deleted(table: Table) -> Table:
    """Somebody deletes the message, or the bot can't write there, until it is shown again a while later."""
    gone = table.board._replace(wanted=table.board.wanted + 1, look_at=LOOK_NEVER).unseen()
    later = waited(table._replace(game=table.game._replace(reminded=None), board=gone), CLOCK - 3)
    shown = gone._replace(shown=gone.wanted, look_at=0, shown_at=later.now)
    return later._replace(board=shown, begun=later.now - table.game.spent_now)


def lost_at(table: Table) -> int:
    """When the person to move loses on time if nobody does anything."""
    return waited(table, 2 * CLOCK).now


def won_by(moves: str) -> Mark | None:
    """Who wins a classic game if both play as well as possible."""
    return won(frozenset(map(int, moves[::2])), frozenset(map(int, moves[1::2])))


@cache
def won(crosses: frozenset[int], rings: frozenset[int]) -> Mark | None:
    """The same, by the cells of each."""
    mover = Mark.O if len(crosses) > len(rings) else Mark.X
    if any(rings.issuperset(line) or crosses.issuperset(line) for line in LINES):
        return mover.other
    free = set(range(9)) - crosses - rings
    if not free:
        return None
    mine = {won(crosses | {cell}, rings) if mover is Mark.X else won(crosses, rings | {cell}) for cell in free}
    return mover if mover in mine else None if None in mine else mover.other


def actions(table: Table) -> list[Action]:
    ply = table.game.ply
    cell = next(cell for cell in (4, 0, 8, 1, 2, 7, 6, 3, 5) if str(cell) not in table.game.moves)
    always: list[Action] = [Move(ply, cell), TakeBack(ply), Resign(ply)]
    return [*always, Agree(ply), Refuse(ply), ConfirmResign(), PlayOn()] if table.game.offer else always


def check_running(table: Table) -> None:
    """Time runs by the moves alone, and anybody may resign in two taps."""
    late = lost_at(table) - max(table.begun + CLOCK, table.now + 1)
    assert 0 <= late <= 1, "it looks once a second"
    for who in (ANN, BO):
        asked = after(table, who, Resign(table.game.ply)) or table
        resigned = after(asked, who, ConfirmResign())
        assert resigned is not None
        assert resigned.game.termination is Termination.RESIGNATION
        assert resigned.game.winner is not resigned.game.mark_of(who.id)


def check_over(table: Table) -> None:
    """What the game counts for, and that nobody begins the next one alone."""
    game = table.game
    played = game.ply >= 2
    assert counts(game) is (played and not game.takebacks)
    given_up = game.termination in (Termination.RESIGNATION, Termination.TIMEOUT)
    assert may_be_rated(game) is (not given_up or game.ply >= 4 or won_by(game.moves) is game.winner)
    score = [1, 0, 0]
    if played:
        score[2 if game.winner is None else 0 if game.winner is Mark.X else 1] += 1
    assert score_of(game) == tuple(score)
    assert series_goes_on(game)
    for who, other in ((ANN, BO), (BO, ANN)):
        asked = after(table, who, Rematch())
        assert asked is not None
        assert done(table, who, Rematch()).following is None
        assert done(asked, who, Rematch()).following is None
        assert done(asked, who, Agree(game.ply)).following is None
        assert done(asked, other, Rematch()).following is not None
        late = asked._replace(game=asked.game._replace(changed_at=table.now - 24 * 3600 - 1))
        assert done(late, other, Rematch()).following is None


@pytest.mark.parametrize(("opening", "length"), OPENINGS.items())
def test_whatever_two_people_do_nobody_gains_by_it(opening: str, length: int) -> None:
    start = tables(opening)
    start = start._replace(game=start.game._replace(changed_at=NOW))
    seen, edge, ends = {start}, [start], set()
    for _ in range(length):
        following = set()
        for table in edge:
            if table.game.is_over:
                ends.add(table.game.termination)
                check_over(table)
                continue
            check_running(table)
            following |= {waited(table, seconds) for seconds in WAITS} | {deleted(table)}
            for who in (ANN, BO):
                following |= {now for action in actions(table) if (now := after(table, who, action)) is not None}
        edge = [table for table in following if table not in seen]
        seen |= following
    assert ends >= {Termination.RESIGNATION, Termination.TIMEOUT}
