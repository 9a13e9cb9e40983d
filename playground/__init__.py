"""A Telegram of one's own on loopback, in memory: Bot API, people, and a chat page in the browser.

`python -m playground` plays; tests drive the same objects on their own event loop. The bot under test knows
nothing of it but `BOT_API_URL` and `BOT_TOKEN`.

    async with Playground() as telegram:                    # a free port; telegram.url, telegram.token
        ann, group = telegram.people["ann"], telegram.groups["noughts"]
        board = await ann.ask("/newgame")                   # says it, waits for the bot's next message
        answer = await ann.tap(board, row=0, column=1)      # or by label, or data=b"raw"; text, show_alert, url
        await board.changed()                               # the edit that followed; board.text, board.labels
        await group.wait_for(lambda message: "wins" in message.text)
        await telegram.confirmed()                          # the bot has confirmed every update
        assert len(telegram.calls_of("editMessageText")) == 1

- People: `add_person`, `say`, `ask`, `edit`, `forward`, `tap`, `press` (a tap without waiting), `start(payload)`,
  `block`, `rename`, `deactivate`, `delete`; `inline` and `choose` for inline mode. Nobody has pressed Start yet.
- Chats: `person.private`, `add_group(kind=)`, `add_meeting` (two people without the bot); groups `add`,
  `remove`, `promote`, `demote` people, `set_bot` ("member", "administrator", "restricted", "kicked"), `rename`,
  `add_topic`, `rename_topic`, `close_topic`, `delete_topic`, `channel_post`, `forbid` (pictures),
  `migrate`, `disband`, `other_bot_says`.
- Waiting: `chat.wait_for`, `message.changed`, `message.until`, `telegram.called`, `telegram.confirmed`; all raise
  TimeoutError after `within` seconds, by default 30.
- Trouble: `telegram.faults.add(kind=..., method=..., chat=..., times=..., share=...)`,
  `telegram.flood.model = Silent()` or another model of `playground.flood`,
  `telegram.clock.advance(seconds)`, `telegram.stop()` and `start()`.
- Haste: `telegram.world.updates.repeat_pause = 0` lets an offset be repeated immediately.
"""

from playground.errors import ApiError
from playground.server import Playground

__all__ = ["ApiError", "Playground"]
