"""/settings: pages with a button for each setting and its values.

In a private chat it has a person's own choices, in a group those its administrators made for it.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from sqlalchemy import Connection

from bot.boards import zones
from bot.boards.buttons import Play, Setting, ShowBlocked, Unblock
from bot.boards.players import DIFFICULTIES, first_name, level_name, level_names
from bot.boards.rule_words import to_say
from bot.boards.rules import rules_name
from bot.boards.translations import folded, listed, understood
from bot.boards.view import DEFAULT, THEMES, Key, View, coded, in_rows, keyboard, quoted
from bot.context.acting import MEANINGLESS
from bot.context.feature import By, Command, Feature, Heading, HelpPage, Menus
from bot.context.requests import CommandRequest, Requester
from bot.game.attempt import NotAllowed, Refusal, Unclear
from bot.game.choices import First
from bot.game.new_game import DEFAULT_FIRST, DEFAULT_LEVEL, DEFAULT_RULES
from bot.language import LANGUAGES, N_, _, code_of, own_name, per_language, speaking
from engine import Level, Mark
from engine.rules.catalogue import MENU, is_offered_as
from storage.once import Repeated, take
from storage.people import blocks, chats, cups, people
from storage.results import results

AUTO: Final = "auto"
"""The value for the language of the person's Telegram."""
ON, OFF = "on", "off"
PRIVATE: Final = "private"
"""The value for reminders in one's own chat alone."""

RARE: Final = "more"
"""The name of the page with the settings that few people need."""


class Option(NamedTuple):
    """Something that is chosen in a chat or, if it is personal, by a person for themselves."""

    label: str
    values: tuple[str, ...]
    """As buttons carry them."""
    column: str
    """Of the chat, or of the person."""
    question: str = ""
    """What is asked above its values; one without a question is a switch."""
    default: str = OFF
    stored: Mapping[str, bool | None] = MappingProxyType({})
    """How values are stored that aren't stored as they are."""
    personal: bool = False
    is_more: bool = False
    """Whether it is on the second page."""
    of_groups: bool = False
    """Whether only groups have it."""
    words: str = ""
    """The kind of words that people type for it in their language, if not just its values."""

    def read(self, stored: str | bool | None) -> str:  # noqa: FBT001 - as it is stored
        found = (value for value, kept in self.stored.items() if kept is stored)
        return next(found, stored if isinstance(stored, str) else self.default)


SWITCH: Final = (ON, OFF)
YES_OR_NO: Final = MappingProxyType({ON: True, OFF: False})

SETTINGS: Final[Mapping[str, Option]] = {
    "board": Option(
        N_("Board"), MENU, "rules", N_("Which board for new games here?"), DEFAULT_RULES, words="rules"
    ),
    "level": Option(
        N_("Difficulty"),
        DIFFICULTIES,
        "level",
        N_("How strong should OXO be in new games here?"),
        DEFAULT_LEVEL,
        words="level",
    ),
    "first": Option(
        N_("First"), tuple(First), "first", N_("Who moves first in new games here?"), DEFAULT_FIRST, words="first"
    ),
    "language": Option(
        N_("Language"),
        (AUTO, *LANGUAGES),
        "language",
        N_("Which language should I speak?"),
        stored=MappingProxyType({AUTO: None}),
    ),
    "reminders": Option(
        N_("Turn reminders"),
        (ON, PRIVATE, OFF),
        "notices",
        N_("Send your board again when it's your turn and you're away?"),
        stored=MappingProxyType({ON: True, PRIVATE: None, OFF: False}),
        personal=True,
    ),
    "theme": Option(N_("Theme"), tuple(THEMES), "theme", N_("Which marks for new boards?"), DEFAULT),
    "text": Option(N_("Text boards"), SWITCH, "as_text", stored=YES_OR_NO, is_more=True),
    "comments": Option(
        N_("OXO's comments"), SWITCH, "no_comments", stored=MappingProxyType({ON: False, OFF: True}), is_more=True
    ),
    "timezone": Option(
        N_("Time zone"),
        zones.OFFERED_ZONES,
        "timezone",
        N_("Where is this group?"),
        zones.UTC_NAME,
        is_more=True,
        of_groups=True,
    ),
    "takebacks": Option(
        N_("Undo requests"),
        SWITCH,
        "takebacks",
        N_("Let opponents ask to undo a move?"),
        ON,
        stored=YES_OR_NO,
        personal=True,
        is_more=True,
    ),
    "hidden": Option(N_("My stats"), SWITCH, "hidden", stored=YES_OR_NO, personal=True, is_more=True),
}
"""All that can be set, in the order of its buttons: each has a row, except that the last one of the first page
shares it with the button to the second."""
OF_NEW_BOARDS: Final = ("board", "level", "first", "theme", "text")
"""What boards that are here already keep."""


