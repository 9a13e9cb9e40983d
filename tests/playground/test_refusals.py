"""What Telegram refuses: one table of calls, in a world with all that can be wrong with a chat or a message."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from playground import Playground
from playground.chats import Chat
from playground.files import LARGEST
from playground.shown import everything
from playground.texts import Text
from tests.playground.client import Api, Json, gif, keys, picture

pytestmark = pytest.mark.asyncio(loop_scope="module")

CODES = {"Unauthorized": 401, "Forbidden": 403, "Not Found": 404, "Conflict": 409, "Request Entity Too Large": 413}
"""By how a refusal begins; all others are 400 and begin with "Bad Request"."""
HIDDEN = "5046509860389126442"
"""A message effect."""
OLD_QUERY = "query is too old and response timeout expired or query ID is invalid"
SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
KEYBOARD = keys(["·", "·"])


class Scene:
    """A world, and the ids of what is in it by names that the table uses."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.ids: dict[str, int | str] = {}
        world = api.playground.world
        ann, bo = world.people["ann"], world.people["bo"]
        ann.started = bo.blocked_bot = True
        for late in ("old", "old in a group"):
            self._board(late, ann.private if late == "old" else world.groups["noughts"])
        self.ids["late tap"] = ann.press(ann.private.messages[int(self.ids["board of old"])], "x").id
        self.ids["late query"] = ann.inline_query("x", ann.private).id
        world.clock.advance(48 * 3600)
        groups = {
            name: world.add_group(name, [ann, bo], kind=kind, forum=name == "forum")
            for name, kind in (
                *(("group", "group"), ("kicked", "group"), ("muted", "group"), ("upgraded", "group")),
                *(("disbanded", "supergroup"), ("left", "supergroup"), ("slow", "supergroup"), ("forum", "")),
            )
        }
        gone = world.add_person("Gone", started=True)
        new = world.add_person("New")
        people = {
            "ann": ann.private,
            "blocked": bo.private,
            "deactivated": gone.private,
            "not started": new.private,
        }
        bo.started = True
        self.ids |= {"channel": world.add_direct_messages("News", [ann]).id, "me": ann.id, "hidden": bo.id}
        self.ids["meeting"] = world.add_meeting(ann, bo).id
        for name, chat in {**groups, **people}.items():
            self._board(name, chat)
            self.ids[f"said in {name}"] = chat.post(ann, Text("who wins?")).id
        gone.deactivate()
        groups["kicked"].kick_bot()
        groups["muted"].mute_bot()
        groups["left"].bot_left()
        groups["slow"].slow_down(60)
        groups["disbanded"].disband()
        self.ids["grown"] = (grown := groups["upgraded"].migrate()).id
        self.ids["beginning of grown"] = next(iter(grown.messages))
        groups["group"].hide(bo)
        for name in ("closed", "deleted"):
            topic = groups["forum"].add_topic(name)
            self.ids[name] = topic.thread
            self.ids[f"said in {name}"] = groups["forum"].post(ann, Text("x"), thread=topic.thread).id
            (groups["forum"].close_topic if name == "closed" else groups["forum"].delete_topic)(topic)
        self.ids["reply keyboard"] = ann.private.post(world.bot, Text("x"), reply_keyboard=True).id
        self.ids |= {"tap": ann.press(ann.private.messages[int(self.ids["board of ann"])], "x").id}
        self.ids["query"] = ann.inline_query("x", ann.private).id

    def _board(self, name: str, chat: Chat) -> None:
        self.ids[name] = chat.id
        keyboard = KEYBOARD["inline_keyboard"]
        self.ids[f"board of {name}"] = chat.post(self.api.playground.bot, Text("turn"), keyboard=keyboard).id

    async def send_files(self) -> None:
        """Send a photo and an animation."""
        for kind, file in (("photo", picture()), ("animation", gif())):
            sent = await self.api(f"send{kind.title()}", chat_id=self.ids["ann"], **{kind: file})
            self.ids[f"a sent {kind}"] = sent["message_id"]
            self.ids[f"id of a {kind}"] = (sent[kind][0] if kind == "photo" else sent[kind])["file_id"]

    def placed(self, given: Any) -> Any:  # noqa: ANN401 - whatever a bot may send
        """A parameter with ids in place of their names."""
        if isinstance(given, dict):
            return {name: self.placed(value) for name, value in given.items()}
        return self.ids.get(given, given) if isinstance(given, str) else given


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene() -> AsyncIterator[Scene]:
    async with Playground() as playground, aiohttp.ClientSession() as session:
        scene = Scene(Api(playground, session))
        await scene.send_files()
        yield scene


