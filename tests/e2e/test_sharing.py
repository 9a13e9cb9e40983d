"""Sharing a finished game: drawn once, then sent by its file id, to people who may see it."""

import io

import pytest
from PIL import Image

from playground.chats import Chat, Message
from playground.groups import Group
from playground.people import Person
from tests.people import X_WINS, begun, is_chinese, offered, plain, played, resigned
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

DRAWING = "Drawing it…"
HERE = "It's already here. You can share it again in a moment."


async def film(chat: Chat, after: Message) -> Message:
    """The next animation."""
    return await chat.wait_for(lambda message: message.animation is not None, after=after, within=60)


async def still(chat: Chat, after: Message) -> Message:
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
    await shared.until(lambda: files(shared, "sendAnimation", dee.private))
    third = await film(dee.private, said)
    assert third.animation is not None
    assert third.animation.file_id != first.animation.file_id
    assert files(shared, "sendAnimation", dee.private) == [True]


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


async def test_in_a_group_the_picture_speaks_the_boards_language(ann: Person, bo: Person, group: Group) -> None:
    board = await begun(bo, ann, group)
    await played(bo, ann, board, X_WINS)
    assert is_chinese(board.text)
    answer = await ann.tap(board, "分享")
    assert answer.text == DRAWING, "but the tap is answered in their own language"
    sent = await film(group, board)
    assert is_chinese(sent.text)


async def test_a_picture_with_another_name_or_language_in_it_is_another(
    shared: World, bo: Person, group: Group
) -> None:
    dan = shared.playground.add_person("Dan", started=True)
    group.add(dan)
    board = await played(dan, bo, await begun(dan, bo, group), X_WINS)
    await bo.tap(board, "Share")
    await film(group, board)
    for name, language, uploaded in (("Eve", "en", False), ("Fe", "ru", True), ("Gus", "en", True)):
        if name == "Gus":
            dan.rename("Daniel", None, None, "en")
            await dan.ask("/stats")
        person = shared.playground.add_person(name, language=language, started=True)
        group.add(person)
        led = (await person.tap(board, "Share")).url or ""
        await film(person.private, person.start(led.partition("?start=")[2]))
        assert files(shared, "sendAnimation", person.private) == [uploaded], name
