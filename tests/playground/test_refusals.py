"""What Telegram refuses: one table of calls, in a world with all that can be wrong with a chat or a message."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from playground import Playground
from playground.browser import everything
from playground.chats import Chat, Message
from playground.texts import Text
from tests.playground.client import Api, Json, article, gif, keys, picture

pytestmark = pytest.mark.asyncio(loop_scope="module")

CODES = {"Unauthorized": 401, "Forbidden": 403, "Not Found": 404, "Conflict": 409, "Request Entity Too Large": 413}
"""By how a refusal begins; all others are 400 and begin with "Bad Request"."""
OLD_QUERY = "query is too old and response timeout expired or query ID is invalid"
SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
KEYBOARD = keys(["·", "·"])
Row = tuple[str, Json, str]


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
        kinds = dict.fromkeys(("group", "kicked", "muted", "upgraded"), "group")
        kinds |= dict.fromkeys(("disbanded", "left", "slow"), "supergroup") | {"forum": "forum"}
        groups = {name: world.add_group(name, [ann, bo], kind=kind) for name, kind in kinds.items()}
        gone = world.add_person("Gone", started=True)
        new = world.add_person("New")
        people = {
            "ann": ann.private,
            "blocked": bo.private,
            "deactivated": gone.private,
            "not started": new.private,
        }
        bo.started = True
        self.ids |= {"channel": world.add_direct_messages("News", [ann]).id, "hidden": bo.id}
        self.ids["meeting"] = world.add_meeting(ann, bo).id
        for name, chat in {**groups, **people}.items():
            self._board(name, chat)
            self.ids[f"said in {name}"] = chat.post(Message(chat, ann, Text("who wins?"))).id
        gone.deactivate()
        groups["kicked"].set_bot("kicked")
        groups["muted"].set_bot("restricted")
        groups["left"].set_bot("left", world.bot)
        groups["slow"].slow_down(60)
        groups["disbanded"].disband()
        self.ids["grown"] = (grown := groups["upgraded"].migrate()).id
        self.ids["beginning of grown"] = next(iter(grown.messages))
        groups["group"].hide(bo)
        for name in ("closed", "deleted"):
            topic = groups["forum"].add_topic(name)
            self.ids[name] = topic.thread
            self.ids[f"said in {name}"] = (
                groups["forum"].post(Message(groups["forum"], ann, Text("x"), thread=topic.thread)).id
            )
            (groups["forum"].close_topic if name == "closed" else groups["forum"].delete_topic)(topic)
        self.ids |= {"tap": ann.press(ann.private.messages[int(self.ids["board of ann"])], "x").id}
        self.ids["query"] = ann.inline_query("x", ann.private).id

    def _board(self, name: str, chat: Chat) -> None:
        self.ids[name] = chat.id
        keyboard = KEYBOARD["inline_keyboard"]
        self.ids[f"board of {name}"] = chat.post(Message(chat, self.api.playground.bot, Text("turn"), keyboard)).id

    async def send_files(self) -> None:
        for kind, file in (("photo", picture()), ("animation", gif())):
            sent = await self.api(f"send{kind.title()}", chat_id=self.ids["ann"], **{kind: file})
            self.ids[f"a sent {kind}"] = sent["message_id"]
            self.ids[f"id of a {kind}"] = (sent[kind][0] if kind == "photo" else sent[kind])["file_id"]

    def placed(self, given: Any) -> Any:  # noqa: ANN401 - whatever a bot may send
        if isinstance(given, dict):
            return {name: self.placed(value) for name, value in given.items()}
        return self.ids.get(given, given) if isinstance(given, str) else given


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene() -> AsyncIterator[Scene]:
    async with Playground() as playground, aiohttp.ClientSession() as session:
        scene = Scene(Api(playground, session))
        await scene.send_files()
        yield scene


def call(method: str, **usual: object) -> Callable[..., Row]:
    """Makes rows of a method: the refusal, and what isn't as usual."""
    return lambda refusal, **given: (method, {**usual, **given}, refusal)


sending = call("sendMessage", chat_id="ann", text="x")
editing = call("editMessageText", chat_id="ann", message_id="board of ann", text="x")
deleting = call("deleteMessage", chat_id="ann", message_id="board of ann")
commands = call("setMyCommands", commands=[])
answering = call("answerCallbackQuery", callback_query_id="tap")
offering = call("answerInlineQuery", inline_query_id="query", results=[])
hooking = call("setWebhook")