@per_language
def names() -> Mapping[str, str]:
    """The settings by what people may type for them, in English and in a language, folded."""
    labels = {folded(_(option.label)): name for name, option in SETTINGS.items()}
    return {**labels, **{name: name for name in SETTINGS}}


@per_language
def values(name: str) -> Mapping[str, str]:
    """The values of a setting (other than boards and levels) by what people may type for them, folded."""
    said = {_("on"): ON, _("off"): OFF, _("in our chat"): PRIVATE}
    if name == "language":
        said = {_("Automatic"): AUTO, **{own_name(code): code for code in LANGUAGES}}
    elif name == "hidden":
        said |= {_("hidden"): ON, _("public"): OFF}
    known = {value: value for value in SETTINGS[name].values}
    return known | {folded(word): value for word, value in said.items() if value in known}


class Chosen(NamedTuple):
    """The present value of each setting; personal ones are missing in a group."""

    values: Mapping[str, str]
    telegram: str = "en"
    """The language of the person's Telegram, if the bot speaks it."""
    blocked: int = 0
    """How many people the person has blocked."""

    @property
    def in_group(self) -> bool:
        return "reminders" not in self.values


def settings_page(chosen: Chosen, name: str = "") -> View:
    """The first page, the second one, or that of one setting."""
    if name in SETTINGS and SETTINGS[name].question:
        return _page_of(name, chosen)
    return _overview(chosen, is_more=name == RARE)


def page_after(name: str) -> str:
    """The page to show after a setting was changed."""
    return RARE if SETTINGS[name].is_more else ""


def setting_label(name: str, value: str, chosen: Chosen) -> str:
    """The label of a setting with its value, as plain text."""
    shown = _shown(name, value, chosen)
    return _("{setting}: {value}").format(setting=_(SETTINGS[name].label), value=shown)


def complaint(words: str, *, in_group: bool) -> str:
    """The reply to an unknown setting, or to a missing or unknown value: which ones there are."""
    offered = [
        name for name, option in SETTINGS.items() if not (option.personal if in_group else option.of_groups)
    ]
    name, value = (*words.split(" ", 1), "")[:2]
    is_known = _is_known(name, in_group=in_group)
    strange = _("I don't know the word {word}.").format(word=quoted(value if is_known else words))
    offered = [name] if is_known else offered
    said = {each: to_say() if each == "board" else map(str, SETTINGS[each].values) for each in offered}
    lines = [f"<code>/settings {each}</code> {listed(values)}" for each, values in said.items()]
    return "\n".join(lines if [words] == offered else [strange, *lines])


def _overview(chosen: Chosen, *, is_more: bool) -> View:
    head = _("⚙️ <b>Settings of this group</b>") if chosen.in_group else _("⚙️ <b>Your settings</b>")
    hint = _("Tap to change. Boards already here keep their rules, theme and language.")
    rows = []
    for name, option in SETTINGS.items():
        if option.is_more is is_more and (value := chosen.values.get(name)) is not None:
            other = "" if option.values != SWITCH else OFF if value == ON else ON
            rows.append([Key(setting_label(name, value, chosen), Setting(name, other))])
    if is_more:
        if not chosen.in_group:
            rows.append([Key(_("Blocked: {count}").format(count=chosen.blocked), ShowBlocked())])
        rows.append([Key(_("‹ Back"), Setting())])
    else:
        rows[-1].append(Key(_("More ›"), Setting(RARE)))
    return View(f"{head}\n{hint}", keyboard(rows))


def _page_of(name: str, chosen: Chosen) -> View:
    made, now = [], chosen.values.get(name, "")
    # The present board may be one that menus leave out; the likeliest languages come first.
    likely = (AUTO, now, chosen.telegram, "en") if name == "language" else ()
    for value in dict.fromkeys((*likely, *SETTINGS[name].values, now)):
        label = _shown(name, value, chosen)
        carries = Setting(name, value)
        made.append(Key(f"✓ {label}", carries, "primary") if value == now else Key(label, carries))
    rows = in_rows(made)
    rows.append([Key(_("‹ Back"), Setting(page_after(name)))])
    head = f"⚙️ <b>{_(SETTINGS[name].question)}</b>"
    if name == "timezone":
        head = f"{head}\n{zones.other_zone('Europe/Paris')}"
    return View(head, keyboard(rows))


