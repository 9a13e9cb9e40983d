"""Generates updates as Telegram sends them, and as it never would."""

import copy
import time
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from bot.boards import buttons
from bot.game.gate import ACTIONS
from bot.intake.updates import UPDATES

BOT: Final[dict[str, Any]] = {
    "id": 123456,
    "is_bot": True,
    "first_name": "OXO",
    "username": "oxo_bot",
    "supports_inline_queries": True,
}
ANN: Final[dict[str, Any]] = {"id": 5_000_000_001, "is_bot": False, "first_name": "A"}
BO: Final[dict[str, Any]] = {"id": 5_000_000_002, "is_bot": False, "first_name": "B"}
CEM: Final[dict[str, Any]] = {"id": 5_000_000_003, "is_bot": False, "first_name": "C"}
GROUP: Final[dict[str, Any]] = {"id": -4_000_000_001, "type": "group", "title": "G"}

# Never 0, which Telegram gives nobody: in a seat it means the computer.
IDS: Final[st.SearchStrategy[int]] = st.sampled_from(
    [ANN["id"], BO["id"], CEM["id"], -1, 1, 123456, 1087968824, 136817688, 777000, 2**31, 2**52, 2**62]
)
WORDS: Final = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["", " ", "x" * 5000, "\u202e\u2066\u0000", "<b>&amp;</b>", "🏳️‍🌈" * 40, "null", "%s{0}{level}"]
    ),
)
COMMANDS: Final = st.sampled_from(
    [
        "newgame", "challenge", "difficulty", "first", "board", "games", "move", "undo", "hint", "resign",
        "takebacks", "start", "help", "privacy", "settings", "NEWGAME", "newgame@oxo_bot", "newgame@other_bot", "",
    ]
)  # fmt: skip
ARGUMENTS: Final = st.sampled_from(
    [
        "", "easy", "hard bot", "hard easy", "2,3", "5", "0", "99,99", "@ann", "off", "on", "perfect me",
        "x" * 500, "-1", "１",
    ]
)  # fmt: skip
JUNK: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.just("\ud800"),
    st.floats(),
    WORDS,
    st.builds(list),
    st.builds(dict),
    st.builds(lambda: [{}]),
)
NOW: Final = int(time.time())
PEOPLE: Final = st.one_of(
    st.sampled_from([ANN, BO, CEM]),
    st.fixed_dictionaries(
        {"id": IDS, "is_bot": st.booleans(), "first_name": WORDS},
        optional={
            "last_name": WORDS,
            "username": WORDS,
            "language_code": st.one_of(WORDS, st.sampled_from(["zh-hans", "en"])),
        },
    ),
)
CHATS: Final = st.one_of(
    st.sampled_from([GROUP, {"id": ANN["id"], "type": "private"}, {"id": BO["id"], "type": "private"}]),
    st.fixed_dictionaries(
        {
            "id": IDS.map(lambda number: -number),
            "type": st.sampled_from(["private", "group", "supergroup", "channel", "x"]),
        },
        optional={"title": WORDS, "is_forum": st.booleans()},
    ),
)
DATA: Final = st.one_of(
    WORDS,
    st.builds("m:{}:{}:{}".format, st.integers(0, 12), st.integers(0, 12), st.integers(0, 70)),
    st.builds("{}:{}:{}".format, st.sampled_from(sorted(ACTIONS)), st.integers(0, 12), st.integers(0, 9)),
    st.builds(
        "{}:{}:{}".format,
        st.sampled_from(sorted(buttons.MENUS)),
        st.integers(0, 12),
        st.sampled_from(["easy", "me", "1", "x"]),
    ),
    st.builds("{}:{}:{}".format, st.integers(0, 3), WORDS, WORDS),
    st.integers(0, 200).map(lambda number: number),  # an offered button, by number
)