def marked(reason: str, text: str) -> Row:
    return sending(f"can't parse entities: {reason}", text=text, parse_mode="HTML")


def button(refusal: str, given: object) -> Row:
    return sending(refusal, reply_markup={"inline_keyboard": [[given]]})


def malformed(reason: str, given: object) -> Row:
    return button(f"can't parse inline keyboard button: {reason}", given)


def switch(**chats: object) -> Json:
    return {"text": "a", "switch_inline_query_chosen_chat": {"query": "x", **chats}}


def within(chat: str, refusal: str, make: Callable[..., Row], **given: object) -> Row:
    place = {} if make is sending else {"message_id": f"board of {chat}"}
    return make(refusal, **{"chat_id": chat, **place, **given})


def file(kind: str, refusal: str, given: object, **more: object) -> Row:
    return f"send{kind.title()}", {"chat_id": "ann", kind: given, **more}, refusal


def result(refusal: str, **wrong: object) -> Row:
    return offering(refusal, results=[article(**wrong)])


NEWGAME = {"command": "newgame", "description": "Play"}
FILES = {"photo": picture(), "animation": gif(), "document": b"{}"}

KICKED = "Forbidden: bot was kicked from the group chat"
ACTION = {"text": "a", "callback_data": "1"}
IN_CLOSED = {"message_id": "said in closed"}

