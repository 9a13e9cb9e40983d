"""*Our games*: what two players are told of their games with each other, and who else may read it."""

import io

import pytest
from PIL import Image

from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from tests.people import NOBODY_WINS, X_WINS, begun, begun_by_link, offered, plain, played, played_both
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

HERE = "It's already here. You can share it again in a moment."
SCORE = "⚔️ Ann 1 – 0 小波"


async def rivals(shared: World) -> tuple[Person, Person, Group]:
    """Two people who haven't played each other before, and their group."""
    ann = shared.playground.add_person("Ann", started=True)
    bo = shared.playground.add_person("小波", language="zh-hans", started=True)
    return ann, bo, shared.playground.add_group("The Noughts", [ann, bo])


async def told(person: Person, board: Message, chat: Group | None = None) -> Message:
    """The score, after a tap."""
    assert (await person.tap(board, "Our games")).text is None
    return await (chat or person.private).wait_for(lambda message: "⚔️" in message.text, after=board)


async def test_two_players_read_their_score_and_get_it_as_a_picture_and_nothing_comes_twice(shared: World) -> None:
    ann, bo, group = await rivals(shared)
    for _ in range(2):
        board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    said = await told(bo, board, group)
    assert plain(said) == "⚔️ Ann 2 – 0 小波\nAnn has won the last 2."
    assert offered(said) == {"As a picture"}
    assert "Our games" in offered(board), "the message of the score is no twin of the board"
    assert (await ann.tap(board, "Our games")).text == HERE
    assert (await ann.tap(said, "As a picture")).text == "Drawing it…"
    sent = await group.wait_for(lambda message: message.photo is not None, after=said, within=60)
    assert sent.photo is not None
    assert plain(sent) == plain(said)
    assert Image.open(io.BytesIO(sent.photo.data)).width == 600
    cem = shared.playground.add_person("Cem", started=True)
    group.add(cem)
    for message, label in ((board, "Our games"), (said, "As a picture")):
        assert str((await cem.tap(message, label)).text).startswith("That's someone else's game.")


async def test_by_text_the_words_do_the_same(shared: World) -> None:
    ann, bo, _ = await rivals(shared)
    one, other = await begun_by_link(ann, bo)
    await played_both((ann, one), (bo, other), X_WINS)
    assert plain(await ann.ask("our games")) == SCORE
    bo.rename("小波", None, f"bo_{bo.id}", "zh-hans")
    await bo.ask("/stats")
    assert plain(await ann.ask(f"/stats @{bo.username}")) == SCORE
    said = await bo.say("/ourgames picture", reply_to=other)
    sent = await bo.private.wait_for(lambda message: message.photo is not None, after=said, within=60)
    assert plain(sent) == SCORE


async def test_where_others_read_it_those_who_hide_their_results_are_told_aside(shared: World) -> None:
    ann, bo, group = await rivals(shared)
    await played(ann, bo, await begun(ann, bo, group), NOBODY_WINS)
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    said = await told(ann, board, group)
    await bo.ask("/settings hidden on")
    before = max(group.messages)
    for person, words in ((ann, "Ann 1 – 0 小波, 1 draw"), (bo, "Ann 1 – 0 小波、平局 1")):
        for message, label in ((board, "Our games"), (said, "As a picture")):
            shown = (await person.tap(message, label)).text or ""
            assert shown.translate({0x2068: None, 0x2069: None}) == words
    assert max(group.messages) == before
    assert (await ann.ask("/ourgames", in_=group, reply_to=board)).text.startswith("One of you hides")


async def test_games_that_do_not_count_have_no_score_and_the_computer_is_no_rival(shared: World) -> None:
    ann, bo, group = await rivals(shared)
    board = await begun(ann, bo, group)
    await played(ann, bo, board, (0,))
    await ann.tap(board, "Resign")
    await board.until(lambda message: "Yes, resign" in offered(message))
    await ann.tap(board, "Yes, resign")
    await board.until(lambda message: "Our games" in offered(message))
    assert "counts yet" in ((await ann.tap(board, "Our games")).text or "")