class Odd(NamedTuple):
    """An update, and whether Telegram's own types rule it out."""

    update: dict[str, Any]
    spoiled: bool


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """A message, perhaps an odd one."""
    message: dict[str, Any] = {
        "message_id": draw(st.integers(1, 2000)),
        "date": draw(st.sampled_from([NOW, NOW, NOW, 0, 1, 2**31, 2**40])),
        "chat": draw(CHATS),
        "from": draw(PEOPLE),
    }
    match draw(st.integers(0, 5)):
        case 0 | 1 | 2:
            command = draw(COMMANDS)
            message["text"] = f"/{command} {draw(ARGUMENTS)}"
            length = draw(st.sampled_from([len(command) + 1, 0, 1, 10_000]))
            message["entities"] = [{"type": "bot_command", "offset": 0, "length": length}]
        case 3:
            message["text"] = draw(st.one_of(WORDS, ARGUMENTS))
        case 4:
            message |= {draw(st.sampled_from(["migrate_to_chat_id", "migrate_from_chat_id"])): draw(IDS)}
        case _:
            message |= draw(
                st.sampled_from(
                    [
                        {"new_chat_members": [BOT]},
                        {"left_chat_member": BOT},
                        {"photo": []},
                        {"dice": {"emoji": "🎲", "value": 1}},
                        {"pinned_message": {"message_id": 1, "date": 0, "chat": GROUP}},
                        {"forum_topic_closed": {}},
                        {},
                    ]
                )
            )
    extras: dict[str, Any] = {
        "sender_chat": GROUP,
        "message_thread_id": 7,
        "is_topic_message": True,
        "reply_to_message": {
            "message_id": draw(st.integers(999, 1030)),
            "date": 1,
            "chat": message["chat"],
            "from": BOT,
        },
        "via_bot": BOT,
        "reply_markup": {"inline_keyboard": [[{"text": "x", "callback_data": "x"}]]},
    }
    for name in draw(st.lists(st.sampled_from(sorted(extras)), max_size=2)):
        message[name] = extras[name]
    return message


@st.composite
def updates(draw: st.DrawFn) -> Odd:
    """An update of any kind; a few of its parts may be missing or be something else."""
    kind = draw(
        st.sampled_from([*UPDATES, *["callback_query"] * 8, "message", "edited_message", "poll", "unknown_kind"])
    )
    body: Any
    if kind == "callback_query":
        body = {"id": "1", "from": draw(PEOPLE), "chat_instance": "1", "data": draw(DATA)}
        match draw(st.integers(0, 5)):
            case 0:
                body["inline_message_id"] = draw(WORDS)
            case 1:
                body["message"] = {"message_id": draw(st.integers(999, 1030)), "date": 0, "chat": draw(CHATS)}
            case _:
                body["message"] = draw(messages())
    elif kind in {"message", "edited_message"}:
        body = draw(messages())
    elif kind == "inline_query":
        body = {"id": "1", "from": draw(PEOPLE), "query": draw(WORDS), "offset": draw(WORDS)}
    elif kind == "chosen_inline_result":
        body = {"result_id": draw(WORDS), "from": draw(PEOPLE), "query": "", "inline_message_id": draw(WORDS)}
    elif kind in {"my_chat_member", "chat_member"}:
        user = BOT if kind == "my_chat_member" else draw(PEOPLE)
        body = {"chat": draw(CHATS), "from": draw(PEOPLE), "date": 1}
        for which in ("old_chat_member", "new_chat_member"):
            status = draw(st.sampled_from(["member", "kicked", "left", "administrator", "x"]))
            body[which] = {"status": status, "user": user}
    else:
        body = draw(JUNK)
    update = {kind: copy.deepcopy(body)}
    wounds = draw(st.sampled_from([0, 0, 0, 1, 1, 2]))
    for _ in range(wounds):
        spoil(draw, update)
    return Odd(update, spoiled=bool(wounds) or kind in {"unknown_kind", "poll"})


def spoil(draw: st.DrawFn, update: Any) -> None:  # noqa: ANN401 - JSON
    """Remove a part of an update, or replace it."""
    here = update
    while True:
        keys: list[Any] = sorted(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        if isinstance(here[key], (dict, list)) and here[key] and draw(st.booleans()):
            here = here[key]
            continue
        if isinstance(here, dict) and draw(st.booleans()):
            del here[key]
        else:
            here[key] = draw(JUNK)
        return
