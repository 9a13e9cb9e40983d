"""/settings: pages with a button for each setting and its values.

In a private chat it has a person's own choices, in a group those its administrators made for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cache
from gettext import NullTranslations
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import rule_words
from bot.boards.buttons import Setting
from bot.boards.players import DIFFICULTIES, first_name, level_name
from bot.boards.refusals import REFUSALS
from bot.boards.rule_words import WordError, to_say
from bot.boards.rules import rules_name
from bot.boards.translations import LANGUAGES, N_, code_of, folded, listed, own_name, understood
from bot.boards.view import DEFAULT, THEMES, View, button, keyboard, quoted
from bot.context.acting import MEANINGLESS
from bot.context.requests import NOBODY, CommandRequest, Requester
from bot.delivery.entries import OutgoingMessage
from bot.game.attempt import Refusal
from bot.game.new_game import DEFAULT_FIRST, DEFAULT_LEVEL, DEFAULT_RULES, First
from engine import Mark
from engine.rules.catalogue import MENU, is_offered_as
from storage.games.versions import Stored
from storage.people import chats, people
from storage.results import hiding

AUTO: Final = "auto"
"""The value for the language of the person's Telegram."""
ON, OFF = "on", "off"

MORE: Final = "more"
"""The name of the page with the settings that few people need."""

LABELS: Final = {
    "board": N_("Board"),
    "level": N_("Difficulty"),
    "first": N_("First"),
    "theme": N_("Theme"),
    "language": N_("Language"),
    "reminders": N_("Turn reminders"),
    "text": N_("Text boards"),
    "comments": N_("OXO's comments"),
    "takebacks": N_("Takebacks"),
    "hidden": N_("Hide my stats"),
}
QUESTIONS: Final = {
    "board": N_("Which board for new games here?"),
    "level": N_("How strong should OXO be in new games here?"),
    "first": N_("Who moves first in new games here?"),
    "theme": N_("Which marks for new boards?"),
    "language": N_("Which language should I speak?"),
    "reminders": N_("Send you the board again when it's your turn and you aren't looking?"),
    "takebacks": N_("Allow opponents to ask for a takeback?"),
}
"""The questions above the values."""

_LAYOUT: Final = (("board",), ("level",), ("first",), ("language",), ("reminders",), ("theme", MORE))
_LAYOUT_OF_MORE: Final = (("text",), ("comments",), ("takebacks",), ("hidden",))
"""The rows of buttons on each page; a setting with its value has room in a row of its own."""

PERSONAL: Final = frozenset({"reminders", "takebacks", "hidden"})
"""Personal settings, which the page of a group doesn't show."""

PAGES: Final = frozenset({"board", "level", "first", "theme", "language"})
"""Settings with more than two values; the others are switches."""

VALUES: Final = {
    "board": MENU,
    "level": DIFFICULTIES,
    "first": tuple(First),
    "theme": tuple(THEMES),
    "language": (AUTO, *LANGUAGES),
    "reminders": (ON, OFF),
    "text": (ON, OFF),
    "comments": (ON, OFF),
    "takebacks": (ON, OFF),
    "hidden": (ON, OFF),
}
"""The values of each setting, as buttons carry them."""


@cache
def names(t: NullTranslations) -> Mapping[str, str]:
    """The settings by what people may type for them, in English and in a language, folded."""
    labels = {folded(t.gettext(label)): name for name, label in LABELS.items()}
    return {**labels, **{name: name for name in LABELS}}


@cache
def values(name: str, t: NullTranslations) -> Mapping[str, str]:
    """The values of a setting (other than boards and levels) by what people may type for them, folded."""
    said = {t.gettext("on"): ON, t.gettext("off"): OFF}
    if name == "language":
        said = {t.gettext("Automatic"): AUTO, **{own_name(code): code for code in LANGUAGES}}
    known = {value: value for value in VALUES[name]}
    return known | {folded(word): value for word, value in said.items() if value in known}


class Chosen(NamedTuple):
    """The present value of each setting, as in `VALUES`; personal ones are None in a group."""

    board: str
    level: str
    first: str
    theme: str
    text: str
    comments: str
    """Whether OXO comments on its moves."""
    language: str
    reminders: str | None = None
    takebacks: str | None = None
    hidden: str | None = None
    """Whether the person's results are hidden from others."""
    telegram: str = "en"
    """The language of the person's Telegram, if the bot speaks it."""

    @property
    def in_group(self) -> bool:
        return self.reminders is None

    def value(self, name: str) -> str | None:
        return self._asdict().get(name)


def settings_page(chosen: Chosen, t: NullTranslations, name: str = "") -> View:
    """The first page, the second one, or that of one setting."""
    return _page_of(name, chosen, t) if name in QUESTIONS else _overview(chosen, t, is_more=name == MORE)


