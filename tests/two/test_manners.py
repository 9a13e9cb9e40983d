"""Group manners: topics, migration, slow mode, people who can't take a seat, and a bot that joins and is muted."""

import pytest

from bot.context.acting import NO_NEW
from bot.delivery.messages import GROUP_HELD
from bot.game.attention import LOOKING_SECONDS
from playground.chats import GENERAL, Chat, Message, Topic
from playground.groups import Group
from playground.people import Person
from tests.people import (
    X_WINS,
    accepted,
    begun,
    boards_in,
    data_of,
    is_board,
    is_chinese,
    next_board,
    offered,
    plain,
    played,
    position_of,
    pressed,
    put,
    tap_cell,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def forum(shared: World, ann: Person, bo: Person) -> Group:
    return shared.playground.add_group("The Forum", [ann, bo], kind="forum")


@pytest.mark.parametrize("general", [False, True], ids=["a topic", "the general topic"])
async def test_a_game_stays_in_its_topic(ann: Person, bo: Person, forum: Group, *, general: bool) -> None:
    games = forum.add_topic("Games")
    topic = None if general else games
    challenge = await ann.ask("/newgame", in_=forum, topic=topic)
    assert "Decline" not in offered(challenge), "the message that opened the topic names nobody"
    board = await played(ann, bo, await accepted(bo, challenge), X_WINS)
    await pressed(ann, board, "Rematch")
    await pressed(bo, board, "Rematch ✓")
    following = await next_board(forum, board)
    for message in (challenge, following):
        assert message.thread in (None, GENERAL) if general else message.thread == games.thread
    for words in ("/games", "/move 0", "/help", "/newgame nonsense", "/first"):
        assert (await ann.ask(words, in_=forum, topic=games)).thread == games.thread


async def test_a_board_comes_to_the_topic_where_it_is_asked_for(ann: Person, bo: Person, forum: Group) -> None:
    topic, other = forum.add_topic("Games"), forum.add_topic("Chatter")
    first = await accepted(bo, await ann.ask("/newgame", in_=forum, topic=topic))
    second = await ann.ask("/board", in_=forum, topic=other)
    assert is_board(second)
    assert second.thread == other.thread
    await first.until(lambda message: message.deleted)
    third = await bo.ask("/board", in_=forum)
    assert is_board(third)
    assert third.thread is None
    await begun(ann, bo, forum)
    menu = await ann.ask("/board", in_=forum, topic=topic)
    await ann.tap(menu, menu.labels[1][0])
    chosen = await next_board(forum, menu)
    assert chosen.thread == topic.thread, "it was chosen from a list there"


@pytest.mark.parametrize("command", ["/board", "/move 1"])
async def test_a_board_whose_topic_was_deleted_can_be_brought_elsewhere(
    ann: Person, bo: Person, forum: Group, command: str
) -> None:
    topic = forum.add_topic("Games")
    board = await accepted(bo, await ann.ask("/newgame", in_=forum, topic=topic))
    await put(ann, board, 4)
    forum.delete_topic(topic)
    below = await bo.ask(command, in_=forum)
    if command != "/board":
        await bo.tap(below, row=0, column=0)
        below = await next_board(forum, below)
    assert position_of(below).ply == 1
    assert below.thread is None
    await put(bo, below, 0)
    assert board.deleted


async def disguised(person: Person, command: str, group: Group, disguise: str) -> Message:
    """Somebody sends a command as an anonymous administrator or as a channel."""
    name, _, words = command.partition(" ")
    text, channel = f"{name}@oxo_playground_bot {words}", "News" if disguise == "channel" else None
    return await person.say(text, in_=group, anonymous=disguise == "anonymous", channel=channel)


@pytest.mark.parametrize("disguise", ["anonymous", "channel"])
async def test_somebody_posting_without_their_own_account_is_told_why(
    shared: World, ann: Person, bo: Person, group: Group, disguise: str
) -> None:
    await begun(ann, bo, group)
    for command in ("/newgame", "/challenge", "/board", "/games", "/resign", "/undo", "/hint", "/move 5"):
        await disguised(ann, command, group, disguise)
    answer = await group.wait_for(lambda message: "post as yourself" in message.text)
    await shared.has_answered(group, ann)
    said = [message for message in group.messages.values() if "post as yourself" in message.text]
    assert said == [answer], "once"


@pytest.mark.parametrize("disguise", ["anonymous", "channel"])
@pytest.mark.parametrize(
    ("command", "answer"),
    [("help", "What would you like to know?"), ("start", "I'm OXO"), ("privacy", "What I keep")],
)
async def test_what_needs_no_person_is_answered_to_somebody_posting_without_their_own_account(
    ann: Person, group: Group, disguise: str, command: str, answer: str
) -> None:
    for words in ("newgame", command):
        said = await disguised(ann, f"/{words}", group, disguise)
    await group.wait_for(lambda message: answer in message.text, after=said)


async def test_an_anonymous_administrator_does_by_a_command_what_its_button_does(
    ann: Person, bo: Person, group: Group
) -> None:
    challenge = await ann.ask("/challenge", in_=group)
    await disguised(bo, "/cancel", group, "anonymous")
    await challenge.until(lambda message: "Accept" not in str(message.labels))


async def test_an_anonymous_administrators_tap_is_their_own(ann: Person, bo: Person, group: Group) -> None:
    board = await begun(ann, bo, group)
    await ann.say("hidden", in_=group, anonymous=True)
    await put(ann, board, 4)


async def test_the_bot_greets_a_group_once(shared: World, ann: Person, bo: Person) -> None:
    group = shared.playground.add_group("New", [bo, ann], with_bot=False)
    group.set_bot("member", bo)
    greeting = await group.wait_for(after=None)
    assert is_chinese(greeting.text), "in the language of the person who added it"
    assert "/help" in greeting.text
    group.set_bot("restricted")
    group.set_bot("member")
    group.set_bot("administrator")
    await shared.has_answered(group, ann)
    assert len(shared.sent(group)) == 2


# Slow mode.


@pytest.fixture
def room(shared: World, ann: Person, dee: Person) -> Group:
    return shared.playground.add_group("Slow", [ann, dee])


async def test_running_boards_go_on_and_whoever_asks_for_a_new_one_learns_why(
    shared: World, ann: Person, dee: Person, room: Group
) -> None:
    board = await begun(ann, dee, room)
    room.slow_down(3600)
    earlier = len(shared.sent(room))
    said = await ann.say("/help", in_=room)
    private = await ann.private.wait_for(lambda message: message.text == GROUP_HELD, after=said)
    await played(ann, dee, board, X_WINS)
    await ann.say("/newgame", in_=room)
    await pressed(dee, board, "Rematch")
    assert (await ann.tap(board, "Rematch ✓")).text == NO_NEW
    assert len(shared.sent(room)) == earlier + 1, "it was asked once"
    assert (await ann.ask("/newgame easy")).id > private.id, "other chats don't wait"
    assert len([message for message in ann.private.messages.values() if message.text == GROUP_HELD]) == 1


async def test_what_waits_comes_when_telegram_takes_it_and_the_board_that_was_to_move_stays_in_use(
    shared: World, ann: Person, dee: Person, room: Group
) -> None:
    board = await begun(ann, dee, room)
    room.slow_down(30)
    await ann.say("/board", in_=room)
    await shared.still()
    await put(ann, board, 4)
    await put(dee, board, 0)
    await shared.pass_by(40, step=5)
    below = await next_board(room, board)
    await board.until(lambda message: message.deleted)
    await put(ann, below, 2)


# Clocks: nobody loses by what their board doesn't show.


@pytest.mark.parametrize("how", ["muted before", "muted", "removed", "lost", "upgraded"])
async def test_a_clock_runs_only_while_the_groups_board_shows_the_move(
    shared: World, ann: Person, dee: Person, room: Group, how: str
) -> None:
    board = await accepted(dee, await ann.ask("/challenge 30s me", in_=room))
    await played(ann, dee, board, (4, 0))
    if how == "muted before":
        room.set_bot("restricted")
        await ann.tap(board, data=data_of(board, 8))
    else:
        await put(ann, board, 8)
    await shared.pass_by(2)
    match how:
        case "muted":
            room.set_bot("restricted")
        case "removed":
            room.set_bot("kicked")
        case "lost":
            ann.delete(board)
        case "upgraded":
            room = room.migrate()
            room.slow_down(60)
            await ann.say("/help", in_=room)  # its answer comes first
    await shared.pass_by(40, step=4)
    match how:
        case "muted before" | "muted":
            room.set_bot("member")
        case "removed":
            room.set_bot("member")
    await shared.pass_by(24 if how == "upgraded" else 4, step=4)
    shown = boards_in(room)[-1]
    assert "Dee's turn" in plain(shown)
    assert "left for this move" not in plain(shown), "as there is all the time, or again"
    await shared.pass_by(60, step=4)
    assert "Dee ran out of time" in plain(shown)


@pytest.mark.parametrize("words", ["/settings hidden on", "/forget yes"])
async def test_finished_games_do_not_come_to_a_group_that_was_upgraded(
    shared: World, ann: Person, dee: Person, room: Group, words: str
) -> None:
    board = await played(ann, dee, await accepted(dee, await ann.ask("/challenge me", in_=room)), X_WINS)
    assert "Ann wins" in plain(board)
    await shared.pass_by(60, step=5)
    upgraded = room.migrate()
    await shared.pass_by(5)
    assert not boards_in(upgraded)
    await dee.ask("/forget")
    await dee.say(words)
    await shared.pass_by(30, step=5)
    assert not boards_in(upgraded)


async def test_whoever_taps_where_the_bot_may_not_write_is_told(
    shared: World, ann: Person, dee: Person, room: Group
) -> None:
    board = await played(ann, dee, await accepted(dee, await ann.ask("/challenge me", in_=room)), (4, 0))
    room.set_bot("restricted")
    await ann.tap(board, data=data_of(board, 8))
    await shared.pass_by(5)
    assert "can't write here" in await told(dee, board, data=data_of(board, 1))
    room.set_bot("member")
    await shared.until(lambda: "Dee's turn" in plain(board))


async def test_nobody_is_reminded_who_wants_no_reminders(
    shared: World, ann: Person, dee: Person, room: Group
) -> None:
    await dee.ask("/notify off")
    await played(ann, dee, await accepted(dee, await ann.ask("/challenge me 1d", in_=room)), (4, 0, 8))
    await shared.pass_by(3)
    sent = len(shared.sent(room))
    await shared.until(lambda: "Time's running out" in plain(boards_in(room)[-1]), seconds=3600)
    await shared.pass_by(5)
    assert len(shared.sent(room)) == sent


# Answers come in the topic where they were asked, in forums and in private chats.


@pytest.fixture(params=["forum", "private"])
def place(request: pytest.FixtureRequest, shared: World, ann: Person) -> tuple[Chat, Topic, Topic]:
    if request.param == "private":
        return ann.private, ann.add_topic("Games"), ann.add_topic("Puzzles")
    forum = shared.playground.add_group("Forum", [ann], kind="forum")
    return forum, forum.add_topic("Games"), forum.add_topic("Puzzles")


async def test_a_tap_is_answered_in_its_topic(shared: World, ann: Person) -> None:
    topic = ann.add_topic("Games")
    menu = await ann.ask("/privacy", topic=topic)
    asked = await ann.tap(menu, "Delete my data")
    assert asked.text is None
    assert (await ann.private.wait_for(after=menu)).thread == topic.thread
    greeting = await ann.ask("hi", topic=topic)
    for row, column in ((0, 0), (1, 1)):
        last = max(ann.private.messages.values(), key=lambda message: message.id)
        await ann.tap(greeting, row=row, column=column)
        assert (await ann.private.wait_for(after=last)).thread == topic.thread
    await shared.has_answered(ann.private, ann)


async def test_a_typed_move_means_the_game_of_its_topic(
    shared: World, ann: Person, place: tuple[Chat, Topic, Topic]
) -> None:
    chat, games, others = place
    one = await ann.ask("/newgame beginner me", in_=chat, topic=games)
    other = await ann.ask("/newgame beginner me", in_=chat, topic=others)
    assert (one.thread, other.thread) == (games.thread, others.thread)
    for command, ply in (("/move 5", 2), ("/undo", 0), ("/move 1", 2)):
        said = await ann.say(command, in_=chat, topic=games)
        await shared.has_answered(chat, ann)
        await shared.has_settled(chat)
        plies = {board.thread: position_of(board).ply for board in boards_in(chat)}
        assert plies == {games.thread: ply, others.thread: 0}, said
    said = await ann.say("/resign", in_=chat, topic=games)
    await chat.wait_for(lambda message: "resign" in message.text.lower() and message.thread == games.thread)
    assert boards_in(chat)[0].text == other.text


async def test_a_typed_move_drags_no_board_from_another_topic(
    shared: World, ann: Person, place: tuple[Chat, Topic, Topic]
) -> None:
    chat, games, others = place
    board = await ann.ask("/newgame beginner me", in_=chat, topic=games)
    await shared.has_settled(chat)
    asked = await ann.ask("/move 5", in_=chat, topic=others)
    assert asked.thread == others.thread
    assert asked.text.startswith("Nothing happened: your game is in another topic.")
    assert boards_in(chat) == [board]
    assert position_of(board).ply == 0
    await ann.tap(asked, row=0, column=0)
    brought = await chat.wait_for(after=asked)
    assert brought.thread == others.thread
    await tap_cell(ann, brought, 4)


async def test_in_a_group_only_what_calls_somebody_makes_a_sound(shared: World, ann: Person, bo: Person) -> None:
    group = shared.playground.add_group("Quiet", [ann, bo])

    def heard() -> list[bool]:
        """Whether each message of the bot's made a sound."""
        return [not call.parameters.get("disable_notification") for call in shared.sent(group)]

    for words in ("/newgame easy", "/help", "/challenge"):
        await ann.ask(words, in_=group)
    assert heard() == [False] * 3
    challenge = await ann.ask(f"/challenge @{bo.username}", in_=group)
    assert heard()[3:] == [True]
    board = await accepted(bo, challenge)
    for person in (ann, bo):
        await person.ask("/settings reminders on")
    await shared.skip(2 * LOOKING_SECONDS)
    mover = ann if "Ann's turn" in plain(board) else bo
    mover.press(board, data_of(board, 4))
    await group.wait_for(is_board, after=board)
    assert heard()[4:] == [True], "the other one is called"