def _shown(name: str, value: str, chosen: Chosen) -> str:
    """A value in words; the strongest level is named as for the chosen board."""
    match name:
        case "board":
            return rules_name(value)
        case "level":
            return level_name(value, chosen.values["board"])
        case "first":
            return first_name(value, in_group=chosen.in_group)
        case "theme":
            return f"{THEMES[value][Mark.X]} {THEMES[value][Mark.O]}"
        case "language":
            return _("Automatic") if value == AUTO else own_name(value)
        case "timezone":
            return zones.city(value)
        case "hidden":
            return _("hidden") if value == ON else _("public")
        case "reminders" if value == PRIVATE:
            return _("in our chat")
    return _("on") if value == ON else _("off")


async def show(request: CommandRequest) -> None:
    """Show the settings of this chat, or save one from the words that name it."""
    words = request.args
    said, name = next(understood(words, names().get), ("", ""))
    await _answer(request, name or said.lower(), words[len(said.split()) :])


async def show_one(request: CommandRequest, name: str) -> None:
    """Show one setting, or save it from the words that name its value."""
    await _answer(request, name, request.args)


async def text(request: CommandRequest) -> None:
    """Draw new boards here as text or, if they are, with buttons again; or as a word says."""
    chat = await request.services.store.read(chats.load, chat_id=request.chat_id)
    await _answer(request, "text", request.args or [OFF if chat.as_text else ON])


async def tapped(requester: Requester, setting: Setting) -> str | None:
    """Turn to a page, or save a choice and show it; returns a confirmation."""
    name, value = setting.name, setting.value
    if not requester.chat_id or name not in ("", RARE, *SETTINGS):
        return MEANINGLESS
    if not value and not requester.is_at(Setting, Unblock):
        return MEANINGLESS  # a page is turned where one is shown
    await _permit(requester, name)
    if value:
        if not _is_offered(name, value, in_group=not requester.is_private):
            return MEANINGLESS
        await _save(requester, name, value)
    # What is spoken may just have been chosen.
    chosen = await _chosen(requester, name)
    # A personal choice made in a group leaves the message as it is for the others.
    if requester.is_at(Setting) and (requester.is_private or not _is_personal(name)):
        with speaking(requester.language_here):
            requester.show_instead(settings_page(chosen, page_after(name) if value else name))
    if not value:
        return None
    with speaking(requester.services.languages.of(requester.user)):
        return setting_label(name, chosen.values.get(name, value), chosen)


async def _answer(request: CommandRequest, name: str, words: Sequence[str]) -> None:
    if words or request.as_chat:
        await _permit(request, name)
    if name and (words or not _is_known(name, in_group=not request.is_private) or not SETTINGS[name].question):
        value = " ".join(words)
        if name in SETTINGS and (kind := SETTINGS[name].words):
            value = request.read(words, kind)[kind]
        elif name == "timezone":
            value = zones.zone_named(value) or value
        elif name in SETTINGS:
            value = values(name).get(folded(value), value.lower())
        if not _is_offered(name, value, in_group=not request.is_private):
            raise Unclear(complaint(" ".join((name, *words)), in_group=not request.is_private))
        await _save(request, name, value)
        chosen = await _chosen(request, name)
        with speaking(request.language_here):
            below = keyboard([[Key(_("New game"), Play())]]) if name in OF_NEW_BOARDS else None
            request.reply(View(setting_label(name, chosen.values.get(name, value), chosen), below))
    else:
        request.reply(settings_page(await _chosen(request, name), name))


async def _permit(requester: Requester, name: str) -> None:
    """Refuse a choice that a person may not make: administrators do for a group, everybody for themselves."""
    if requester.is_private or _is_personal(name):
        if requester.as_chat:
            raise NotAllowed(Refusal.ANONYMOUS)
    else:
        await requester.need_admin()


def _is_personal(name: str) -> bool:
    return name in SETTINGS and SETTINGS[name].personal


def _is_known(name: str, *, in_group: bool) -> bool:
    return name in SETTINGS and (in_group or not SETTINGS[name].of_groups)


def _is_offered(name: str, value: str, *, in_group: bool) -> bool:
    if not _is_known(name, in_group=in_group):
        return False
    match name:
        case "board":
            return is_offered_as(value)
        case "timezone":
            return zones.zone_named(value) == value
    return value in SETTINGS[name].values


