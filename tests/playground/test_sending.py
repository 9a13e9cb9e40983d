"""What the bot sends, edits, deletes and says of itself, and what Telegram makes of it."""

import json
from typing import Any

import aiohttp
import pytest

from playground import Playground
from playground.chats import Chat
from playground.files import FileKind
from playground.people import Person
from tests.playground.client import Api, Json, gif, keys, picture

DAY = 86_400
FILES: dict[FileKind, bytes] = {"photo": picture(), "animation": gif(), "document": b"{}"}


JOINED = "@\u2060somebody /\u2060start #\u2060tag $\u2060USD t.\u2060me/x ann@\u2060example.\u2060org"
"""Words whose joiners keep Telegram from marking anything."""


def pieces(message: Json) -> list[tuple[str, ...]]:
    """What is marked in a message: the kind, the words, and where a link leads."""
    units = message["text"].encode("utf-16-le")
    assert all(2 * (each["offset"] + each["length"]) <= len(units) for each in message.get("entities", []))
    return [
        (each["type"], units[2 * each["offset"] :][: 2 * each["length"]].decode("utf-16-le"))
        + ((each["url"],) if "url" in each else ())
        for each in message.get("entities", [])
    ]


def about(kind: FileKind, message: Json) -> Json:
    found: Json = message[kind][0] if kind == "photo" else message[kind]
    return found


@pytest.mark.parametrize("way", ["query", "form", "json", "json of strings", "multipart"])
async def test_parameters_come_in_all_of_telegrams_ways(api: Api, chat: Chat, way: str) -> None:
    typed = {"chat_id": chat.id, "text": "hi", "reply_markup": keys(["·"])}
    texts = {"chat_id": str(chat.id), "text": "hi", "reply_markup": json.dumps(keys(["·"]))}
    form = aiohttp.FormData(texts, default_to_multipart=True)
    how: dict[str, Json] = {
        "query": {"params": texts},
        "form": {"data": texts},
        "json": {"json": typed},
        "json of strings": {"json": texts},
        "multipart": {"data": form},
    }
    async with api.session.request(
        "GET" if way == "query" else "POST", api.url("SENDmessage"), **how[way]
    ) as answer:
        sent = (await answer.json())["result"]
    assert (sent["text"], sent["reply_markup"], sent["from"]["is_bot"]) == ("hi", keys(["·"]), True)
    assert chat.messages[sent["message_id"]].text == "hi"


@pytest.mark.parametrize(
    ("source", "text", "marked"),
    [
        ("a <b>b <i>c</i></b>", "a b c", [("bold", "b c"), ("italic", "c")]),
        ("&lt;b&gt; &amp;&#33; &copy;", "<b> &! &copy;", []),
        ("<B>x</B> 3 > 2", "x 3 > 2", [("bold", "x")]),
        ("😀<u>x</u>", "😀x", [("underline", "x")]),
        ("<b></b>x", "x", []),
        ('<a href="https://a.io/?a=1&amp;b=2">x</a>', "x", [("text_link", "x", "https://a.io/?a=1&b=2")]),
        ("<a href='x'>x</a> <a>a.org</a>", "x a.org", [("text_link", "a.org", "a.org")]),
        ("<blockquote>1. b2</blockquote>", "1. b2", [("blockquote", "1. b2")]),
        ("<pre><code>x</code></pre>", "x", [("pre", "x")]),
        ("<tg-spoiler ><i>x</i></>", "x", [("spoiler", "x"), ("italic", "x")]),
        ("  \n<b>win</b> \n", "win", [("bold", "win")]),
        ("\u202e\u2068אבג\u2069\u2028<b>x</b>", "\u2068אבג\u2069x", [("bold", "x")]),
        ("a\u030a \u200f<b>\u200ex</b>", "a \u200c\u200ex", [("bold", "\u200ex")]),
        (
            "<b>Start: /newgame, or see a.org.</b> <code>/not</code>",
            "Start: /newgame, or see a.org. /not",
            [
                ("bold", "Start: /newgame, or see a.org."),
                ("bot_command", "/newgame"),
                ("url", "a.org"),
                ("code", "/not"),
            ],
        ),
        ("<b>now /new</b>game", "now /newgame", [("bold", "now "), ("bot_command", "/newgame"), ("bold", "/new")]),
        ('<a href="tg://user?id=7">nobody</a>', "nobody", []),
        ('<a href="tg://user?id=5000000001">you</a>', "you", [("text_mention", "you")]),
        (JOINED, JOINED, []),
        ("<b>" + "x" * 4096 + "</b>", "x" * 4096, [("bold", "x" * 4096)]),
    ],
)
async def test_html_becomes_marked_text(
    api: Api, chat: Chat, source: str, text: str, marked: list[tuple[str, ...]]
) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text=source, parse_mode="HTML")
    assert (sent["text"], pieces(sent)) == (text, marked)


