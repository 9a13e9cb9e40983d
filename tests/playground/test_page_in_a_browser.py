"""The page in Chromium, as people use it: by mouse, by keyboard, with a screen reader, on a phone.

`make soak` looks at all its screens in both themes, on a phone and on a desktop.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.async_api import Browser, Page

from playground import Playground
from playground.child import BotProcess
from playground.groups import Group
from playground.people import Person
from tests.playground.client import Api, Json, article, keys, put

Opened = Callable[..., Awaitable[Page]]

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
LONG = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenh"


@pytest.fixture
async def opened(browser: Browser, playground: Playground) -> AsyncIterator[Opened]:
    """Opens the page, optionally as a person and in a chat; any error on it fails the test."""
    complaints: list[str] = []

    async def enter(
        person: Person | None = None, chat: int | None = None, *, size: Json = DESKTOP, scheme: str = "light"
    ) -> Page:
        context = await browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            color_scheme="dark" if scheme == "dark" else "light",
            has_touch=size is PHONE,
            reduced_motion="reduce",
        )
        page = await context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        where = "" if person is None else f"#person={person.id}" + ("" if chat is None else f"&chat={chat}")
        await page.goto(f"{playground.url}/{where}")
        await page.locator("#chats [data-chat-id]").first.wait_for(state="attached")
        return page

    yield enter
    assert complaints == []


async def board(api: Api, chat: int) -> int:
    rows = keys(["❌", "·", "·"], ["·", "⭕", "·"], ["·", "·", "·"], ["Undo", "Hint", "Resign"])
    rows["inline_keyboard"][1][1]["style"] = "primary"
    share = "https://t.me/share/url?url=https%3A%2F%2Ft.me%2Foxo%3Fstart%3Dc1&text=Play%20me"
    long = {"text": "A label that is much too long for a button", "callback_data": "long"}
    rows["inline_keyboard"].append([long, {"text": "Share", "url": share}])
    text = "<b>Your turn</b>: see <b>/newgame</b> or example.org"
    sent = await api("sendMessage", chat_id=chat, text=text, parse_mode="HTML", reply_markup=rows)
    return int(sent["message_id"])


async def violations(page: Page) -> list[str]:
    """What axe finds, one line each: the rule and where it is broken."""
    await page.evaluate(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = await page.evaluate("axe.run({resultTypes: ['violations']}).then(({violations}) => violations)")
    return [f"{rule['id']}: {node['html'][:150]}" for rule in found for node in rule["nodes"]]


class Lively(NamedTuple):
    """A playground in which a little of everything has happened."""

    url: str
    ann: Person
    bo: Person
    group: Group
    forum: Group


@pytest.fixture
async def lively(api: Api, playground: Playground, ann: Person, bo: Person) -> Lively:
    group = playground.groups["noughts"]
    forum = playground.add_group("The Forum", [ann, bo], kind="forum")
    await api("setMyCommands", commands=[{"command": "newgame", "description": "Play"}])
    await ann.say("Where do you begin?", in_=forum, topic=forum.add_topic("Openings"))
    await bo.say("@ann_plays, see t.me/oxo_playground_bot", in_=group)
    await ann.say("/newgame")
    await board(api, ann.id)
    await api.refused("sendMessage", chat_id=17, text="to nobody")
    return Lively(playground.url, ann, bo, group, forum)


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(PHONE, "light", id="phone-light"),  # the one tour that a release needs
        pytest.param(PHONE, "dark", id="phone-dark", marks=pytest.mark.soak),
        pytest.param(DESKTOP, "light", id="desktop-light", marks=pytest.mark.soak),
        pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.soak),
    ],
)
async def test_axe_finds_nothing_anywhere(opened: Opened, lively: Lively, size: Json, scheme: str) -> None:
    url, ann, bo, group, forum = lively
    page = await opened(ann, size=size, scheme=scheme)
    look: list[tuple[str, list[str]]] = [("chats", await violations(page))]

    async def visit(name: str, chat: int, *clicks: str, write: str | None = None) -> None:
        await page.goto(f"{url}/#person={ann.id}&chat={chat}")
        await page.locator("#conversation").wait_for()
        if write is not None:
            await page.locator("#composer").fill(write)
            await page.locator("#suggestions [role=option]").first.wait_for()
        for selector in clicks:
            await page.locator(f"{selector}:visible").first.click()
        look.append((name, await violations(page)))
        for _ in range(2):
            await page.keyboard.press("Escape")
        await page.locator("#composer").fill("")

    await visit("board", ann.id)
    await visit("commands", ann.id, write="/")
    await visit("bot", ann.id, "#profile")
    await visit("group", group.id, write="@")
    await visit("profile of a group", group.id, "#profile")
    await visit("profile of a person", group.id, "#profile", f"[data-focus=member-{bo.id}]")
    await visit("forum", forum.id)
    await visit("topics", forum.id, "#profile")
    if size is PHONE:
        await visit("people", ann.id, "#acting")
    await visit("workshop", ann.id, "[data-open-drawer]", "#switches summary", "#calls summary")
    assert [(name, found) for name, found in look if found] == []


async def test_one_plays_by_keys_names_others_and_shares(
    opened: Opened, api: Api, ann: Person, playground: Playground
) -> None:
    message = await board(api, ann.id)
    await ann.say("/newgame")
    assert len(await api.updates()) == 1
    page = await opened(ann, ann.id)
    field, options = page.locator("#composer"), page.locator("#suggestions [role=option]")
    names = await page.locator(".board button").evaluate_all("(cells) => cells.map((cell) => cell.ariaLabel)")
    assert names[2:5] == ["row 1, column 3: empty", "row 2, column 1: empty", "row 2, column 2: O, highlighted"]
    stops = await page.locator(".keyboard button").evaluate_all("(all) => all.map((button) => button.tabIndex)")
    assert stops == [0, *[-1] * 8, 0, 0, 0, 0, 0]
    await page.locator(".board button").first.focus()
    for keys_pressed, focused in (
        (("Right", "Down", "Down", "Left", "Up", "Right", "Right"), "·"),
        (("Down",) * 2, "Resign"),
    ):
        for key in keys_pressed:
            await page.keyboard.press(f"Arrow{key}")
        assert await page.evaluate("document.activeElement.textContent") == focused
    await page.keyboard.press("Enter")
    (tapped,) = await api.updates(wait=5)
    assert tapped["callback_query"]["message"]["message_id"] == message
    await api("answerCallbackQuery", callback_query_id=tapped["callback_query"]["id"], text="Played")
    await page.locator("#toast", has_text="Played").wait_for()

    await page.locator(".text strong [data-command]").click()
    (update,) = await api.updates(wait=5)
    assert update["message"]["text"] == "/newgame"
    assert await page.locator(".text a").get_attribute("href") == "https://example.org"
    long = page.locator(".row button", has_text="too long")
    assert await long.evaluate("(node) => node.clientHeight") == 42
    assert await long.locator("span").evaluate("(node) => node.scrollWidth > node.clientWidth")

    await page.locator(".row button", has_text="Share").click()
    await page.locator("#picker button", has_text="The Noughts").click()
    await page.locator("#chat-title", has_text="The Noughts").wait_for()
    assert await field.input_value() == "https://t.me/oxo?start=c1\nPlay me"
    await field.fill("")
    await field.press_sequentially("/challenge@oxo_playground_bot @")
    assert [text.split("\n")[0] for text in await options.all_inner_texts()] == ["OXO", "小波", "Cem Öz"]
    await field.press_sequentially("xi")
    await field.press("Enter")
    await field.press_sequentially("or @Ce")
    await options.click()
    await field.press("Enter")
    (update,) = await api.updates(wait=5)
    assert update["message"]["text"] == "/challenge@oxo_playground_bot @xiao_bo or Cem Öz"
    marked = {entity["type"]: entity for entity in update["message"]["entities"]}
    assert marked["text_mention"]["user"]["id"] == playground.people["cem"].id
    assert "mention" in marked


@pytest.mark.soak
async def test_messages_stay_in_view_and_in_their_bubbles_and_nothing_moves(
    opened: Opened, api: Api, ann: Person, bo: Person, noughts: Group
) -> None:
    long = api.playground.add_person(LONG)
    noughts.add(long)
    told = {
        "📊 \u2068Ann\u2069 · همه": "rtl",
        "\u200f\u2068Ann\u2069": "rtl",
        "\u2068علی\u2069 wins": "ltr",
        "…": "ltr",
    }
    for text in (*"0123456789" * 2, *told):
        await api("sendMessage", chat_id=ann.id, text=text)
    page = await opened(ann, ann.id, size=PHONE)
    sides = await page.locator(".bubble .text").evaluate_all("(all) => all.map((node) => node.parentElement.dir)")
    assert sides[-4:] == [*told.values()]
    await page.locator(".bubble").last.evaluate("(node) => { node.style.minHeight = '300px'; }")
    left = "document.querySelector('#view').scrollHeight - view.scrollTop - view.clientHeight < 2"
    await page.wait_for_function(left)
    await page.locator("#acting").click()
    await page.locator(f"[data-focus=person-{bo.id}]").click()
    await page.wait_for_url(f"**person={bo.id}*")

    page = await opened(ann, noughts.id)
    places = "(all) => all.map((node) => JSON.stringify(node.getBoundingClientRect()))"
    before = await page.locator("#people button, #chats").evaluate_all(places)
    for person in (bo, long):
        await person.say("❌" * 60, in_=noughts)
    await page.locator(".person .badge").first.wait_for()
    assert await page.locator("#people button, #chats").evaluate_all(places) == before
    sticking_out = "(all) => all.filter((node) => node.scrollWidth > node.clientWidth).length"
    assert await page.locator(".bubble, #view").evaluate_all(sticking_out) == 0


@pytest.mark.soak
async def test_people_and_groups_are_made_and_changed(opened: Opened, ann: Person, noughts: Group) -> None:
    page = await opened(ann, noughts.id)
    sheet, title = page.locator("#sheet"), page.locator("#chat-title")

    async def fill(button: str, **fields: str) -> None:
        form = sheet.locator("form", has=page.get_by_role("button", name=button, exact=True)).last
        for label, value in fields.items():
            await form.get_by_label(label.replace("_", " "), exact=True).fill(value)
        await form.get_by_role("button", name=button).click()

    await page.locator("#me").click()
    await fill("Save", Username="xiao_bo")
    await page.locator("#toast", has_text="@xiao_bo is taken.").wait_for()
    await fill("Save", Last_name="Lee", Username="@ann_lee")
    await page.locator("#me", has_text="Ann Lee @ann_lee").wait_for()
    await page.keyboard.press("Escape")
    await page.locator("#profile").click()
    await fill("Rename", Name="The Crosses")
    await title.get_by_text("The Crosses").wait_for()
    await sheet.get_by_label("Muted").check()
    await noughts.changes.until(lambda: noughts.bot_status == "restricted" or None, 5, lambda: "it to be muted")
    await page.keyboard.press("Escape")

    await page.locator(".person.add").click()
    await fill("Add", First_name="Dee")
    await page.locator("[aria-pressed=true]", has_text="Dee").wait_for()
    await page.locator("#new").click()
    await sheet.get_by_label("Kind").select_option("forum")
    await fill("Create the group", Name="Openings")
    await title.get_by_text("Openings").wait_for()
    await page.locator("#profile").click()
    await fill("Add", New_topic="Corners")
    await sheet.get_by_label("Topic", exact=True).wait_for()
    await page.keyboard.press("Escape")
    await page.locator("#topics button", has_text="Corners").click()
    await page.locator("#composer").fill("hello")
    await page.locator("#composer").press("Enter")
    await page.locator("article .topic", has_text="Corners").wait_for()


@pytest.mark.soak
async def test_two_people_alone_have_a_chat_in_which_the_bot_can_be_called(
    opened: Opened, api: Api, ann: Person, bo: Person
) -> None:
    page = await opened(ann, ann.id)
    await page.locator("#new").click()
    await page.locator(f"[data-focus=meet-{bo.id}]").click()
    await page.locator("#chat-title", has_text="小波").wait_for()
    assert await page.locator("#commands").is_hidden()
    await page.locator("#composer").press_sequentially("@ox")
    await page.locator("#composer").press("Enter")
    await page.locator("#composer").press_sequentially("hard")
    queries: list[Json] = []
    while not queries or queries[-1]["query"] != "hard":
        queries += [update["inline_query"] for update in await api.updates(wait=5)]
    await api("answerInlineQuery", inline_query_id=queries[-1]["id"], results=[article()])
    await page.locator("#suggestions [role=option]", has_text="Challenge").click()
    await page.locator("article.out", has_text="via @oxo_playground_bot").wait_for()
    await page.locator("[data-person-id]", has_text="小波").click()
    await page.locator("article:not(.out)", has_text="Play?").wait_for()


@pytest.fixture
def process(playground: Playground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BotProcess:
    put(tmp_path, "import time; time.sleep(60)")
    monkeypatch.chdir(tmp_path)
    process = BotProcess({})
    playground.workshop.take_charge(process)
    return process


async def test_the_workshop_shows_calls_makes_trouble_moves_the_clock_and_stops_the_bot(
    opened: Opened, api: Api, ann: Person, playground: Playground, process: BotProcess
) -> None:
    await api.refused("sendMessage", chat_id=17, text="to nobody")
    page = await opened(ann, ann.id)
    await page.locator("#banner", has_text="OXO is stopped").wait_for()
    running = asyncio.create_task(process.keep_running())
    await page.locator("#banner").wait_for(state="hidden")
    await page.locator("#sidebar [data-open-drawer]").click()
    refused = page.locator("#calls li.refused", has_text="400: Bad Request: chat not found")
    await refused.locator("summary").click()
    assert '"text": "to nobody"' in await refused.locator("pre").first.inner_text()
    await api("sendMessage", chat_id=ann.id, text="to Ann")
    passed = page.locator("#calls li:not(.refused)", has_text="Ann · to Ann")
    await passed.locator(".took", has_text=" ms").wait_for()
    assert await refused.locator("details").get_attribute("open") is not None
    await page.locator("#switches summary").click()
    await page.get_by_label("Every third call is lost on its way").check()
    await page.get_by_label("The open chat takes five a minute").check()
    await page.locator("#switches summary", has_text="2 on").wait_for()
    assert playground.workshop.as_json()["flood"][3]["on"]

    before = await page.locator("#chats time").first.inner_text()
    for words in ("+1 day", "+1 hour", "+1 hour"):
        await page.get_by_role("button", name=words).click()
    await page.locator("#switches", has_text="The clock is 1 day 2 hours ahead").wait_for()
    assert await page.locator("#chats time").first.inner_text() != before, "a day ago it's told by its date"
    await page.get_by_role("button", name="Stop").click()
    await page.locator("#banner", has_text="OXO is stopped: what you send waits for it.").wait_for()
    await page.locator("#banner button", has_text="Start").click()
    await page.locator("#switches", has_text="OXO is running").wait_for()
    await page.locator("#banner").wait_for(state="hidden")
    await page.locator("#close-drawer").click()
    await page.locator("#drawer").wait_for(state="hidden")
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
