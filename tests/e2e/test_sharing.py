"""Sharing a finished game: drawn once, then sent by its file id, to people who may see it."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image

from playground.chats import Chat
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import X_WINS, begun, data_of, is_board, is_chinese, offered, plain, played, pressed
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

DRAWING = "Drawing it…"
HERE = "It's already here. You can share it again in a moment."


async def resigned(person: Person, words: str = "easy") -> Message:
    """A game against the computer that a person gives up after a move."""
    board = await person.ask(f"/newgame {words}")
    await person.tap(board, data=data_of(board, 0))
    await pressed(person, board, "Resign")
    return await pressed(person, board, "Yes, resign")


async def film(chat: Chat, after: Message) -> Message:
    """The next animation."""
    return await chat.wait_for(lambda message: message.animation is not None, after=after, within=60)


async def still(chat: Chat, after: Message) -> Message:
    """The next still picture."""
    return await chat.wait_for(lambda message: message.photo is not None, after=after, within=60)


def files(shared: World, method: str, chat: Chat) -> list[bool]:
    """For each call that sent a picture to a chat, whether it uploaded the file."""
    field = {"sendAnimation": "animation", "sendPhoto": "photo"}[method]
    calls = shared.playground.calls_of(method, chat=chat)
    return [str(call.parameters[field]).endswith("bytes") for call in calls if call.ok]


async def test_a_finished_game_comes_as_an_animation_and_then_as_a_still(shared: World, ann: Person) -> None:
    board = await resigned(ann)
    assert "Share" in offered(board)
    assert (await ann.tap(board, "Share")).text == DRAWING
    sent = await film(ann.private, board)
    assert sent.animation is not None
    assert sent.animation.frames >= 3
    assert sent.animation.hundredths > 500
    assert plain(sent).startswith("❌ Ann   🟡 OXO (easy)\n🏆 🟡 OXO (easy) wins by resignation")
    image = Image.open(io.BytesIO(sent.animation.data))
    assert image.size == (sent.animation.width, sent.animation.height)
    assert (await ann.tap(sent, "As a picture")).text == DRAWING
    picture = await still(ann.private, sent)
    assert picture.photo is not None
    assert plain(picture) == plain(sent)
    assert files(shared, "sendAnimation", ann.private) == [True]
    assert files(shared, "sendPhoto", ann.private) == [True]
    assert shared.playground.calls_of("deleteMessage", chat=ann.private) == [], (
        "the animation is no twin of the board"
    )
    assert (await ann.tap(board, "Play again")).text is None


async def test_a_flood_of_taps_sends_one_message(shared: World, ann: Person) -> None:
    board = await resigned(ann)
    answers = await asyncio.gather(*(ann.tap(board, "Share") for _ in range(8)))
    assert {answer.text for answer in answers} == {DRAWING}
    await film(ann.private, board)
    while (answer := await ann.tap(board, "Share")).text != HERE:
        assert answer.text == DRAWING, "its file id is stored a moment later"
    await ann.ask("/help")
    assert files(shared, "sendAnimation", ann.private) == [True]


async def test_a_stored_picture_is_sent_by_its_id_in_any_chat_and_drawn_again_once_telegram_lost_it(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    cem = shared.playground.add_person("Cem", started=True)
    group.add(cem)
    board = await begun(ann, bo, group)
    await played(ann, bo, board, X_WINS)
    await ann.tap(board, "Share")
    first = await film(group, board)
    led = await cem.tap(board, "Share")
    assert led.url is not None, "bystanders get it in private"
    said = cem.start(led.url.partition("?start=")[2])
    second = await film(cem.private, said)
    assert first.animation is not None
    assert second.animation is not None
    assert second.animation.file_id == first.animation.file_id
    assert files(shared, "sendAnimation", cem.private) == [False]
    assert (await cem.ask(f"/start {said.text.split()[1]}")).text in (HERE, DRAWING), "stored a moment later"
    assert not offered(second), "their chat has no button that acts on the game"
    shared.playground.world.files.forget()
    dee = shared.playground.add_person("Dee", started=True)
    group.add(dee)
    led = await dee.tap(board, "Share")
    said = dee.start((led.url or "").partition("?start=")[2])
    third = await film(dee.private, said)
    assert third.animation is not None
    assert third.animation.file_id != first.animation.file_id
    assert files(shared, "sendAnimation", dee.private) == [True]


async def test_each_sees_a_game_by_link_in_their_own_language_and_marks(ann: Person, bo: Person) -> None:
    await ann.ask("/settings theme sky")
    invitation = await ann.ask("/challenge")
    (link,) = [word for word in invitation.text.split() if word.startswith("https://t.me/")]
    said = bo.start(link.partition("?start=")[2])
    his = await bo.private.wait_for(is_board, after=said)
    hers = await ann.private.wait_for(is_board, after=invitation)
    await ann.tap(hers, data=data_of(hers, 4))
    await hers.until(lambda message: message.labels[1][1] == "⭐")
    await pressed(ann, hers, "Resign")
    await pressed(ann, hers, "Yes, resign")
    his = await bo.private.wait_for(lambda message: "分享" in offered(message), after=said)
    for person, board, button in ((ann, hers, "Share"), (bo, his, "分享")):
        await person.tap(board, button)
    her_film, his_film = await film(ann.private, hers), await film(bo.private, his)
    assert plain(her_film).startswith("⭐ Ann   🌙 小波\n🏆 🌙 小波 wins")
    assert plain(his_film).startswith("❌ Ann   🟡 小波")
    assert is_chinese(plain(his_film).splitlines()[1].replace("小波", ""))
    assert her_film.animation is not None
    assert his_film.animation is not None
    assert her_film.animation.data != his_film.animation.data


async def test_ultimate_and_names_of_any_script(shared: World) -> None:
    maryam = shared.playground.add_person("مريم 👩‍🚀", started=True)
    board = await maryam.ask("/newgame ultimate easy")
    await maryam.say("/move 5 5")
    await board.until(lambda message: "Resign" in offered(message) and message.text.startswith("Your turn"))
    await pressed(maryam, board, "Resign")
    await pressed(maryam, board, "Yes, resign")
    await maryam.tap(board, "Share")
    sent = await film(maryam.private, board)
    assert sent.animation is not None
    assert len(sent.animation.data) < 300_000
    assert "مريم" in sent.text


async def test_by_text_it_is_the_answered_game_or_the_newest_and_a_word_asks_for_the_still(
    shared: World, ann: Person
) -> None:
    assert (await ann.ask("/share")).text == "There's no finished game to share here."
    board = await resigned(ann)
    said = await ann.say("/share", reply_to=board)
    sent = await film(ann.private, said)
    await shared.has_settled(ann.private)
    again = await ann.ask("/share")
    assert again.text.startswith("It's already here")
    said = await ann.say("/share picture", reply_to=sent)
    assert (await still(ann.private, said)).photo is not None
    assert "/share picture" in (await ann.ask("/share it")).text
    assert files(shared, "sendAnimation", ann.private) == [True]


async def test_a_game_that_goes_on_is_not_shared_and_nobody_shares_from_elsewhere(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    number = data_of(board, 0).split(":")[1]
    answer = await ann.tap(board, data=f"2share:{number}:0")
    assert answer.text is not None
    assert answer.text != DRAWING
    await played(ann, bo, board, X_WINS)
    other = await resigned(ann)
    cem = shared.playground.add_person("Cem", started=True)
    help_page = await cem.ask("/help")
    refused = await cem.tap(help_page, data=f"2share:{number}:0")
    assert refused.url is None
    assert refused.text != DRAWING
    assert other.chat is ann.private
    assert not shared.playground.calls_of("sendAnimation", chat=cem.private)


async def test_in_a_group_the_picture_speaks_the_boards_language(ann: Person, bo: Person, group: Group) -> None:
    board = await begun(bo, ann, group)
    await played(bo, ann, board, X_WINS)
    assert is_chinese(board.text)
    answer = await ann.tap(board, "分享")
    assert answer.text == DRAWING, "but the tap is answered in their own language"
    sent = await film(group, board)
    assert is_chinese(sent.text)
