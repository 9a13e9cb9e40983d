"""What can be sent, and how it arrives."""

from __future__ import annotations

import pytest

from playground.chats import Chat
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api, keys


async def test_a_sent_message_is_in_the_chat(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="hello")
    assert sent["from"]["is_bot"] is True
    assert sent["chat"]["type"] == "private"
    assert chat.messages[sent["message_id"]].text == "hello"


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("", "message text is empty"),
        (" \n ", "text must be non-empty"),
        ("x" * 4097, "message is too long"),
        ("😀" * 2049, "message is too long"),
        ("x" * 40_000, "message is too long"),
    ],
)
async def test_a_text_has_1_to_4096_characters(api: Api, chat: Chat, text: str, description: str) -> None:
    refusal = await api.refused("sendMessage", chat_id=chat.id, text=text)
    assert refusal.description == f"Bad Request: {description}"


async def test_the_length_counts_after_the_markup_is_parsed(api: Api, chat: Chat) -> None:
    text = "<b>" + "x" * 4096 + "</b>"
    assert len((await api("sendMessage", chat_id=chat.id, text=text, parse_mode="HTML"))["text"]) == 4096


async def test_directional_embeddings_vanish_and_isolates_stay(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="\u202e\u2068אבג\u2069\u2028x")
    assert sent["text"] == "\u2068אבג\u2069x"


async def test_the_ends_are_trimmed_and_the_entities_move_along(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="  \n<b>win</b> \n", parse_mode="HTML")
    assert sent["text"] == "win"
    assert sent["entities"] == [{"type": "bold", "offset": 0, "length": 3}]


async def test_commands_and_mentions_are_marked_by_telegram(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="😀 /newgame or @somebody")
    assert sent["entities"] == [
        {"type": "bot_command", "offset": 3, "length": 8},
        {"type": "mention", "offset": 15, "length": 9},
    ]


async def test_commands_and_addresses_within_bold_text_are_marked_too(api: Api, chat: Chat) -> None:
    text = "<b>Start: /newgame, or see example.org.</b> <code>/not</code> <a href='https://a.io'>b.io</a>"
    sent = await api("sendMessage", chat_id=chat.id, text=text, parse_mode="HTML")
    marked = [
        (entity["type"], sent["text"][entity["offset"] :][: entity["length"]]) for entity in sent["entities"]
    ]
    assert marked == [
        ("bold", "Start: /newgame, or see example.org."),
        ("bot_command", "/newgame"),
        ("url", "example.org"),
        ("code", "/not"),
        ("text_link", "b.io"),
    ]


async def test_bold_text_ends_where_a_command_sticks_out_of_it(api: Api, chat: Chat) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text="<b>now /new</b>game", parse_mode="HTML")
    assert sent["entities"] == [
        {"type": "bold", "offset": 0, "length": 4},
        {"type": "bot_command", "offset": 4, "length": 8},
        {"type": "bold", "offset": 4, "length": 4},
    ]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("t.me/oxo_bot?start=x.", "t.me/oxo_bot?start=x"),
        ("(see Example.com:8080/a)", "Example.com:8080/a"),
        ("https://localhost/x", "https://localhost/x"),
        ("ann@example.org", None),
        ("3.5 or e.g. this", None),
        ("test_cells.py", None),
    ],
)
async def test_an_address_is_one_with_or_without_its_scheme(
    api: Api, chat: Chat, text: str, address: str | None
) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text=text)
    found = [
        text[entity["offset"] :][: entity["length"]]
        for entity in sent.get("entities", [])
        if entity["type"] == "url"
    ]
    assert found == ([] if address is None else [address])


@pytest.mark.parametrize(
    ("kind", "text", "marked"),
    [
        ("hashtag", "a #tag, #тег and ##x #12 b#c #d#", ["#tag", "#тег", "#x"]),
        ("cashtag", "$USD $usd US$A ($BTC) $ABCDEFGHI", ["$USD", "$BTC"]),
        ("email", "Ann ann.lee+x@mail.example.org, a@b @c.de", ["ann.lee+x@mail.example.org"]),
        (
            "phone_number",
            "+1 (212) 555-0123 or 88005553535, not 2026-11-25 15:45",
            ["+1 (212) 555-0123", "88005553535"],
        ),
        ("url", "tg://resolve?domain=x 1.1.1.1 пример.рф 1.5", ["tg://resolve?domain=x", "1.1.1.1", "пример.рф"]),
        ("mention", "@gif @ab a@somebody @@somebody /@somebody", ["@gif", "@somebody", "@somebody"]),
        ("bot_command", "@/start a/start //start /start@x_bot", ["/start", "/start@x_bot"]),
    ],
)
async def test_telegram_marks_tags_numbers_and_addresses(
    api: Api, chat: Chat, kind: str, text: str, marked: list[str]
) -> None:
    for parse_mode in ("HTML", None):
        sent = await api("sendMessage", chat_id=chat.id, text=text, parse_mode=parse_mode)
        found = [text[each["offset"] :][: each["length"]] for each in sent["entities"] if each["type"] == kind]
        assert found == marked
    code = await api("sendMessage", chat_id=chat.id, text=f"<code>{text}</code>", parse_mode="HTML")
    assert [entity["type"] for entity in code["entities"]] == ["code"]


