"""What a process remembers: a chat's administrators, double taps, and chosen languages."""

import asyncio
from functools import partial
from typing import Any, cast

import pytest
from telegram import (
    Bot,
    ChatMember,
    ChatMemberAdministrator,
    ChatMemberLeft,
    ChatMemberMember,
    ChatMemberOwner,
    User,
)
from telegram.error import BadRequest

from bot.context import services
from bot.context.services import DOUBLE_SECONDS, Admins, DoubleTaps, Languages
from bot.introduction import _languages
from bot.language import LANGUAGES
from bot.recent import Recent
from storage.store import Store

ANN, BO = User(1, "Ann", is_bot=False, language_code="en-GB"), User(2, "Bo", is_bot=False)
OWNER = ChatMemberOwner(ANN, is_anonymous=False)
ADMINISTRATOR = ChatMemberAdministrator(ANN, *(True,) * 12)


class Telegram:
    """A Telegram that knows one chat."""

    def __init__(self, member: ChatMember | None, *listed: ChatMember, answers: bool = True) -> None:
        self.member = member
        self.listed = listed
        self.asked = 0
        self.answers = answers

    async def get_chat_member(self, chat_id: int, user_id: int) -> ChatMember:
        assert (chat_id, user_id) == (-100, 1)
        self.asked += 1
        await asyncio.sleep(0 if self.answers else 60)
        if self.member is None:
            raise BadRequest("member list is inaccessible")
        return self.member

    async def get_chat_administrators(self, chat_id: int) -> tuple[ChatMember, ...]:
        assert chat_id == -100
        if not self.listed:
            raise BadRequest("member list is inaccessible")
        return self.listed

    @property
    def admins(self) -> Admins:
        return Admins(cast("Bot", self))


@pytest.mark.parametrize(
    ("member", "listed", "is_admin"),
    [
        (OWNER, [], True),
        (ADMINISTRATOR, [], True),
        (ChatMemberMember(ANN), [], False),
        (None, [], None),
        (None, [ChatMemberOwner(ANN, is_anonymous=True)], True),
        (ChatMemberLeft(ANN), [ChatMemberOwner(ANN, is_anonymous=True)], True),
        (ChatMemberLeft(ANN), [ChatMemberOwner(BO, is_anonymous=False)], None),
    ],
    ids=["owner", "administrator", "member", "unknown", "in the list", "left, but in the list", "left"],
)
async def test_owners_and_administrators_may_tidy_up_and_telegram_is_asked_once(
    member: ChatMember | None, listed: list[ChatMember], *, is_admin: bool | None
) -> None:
    telegram = Telegram(member, *listed)
    known = telegram.admins
    assert await asyncio.gather(*(known.is_admin(-100, 1) for _ in range(200))) == [is_admin] * 200
    assert await known.is_admin(-100, 1) is is_admin
    assert telegram.asked == 1, "the answer is cached, a missing one too"


async def test_a_telegram_that_does_not_answer_is_not_waited_for_nor_one_that_answers_null(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    telegram = Telegram(OWNER)
    monkeypatch.setattr(telegram, "get_chat_member", partial(ChatMember.de_json, cast("dict[str, Any]", None)))
    assert await telegram.admins.is_admin(-100, 1) is None
    monkeypatch.setattr(services, "ADMINS_SECONDS", 0.01)
    assert await Telegram(OWNER, answers=False).admins.is_admin(-100, 1) is None


@pytest.mark.parametrize(
    ("name", "before"),
    [("GOOD_SECONDS", ChatMemberMember(ANN)), ("MISSING_SECONDS", None)],
    ids=["said", "not said"],
)
async def test_telegram_is_asked_again_once_an_answer_is_too_old(
    name: str, before: ChatMember | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, name, 0.0)
    telegram = Telegram(before)
    known = telegram.admins
    assert not await known.is_admin(-100, 1)
    telegram.member = OWNER
    await asyncio.sleep(0.01)
    assert await known.is_admin(-100, 1)


def test_what_follows_the_same_persons_tap_within_half_a_second_is_one_gesture() -> None:
    taps = DoubleTaps()
    assert not taps.is_second(7, ANN.id, 100.0)
    taps.note(7, ANN.id, 100.0)
    assert taps.is_second(7, ANN.id, 100.3)
    assert not taps.is_second(7, ANN.id, 100.0 + DOUBLE_SECONDS)
    assert not taps.is_second(8, ANN.id, 100.3), "another game"
    assert not taps.is_second(7, BO.id, 100.1)
    taps.note(7, BO.id, 100.1)
    assert not taps.is_second(7, ANN.id, 100.2), "Bo's taps don't make Ann's a double tap"


# A mapping that drops the entry set longest ago (`bot/recent.py`).


def test_what_was_set_longest_ago_makes_room_for_the_next() -> None:
    recent: Recent[str, int] = Recent(2)
    for key in "abac":
        recent[key] = ord(key)
    assert list(recent) == ["a", "c"]


def test_reading_keeps_nothing_and_setting_the_same_value_again_does() -> None:
    recent: Recent[str, int] = Recent(2)
    recent["a"] = recent["b"] = 1
    assert recent.get("a") == recent.setdefault("a", 5) == 1
    assert recent.setdefault("c", 7) == 7
    assert list(recent) == ["b", "c"]


# The language: the chat's choice, else the person's, else Telegram's, else the host's.


GROUP = -5
STRANGER = User(3, "Dee", is_bot=False, language_code="vo")


@pytest.mark.parametrize(
    ("chosen", "user", "chat", "spoken"),
    [
        ([], ANN, None, "en-GB"),
        *(([(ANN.id, "zh")], ANN, chat, "zh") for chat in (None, ANN.id, GROUP)),
        ([(ANN.id, "zh"), (ANN.id, None)], ANN, None, "en-GB"),
        *(([(ANN.id, "en"), (GROUP, "zh")], user, GROUP, "zh") for user in (ANN, None)),
        ([(ANN.id, "en"), (GROUP, "zh")], ANN, None, "en"),
        *(([], user, None, "de") for user in (BO, STRANGER, None)),
    ],
)
def test_a_chats_choice_is_spoken_and_else_the_persons_or_telegrams_and_else_the_hosts(
    chosen: list[tuple[int, str | None]], user: User | None, chat: int | None, spoken: str
) -> None:
    languages = Languages("de")
    for whose, language in chosen:
        languages.choose(whose, language)
    assert languages.of(user, chat) == spoken


async def test_a_choice_made_while_the_choices_are_read_is_kept() -> None:
    languages = Languages("en")
    languages.choose(GROUP, "de")

    class Slow:
        async def read(self, _work: object) -> dict[int, str]:
            languages.choose(ANN.id, "zh")
            languages.choose(GROUP, None)
            return {GROUP: "de"}

    await languages.read(cast(Store, Slow()))
    assert languages.of(ANN) == "zh"
    assert languages.of(None, GROUP) == "en"


def test_telegram_is_told_of_every_language_by_two_letters_and_the_hosts_for_all_others() -> None:
    spoken = {code: code for code in LANGUAGES if code != "en" and len(code) == 2}  # not zh-hant
    assert _languages("en") == {"": "en", **spoken}
    assert _languages("zh")["en"] == "en"
    assert _languages("zh")[""] == "zh"
    assert all(len(code) in {0, 2} for code in _languages("en"))