def sending(refusal: str, chat: object = "ann", text: object = "x", **more: object) -> tuple[str, Json, str]:
    return "sendMessage", {"chat_id": chat, "text": text, **more}, refusal


def marked(reason: str, text: str) -> tuple[str, Json, str]:
    return sending(f"can't parse entities: {reason}", text=text, parse_mode="HTML")


def with_button(refusal: str, button: object) -> tuple[str, Json, str]:
    return sending(refusal, reply_markup={"inline_keyboard": [[button]]})


def malformed(reason: str, button: object) -> tuple[str, Json, str]:
    return with_button(f"can't parse inline keyboard button: {reason}", button)


def editing(refusal: str, chat: str = "ann", message: object = None, **more: object) -> tuple[str, Json, str]:
    board = f"board of {chat}" if message is None else message
    return "editMessageText", {"chat_id": chat, "message_id": board, "text": "x", **more}, refusal


def deleting(refusal: str, chat: str, message: object = None) -> tuple[str, Json, str]:
    return "deleteMessage", {"chat_id": chat, "message_id": message or f"board of {chat}"}, refusal


def file(kind: str, refusal: str, given: object, **more: object) -> tuple[str, Json, str]:
    return f"send{kind.title()}", {"chat_id": "ann", kind: given, **more}, refusal


def commands(refusal: str, *given: object, **more: object) -> tuple[str, Json, str]:
    return "setMyCommands", {"commands": list(given), **more}, refusal


def results(refusal: str, *given: object, **more: object) -> tuple[str, Json, str]:
    return "answerInlineQuery", {"inline_query_id": "query", "results": list(given), **more}, refusal


def article(**more: object) -> Json:
    return {"type": "article", "id": "1", "title": "A", "input_message_content": {"message_text": "a"}, **more}


NO_ACTION = "Text buttons are unallowed in the inline keyboard"
TOO_LONG, NO_THREAD = "message is too long", "message thread not found"
NOT_FOR_ALL = "message can't be deleted for everyone"
NEWGAME = {"command": "newgame", "description": "Play"}
FILES = {"photo": picture(), "animation": gif(), "document": b"{}"}