def page_after(name: str) -> str:
    """The page to show after a setting was changed."""
    return MORE if any(name in row for row in _LAYOUT_OF_MORE) else ""


def said(name: str, value: str, t: NullTranslations, chosen: Chosen) -> str:
    """The label of a setting with its value, as plain text."""
    shown = _shown(name, value, t, chosen)
    return t.gettext("{setting}: {value}").format(setting=t.gettext(LABELS[name]), value=shown)


def complaint(words: str, t: NullTranslations, *, in_group: bool) -> str:
    """The reply to an unknown setting, or to a missing or unknown value: which ones there are."""
    offered = [name for name in LABELS if not (in_group and name in PERSONAL)]
    name, _, value = words.partition(" ")
    strange = t.gettext("I don't know the word {word}.").format(word=quoted(value if name in VALUES else words))
    offered = [name] if name in VALUES else offered
    values = {**VALUES, "board": to_say(t)}
    lines = [f"<code>/settings {name}</code> {listed(t, map(str, values[name]))}" for name in offered]
    return "\n".join(lines if [words] == offered else [strange, *lines])


def _overview(chosen: Chosen, t: NullTranslations, *, is_more: bool) -> View:
    head = t.gettext("⚙️ <b>Settings of this group</b>") if chosen.in_group else t.gettext("⚙️ <b>Your settings</b>")
    hint = t.gettext("Tap to change. It applies to new boards.")
    rows = []
    for names in _LAYOUT_OF_MORE if is_more else _LAYOUT:
        row = []
        for name in names:
            if name == MORE:
                row.append(button(t.gettext("More ›"), Setting(MORE)))
            elif (value := chosen.value(name)) is not None:
                other = "" if name in PAGES else OFF if value == ON else ON
                row.append(button(said(name, value, t, chosen), Setting(name, other)))
        rows.append(row)
    if is_more:
        rows.append([button(t.gettext("‹ Back"), Setting())])
    return View(f"{head}\n{hint}", keyboard([row for row in rows if row]))


def _page_of(name: str, chosen: Chosen, t: NullTranslations) -> View:
    made = []
    # The present board may be one that menus leave out; the likeliest languages come first.
    likely = (AUTO, chosen.language, chosen.telegram, "en") if name == "language" else ()
    for value in dict.fromkeys((*likely, *VALUES[name], chosen.value(name) or "")):
        label = _shown(name, value, t, chosen)
        carries = Setting(name, value)
        now = value == chosen.value(name)
        made.append(button(f"✓ {label}", carries, "primary") if now else button(label, carries))
    rows = [made[start : start + 2] for start in range(0, len(made), 2)]
    rows.append([button(t.gettext("‹ Back"), Setting(page_after(name)))])
    return View(f"⚙️ <b>{t.gettext(QUESTIONS[name])}</b>", keyboard(rows))


def _shown(name: str, value: str, t: NullTranslations, chosen: Chosen) -> str:
    """A value in words; the strongest level is named as for the chosen board."""
    match name:
        case "board":
            return rules_name(value, t)
        case "level":
            return level_name(value, t, chosen.board)
        case "first":
            return first_name(value, t, in_group=chosen.in_group)
        case "theme":
            return f"{THEMES[value][Mark.X]} {THEMES[value][Mark.O]}"
        case "language":
            return t.gettext("Automatic") if value == AUTO else own_name(value)
    return t.gettext("on") if value == ON else t.gettext("off")


ADMINISTRATORS_ONLY: Final = N_("In a group, only admins can change this.")

_KINDS: Final = {"board": "rules", "level": "level", "first": "first"}
"""The settings whose values people type in their own language, each with its kind of words."""


async def show(request: CommandRequest) -> None:
    """Show the settings of this chat, or save one from the words that name it."""
    words = request.args
    said, name = next(understood(words, names(request.t).get), ("", ""))
    await _answer(request, name or said.lower(), words[len(said.split()) :])


def part(name: str) -> Callable[[CommandRequest], Coroutine[None, None, None]]:
    """The handler of a command that shows one setting, or saves it."""

    async def command(request: CommandRequest) -> None:
        await _answer(request, name, request.args)

    return command