@pytest.mark.parametrize(
    ("kind", "text", "marked"),
    [
        ("hashtag", "a #tag, #тег and ##x #12 b#c #d#", ["#tag", "#тег", "#x"]),
        ("cashtag", "$USD $usd US$A ($BTC) $ABCDEFGHI", ["$USD", "$BTC"]),
        ("email", "Ann ann.lee+x@mail.example.org, a@b @c.de", ["ann.lee+x@mail.example.org"]),
        ("phone_number", "+1 (212) 555-0123, 88005553535, 2026-11-25 15:45", ["+1 (212) 555-0123", "88005553535"]),
        ("url", "tg://resolve?domain=x 1.1.1.1 пример.рф 1.5", ["tg://resolve?domain=x", "1.1.1.1", "пример.рф"]),
        ("url", "t.me/oxo?start=x. (Example.com:8080/a)", ["t.me/oxo?start=x", "Example.com:8080/a"]),
        ("url", "https://localhost/x ann@example.org e.g. test_cells.py", ["https://localhost/x"]),
        ("mention", "😀 @gif @ab a@somebody @@somebody /@somebody", ["@gif", "@somebody", "@somebody"]),
        ("bot_command", "😀 @/start a/start //start /start@x_bot", ["/start", "/start@x_bot"]),
    ],
)
async def test_telegram_marks_tags_numbers_and_addresses(
    api: Api, chat: Chat, kind: str, text: str, marked: list[str]
) -> None:
    for parse_mode in ("HTML", None):
        sent = await api("sendMessage", chat_id=chat.id, text=text, parse_mode=parse_mode)
        assert [words for found, words, *_ in pieces(sent) if found == kind] == marked
    code = await api("sendMessage", chat_id=chat.id, text=f"<code>{text}</code>", parse_mode="HTML")
    assert pieces(code) == [("code", text)]


async def test_a_keyboard_keeps_styles_up_to_100_buttons_and_none_without_a_label(api: Api, chat: Chat) -> None:
    async def shown(rows: list[list[Json]]) -> Any:  # noqa: ANN401 - JSON
        sent = await api("sendMessage", chat_id=chat.id, text="x", reply_markup={"inline_keyboard": rows})
        return sent.get("reply_markup", {}).get("inline_keyboard")

    styled = [{"text": "a", "callback_data": "é" * 32, "style": each} for each in ("primary", "success", "danger")]
    link = {"text": "a", "url": "t.me/x"}
    assert await shown([[*styled, link]]) == [[*styled, link]]
    blank = [{"text": text, "callback_data": "x"} for text in ("", " ", "\u202e")]
    assert await shown([[styled[0], blank[0]], blank, [blank[1]]]) == [[styled[0]]]
    most = keys(*[["a"] * 8] * 12, ["a"] * 4)["inline_keyboard"]
    assert await shown(most) == most
    assert await shown([]) is None


