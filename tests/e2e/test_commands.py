"""The other commands, and what is none: of bots and channels, in edited messages, among people who talk."""

import json

import pytest

from bot.boards.buttons import OnGame, write
from bot.game.questions import PlayAgain
from playground.groups import Group
from playground.people import Person
from tests.people import X_WINS, begun, boards_in, is_board, is_chinese, offered, played, position_of, resigned
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOT_FOR_IT = (
    "hello",
    "newgame easy",
    "hello /newgame",
    "/newgamee easy",
    "/unknown",
    "/unknown@oxo_playground_bot",
    "@oxo_playground_bot",
    "//newgame easy",
    "/newgame@another_bot easy",
    "/newgame@oxo_playground_bo easy",
    "/",
    "❌",
)


@pytest.mark.parametrize("is_playing", [False, True])
async def test_a_command_needs_no_slash_in_a_private_chat_and_may_be_named_as_menus_do(
    ann: Person, bo: Person, *, is_playing: bool
) -> None:
    if is_playing:
        await ann.ask("/newgame easy")
        await bo.ask("/newgame easy")
    for person, said in ((ann, "help"), (ann, "Help!"), (bo, "help"), (bo, "帮助")):
        assert (await person.ask(said)).labels == (await person.ask("/help")).labels
    for name in ("puzzle", "stats", "settings"):
        assert (await bo.ask(name)).text == (await bo.ask(f"/{name}")).text
    assert is_board(await ann.ask("New game"))
    assert "👋" in (await ann.ask("start")).text
    assert "opponent" in (await ann.ask("Find an opponent")).text
    await ann.say("/leave")


async def test_the_help_is_short_and_turns_its_pages(shared: World, ann: Person) -> None:
    answer = await ann.ask("/help")
    assert len(answer.text.splitlines()) == 3
    for label in [label for row in answer.labels for label in row]:
        assert (await ann.tap(answer, label)).text is None
        await answer.until(lambda message, label=label: message.text.startswith(label))  # type: ignore[misc] # bound
    assert len(shared.sent(ann.private)) == 1, "one message that edits itself"