async def tapped(requester: Requester, setting: Setting) -> str | None:
    """Turn to a page, or save a choice and show it; returns a confirmation."""
    where, services = requester.where, requester.services
    name, value = setting.name, setting.value
    if where.chat_id is None or where.message_id is None or name not in ("", MORE, *VALUES):
        return MEANINGLESS
    if not value and not isinstance(requester.shown, Setting):
        return MEANINGLESS  # a page is turned where one is shown
    if refusal := await _refusal(requester, where.chat_id, name):
        return refusal
    if value:
        if not _is_offered(name, value):
            return MEANINGLESS
        await _save(requester, name, value)
    chosen = await _chosen(requester, where.chat_id, name)
    # A personal choice made in a group leaves the message as it is for the others.
    if isinstance(requester.shown, Setting) and (where.chat_id > 0 or name not in PERSONAL):
        page = settings_page(chosen, requester.t_here, page_after(name) if value else name)
        services.publisher.say(OutgoingMessage(where.chat_id, page, message_id=where.message_id))
    return said(name, chosen.value(name) or value, requester.t, chosen) if value else None


async def _answer(request: CommandRequest, name: str, words: Sequence[str]) -> None:
    requester, t = request.requester, request.t
    if (words or requester.as_chat) and (refusal := await _refusal(requester, request.chat_id, name)):
        request.reply(t.gettext(refusal))
    elif name and (words or name not in QUESTIONS):
        value = " ".join(words)
        if (kind := _KINDS.get(name)) is not None:
            try:
                value = rule_words.read(words, t, kind)[kind]
            except WordError as error:
                request.reply(rule_words.complaint(error, t, kind))
                return
        elif name in VALUES:
            value = values(name, t).get(folded(value), value.lower())
        if not _is_offered(name, value):
            request.reply(complaint(" ".join((name, *words)), t, in_group=not request.is_private))
            return
        await _save(requester, name, value)
        chosen = await _chosen(requester, request.chat_id, name)
        request.reply(said(name, chosen.value(name) or value, request.t, chosen))
    else:
        request.reply(settings_page(await _chosen(requester, request.chat_id, name), t, name))


async def _refusal(requester: Requester, chat_id: int, name: str) -> str | None:
    """Why a person may not make a choice: administrators do for a group, everybody for themselves."""
    if chat_id > 0 or name in PERSONAL:
        return NOBODY if requester.as_chat else None
    is_admin = await requester.is_admin()
    return REFUSALS[Refusal.UNKNOWN] if is_admin is None else None if is_admin else ADMINISTRATORS_ONLY


def _is_offered(name: str, value: str) -> bool:
    return is_offered_as(value) if name == "board" else value in VALUES.get(name, ())


async def _save(requester: Requester, name: str, value: str) -> None:
    services = requester.services
    services.publisher.show_all(await services.store.run(_choose, requester=requester, name=name, value=value))
    if name == "language" and (chat_id := requester.where.chat_id) is not None:
        chat = await services.store.read(chats.load, chat_id=chat_id)
        services.languages.choose(chat_id, chat.language)


def _choose(connection: Connection, *, requester: Requester, name: str, value: str) -> Sequence[Stored]:
    person = requester.player
    if name in PERSONAL and not chats.takes_turn(connection, person.id, name, requester.update_id):
        return ()
    match name:
        case "reminders":
            people.choose(connection, person, notices=value == ON)
        case "takebacks":
            people.choose(connection, person, takebacks=value == ON)
        case "hidden":
            if value == ON:
                return hiding.hide(connection, person, int(time.time()))
            hiding.unhide(connection, person)
        case _:
            column = {"board": "rules", "text": "as_text", "comments": "silent"}.get(name, name)
            stored = {
                "text": value == ON,
                "comments": value == OFF,
                "language": None if value == AUTO else value,
            }.get(name, value)
            chats.choose(connection, requester.where.chat_id or 0, {column: stored}, requester.update_id)
    return ()


async def _chosen(requester: Requester, chat_id: int, name: str) -> Chosen:
    """The settings of a chat; with personal ones in a private chat, or if they were asked for by name."""
    personal = chat_id > 0 or name in PERSONAL
    chosen = await requester.services.store.read(
        _read, chat_id=chat_id, person=requester.user.id if personal else None
    )
    return chosen._replace(telegram=code_of(requester.user.language_code) or "en")


def _read(connection: Connection, *, chat_id: int, person: int | None) -> Chosen:
    chat = chats.load(connection, chat_id)
    here = Chosen(
        board=chat.rules or DEFAULT_RULES,
        level=chat.level or DEFAULT_LEVEL,
        first=chat.first or DEFAULT_FIRST,
        theme=chat.theme or DEFAULT,
        text=ON if chat.as_text else OFF,
        comments=OFF if chat.silent else ON,
        language=chat.language or AUTO,
    )
    if person is None:
        return here
    return here._replace(
        reminders=ON if people.wants_notices(connection, person, in_group=chat_id < 0) else OFF,
        takebacks=ON if people.allows_takebacks(connection, person) else OFF,
        hidden=ON if people.is_hidden(connection, person) else OFF,
    )
