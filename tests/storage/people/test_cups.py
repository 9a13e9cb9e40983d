"""Cups in the database: found once a game is over, moved with their group, left by people who are forgotten."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import Connection, insert, select, update

from storage.games import boards, outbox, versions
from storage.games.game import LEFT
from storage.games.record import LOOK_NEVER, Notice, NoticeKind, Place
from storage.people import chats, cups
from storage.people.person import Cup, CupGame, CupPlan, CupPlayer, CupResult, CupStage, CupState
from storage.privacy import retention
from storage.schema import ABSENCES, CUP_GAMES, CUP_PLAYERS, CUPS, GAMES, OUTBOX
from tests.storage.examples import ANN, BOB, GROUP, TWO, put

OLD, NOW = -4_100_200_300, 1_800_000_000


def stored(connection: Connection, stage: CupStage = CupStage.RUNNING, chat_id: int = GROUP) -> CupState:
    """A cup of Ann and Bob, which Ann has won if it's over."""
    rounds = 0 if stage is CupStage.OPEN else 3
    cup = Cup(0, chat_id, None, "en", "3x3x3", 120, stage, rounds, message_id=7, drawn_at=NOW)
    state = cups.add(connection, cup)
    places = (1, 2) if stage is CupStage.OVER else (None, None)
    players = [
        CupPlayer(state.cup.id, number, person, place=place)
        for number, (person, place) in enumerate(zip((ANN, BOB), places, strict=True))
    ]
    state = state._replace(players=tuple(players))
    cups.save(connection, state)
    return state


def test_a_cup_waits_while_a_game_of_it_is_over_or_gone_and_not_noted(connection: Connection) -> None:
    state = stored(connection)
    for game_id, waits in (
        (put(connection, **TWO).game.id, False),
        (put(connection, **TWO, termination="resignation", winner="X").game.id, True),
        (10**6, True),
    ):
        games = (CupGame(state.cup.id, 0, 1, 0, 1, game_id),)
        cups.save(connection, state._replace(games=games))
        assert cups.waiting(connection, NOW) == ([state.cup.id] if waits else [])
        assert list(cups.ended(connection, state._replace(games=games))) == ([game_id] if waits else [])
        noted = (games[0]._replace(result=CupResult.DRAW),)
        cups.save(connection, state._replace(games=noted))
        assert cups.waiting(connection, NOW) == []


def test_a_cup_waits_when_it_is_due(connection: Connection) -> None:
    state = stored(connection, CupStage.OPEN)
    for due_at, waits in ((NOW + 1, False), (NOW, True), (0, True), (None, False)):
        cups.save(connection, state._replace(cup=state.cup._replace(due_at=due_at)))
        assert bool(cups.waiting(connection, NOW)) is waits
    connection.execute(update(CUPS).values(due_at=0, stage="newer word"))
    assert cups.waiting(connection, NOW) == []


def test_a_group_keeps_its_last_cup_and_its_champion_until_the_next_one_is_over(connection: Connection) -> None:
    first, second = stored(connection, CupStage.OVER), stored(connection)
    assert cups.champions(connection, GROUP) == [ANN]
    assert cups.newest(connection, GROUP) == second
    over = second._replace(
        cup=second.cup._replace(stage=CupStage.OVER),
        players=tuple(player._replace(place=2 - player.number) for player in second.players),
    )
    cups.save(connection, over)
    assert cups.champions(connection, GROUP) == [BOB]
    connection.execute(insert(ABSENCES).values(chat_id=GROUP, person=BOB))
    assert cups.champions(connection, GROUP) == [], "nobody who has left the group"
    assert cups.load(connection, first.cup.id) is None
    assert cups.champions(connection, OLD) == []


def test_where_the_supergroup_has_a_cup_already_the_old_one_is_dropped(connection: Connection) -> None:
    stored(connection, chat_id=OLD)
    new = stored(connection)
    cups.move_group(connection, OLD, GROUP)
    assert cups.newest(connection, GROUP) == new
    assert cups.newest(connection, OLD) is None


