"""What people do with boards, and what they see of them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Final

from bot.context.services import DOUBLE_SECONDS
from bot.game.actions import Action
from bot.game.pages import LookBack, Share, ShowAll, ShowRegion, ShowRules
from bot.game.play import Move
from bot.game.questions import TakeBack
from bot.language import LANGUAGES, read_texts
from engine import Level, Position, Rules, candidates
from playground.chats import Chat, Message
from playground.people import Person
from playground.queries import InlineResult
from tests.boards import board
from tests.boards import board as position_with
from tests.carried import action_of, actions_on, data_with

CROSS: Final = "❌"
RING: Final = "🟡"
EMPTY: Final = "·"
MARKS: Final = {CROSS: "X", RING: "O", EMPTY: "."}

FOLDED: Final = {CROSS: "X", "❎": "X", RING: "O", "🟢": "O", "⬜": "."}
"""What the lines of a folded board are made of."""

WIN, LOSS, DRAW = "You win", "I win", "Draw"


def is_board(message: Message) -> bool:
    return message.from_bot and [len(row) for row in message.labels[:3]] == [3, 3, 3]


def boards_in(chat: Chat) -> list[Message]:
    """The boards in a chat, oldest first."""
    return [message for message in chat.messages.values() if is_board(message) and not message.deleted]


def position_of(board: Message) -> Position:
    """The position that a board shows, also a folded one; it must be reachable."""
    if is_board(board):
        return position_with("".join(MARKS[label] for row in board.labels[:3] for label in row))
    rows = [line for line in board.text.splitlines() if line and set(line) <= FOLDED.keys()]
    return position_with("".join(FOLDED[sign] for row in rows for sign in row) or 9 * ".")


def styles_of(board: Message) -> dict[int, str]:
    cells = [button for row in board.keyboard[:3] for button in row]
    return {cell: button["style"] for cell, button in enumerate(cells) if "style" in button}


def data_of(board: Message, cell: int) -> str:
    return str(board.button(row=cell // 3, column=cell % 3)["callback_data"])


UNDONE = "Move undone. This game won't count in your stats."
"""What the first undo against OXO is answered."""


@cache
def undone() -> list[str]:
    """That in every language."""
    return [read_texts(code).gettext(UNDONE) for code in LANGUAGES]


async def tap_cell(person: Person, board: Message, cell: int) -> None:
    answer = await person.tap(board, row=cell // 3, column=cell % 3)
    assert answer.text is None
    await board.changed()


async def play_to(wanted: str, person: Person, board: Message, level: str) -> Position:
    """Play a game to a result; a move is taken back if the computer's answer rules that result out."""
    mark = position_of(board).turn
    while (position := position_of(board)).outcome is None:
        assert position.turn is mark
        cells = position.legal_moves
        cell = next((each for each in cells if may_lead(position, each, Level(level), wanted)), None)
        if cell is not None:
            await tap_cell(person, board, cell)
        else:
            undo = next(
                each["callback_data"] for action, each in actions_on(board) if isinstance(action, TakeBack)
            )
            assert (await person.tap(board, data=undo)).text in (None, *undone())
            await board.changed()
    return position


@cache
def may_lead(position: Position, cell: int, level: Level, wanted: str) -> bool:
    """Whether a result is possible after a cell, and no other result before the person can take it back."""
    mark, after = position.turn, position.play(cell)
    ends = [after] if after.outcome else [after.play(reply) for reply in set(candidates(level, after))]
    for outcome in (end.outcome for end in ends if end.outcome):
        if wanted != (DRAW if outcome.is_draw else WIN if outcome.winner is mark else LOSS):
            return False
    return any(end.outcome or any(may_lead(end, each, level, wanted) for each in end.legal_moves) for end in ends)


X_WINS = (0, 3, 1, 4, 2)
"""X takes the first row."""
NOBODY_WINS = (4, 0, 8, 2, 1, 7, 6, 5, 3)


def is_chinese(text: str | None) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text or "")


def plain(message: Message) -> str:
    return message.text.translate({0x2068: None, 0x2069: None})


def mentioned(message: Message) -> list[int]:
    return [entity["user"]["id"] for entity in message.entities if entity["type"] == "text_mention"]


def is_over(message: Message) -> bool:
    """Whether a message shows a finished game with moves, folded or not."""
    return bool({"🔎", "Find it"} & offered(message))


def offered(message: Message) -> set[str]:
    """The labels of a message's buttons other than cells."""
    rows = message.labels[3:] if is_board(message) else message.labels
    return {label for row in rows for label in row}


async def accepted(person: Person, challenge: Message) -> Message:
    answer = await person.tap(challenge, challenge.labels[0][0])
    assert answer.text is None
    return await challenge.until(lambda shown: len(shown.labels[0]) > 2)


async def begun(one: Person, other: Person, chat: Chat, words: str = "") -> Message:
    """A game of two: `one` challenges, `other` accepts; `one` has X unless the words say otherwise."""
    challenge = await one.ask(f"/newgame {words}".strip(), in_=chat)
    return await accepted(other, challenge)


async def put(person: Person, message: Message, cell: int) -> None:
    """Tap a cell and wait until the board shows that it was played."""
    ply = ply_of(message)
    buttons = [each for action, each in actions_on(message) if isinstance(action, Move) and action.cell == cell]
    answer = await person.tap(message, data=buttons[0]["callback_data"])
    assert answer.text is None, answer.text
    await message.until(lambda shown: ply_of(shown) > ply or is_over(shown))


