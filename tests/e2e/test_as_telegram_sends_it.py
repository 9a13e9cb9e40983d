"""What Telegram sends besides commands and taps: forwards, old messages, comments, groups with few rights."""

import pytest

from bot.boards import buttons
from bot.boards.cups import InCup, LeaveCup
from bot.features.basics import Topic
from bot.features.inline import Begin
from bot.features.new_games import ChallengePlayer, TakeUp
from bot.features.privacy.pages import DeleteData, DownloadData, Forget, ReadAll
from bot.features.puzzle.view import (
    FoldPuzzle,
    OpenPuzzle,
    RemindOfPuzzle,
    RetryPuzzle,
    ShowHow,
    TryPuzzle,
    current_day,
)
from bot.features.stats import Stats
from bot.features.top import Friends, NewSeason, Season, Top
from bot.game.pages import Share
from engine import Mark
from playground.chats import Message
from playground.files import FileKind
from playground.groups import Group
from playground.people import Person
from playground.queries import Answer
from tests.carried import data_with
from tests.people import (
    X_WINS,
    accepted,
    begun,
    boards_in,
    film,
    given_up,
    next_board,
    offered,
    plain,
    played,
    position_of,
    pressed,
    put,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

ONLY_SENT = "🙂 I only play tic-tac-toe. Shall we?"


async def test_a_forwarded_message_is_no_command_no_move_and_no_word(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    own = await ann.ask("/newgame beginner me")
    board, elsewhere = await begun(ann, bo, group, "me"), shared.playground.add_meeting(ann, bo)
    for text in ("/forget", "/forget yes", "5", "undo", "/newgame", "/newgame@oxo_playground_bot"):
        theirs = await bo.say(text, in_=elsewhere)
        ann.forward(theirs, group)
        assert (await ann.private.wait_for(after=ann.forward(theirs))).text == ONLY_SENT
    await shared.has_answered(group, ann)  # by a question, which comes last
    assert boards_in(ann.private) == [own]
    assert [message for message in group.messages.values() if message.from_bot][:-1] == [board]
    assert position_of(own).ply == position_of(board).ply == 0
    assert shared.value("SELECT count(*) FROM erasures") == 0
    await put(ann, board, 4)


# A tap on a message that Telegram can't read any more: its own data says what it wants.

TODAY = current_day()
ALONE = {
    buttons.Invite(): "https://t.me/",
    buttons.Play(): "Your turn",
    Topic("boards"): "Tap Board on a fresh game",
    buttons.Setting(): "Your settings",
    buttons.Setting("level"): "How strong",
    buttons.Setting("level", "easy"): "Your settings",
    Top(here=False): "Rating",
    Friends(): "You haven't finished a game with anybody yet.",
    ReadAll(): "How long",
    DownloadData(): "",
    DeleteData(): "Delete",
    Forget(is_sure=False): "Nothing",
    TryPuzzle(TODAY, 0, 0): "🧩 #",
    RetryPuzzle(TODAY, 0): "🧩 #",
    ShowHow(TODAY, 0): "🧩 #",
    FoldPuzzle(TODAY, folded=True): "🧩 #",
    buttons.ShowPuzzle(TODAY): "🧩 #",
    RemindOfPuzzle(wanted=True): "🧩 #",
    buttons.FindOpponent(): "",
    buttons.ShowBlocked(): "Blocked: 0",
    buttons.Unblock(7): "Blocked: 0",
}
IN_A_GROUP = {
    Season(): "Wins this season",
    NewSeason(is_sure=False): "Start a new season?",
    Topic("boards"): "Tap Board on a fresh game",
    buttons.Setting("theme"): "Which marks",
    Top(here=True): "Rating",
    buttons.NewCup(): "Cup",
}
ONLY_TOLD = {
    OpenPuzzle(): "?start=puzzle",
    ChallengePlayer(7, Mark.X, "x" * 16): "",
    buttons.Block(7): "",
    Begin("x"): "",
    TakeUp("x" * 22): "",
    InCup(7, "join"): "This cup is over",
    LeaveCup(7, 0): "not your question",
}


async def lost_tap(shared: World, ann: Person, shown: Message, button: buttons.Button) -> Answer:
    fault = shared.playground.faults.add("old")
    answer = await ann.tap(shown, data=buttons.write(button), within=8)
    shared.playground.faults.remove(fault)
    assert shown.revision == 0, "nobody could edit it"
    return answer


@pytest.mark.parametrize(
    ("button", "words", "alone"),
    [*((*row, True) for row in ALONE.items()), *((*row, False) for row in IN_A_GROUP.items())],
    ids=repr,
)
async def test_a_menu_that_telegram_cannot_read_any_more_comes_again_below(
    shared: World, ann: Person, group: Group, button: buttons.Menu, words: str, *, alone: bool
) -> None:
    chat = ann.private if alone else group
    shown = await ann.ask("/privacy" if alone else "/help", in_=chat)
    await lost_tap(shared, ann, shown, button)
    assert words in plain(await chat.wait_for(after=shown, within=6))


@pytest.mark.parametrize(("button", "words"), ONLY_TOLD.items(), ids=repr)
async def test_what_needs_no_message_is_told(
    shared: World, ann: Person, group: Group, button: buttons.Menu, words: str
) -> None:
    chat = group if isinstance(button, OpenPuzzle | InCup | LeaveCup) else ann.private
    answer = await lost_tap(shared, ann, await ann.ask("/help", in_=chat), button)
    assert words in (answer.text or answer.url or "nothing")
    await shared.has_answered(chat, ann)
    assert len(shared.sent(chat)) == 2


async def test_stats_come_again_and_every_menu_is_tried(shared: World, ann: Person) -> None:
    shown = await ann.ask("/help")
    await lost_tap(shared, ann, shown, Stats(ann.id))
    assert "everywhere" in plain(await ann.private.wait_for(after=shown))
    tried = {type(button) for button in (*ALONE, *IN_A_GROUP, *ONLY_TOLD)}
    assert tried | {Stats} == set(buttons.MENUS.values())


# The comments below a channel's post.


async def test_what_is_asked_for_in_the_comments_comes_there(shared: World, ann: Person, bo: Person) -> None:
    group = shared.playground.add_group("News", [ann, bo], kind="supergroup")
    post = group.channel_post("Who plays?")
    for above in (post, await bo.say("Me!", in_=group, reply_to=post)):
        said = await ann.say("/newgame me", in_=group, reply_to=above)
        board = await accepted(bo, await group.wait_for(after=said))
        board = await played(ann, bo, board, X_WINS)
        await pressed(ann, board, "Rematch")
        await pressed(bo, board, "Rematch ✓")
        following = await next_board(group, board)
        await ann.tap(board, data=data_with(board, Share()))
        shared_game = await film(group, board)
        assert [each.thread for each in (board, following, shared_game)] == [post.id] * 3
        await ann.say("/undo", in_=group)
        await ann.say("/resign", in_=group)
        await following.until(lambda message: "Yes, call it off" in offered(message))
        await pressed(ann, following, "Yes, call it off")


# Groups that forbid GIFs, or all pictures.


@pytest.mark.parametrize("forbidden", [("animation",), ("animation", "photo")], ids=" ".join)
async def test_where_gifs_are_forbidden_a_game_is_shared_as_a_still_and_where_photos_are_by_a_link(
    shared: World, ann: Person, bo: Person, group: Group, forbidden: tuple[FileKind, ...]
) -> None:
    board = await given_up(ann, await played(ann, bo, await begun(ann, bo, group, "me"), (4, 0)))
    group.forbid(*forbidden)
    await ann.tap(board, data=data_with(board, Share()))
    shown = await group.wait_for(after=board, within=60)
    if "photo" not in forbidden:
        assert shown.photo
        return
    assert shown.text.startswith("This group doesn't allow pictures")
    await ann.say(f"/start {str(shown.button('Share')['url']).partition('?start=')[2]}")
    await film(ann.private, board)
    tried = len(shared.playground.calls)
    await ann.tap(await ann.ask("/stats", in_=group), "As a picture")
    await group.wait_for(lambda message: message.text.endswith("send it here."), after=shown, within=60)
    await shared.pass_by(30)
    assert "sendPhoto" not in [call.method for call in shared.playground.calls[tried:]], "it isn't tried again"
    await put(ann, await begun(ann, bo, group, "me"), 4)