@pytest.mark.parametrize("stage", CupStage)
def test_somebody_who_is_forgotten_leaves_the_cup(connection: Connection, stage: CupStage) -> None:
    state = stored(connection, stage)
    played = CupGame(state.cup.id, 0, 1, 0, 1, 1, CupResult.X), CupGame(state.cup.id, 1, 2, 1, 0, 2)
    cups.save(connection, state._replace(games=played))
    assert cups.leave(connection, ANN)
    assert not cups.leave(connection, ANN), "nothing is left of them"
    left = cups.load(connection, state.cup.id)
    assert left is not None
    assert left.cup.due_at == 0, "its message loses their name"
    assert left.player(ANN) is None
    alias = left.player(LEFT - 1)
    assert (alias is None) is (stage is CupStage.OPEN)
    assert alias is None or alias.is_out
    if alias is not None:
        assert [game.game_id for game in left.games] == [None, 2], "a game that counts leads to nobody"
        cups.save(connection, left._replace(games=tuple(each._replace(result=CupResult.O) for each in left.games)))
        now = cups.load(connection, state.cup.id)
        assert now is not None
        assert [game.game_id for game in now.games] == [None, None]
    assert cups.champions(connection, GROUP) == []


def test_whoever_joined_next_holds_a_cup_whose_holder_is_forgotten_and_nobody_a_groups_own(
    connection: Connection,
) -> None:
    held = stored(connection, CupStage.OPEN)
    own = stored(connection, CupStage.OPEN, chat_id=OLD)
    groups = tuple(player._replace(number=player.number + 1) for player in own.players)
    cups.save(connection, own._replace(players=groups))
    assert cups.leave(connection, ANN)
    numbers = select(CUP_PLAYERS.c.cup, CUP_PLAYERS.c.number, CUP_PLAYERS.c.person).order_by(CUP_PLAYERS.c.cup)
    assert connection.execute(numbers).all() == [(held.cup.id, 0, BOB), (own.cup.id, 2, BOB)]


def test_a_group_that_is_forgotten_takes_its_cups_along(connection: Connection) -> None:
    state = stored(connection, CupStage.OVER)
    cups.save(connection, state._replace(games=(CupGame(state.cup.id, 0, 1, 0, 1, 1, CupResult.X),)))
    chats.load_or_add(connection, GROUP)
    chats.leave(connection, GROUP, NOW - 10**7)
    while retention.drop_group(connection, GROUP, NOW - 10**6, NOW):
        pass
    for table in (CUPS, CUP_PLAYERS, CUP_GAMES):
        assert connection.execute(select(table)).all() == []


def kinds(connection: Connection) -> list[NoticeKind]:
    return list(connection.execute(select(OUTBOX.c.kind).order_by(OUTBOX.c.id)).scalars())


def test_a_newer_state_of_the_message_replaces_an_older_one_but_a_message_is_sent_once(
    connection: Connection,
) -> None:
    state = stored(connection)
    cups.save(connection, state._replace(cup=state.cup._replace(message_id=None)))
    notice = Notice(0, NoticeKind.CUP, None, None, GROUP, None, "en", 0, cup=state.cup.id)
    coming = notice._replace(kind=NoticeKind.ROUND)
    (sending,) = outbox.put_cup(connection, coming, is_sent=False)
    for again in (notice, coming):
        assert outbox.put_cup(connection, again, is_sent=False) == ()
    outbox.done(connection, sending, message_id=9)
    sent = cups.load(connection, state.cup.id)
    assert sent is not None
    assert (sent.cup.message_id, sent.cup.due_at) == (9, 0), "it has changed while it waited, or was sent"
    (older,) = outbox.put_cup(connection, notice, is_sent=True)
    (newer,) = outbox.put_cup(connection, notice, is_sent=True)
    assert not outbox.is_wanted(connection, older)
    assert outbox.is_wanted(connection, newer)
    lost = [outbox.lose_cup(connection, state.cup.id, 9) for _ in range(2)]
    assert lost == [True, False], "it's sent again once"


def test_a_message_that_has_come_down_lets_the_former_one_go_which_is_edited_until_then(
    connection: Connection,
) -> None:
    state = stored(connection)
    notice = Notice(0, NoticeKind.CUP, None, None, GROUP, None, "en", 0, cup=state.cup.id)
    (coming,) = outbox.put_cup(connection, notice._replace(kind=NoticeKind.ROUND), is_sent=True)
    (edit,) = outbox.put_cup(connection, notice, is_sent=True)
    outbox.done(connection, edit)
    assert kinds(connection) == [NoticeKind.ROUND]
    outbox.done(connection, coming, message_id=9)
    (former,) = connection.execute(select(OUTBOX.c.kind, OUTBOX.c.reply_to)).all()
    assert former == (NoticeKind.FORMER_CUP, 7)
    chats.move_group(connection, old=GROUP, new=GROUP - 1)
    assert kinds(connection) == [], "in the new group another message has its id"