REFUSED: list[tuple[str, Json, str]] = [
    ("sendNonsense", {}, "Not Found"),
    # What a parameter is
    ("sendMessage", {"text": "hi"}, "chat_id is empty"),
    *(sending("chat not found", chat) for chat in ("nobody", "@nobody", 17, "meeting")),
    sending('method sendMessage has no parameter "reply_to_message_id"', reply_to_message_id=3),
    sending("can't parse reply_markup JSON object", reply_markup="{"),
    sending('parameter "reply_markup" must be a JSON Object', reply_markup=[]),
    sending('parameter "entities" must be a JSON Array', entities={}),
    sending('parameter "text" must be of type String', text=["hi"]),
    sending('parameter "protect_content" must be of type Boolean', protect_content="maybe"),
    sending('parameter "message_thread_id" must be of type Integer', message_thread_id="x"),
    sending("strings must be encoded in UTF-8", text="\ud800"),
    # Texts and markup
    sending("message text is empty", text=""),
    sending("text must be non-empty", text=" \n "),
    *(sending(TOO_LONG, text=text) for text in ("x" * 4097, "😀" * 2049, "x" * 40_000)),
    sending("unsupported parse_mode", parse_mode="BBCode"),
    sending("unsupported parse_mode: the playground only knows HTML", parse_mode="MarkdownV2"),
    *(marked("Unsupported or unclosed start tag", text) for text in ("a < b>", "<b", '<pre class="x">x</pre>')),
    marked("Unsupported or unclosed start tag", "<b>x<!-- y --></b>"),
    marked('Unsupported start tag "div"', "é<div>x</div>"),
    marked('Can\'t find end tag corresponding to start tag "b"', "<b>x"),
    marked("Unexpected end tag", "x</b>"),
    marked('Unmatched end tag, expected "</b>", found "</i>"', "<b>x</i>"),
    *(
        sending(refusal, text="hi", entities=[{"type": "bold", "offset": 0, "length": 1, **wrong}])
        for wrong, refusal in (
            (
                {"length": 9},
                "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 2",
            ),
            (
                {"length": 0},
                "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 2",
            ),
            ({"offset": -1}, "receive an entity with incorrect offset -1"),
            ({"offset": None}, 'can\'t parse MessageEntity: Field "offset" must be of type Number'),
            ({"type": "loud"}, "can't parse MessageEntity: Unsupported type specified"),
        )
    ),
    # Keyboards
    *(malformed(NO_ACTION, button) for button in ({"text": "a", "callback_data": ""}, {"text": "a"})),
    malformed('Can\'t find field "text"', {"callback_data": "1"}),
    malformed('Field "text" must be of type String', {"text": 1, "callback_data": "1"}),
    malformed("expected an Object", "a"),
    malformed("invalid button style specified", {"text": "a", "callback_data": "1", "style": "gold"}),
    malformed(
        "only one type of an inline keyboard button can be used",
        {"text": "a", "callback_data": "1", "url": "https://a.io"},
    ),
    *(with_button("BUTTON_DATA_INVALID", {"text": "a", "callback_data": data}) for data in ("x" * 65, "é" * 33)),
    with_button(
        "inline keyboard button URL 'nowhere' is invalid: Wrong HTTP URL", {"text": "a", "url": "nowhere"}
    ),
    *(
        with_button("BUTTON_COPY_TEXT_INVALID", {"text": "a", "copy_text": {"text": text}})
        for text in ("", "x" * 257)
    ),
    sending("inline keyboard expected", reply_markup={"rows": []}),
    sending("reply markup is too long", reply_markup=keys(["a"] * 9)),
    sending("reply markup is too long", reply_markup=keys(*[["a"] * 8] * 12, ["a"] * 5)),
    sending("BUTTON_TYPE_INVALID", "group", reply_markup={"inline_keyboard": [[{"text": "a", "web_app": {}}]]}),
    # Chats and threads
    sending("Forbidden: bot can't initiate conversation with a user", "not started"),
    sending("Forbidden: bot was blocked by the user", "blocked"),
    sending("Forbidden: user is deactivated", "deactivated"),
    sending("Forbidden: bot was kicked from the group chat", "kicked"),
    sending("Forbidden: bot is not a member of the supergroup chat", "left"),
    sending("Forbidden: the group chat was deleted", "disbanded"),
    sending("group chat was upgraded to a supergroup chat", "upgraded"),
    sending("not enough rights to send text messages to the chat", "muted"),
    sending("Channel direct messages topic must be specified", "channel"),
    sending("Too Many Requests: retry after 60", "slow"),
    *(sending(NO_THREAD, "forum", message_thread_id=thread) for thread in (1, 999)),
    *(sending(NO_THREAD, chat, message_thread_id=5) for chat in ("group", "ann")),
    sending("TOPIC_CLOSED", "forum", message_thread_id="closed"),
    sending("TOPIC_DELETED", "forum", message_thread_id="deleted"),
    sending("TOPIC_CLOSED", "forum", reply_parameters={"message_id": "said in closed"}),
    sending("message to be replied not found", reply_parameters={"message_id": 1}),
    sending("message to be replied not found", reply_parameters={"message_id": "said in group"}),
    sending("can't parse ReplyParameters: Can't find field \"message_id\"", reply_parameters={"message_id": "1"}),
    sending("QUOTE_TEXT_INVALID", reply_parameters={"message_id": "said in ann", "quote": "loses"}),
    sending("message effects can be used only in private chats", "group", message_effect_id=HIDDEN),
    # Edits
    editing(SAME, text="turn", reply_markup=KEYBOARD),
    ("editMessageReplyMarkup", {"chat_id": "ann", "message_id": "board of ann", "reply_markup": KEYBOARD}, SAME),
    editing("chat not found", chat="here", message=1),
    editing("message to edit not found", message=1),
    editing("message identifier is not specified", message=""),
    *(editing("message can't be edited", message=message) for message in ("said in ann", "reply keyboard")),
    editing("there is no text in the message to edit", message="a sent photo"),
    ("editMessageText", {"text": "x"}, "chat_id is empty"),
    ("editMessageText", {"text": "x", "inline_message_id": "?"}, "invalid inline message identifier specified"),
    ("editMessageText", {"text": "x", "inline_message_id": "A" * 27}, "MESSAGE_ID_INVALID"),
    editing("message can't be edited", "upgraded"),
    editing("CHAT_WRITE_FORBIDDEN", "muted"),
    editing("Forbidden: bot was kicked from the group chat", "kicked"),
    editing("Forbidden: bot was blocked by the user", "blocked"),
    # Deletions
    deleting("message to delete not found", "ann", 1),
    *(deleting(NOT_FOR_ALL, chat) for chat in ("old", "old in a group")),
    deleting(NOT_FOR_ALL, "group", "said in group"),
    deleting(NOT_FOR_ALL, "grown", "beginning of grown"),
    deleting("Forbidden: bot was kicked from the group chat", "kicked"),
    deleting("group chat was upgraded to a supergroup chat", "upgraded"),
    # Files
    *(file("photo", "IMAGE_PROCESS_FAILED", data) for data in (gif(), picture()[:40])),
    *(file("photo", "PHOTO_INVALID_DIMENSIONS", picture(*size)) for size in ((9000, 2000), (2100, 100))),
    file(
        "photo", f"file of size {LARGEST['photo'] + 1} bytes is too big for a photo", bytes(LARGEST["photo"] + 1)
    ),
    file("photo", 'method sendPhoto has no parameter "text"', picture(), text="x"),
    file(
        "photo",
        "can't parse entities: Unsupported or unclosed start tag",
        picture(),
        caption="<",
        parse_mode="HTML",
    ),
    file("photo", "can't use file of type Animation as Photo", "id of a animation"),
    *(
        file("animation", "IMAGE_PROCESS_FAILED", data)
        for data in (picture(), *(gif()[:end] for end in (9, 200, -1)))
    ),
    file("animation", "can't use file of type Photo as Animation", "id of a photo"),
    *(file(kind, "Request Entity Too Large", bytes(LARGEST[kind] + 1)) for kind in ("animation", "document")),
    *(
        (method, {"chat_id": "ann", **parameters}, refusal)
        for kind, content in FILES.items()
        for method, parameters, refusal in (
            (f"send{kind.title()}", {}, f"there is no {kind} in the request"),
            file(kind, "file must be non-empty", b""),
            file(kind, "wrong file identifier/HTTP URL specified", "XgACnone"),
            file(kind, "failed to get HTTP URL content", "https://example.org/a"),
            file(kind, "message caption is too long", content, caption="x" * 1025),
        )
    ),
    # Commands and descriptions
    *(commands("BOT_COMMAND_INVALID", {**NEWGAME, "command": name}) for name in ("New", "n" * 33)),
    *(commands("BOT_COMMAND_DESCRIPTION_INVALID", {**NEWGAME, "description": words}) for words in ("", "x" * 257)),
    commands("can't parse BotCommand: expected an Object", "newgame"),
    commands("too much commands specified", *[NEWGAME] * 101),
    commands("LANGUAGE_CODE_INVALID", language_code="english"),
    commands("can't parse BotCommandScope: Unsupported type specified", scope={"type": "moon"}),
    commands("can't parse BotCommandScope: Can't find field \"chat_id\"", scope={"type": "chat"}),
    *(
        (f"setMy{''.join(map(str.title, kind.split('_')))}", {kind: "x" * (most + 1)}, f"{kind} is too long")
        for kind, most in (("name", 64), ("description", 512), ("short_description", 120))
    ),
    ("setMyName", {"name": "x", "language_code": "zh-hans"}, "LANGUAGE_CODE_INVALID"),
    # Members
    ("getChatMember", {"chat_id": "group", "user_id": 17}, "PARTICIPANT_ID_INVALID"),
    ("getChatMember", {"chat_id": "group", "user_id": "hidden"}, "PARTICIPANT_ID_INVALID"),
    ("getChatAdministrators", {"chat_id": "ann"}, "there are no administrators in the private chat"),
    # Answers
    *(("answerCallbackQuery", {"callback_query_id": query}, OLD_QUERY) for query in ("77", "late tap")),
    ("answerCallbackQuery", {"callback_query_id": "tap", "text": "x" * 201}, "MESSAGE_TOO_LONG"),
    ("answerCallbackQuery", {"callback_query_id": "tap", "url": "https://example.org"}, "URL_INVALID"),
    ("answerInlineQuery", {"inline_query_id": "late query", "results": []}, OLD_QUERY),
    ("answerInlineQuery", {"inline_query_id": "tap", "results": []}, OLD_QUERY),
    results("RESULTS_TOO_MUCH", *[article()] * 51),
    results("RESULT_ID_DUPLICATE", article(), article()),
    *(results("RESULT_ID_INVALID", article(id=identifier)) for identifier in ("", "x" * 65)),
    results("ARTICLE_TITLE_EMPTY", article(title="")),
    results("message text is empty", article(input_message_content={"message_text": ""})),
    results("BUTTON_DATA_INVALID", article(reply_markup=keys(["x" * 65]))),
    results("can't parse inline query result: expected an Object", "an article"),
    results("can't parse inline query result: the playground knows articles only", article(type="photo")),
    results("NEXT_OFFSET_INVALID", next_offset="x" * 65),
    results("START_PARAM_INVALID", button={"text": "a", "start_parameter": "é"}),
    # The webhook
    *(
        ("setWebhook", {"url": url, **more}, refusal)
        for url, more, refusal in (
            ("http://example.org/", {}, "bad webhook: An HTTPS URL must be provided for webhook"),
            ("https://example.org/", {}, "bad webhook: the playground brings updates to loopback addresses only"),
            ("https://127.0.0.1/", {"secret_token": "ü"}, "secret token contains unallowed characters"),
        )
    ),
    ("getUpdates", {"allowed_updates": [1]}, "allowed_updates must contain only strings"),
]