REFUSED: list[Row] = [
    ("sendNonsense", {}, "Not Found"),
    # What a parameter is
    ("sendMessage", {"text": "hi"}, "chat_id is empty"),
    *(sending("chat not found", chat_id=chat) for chat in ("nobody", "@nobody", 17, "meeting")),
    sending('method sendMessage has no parameter "reply_to_message_id"', reply_to_message_id=3),
    sending("can't parse reply_markup JSON object", reply_markup="{"),
    sending('parameter "reply_markup" must be a JSON Object', reply_markup=[]),
    sending('parameter "text" must be of type String', text=["hi"]),
    sending('parameter "protect_content" must be of type Boolean', protect_content="maybe"),
    sending('parameter "message_thread_id" must be of type Integer', message_thread_id="x"),
    sending("strings must be encoded in UTF-8", text="\ud800"),
    # Texts and markup
    sending("message text is empty", text=""),
    sending("text must be non-empty", text=" \n "),
    *(sending("message is too long", text=text) for text in ("x" * 4097, "😀" * 2049, "x" * 40_000)),
    sending("unsupported parse_mode: the playground only knows HTML", parse_mode="MarkdownV2"),
    marked("Unsupported or unclosed start tag", "a < b>"),
    marked("Unsupported or unclosed start tag", "<b"),
    marked("Unsupported or unclosed start tag", '<pre class="x">x</pre>'),
    marked("Unsupported or unclosed start tag", "<b>x<!-- y --></b>"),
    marked('Unsupported start tag "div"', "é<div>x</div>"),
    marked('Can\'t find end tag corresponding to start tag "b"', "<b>x"),
    marked("Unexpected end tag", "x</b>"),
    marked('Unmatched end tag, expected "</b>", found "</i>"', "<b>x</i>"),
    # Keyboards
    malformed("Text buttons are unallowed in the inline keyboard", {"text": "a"}),
    malformed("Text buttons are unallowed in the inline keyboard", {"text": "a", "callback_data": ""}),
    malformed('Can\'t find field "text"', {"callback_data": "1"}),
    malformed('Field "text" must be of type String', {**ACTION, "text": 1}),
    malformed("expected an Object", "a"),
    malformed("invalid button style specified", {**ACTION, "style": "gold"}),
    malformed("the playground doesn't know ['login_url']", {**ACTION, "login_url": {"url": "https://a.io"}}),
    malformed('Field "allow_user_chats" must be of type Boolean', switch(allow_user_chats="yes")),
    malformed("at least one chat type must be allowed", switch(allow_user_chats=False)),
    malformed("only one type of an inline keyboard button can be used", {**ACTION, "url": "https://a.io"}),
    *(button("BUTTON_DATA_INVALID", {**ACTION, "callback_data": data}) for data in ("x" * 65, "é" * 33)),
    button("inline keyboard button URL 'none' is invalid: Wrong HTTP URL", {"text": "a", "url": "none"}),
    sending("inline keyboard expected", reply_markup={"rows": []}),
    sending("reply markup is too long", reply_markup=keys(["a"] * 9)),
    sending("reply markup is too long", reply_markup=keys(*[["a"] * 8] * 12, ["a"] * 5)),
    button("reply markup is too long", {"text": "a", "url": f"https://a.io/{'x' * 10_000}"}),
    # Chats and threads
    within("not started", "Forbidden: bot can't initiate conversation with a user", sending),
    within("blocked", "Forbidden: bot was blocked by the user", sending),
    within("deactivated", "Forbidden: user is deactivated", sending),
    within("kicked", KICKED, sending),
    within("left", "Forbidden: bot is not a member of the supergroup chat", sending),
    within("disbanded", "Forbidden: the group chat was deleted", sending),
    within("upgraded", "group chat was upgraded to a supergroup chat", sending),
    within("muted", "not enough rights to send text messages to the chat", sending),
    within("channel", "Channel direct messages topic must be specified", sending),
    *(within("forum", "message thread not found", sending, message_thread_id=thread) for thread in (1, 999)),
    *(within(chat, "message thread not found", sending, message_thread_id=5) for chat in ("group", "ann")),
    within("forum", "TOPIC_CLOSED", sending, message_thread_id="closed"),
    within("forum", "TOPIC_DELETED", sending, message_thread_id="deleted"),
    within("forum", "TOPIC_CLOSED", sending, reply_parameters=IN_CLOSED),
    sending("message to be replied not found", reply_parameters={"message_id": 1}),
    sending("message to be replied not found", reply_parameters={"message_id": "said in group"}),
    sending("can't parse ReplyParameters: Can't find field \"message_id\"", reply_parameters={"message_id": "1"}),
    # Edits
    editing(SAME, text="turn", reply_markup=KEYBOARD),
    editing("chat not found", chat_id="here"),
    editing("message to edit not found", message_id=1),
    editing("message identifier is not specified", message_id=""),
    editing("message can't be edited", message_id="said in ann"),
    editing("there is no text in the message to edit", message_id="a sent photo"),
    ("editMessageText", {"text": "x"}, "chat_id is empty"),
    ("editMessageText", {"text": "x", "inline_message_id": "?"}, "invalid inline message identifier specified"),
    ("editMessageText", {"text": "x", "inline_message_id": "A" * 27}, "MESSAGE_ID_INVALID"),
    within("upgraded", "message can't be edited", editing),
    within("muted", "CHAT_WRITE_FORBIDDEN", editing),
    within("kicked", KICKED, editing),
    within("blocked", "Forbidden: bot was blocked by the user", editing),
    # Deletions
    deleting("message to delete not found", message_id=1),
    *(within(chat, "message can't be deleted for everyone", deleting) for chat in ("old", "old in a group")),
    within("group", "message can't be deleted for everyone", deleting, message_id="said in group"),
    within("grown", "message can't be deleted for everyone", deleting, message_id="beginning of grown"),
    within("kicked", KICKED, deleting),
    within("upgraded", "group chat was upgraded to a supergroup chat", deleting),
    # Files
    *(file("photo", "IMAGE_PROCESS_FAILED", data) for data in (gif(), picture()[:40])),
    *(file("photo", "PHOTO_INVALID_DIMENSIONS", picture(*size)) for size in ((9000, 2000), (2100, 100))),
    file("photo", "file of size 10485761 bytes is too big for a photo", bytes(10 * 2**20 + 1)),
    file("photo", 'method sendPhoto has no parameter "text"', picture(), text="x"),
    file("photo", "can't parse entities: Unexpected end tag", picture(), caption="</b>", parse_mode="HTML"),
    file("photo", "can't use file of type Animation as Photo", "id of a animation"),
    file("animation", "can't use file of type Photo as Animation", "id of a photo"),
    *(file("animation", "IMAGE_PROCESS_FAILED", data) for data in (picture(), gif()[:-1])),
    *(file(kind, "Request Entity Too Large", bytes(50 * 2**20 + 1)) for kind in ("animation", "document")),
    *(call(f"send{kind.title()}", chat_id="ann")(f"there is no {kind} in the request") for kind in FILES),
    *(file(kind, "file must be non-empty", b"") for kind in FILES),
    *(file(kind, "wrong file identifier/HTTP URL specified", "XgACnone") for kind in FILES),
    *(file(kind, "failed to get HTTP URL content", "https://example.org/a") for kind in FILES),
    *(file(kind, "message caption is too long", FILES[kind], caption="x" * 1025) for kind in FILES),
    # Commands and descriptions
    *(commands("BOT_COMMAND_INVALID", commands=[{**NEWGAME, "command": name}]) for name in ("New", "n" * 33)),
    *(
        commands("BOT_COMMAND_DESCRIPTION_INVALID", commands=[{**NEWGAME, "description": words}])
        for words in ("", "x" * 257)
    ),
    commands("can't parse BotCommand: expected an Object", commands=["newgame"]),
    commands("too much commands specified", commands=[NEWGAME] * 101),
    commands("invalid language code specified", language_code="english"),
    commands("can't parse BotCommandScope: Unsupported type specified", scope={"type": "moon"}),
    ("setMyName", {"name": "x" * 65}, "name is too long"),
    ("setMyDescription", {"description": "x" * 513}, "description is too long"),
    ("setMyShortDescription", {"short_description": "x" * 121}, "short_description is too long"),
    ("setMyName", {"name": "x", "language_code": "zh-hans"}, "invalid language code specified"),
    # Members
    ("getChatMember", {"chat_id": "group", "user_id": 17}, "PARTICIPANT_ID_INVALID"),
    ("getChatMember", {"chat_id": "group", "user_id": "hidden"}, "PARTICIPANT_ID_INVALID"),
    ("getChatAdministrators", {"chat_id": "ann"}, "there are no administrators in the private chat"),
    # Answers
    *(answering(OLD_QUERY, callback_query_id=query) for query in ("77", "late tap")),
    answering("MESSAGE_TOO_LONG", text="x" * 201),
    answering("URL_INVALID", url="https://example.org"),
    *(offering(OLD_QUERY, inline_query_id=query) for query in ("late query", "tap")),
    result("RESULT_ID_INVALID", id=""),
    result("RESULT_ID_INVALID", id="x" * 65),
    result("can't parse inline query result: the playground doesn't know ['url']", url="https://a.io"),
    result("ARTICLE_TITLE_EMPTY", title=""),
    result("message text is empty", input_message_content={"message_text": ""}),
    result("BUTTON_DATA_INVALID", reply_markup=keys(["x" * 65])),
    result("can't parse inline query result: the playground knows articles only", type="photo"),
    offering("can't parse inline query result: expected an Object", results=["an article"]),
    offering("too many inline query results specified", results=[article()] * 51),
    offering("RESULT_ID_DUPLICATE", results=[article()] * 2),
    # Updates
    hooking("bad webhook: An HTTPS URL must be provided for webhook", url="http://example.org/"),
    hooking("bad webhook: the playground brings updates to loopback addresses only", url="https://example.org/"),
    hooking("secret token contains unallowed characters", url="https://127.0.0.1/", secret_token=OLD_QUERY),
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
    expected = refusal if code != 400 else f"Bad Request: {refusal}"
    assert (given.status, given.code, given.description) == (code, code, expected)
    assert everything(world) == before


async def test_some_refusals_say_what_to_do(scene: Scene) -> None:
    upgraded = await scene.api.refused("sendMessage", chat_id=scene.ids["upgraded"], text="x")
    assert upgraded.parameters == {"migrate_to_chat_id": scene.ids["grown"]}
    slow = await scene.api.refused("sendMessage", chat_id=scene.ids["slow"], text="x")
    assert (slow.status, 0 < slow.parameters["retry_after"] <= 60) == (429, True)


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
        ("multipart/form-data; boundary=x", b"hello"),
        ("text/plain", b"hello"),
    ],
)
async def test_a_malformed_body_is_refused(scene: Scene, content_type: str, body: bytes) -> None:
    headers = {"Content-Type": content_type}
    async with scene.api.session.post(scene.api.url("getMe"), data=body, headers=headers) as response:
        assert response.status == 400
        assert (await response.json())["description"].startswith("Bad Request: ")