async def _save(requester: Requester, name: str, value: str) -> None:
    services = requester.services
    with suppress(Repeated):
        await services.store.run(_choose, requester=requester, name=name, value=value)
    before = results.ABOVE_ALL if name == "hidden" else None
    while before is not None:
        person, now = requester.player.id, int(time.time())
        shown, before = await services.store.run(results.clear_shown, person=person, now=now, before=before)
        services.boards.show_all(shown)
    if name == "language":
        chat = await services.store.read(chats.load, chat_id=requester.chat_id)
        services.languages.choose(requester.chat_id, chat.language)


def _choose(connection: Connection, *, requester: Requester, name: str, value: str) -> None:
    person, option = requester.player, SETTINGS[name]
    stored = option.stored.get(value, value)
    take(connection, requester.once)
    if name == "timezone":
        _keep_hour(connection, requester.chat_id, value)
    if not option.personal:
        chats.choose(connection, requester.chat_id, {option.column: stored})
    elif name == "hidden" and stored:
        results.hide(connection, person)
    else:
        people.choose(connection, person, option.column, is_so=option.stored[value])


def _keep_hour(connection: Connection, chat_id: int, zone: str) -> None:
    """Let the cup that a group has planned begin at the same hour by its new clocks, unless that has been."""
    before, now = chats.load_or_add(connection, chat_id).timezone, int(time.time())
    chats.lock(connection, chat_id)
    if (planned := cups.plan(connection, chat_id)) is None:
        return
    at = zones.same_hour(planned.at, before, zone)
    at = zones.weeks_later(at, now, zone) if planned.is_weekly else at
    if at > now:
        cups.save_plan(connection, planned._replace(at=at))


async def _chosen(requester: Requester, name: str) -> Chosen:
    """The settings of a chat; with personal ones in a private chat, or if they were asked for by name."""
    person = requester.user.id if requester.is_private or _is_personal(name) else None
    chosen = await requester.services.store.read(_read, chat_id=requester.chat_id, person=person)
    return chosen._replace(telegram=code_of(requester.user.language_code) or "en")


def _read(connection: Connection, *, chat_id: int, person: int | None) -> Chosen:
    chat = chats.load(connection, chat_id)
    values = {
        name: option.read(getattr(chat, option.column))
        for name, option in SETTINGS.items()
        if not option.personal and not (option.of_groups and chat_id > 0)
    }
    if person is not None:
        for name, option in SETTINGS.items():
            if option.personal:
                values[name] = option.read(people.chosen(connection, person, option.column))
    return Chosen(values, blocked=0 if person is None else blocks.count(connection, person))


def _help() -> str:
    return _(
        "<b>/settings</b>: board, theme, language and more. In groups, admins choose.\n"
        "<b>/difficulty</b>: {levels}\n"
        "<b>/first</b>: {firsts}\n"
        "<b>/notify</b>: {notices}\n"
        "<b>/takebacks</b>: {switch}\n"
        "For one game: <code>/newgame {level} {first}</code>\n"
        "<b>/text</b>: boards as text, to play by typing."
    ).format(
        levels=coded(level_names()),
        firsts=coded(first_name(first) for first in First),
        notices=coded((_("on"), _("in our chat"), _("off"))),
        switch=coded((_("on"), _("off"))),
        level=level_name(Level.HARD),
        first=first_name(First.RANDOM),
    )


_BY: Final = By.ADMINISTRATORS
FEATURE: Final = Feature(
    heading=Heading.SETTINGS,
    commands=[
        Command("settings", show, N_("Settings"), Menus.BOTH, _BY),
        Command("difficulty", partial(show_one, name="level"), N_("Difficulty"), by=_BY),
        Command("first", partial(show_one, name="first"), N_("Who moves first"), by=_BY),
        Command("notify", partial(show_one, name="reminders"), N_("Turn reminders"), by=_BY),
        Command("takebacks", partial(show_one, name="takebacks"), N_("Undo requests"), by=_BY),
        Command("text", text, N_("Boards as text"), by=_BY),
    ],
    taps={Setting: tapped},
    helps={
        HelpPage.CHOICES: _help,
        HelpPage.RESULTS: lambda: _(
            "<code>/settings hidden {on}</code> hides your stats. <b>/privacy</b> shows what I keep."
        ).format(on=_("on")),
    },
)
