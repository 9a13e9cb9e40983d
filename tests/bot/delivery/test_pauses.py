"""When one process is told to wait, the others wait too."""

from __future__ import annotations

from bot.delivery.pace import Chat
from bot.delivery.pauses import Pauses
from bot.delivery.tasks import Tasks
from storage.database import parse_url
from storage.store import Store

GROUP, SLOW, INLINE = -1_002_147_483_648, -5, "1234567890123456789"


async def test_a_refusal_in_one_process_pauses_the_chat_in_the_other_once(database_url: str) -> None:
    stores = [Store(parse_url(database_url)) for _ in range(2)]
    told: list[list[tuple[Chat, float]]] = [[], []]
    held: list[Chat] = []
    tasks = Tasks()

    def hold_sends(chat: Chat, _seconds: float) -> None:
        held.append(chat)

    one, other = (
        Pauses(store, tasks, lambda chat, seconds, heard=heard: heard.append((chat, seconds)), hold_sends)  # type: ignore[misc]
        for store, heard in zip(stores, told, strict=True)
    )
    one.note(GROUP, 30)
    one.note(INLINE, 30)
    one.note(SLOW, 30, sends=True)
    await tasks.close(5)
    for _ in range(2):
        await one.learn()
        await other.learn()
    assert told[0] == []
    assert held == [SLOW], "only new messages are refused there"
    assert sorted(str(chat) for chat, _ in told[1]) == sorted([str(GROUP), INLINE])
    assert {type(chat) for chat, _ in told[1]} == {int, str}, "an inline message's number is no chat's id"
    assert all(25 < seconds <= 31 for _, seconds in told[1])
    for store in stores:
        await store.close()