async def test_a_forwarded_message_keeps_links_and_if_it_came_by_inline_mode_what_types_a_query(
    api: Api, chat: Chat, ann: Person
) -> None:
    link, query = {"text": "a", "url": "t.me/x"}, {"query": "x", "allow_user_chats": True}
    types, calls = {"text": "b", "switch_inline_query_chosen_chat": query}, {"text": "c", "callback_data": "1"}
    for rows, stays in (([[link]], "always"), ([[link], [types]], "by inline mode"), ([[link, calls]], "never")):
        await api("sendMessage", chat_id=chat.id, text="x", reply_markup={"inline_keyboard": rows})
        message = await chat.wait_for()
        assert ann.forward(message).keyboard == (rows if stays == "always" else [])
        message.via_bot = True
        assert ann.forward(message).keyboard == ([] if stays == "never" else rows)


async def test_an_answer_to_a_board_carries_the_board_as_it_is(api: Api, chat: Chat, ann: Person) -> None:
    buttons = keys(["1", "2"], ["3"])
    await api("sendMessage", chat_id=chat.id, text="Your turn", reply_markup=buttons)
    board = await chat.wait_for()
    for text, markup in (("Your turn", buttons), ("Over", None)):
        own = await ann.say("2", reply_to=board)
        (update,) = await api.updates()
        replied = update["message"]["reply_to_message"]
        assert (replied["message_id"], replied["text"], replied.get("reply_markup")) == (board.id, text, markup)
        if markup:
            await api("editMessageText", chat_id=chat.id, message_id=board.id, text="Over")
    sent = await api("sendMessage", chat_id=chat.id, text="yes", reply_parameters={"message_id": own.id})
    assert sent["reply_to_message"]["text"] == "2"
    assert "reply_to_message" not in sent["reply_to_message"]
    gone = {"message_id": 1, "allow_sending_without_reply": True}
    assert "reply_to_message" not in await api("sendMessage", chat_id=chat.id, text="x", reply_parameters=gone)


@pytest.mark.parametrize("kind", FILES)
async def test_a_file_is_a_message_with_a_caption_and_is_sent_again_by_its_id(
    api: Api, playground: Playground, ann: Person, kind: FileKind
) -> None:
    method = f"send{kind.title()}"
    words: Json = {"caption": "<b>Ann</b>", "parse_mode": "HTML"}
    message = await api(method, chat_id=ann.id, **{kind: FILES[kind]}, **words)
    assert (message["caption"], "text" in message) == ("Ann", False)
    assert message["caption_entities"] == [{"type": "bold", "offset": 0, "length": 3}]
    shown = ann.private.messages[message["message_id"]]
    assert (shown.text, getattr(shown, kind).data) == ("Ann", FILES[kind])
    assert about(kind, message)["file_size"] == len(FILES[kind])
    first = about(kind, message)["file_id"]
    again = await api(method, chat_id=ann.id, **{kind: first})
    assert (about(kind, again)["file_id"], "caption" in again) == (first, False)
    playground.world.files.forget()
    refusal = await api.refused(method, chat_id=ann.id, **{kind: first})
    assert refusal.description == "Bad Request: wrong file identifier/HTTP URL specified"


async def test_a_file_tells_what_is_in_it(api: Api, ann: Person) -> None:
    for data in (picture(), picture(kind="JPEG")):
        (size,) = (await api("sendPhoto", chat_id=ann.id, photo=data))["photo"]
        assert (size["width"], size["height"]) == (640, 480)
    message = await api("sendAnimation", chat_id=ann.id, animation=gif())
    film = message["animation"]
    assert (film["mime_type"], film["width"], film["height"], film["duration"]) == ("video/mp4", 64, 48, 1)
    assert message["document"]["file_id"] == film["file_id"]
    shown = ann.private.messages[message["message_id"]].animation
    assert shown is not None
    assert (shown.frames, shown.hundredths) == (3, 150)
    document = (await api("sendDocument", chat_id=ann.id, document=b"{}"))["document"]
    assert (document["file_name"], document["mime_type"]) == ("a.json", "application/json")