async def test_privacy_says_what_is_kept_with_buttons_to_download_and_delete_it(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    answer = await ann.ask("/privacy")
    assert len(answer.text.splitlines()) == 5
    assert answer.labels == [["Read all"], ["Download my data", "Delete my data"]]
    assert (await ann.tap(answer, "Read all")).text is None
    await answer.until(lambda message: all(kept in message.text for kept in ("id", "name", "language", "moves")))
    buttons = [str(each["callback_data"]) for row in answer.keyboard for each in row if "callback_data" in each]
    assert "as a file" in ((await ann.tap(answer, "Download my data")).text or "")
    file = await shared.comes(ann.private, answer, lambda message: message.document)
    assert (await ann.tap(answer, "Delete my data")).text is None
    question = await ann.private.wait_for(lambda message: "Delete all" in message.text, after=file)
    assert question.labels == [["Yes, delete it", "No"]]
    in_group = await ann.ask("/privacy", in_=group)
    assert in_group.labels == [["Read all"]]
    assert (await ann.tap(in_group, "Read all")).text is None
    await in_group.until(lambda message: "moves" in message.text and message.labels == [])
    for data in buttons:
        assert is_chinese((await bo.tap(in_group, data=data)).text), "that is between the two of them"


async def test_all_that_is_kept_comes_as_one_json_document(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    await ann.ask("/settings hidden on")
    await ann.ask("/difficulty hard")
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await resigned(ann)
    await ann.ask("/stats")
    assert "private chat" in (await ann.ask("/export", in_=group)).text
    said = await ann.ask("/export")
    assert "as a file" in said.text
    message = await shared.comes(ann.private, said, lambda message: message.document)
    assert message.document is not None
    assert message.document.name == f"oxo-{ann.id}.json"
    assert "as JSON" in message.text
    found = json.loads(message.document.data)
    assert found["you"] == ann.id
    (person,) = found["people"]
    assert (person["name"], person["hidden"]) == ("Ann", True)
    (chat,) = found["chats"]
    assert (chat["id"], chat["level"]) == ("our private chat", "hard")
    with_bo, against_me = found["games"]
    assert (with_bo["x_seat"], with_bo["o_seat"], with_bo["o_name"]) == ("you", "somebody else", "小波")
    assert (with_bo["moves"], with_bo["winner"], with_bo["chat_id"]) == ("03142", "X", group.id)
    assert (against_me["o_seat"], against_me["o_level"]) == ("the computer", "easy")
    assert (against_me["termination"], against_me["winner"]) == ("resignation", "O")
    result, _ = found["results"]
    assert (result["outcome"], result["opponent"]) == ("win", "somebody else")
    assert found["boards"]
    assert str(bo.id) not in json.dumps(found), "nobody else's id is in it"


@pytest.mark.parametrize("place", ["group", "administered"])
async def test_it_reads_past_what_is_not_for_it(shared: World, ann: Person, group: Group, place: str) -> None:
    if place == "administered":
        group.set_bot("administrator")
    for text in (*NOT_FOR_IT, write(OnGame(1, PlayAgain()))):
        await ann.say(text, in_=group)
    await shared.has_answered(group, ann)
    assert len(shared.sent(group)) == 1, "the menu at the end"


async def test_edited_messages_are_left_alone(shared: World, ann: Person) -> None:
    begun = await ann.say("/newgame easy")
    board = await ann.private.wait_for(after=begun)
    await ann.edit(begun, "/newgame hard bot")
    said = await ann.say("/help")
    await ann.private.wait_for(after=said)
    for text in ("/start", "/newgame", "hello", "/first bot", "/difficulty perfect"):
        await ann.edit(said, text)
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 3, "the board, the help, and the menu at the end"
    assert boards_in(ann.private) == [board]
    assert "✓ adaptive" in offered(await ann.ask("/difficulty"))
    assert position_of(await ann.ask("/newgame")).ply == 0


async def test_an_album_is_answered_once(shared: World, ann: Person) -> None:
    said = await ann.say("hi")
    body = {"date": said.date, "chat": ann.private.as_json(), "from": ann.as_json(), "photo": []}
    for number in range(1, 11):
        photo = {"message_id": said.id + 1000 + number, **body, "media_group_id": "7"}
        shared.playground.world.push("message", photo, ("chat", ann.id))
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 3, "the answers to hi and to the album, and the menu"


# Who asks.


async def test_other_bots_get_no_answer(shared: World, ann: Person, group: Group) -> None:
    group.set_bot("administrator")
    for text in ("/newgame@oxo_playground_bot easy", "/help@oxo_playground_bot", "/cancel", "/nonsense", "5"):
        group.other_bot_says(text, to_ours=True)
    await shared.has_answered(group, ann)
    assert len(shared.sent(group)) == 1, "the menu at the end"


async def test_what_somebody_sends_through_a_bot_is_no_command(shared: World, ann: Person, group: Group) -> None:
    for chat in (ann.private, group):
        said = await ann.say("hi", in_=chat)
        for text in ("/newgame@oxo_playground_bot easy", "5"):
            body = {"message_id": said.id + 1000, "date": said.date, "chat": chat.as_json(), "from": ann.as_json()}
            entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
            body |= {"text": text, "entities": [entity], "via_bot": shared.playground.bot.as_json()}
            shared.playground.world.push("message", body, ("chat", chat.id))
        sent = len(shared.sent(chat))
        await shared.has_answered(chat, ann)
        assert len(shared.sent(chat)) <= sent + 2, "the answer to hi, and the menu"
        assert not any(len(message.keyboard) > 8 or "easy" in message.text for message in chat.messages.values())


async def test_posts_of_a_channel_and_its_direct_messages_are_left_alone(shared: World, ann: Person) -> None:
    news = shared.playground.add_direct_messages("News", [ann])
    for text in ("/start", "/newgame easy", "hello", "5"):
        await ann.say(text, in_=news)
    board = await ann.ask("/newgame beginner me")
    assert board.labels
    assert shared.playground.calls_of("sendMessage", chat=news) == []


async def test_an_anonymous_administrator_chooses_for_the_group(ann: Person, group: Group) -> None:
    said = await ann.say("/difficulty@oxo_playground_bot hard", in_=group, anonymous=True)
    assert (await group.wait_for(after=said)).text == "Difficulty: hard"
    group.hide(ann)
    menu = await ann.ask("/settings@oxo_playground_bot", in_=group)
    told = await ann.tap(menu, row=0, column=0)
    assert "admin" not in (told.text or ""), "the list of administrators knows the owner"


async def test_whoever_telegram_does_not_know_is_told_what_to_do(shared: World, ann: Person, group: Group) -> None:
    menu = await ann.ask("/settings@oxo_playground_bot", in_=group)
    dee = shared.playground.add_person("Dee")
    group.add(dee)
    assert (await dee.tap(menu, row=0, column=0)).text == "In a group, only admins can change this."
    cem = shared.playground.add_person("Cem")
    group.add(cem)
    group.hide(cem)
    assert "make me an admin" in ((await cem.tap(menu, row=0, column=0)).text or "")
