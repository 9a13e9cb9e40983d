"""What a process remembers: a chat's administrators, and double taps."""

import asyncio
from typing import cast

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
from bot.context.services import DOUBLE_SECONDS, Admins, DoubleTaps

ANN, BO = User(1, "Ann", is_bot=False), User(2, "Bo", is_bot=False)
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


async def test_a_telegram_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "ASK_SECONDS", 0.01)
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