def test_what_a_group_has_refused_of_a_cup_is_tried_anew_once_it_may_take_it(connection: Connection) -> None:
    state = stored(connection)
    notice = Notice(0, NoticeKind.CUP, None, None, GROUP, None, "en", 0, cup=state.cup.id)
    (coming,) = outbox.put_cup(connection, notice._replace(kind=NoticeKind.ROUND), is_sent=True)
    outbox.hold(connection, [coming.id], LOOK_NEVER)
    assert not outbox.is_any_due(connection, NOW)
    (again,) = outbox.put_cup(connection, notice, is_sent=True)
    assert kinds(connection) == [NoticeKind.ROUND], "it still is to come down"
    outbox.hold(connection, [again.id], LOOK_NEVER)
    versions.lag_again(connection, GROUP)
    assert [each.id for each in outbox.claim(connection, now=int(time.time()), limit=9)] == [again.id]


def test_whoever_has_brought_a_game_to_their_private_chat_has_the_next_one_there(connection: Connection) -> None:
    state, game_id = stored(connection), put(connection, **TWO).game.id
    assert [cups.of_person(connection, person) for person in (ANN, BOB, LEFT - 1)] == [[state], [state], []]
    own = Place(ANN, 5, viewer=ANN, language="fa")
    for place, aside in ((Place(GROUP), False), (own, False), (Place(BOB, viewer=BOB), True)):
        boards.put(connection, game_id, place, aside=aside)
    assert boards.own_places(connection, [game_id]) == {ANN: own}
    assert boards.open_in(connection, [game_id, game_id + 1], GROUP) == [game_id]
    cups.save(connection, state._replace(cup=state.cup._replace(stage=CupStage.OVER)))
    assert cups.of_person(connection, ANN) == []


def test_whoever_has_minutes_for_a_move_is_busy_and_nobody_else(connection: Connection) -> None:
    for fields, is_busy in (
        ({"clock": cups.MINUTES_SECONDS}, True),
        ({"clock": 86_400}, False),
        ({}, False),
        ({"clock": 30, "termination": "resignation", "winner": "X"}, False),
    ):
        game_id = put(connection, **TWO, **fields).game.id
        assert cups.busy(connection, [ANN, BOB]) == (dict.fromkeys((ANN, BOB), game_id) if is_busy else {})
        connection.execute(update(GAMES).values(termination="expired", winner=None))


def test_what_a_group_plans_moves_with_it_and_goes_with_it(connection: Connection) -> None:
    planned = CupPlan(OLD, NOW, True, None, "en", "3x3x3", 120)
    cups.save_plan(connection, planned)
    cups.move_group(connection, OLD, GROUP)
    assert (cups.plan(connection, OLD), cups.plan(connection, GROUP)) == (None, planned._replace(chat_id=GROUP))
    assert cups.plans(connection, NOW) == [GROUP]
    state = stored(connection)
    assert cups.plans(connection, NOW) == [], "another cup is played"
    cups.save(connection, state._replace(cup=state.cup._replace(stage=CupStage.OPEN)))
    assert cups.plans(connection, NOW - 1) == []
    cups.drop(connection, GROUP)
    assert not cups.has_plan(connection, GROUP)


def test_the_games_of_later_rounds_go_where_they_are_drawn_again(connection: Connection) -> None:
    state = stored(connection)
    games = tuple(CupGame(state.cup.id, number, 1 + number, 0, 1) for number in range(3))
    cups.save(connection, state._replace(games=games))
    cups.save(connection, state._replace(games=games[:1]))
    found = cups.load(connection, state.cup.id)
    assert found is not None
    assert found.games == games[:1]


def test_a_cup_waits_to_be_drawn_once_a_game_has_gone_on_but_not_each_time(connection: Connection) -> None:
    state, game = stored(connection), put(connection, **TWO).game
    cups.save(connection, state._replace(games=(CupGame(state.cup.id, 0, 1, 0, 1, game.id),)))
    for drawn, now, waits in ((0, 5, False), (0, 6, True), (1, 60, False), (-9, 9, True)):
        drawn_at = game.changed_at + drawn
        connection.execute(update(CUPS).values(drawn_at=drawn_at))
        assert bool(cups.waiting(connection, drawn_at + now)) is waits