@pytest.mark.parametrize(
    ("method", "parameters", "refusal"),
    REFUSED,
    ids=[f"{method}: {refusal}"[:70] for method, _, refusal in REFUSED],
)
async def test_telegram_refuses_and_nothing_changes(
    scene: Scene, method: str, parameters: Json, refusal: str
) -> None:
    world = scene.api.playground.world
    before = everything(world)
    given = await scene.api.refused(method, **scene.placed(parameters))
    code = next((code for beginning, code in CODES.items() if refusal.startswith(beginning)), 400)
    if refusal.startswith("Too Many Requests"):
        code = 429
    expected = refusal if code != 400 else f"Bad Request: {refusal}"
    assert (given.status, given.code, given.description) == (code, code, expected)
    assert everything(world) == before


async def test_some_refusals_say_what_to_do(scene: Scene) -> None:
    upgraded, slow = scene.ids["upgraded"], scene.ids["slow"]
    assert (await scene.api.refused("sendMessage", chat_id=upgraded, text="x")).parameters == {
        "migrate_to_chat_id": scene.ids["grown"]
    }
    assert 0 < (await scene.api.refused("sendMessage", chat_id=slow, text="x")).parameters["retry_after"] <= 60


async def test_a_wrong_token_is_unauthorized(scene: Scene) -> None:
    async with scene.api.session.get(f"{scene.api.playground.url}/bot123:wrong/getMe") as response:
        assert response.status == 401
        assert await response.json() == {"ok": False, "error_code": 401, "description": "Unauthorized"}


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b"{"),
        ("application/json", b"[]"),
        ("application/json", b"\xff"),
        ("application/x-www-form-urlencoded", b"text=%FF"),
        ("text/plain", b"hello"),
    ],
)
async def test_a_malformed_body_is_refused(scene: Scene, content_type: str, body: bytes) -> None:
    headers = {"Content-Type": content_type}
    async with scene.api.session.post(scene.api.url("getMe"), data=body, headers=headers) as response:
        assert response.status == 400
        assert (await response.json())["description"].startswith("Bad Request: ")
