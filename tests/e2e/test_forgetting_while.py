"""Links and pictures that others still have of a forgotten person or a deleted game."""

from functools import partial

import pytest
from sqlalchemy import select

from bot.boards.links import CHALLENGE
from bot.game.pages import LookBack, Share
from playground.groups import Group
from playground.people import Person
from storage.games import games
from storage.schema import METADATA
from tests.carried import data_with
from tests.flights import SEND, Point
from tests.people import X_WINS, begun, film, is_chinese, led, offered, opened, plain, played
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEFT = "Your opponent left."
UNKNOWN = "I no longer have this game."
PICTURES = "sendPhoto", "sendAnimation"


async def test_nobody_can_challenge_somebody_who_has_left(
    shared: World, ann: Person, bo: Person, dee: Person, group: Group
) -> None:
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    link = shared.link_below(CHALLENGE)
    before = await opened(dee, link)
    (hers,) = [label for label in offered(before) if "Ann" in label]
    await shared.forgets(ann)
    assert LEFT in ((await dee.tap(before, hers)).text or "")
    assert len(offered(await opened(dee, link))) == 1, "only the other can be challenged"
    said = await bo.say("/share", in_=group)
    again = await film(group, said)
    assert "Ann" not in plain(again)
    await shared.forgets(bo)
    assert not offered(await opened(dee, link))


async def test_waiting_pictures_go_out_without_somebody_forgotten_meanwhile(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    """They stay in their lane for as long as Telegram asks the chat to wait.

    Those that she asked for never come.
    """
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    playground = shared.playground
    hall = playground.add_group("The Crosses", [ann])
    results = await ann.ask("/stats", in_=hall)
    await ann.tap(results, "Everywhere")
    await results.until(lambda message: "As a picture" in offered(message))
    busy = [playground.faults.add(kind="429", method=method) for method in PICTURES]
    share, chart = data_with(board, Share()), str(results.button("As a picture")["callback_data"])
    pictures = ((bo, board, share, "sendAnimation"), (ann, results, chart, "sendPhoto"))
    for person, asked, data, method in pictures:
        await person.tap(asked, data=data)
        await shared.until(partial(playground.calls_of, method, chat=asked.chat))
        assert "Ann" in playground.calls_of(method, chat=asked.chat)[-1].parameters["caption"]
    await shared.forgets(ann)
    for fault in busy:
        playground.faults.remove(fault)
    shown = await shared.comes(group, board, lambda message: message.animation)
    assert plain(shown).startswith("❌ Somebody who left   🟡 小波")
    said = await ann.say("/help", in_=hall)
    await shared.comes(hall, said)
    sent = [
        call for method in PICTURES for call in playground.calls_of(method) if call.chat in {group.id, hall.id}
    ]
    assert "Ann" not in str([call.parameters for call in sent if call.ok])


async def test_old_links_bring_nothing_of_a_forgotten_person_back(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    dee = shared.joins("Dee", group)
    board = await played(dee, bo, await begun(dee, bo, group), X_WINS)
    share, review = [await led(ann, board, action) for action in (Share(), LookBack(0))]
    challenge = (await ann.ask("/challenge")).text.partition("?start=")[2].split()[0]
    await shared.forgets(ann)
    for person in (dee, ann):
        assert "This link doesn't work" in (await opened(person, challenge)).text
    assert "I've deleted your data" in (await opened(ann, review)).text
    said = ann.start(share)
    await film(ann.private, said)
    await shared.has_settled(ann.private)  # nobody waits for the picture once it was sent
    with shared.engine.connect() as connection:
        rows = [connection.execute(select(table)).all() for table in METADATA.sorted_tables]
    assert str(ann.id) not in str(rows)


async def test_links_to_a_game_that_is_gone_say_so(shared: World, ann: Person, bo: Person, group: Group) -> None:
    dee = shared.joins("Dee", group)
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    links = [await led(dee, board, action) for action in (Share(), LookBack(0))]
    number = shared.newest().game.id
    with shared.engine.begin() as connection:
        games.delete_many(connection, [number])
    for link in links:
        assert UNKNOWN in (await opened(dee, link)).text


async def test_waiting_words_go_out_without_somebody_forgotten_meanwhile(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    """Telegram asks the group to wait, while results, a changed list and a list of games wait in its lane."""
    dee = shared.joins("Dee", group)
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    for _ in range(2):
        await begun(ann, bo, group)
    top = await dee.ask("/top", in_=group)
    said = await ann.say("Well played", in_=group)
    playground = shared.playground
    methods = "sendMessage", "editMessageText"
    busy = [playground.faults.add(kind="429", method=method, chat=group.id) for method in methods]
    before = len(playground.calls)
    asked = await dee.say("/stats", in_=group, reply_to=said)
    await shared.until(
        lambda: any("Ann" in str(call.parameters) for call in playground.calls[before:]), seconds=0.1
    )
    await bo.say("/games", in_=group)
    await dee.tap(top, "Wins this week")
    await shared.forgets(ann)
    before = len(playground.calls)
    for fault in busy:
        playground.faults.remove(fault)
    await shared.comes(group, asked, lambda message: "There's nothing I can show here." in message.text)
    await shared.comes(group, asked, lambda message: is_chinese(message.text))
    await shared.until(lambda: "✓ Wins this week" in offered(top))
    done = [call for call in playground.calls[before:] if call.ok and call.chat == group.id]
    assert done
    assert "Ann" not in str([call.parameters for call in done])


@pytest.mark.parametrize("ask", ["/newgame", "/play"])
async def test_a_board_that_telegram_takes_late_goes_if_its_game_is_deleted_meanwhile(
    shared: World, ann: Person, ask: str
) -> None:
    await ann.ask("/forget")
    shared.hold(shared.living[0], SEND, Point.UNDER_WAY)
    said = await ann.say(ask)
    await ann.say("/forget yes")
    await shared.pass_by(8)  # she is forgotten in that time
    shared.stopped_call(None, SEND).let_go()
    board = await ann.private.wait_for(after=said)
    await shared.until(lambda: board.deleted)
    assert "Traceback" not in shared.logged()
