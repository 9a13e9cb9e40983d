"""A chat's administrators: fetched from Telegram once a minute, with a short timeout."""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

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
from bot.context.services import Admins

ANN = User(1, "Ann", is_bot=False)
RIGHTS: Final[dict[str, Any]] = dict.fromkeys(
    (
        *("can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats"),
        *("can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users"),
        *("can_post_stories", "can_edit_stories", "can_delete_stories"),
    ),
    True,
)


class Telegram:
    """A Telegram that knows one chat."""

    def __init__(self, member: ChatMember | None) -> None:
        self.member = member
        self.listed: list[ChatMember] | None = None
        self.asked = 0
        self.answers = asyncio.Event()
        self.answers.set()

    async def get_chat_member(self, chat_id: int, user_id: int) -> ChatMember:
        """A member of the chat, once Telegram answers."""
        assert (chat_id, user_id) == (-100, 1)
        self.asked += 1
        await self.answers.wait()
        if self.member is None:
            raise BadRequest("member list is inaccessible")
        return self.member

    async def get_chat_administrators(self, chat_id: int) -> list[ChatMember]:
        """The administrators whom Telegram lists."""
        assert chat_id == -100
        if self.listed is None:
            raise BadRequest("member list is inaccessible")
        return self.listed

    @property
    def bot(self) -> Bot:
        """This Telegram as the library's `Bot`."""
        return cast("Bot", self)


@pytest.mark.parametrize(
    ("member", "is_admin"),
    [
        (ChatMemberOwner(ANN, is_anonymous=False), True),
        (ChatMemberAdministrator(ANN, **RIGHTS), True),
        (ChatMemberMember(ANN), False),
        (None, None),
    ],
    ids=["owner", "administrator", "member", "Telegram does not say"],
)
async def test_owners_and_administrators_may_tidy_up(member: ChatMember | None, *, is_admin: bool | None) -> None:
    telegram = Telegram(member)
    known = Admins(telegram.bot)
    assert await known.is_admin(-100, 1) is is_admin
    assert await known.is_admin(-100, 1) is is_admin
    assert telegram.asked == 1, "the answer is cached, a missing one too"


@pytest.mark.parametrize("member", [None, ChatMemberLeft(ANN)], ids=["unknown", "said to have left"])
async def test_somebody_telegram_does_not_know_there_is_looked_for_among_all_administrators(
    member: ChatMember | None,
) -> None:
    telegram = Telegram(member)
    telegram.listed = [ChatMemberOwner(ANN, is_anonymous=True)]
    assert await Admins(telegram.bot).is_admin(-100, 1) is True
    telegram.listed = [ChatMemberOwner(User(2, "Bo", is_bot=False), is_anonymous=False)]
    assert await Admins(telegram.bot).is_admin(-100, 1) is None


async def test_many_simultaneous_questions_ask_telegram_once() -> None:
    telegram = Telegram(ChatMemberOwner(ANN, is_anonymous=False))
    known = Admins(telegram.bot)
    assert await asyncio.gather(*(known.is_admin(-100, 1) for _ in range(200))) == [True] * 200
    assert telegram.asked == 1


async def test_a_telegram_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "ASK_SECONDS", 0.01)
    telegram = Telegram(ChatMemberOwner(ANN, is_anonymous=False))
    telegram.answers.clear()
    assert await Admins(telegram.bot).is_admin(-100, 1) is None


async def test_an_answer_is_good_for_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    telegram = Telegram(ChatMemberMember(ANN))
    known = Admins(telegram.bot)
    assert not await known.is_admin(-100, 1)
    telegram.member = ChatMemberOwner(ANN, is_anonymous=False)
    monkeypatch.setattr(services, "GOOD_SECONDS", 0.0)
    assert await known.is_admin(-100, 1)


async def test_telegram_is_soon_asked_again_where_it_did_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MISSING_SECONDS", 0.0)
    telegram = Telegram(None)
    known = Admins(telegram.bot)
    assert not await known.is_admin(-100, 1)
    telegram.member = ChatMemberOwner(ANN, is_anonymous=False)
    await asyncio.sleep(0.01)
    assert await known.is_admin(-100, 1)