async def played(x: Person, o: Person, board: Message, cells: Iterable[int]) -> Message:
    for ply, cell in enumerate(cells, ply_of(board)):
        await put(o if ply % 2 else x, board, cell)
    return board


async def pressed(person: Person, board: Message, label: str) -> Message:
    """Tap a button that takes effect immediately, and wait until the message shows it."""
    board.seen = board.revision
    answer = await person.tap(board, label)
    assert answer.text is None, answer.text
    return await board.changed()


async def told(person: Person, board: Message, label: str | None = None, data: str | None = None) -> str:
    """Tap a button that does nothing; returns what the person is told."""
    answer = await person.tap(board, label, data=data)
    assert answer.text
    return answer.text


async def next_board(chat: Chat, after: Message) -> Message:
    return await chat.wait_for(is_board, after=after)


def result_named(results: list[InlineResult], title: str) -> InlineResult:
    (found,) = [result for result in results if title in result.title]
    return found


def ply_of(message: Message) -> int:
    """The ply that a board shows, from its first button; -1 if the message isn't a board."""
    if not message.from_bot or not message.keyboard:
        return -1
    ply: int = getattr(action_of(message.keyboard[0][0]), "ply", -1)
    return ply


def position_on(message: Message, rules: Rules) -> Position:
    """The position that a keyboard of all cells shows; it must be reachable."""
    rows = message.labels[: rules.layout.rows]
    return board("".join(MARKS[label] for row in rows for label in row), rules)


def styled(message: Message, style: str) -> set[int]:
    buttons = [action for action, each in actions_on(message) if each.get("style") == style]
    return {action.cell for action in buttons if isinstance(action, Move)}


def _page_of(action: Action) -> str | None:
    match action:
        case ShowRegion(region=region):
            return str(region)
        case ShowAll():
            return "all"
        case ShowRules():
            return "rules"
    return None


async def turned(
    person: Person, message: Message, page: str, *, skip: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> None:
    """Tap the button that turns a board to a region, `all` or `rules`, and wait; a world can `skip` time."""
    before = message.labels
    button, *_ = [each for action, each in actions_on(message) if _page_of(action) == page]
    answer = await person.tap(message, data=button["callback_data"])
    assert answer.text is None, answer.text
    await message.until(lambda shown: shown.labels != before)
    if page.isdigit():
        await skip(DOUBLE_SECONDS)


# Games by link, in which each has a board in their own chat.


def token_of(invitation: Message) -> str:
    (link,) = [word for word in invitation.text.split() if word.startswith("https://t.me/")]
    return link.partition("?start=")[2]


async def opened(person: Person, token: str) -> Message:
    return await person.private.wait_for(after=person.start(token))


async def begun_by_link(one: Person, other: Person, words: str = "") -> tuple[Message, Message]:
    if words:
        await one.ask(f"/first {words}")
    invitation = await one.ask("/challenge")
    theirs = await opened(other, token_of(invitation))
    own = await one.private.wait_for(is_board, after=invitation)
    assert is_board(theirs)
    return own, theirs


async def put_both(person: Person, own: Message, other: Message, cell: int) -> None:
    ply = position_of(own).ply + 1
    answer = await person.tap(own, data=data_of(own, cell))
    assert answer.text is None, answer.text
    for each in (own, other):
        await each.until(lambda message: position_of(message).ply == ply)


async def played_both(x: tuple[Person, Message], o: tuple[Person, Message], cells: tuple[int, ...]) -> None:
    """Play cells in turn, each on their own board."""
    for ply, cell in enumerate(cells):
        (mover, own), (_, other) = (o, x) if ply % 2 else (x, o)
        await put_both(mover, own, other, cell)


async def put_out_of_sight(board: Message, somebody: Person) -> None:
    for _ in range(4):
        await somebody.say("chatter", in_=board.chat)


async def given_up(person: Person, board: Message) -> Message:
    label, sure = ("Call off", "Yes, call it off") if "Call off" in offered(board) else ("Resign", "Yes, resign")
    await pressed(person, board, label)
    return await pressed(person, board, sure)


async def resigned(person: Person, words: str = "easy") -> Message:
    board = await person.ask(f"/newgame {words}")
    await tap_cell(person, board, 0)
    return await given_up(person, board)


def linked(message: Message, words: str = "Play") -> str:
    """What the button leads to whose label begins so; all below what is shared are links."""
    (url,) = [each["url"] for row in message.keyboard for each in row if each["text"].startswith(words)]
    return str(url).partition("?start=")[2]


async def film(chat: Chat, after: Message) -> Message:
    """The next animation of a game."""
    return await chat.wait_for(lambda message: message.animation is not None, after=after, within=60)


async def still(chat: Chat, after: Message) -> Message:
    """The next picture."""
    return await chat.wait_for(lambda message: message.photo is not None, after=after, within=60)


async def looked_back(person: Person, board: Message) -> Message:
    """Open the review of a finished game."""
    board.seen = board.revision
    await person.tap(board, data=data_with(board, LookBack(0)))
    return await board.changed()


async def filmed(person: Person, board: Message) -> Message:
    """Share a finished game of one's own."""
    await person.tap(board, data=data_with(board, Share()))
    return await film(board.chat, board)


async def led(person: Person, board: Message, action: Action) -> str:
    """Ask for something that opens the private chat; returns its start parameter."""
    answer = await person.tap(board, data=data_with(board, action))
    assert answer.text is None
    assert answer.url is not None
    start, _, parameter = answer.url.partition("?start=")
    assert start == "https://t.me/oxo_playground_bot"
    return parameter