async def test_a_word_joiner_keeps_telegram_from_marking_anything(api: Api, chat: Chat) -> None:
    joined = [
        f"{sign}\u2060{word}" for sign, word in (("@", "somebody"), ("/", "start"), ("#", "tag"), ("$", "USD"))
    ]
    sent = await api(
        "sendMessage", chat_id=chat.id, text=" ".join([*joined, "t.\u2060me/x", "ann@\u2060example.\u2060org"])
    )
    assert "entities" not in sent


async def test_entities_may_be_given_and_must_lie_within_the_text(api: Api, chat: Chat) -> None:
    bold = {"type": "bold", "offset": 0, "length": 2}
    sent = await api("sendMessage", chat_id=chat.id, text="hi you", entities=[bold])
    assert sent["entities"] == [bold]
    outside = {"type": "bold", "offset": 1, "length": 9}
    assert (await api.refused("sendMessage", chat_id=chat.id, text="hi", entities=[outside])).code == 400


async def test_a_mention_by_id_shows_the_person_and_of_nobody_vanishes(api: Api, chat: Chat, ann: Person) -> None:
    text = f'<a href="tg://user?id={ann.id}">you</a> <a href="tg://user?id=7">nobody</a>'
    sent = await api("sendMessage", chat_id=chat.id, text=text, parse_mode="HTML")
    assert sent["entities"] == [{"type": "text_mention", "offset": 0, "length": 3, "user": ann.as_json()}]


async def test_a_person_who_never_pressed_start_cannot_be_written_to(api: Api, bo: Person) -> None:
    refusal = await api.refused("sendMessage", chat_id=bo.id, text="hello")
    assert refusal.description == "Forbidden: bot can't initiate conversation with a user"
    bo.start()
    await api("sendMessage", chat_id=bo.id, text="hello")


async def test_an_answer_to_a_board_carries_the_board_with_its_buttons(api: Api, chat: Chat, ann: Person) -> None:
    buttons = keys(["1", "2"], ["3"])
    await api("sendMessage", chat_id=chat.id, text="Your turn", reply_markup=buttons)
    board = await chat.wait_for()
    await ann.say("2", reply_to=board)
    (update,) = await api.updates()
    replied = update["message"]["reply_to_message"]
    assert (replied["message_id"], replied["text"], replied["reply_markup"]) == (board.id, "Your turn", buttons)
    assert "reply_to_message" not in replied
    await api("editMessageText", chat_id=chat.id, message_id=board.id, text="Over")
    await ann.say("again?", reply_to=board)
    (update,) = await api.updates()
    assert update["message"]["reply_to_message"]["text"] == "Over"
    assert "reply_markup" not in update["message"]["reply_to_message"]


async def test_a_reply_shows_what_it_replies_to(api: Api, chat: Chat, ann: Person) -> None:
    own = await ann.say("who wins?")
    reply = {"message_id": own.id, "quote": "wins"}
    sent = await api("sendMessage", chat_id=chat.id, text="you", reply_parameters=reply)
    assert sent["reply_to_message"]["text"] == "who wins?"
    assert sent["quote"]["text"] == "wins"


@pytest.mark.parametrize(
    ("reply", "description"),
    [
        ({"message_id": 1}, "message to be replied not found"),
        ({"message_id": 101, "quote": "loses"}, "QUOTE_TEXT_INVALID"),
    ],
)
async def test_a_reply_needs_its_message_and_an_exact_quote(
    api: Api, chat: Chat, ann: Person, reply: dict[str, object], description: str
) -> None:
    await ann.say("who wins?")
    refusal = await api.refused("sendMessage", chat_id=chat.id, text="you", reply_parameters=reply)
    assert refusal.description == f"Bad Request: {description}"


async def test_a_reply_may_do_without_its_message(api: Api, chat: Chat) -> None:
    reply = {"message_id": 1, "allow_sending_without_reply": True}
    sent = await api("sendMessage", chat_id=chat.id, text="you", reply_parameters=reply)
    assert "reply_to_message" not in sent


async def test_effects_are_for_private_chats_only(api: Api, noughts: Group) -> None:
    refusal = await api.refused(
        "sendMessage", chat_id=noughts.id, text="won", message_effect_id="5046509860389126442"
    )
    assert refusal.code == 400
