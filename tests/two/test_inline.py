"""Games in any chat: inline mode's offers, and games in the chosen message."""

from collections.abc import Iterator

import pytest

from bot.boards.lists import BUTTON_LETTERS, width
from bot.language import LANGUAGES
from playground.chats import Chat, Message
from playground.people import Person
from tests.people import (
    NOBODY_WINS,
    WIN,
    X_WINS,
    accepted,
    data_of,
    given_up,
    is_board,
    is_chinese,
    mentioned,
    offered,
    plain,
    play_to,
    played,
    position_of,
    pressed,
    put,
    result_named,
    styles_of,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def meeting(shared: World, ann: Person, bo: Person, cem: Person) -> Chat:
    """A private chat that the bot isn't in; Cem looks over their shoulders."""
    chat = shared.playground.add_meeting(ann, bo)
    chat.members[cem.id] = cem
    return chat


@pytest.fixture(params=["with feedback", "without feedback"])
def feedback(request: pytest.FixtureRequest, shared: World) -> Iterator[bool]:
    """Whether Telegram tells the bot which result was chosen."""
    before = shared.playground.bot.inline_feedback
    shared.playground.bot.inline_feedback = request.param == "with feedback"
    yield shared.playground.bot.inline_feedback
    shared.playground.bot.inline_feedback = before


async def chosen(person: Person, chat: Chat, title: str, query: str = "") -> Message:
    return person.choose(result_named(await person.inline(query, in_=chat), title), in_=chat)


async def begun_inline(ann: Person, bo: Person, chat: Chat) -> Message:
    """A game of two in Ann's message; she has X."""
    return await accepted(bo, await chosen(ann, chat, "Challenge"))


async def test_a_challenge_and_a_game_against_oxo_are_offered_in_the_persons_language(
    ann: Person, bo: Person, meeting: Chat
) -> None:
    hers, his = await ann.inline("", in_=meeting), await bo.inline("", in_=meeting)
    assert [result.title for result in hers] == ["Challenge", "Play OXO"]
    assert all(is_chinese(result.title) for result in his)
    again = await ann.inline("", in_=meeting)
    assert not {result.id for result in hers} & {result.id for result in (*his, *again)}, "no two offers are equal"
    assert [result.description for result in await ann.inline("hard", in_=meeting)] == ["Difficulty: hard"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_whatever_is_typed_something_is_offered_with_one_coloured_button(
    shared: World, language: str
) -> None:
    person = shared.playground.add_person("Dee", language=language, started=True)
    for words in ("", "zzz", "@nobody_here", "7x7", "b12-AAAAAAAAAAAAAAAA", "x" * 256):
        offers = await person.inline(words)
        assert offers, words
        for offer in offers:
            ((button,),) = offer.keyboard
            assert width(str(button["text"])) <= BUTTON_LETTERS
            assert button["style"] in ("primary", "success")
            assert offer.title
            assert offer.description


async def test_a_game_of_two_runs_in_the_chosen_message(
    ann: Person, bo: Person, cem: Person, meeting: Chat, *, feedback: bool
) -> None:
    message = await chosen(ann, meeting, "Challenge")
    assert "Ann is looking for an opponent" in plain(message)
    if feedback:
        await message.until(lambda shown: "Cancel" in offered(shown))
        assert offered(message) == {"Accept", "Cancel", "Options"}
        assert is_chinese(await told(bo, message, "Cancel"))
    await accepted(bo, message)
    assert "❌ Ann   🟡 小波" in plain(message)
    assert mentioned(message) == [ann.id]
    assert is_chinese(await told(bo, message, data=data_of(message, 0)))
    assert "someone else's game" in await told(cem, message, data=data_of(message, 0))
    await put(ann, message, 4)
    await pressed(ann, message, "Undo")
    await pressed(bo, message, "Accept")
    assert position_of(message).ply == 0
    await played(ann, bo, message, X_WINS)
    assert "❌ Ann wins" in plain(message)


async def test_the_news_of_the_choice_may_come_after_the_first_tap_and_no_tap_need_say_which_chat_it_is_in(
    shared: World, ann: Person, bo: Person, meeting: Chat
) -> None:
    nowhere = shared.playground.faults.add("no_instance")
    late = shared.playground.faults.add(kind="reorder", update="chosen_inline_result", delay=0.3, times=1)
    message = await chosen(ann, meeting, "Challenge")
    await accepted(bo, message)
    await put(ann, message, 4)
    await put(bo, message, 0)
    updates = shared.playground.world.updates
    await updates.changes.until(lambda: True if late.struck else None, 5, lambda: "the late news")
    await shared.playground.confirmed()
    shared.playground.faults.remove(nowhere)
    await put(ann, message, 8)
    assert position_of(message).ply == 3


async def test_a_game_against_the_computer_runs_in_the_message(
    ann: Person, bo: Person, meeting: Chat, *, feedback: bool
) -> None:
    message = await chosen(ann, meeting, "Play OXO", "easy")
    assert "Ann wants to play" in plain(message)
    if feedback:
        await message.until(is_board)
    else:
        assert is_chinese(await told(bo, message, "Start"))
        await message.until(is_board)
    assert "❌ Ann   🟡 OXO (easy)" in plain(message)
    assert is_chinese(await told(bo, message, data=data_of(message, 4)))
    await put(ann, message, 4)
    assert (await told(ann, message, "Hint, no 🏅")).startswith("💡")
    await message.until(lambda shown: "success" in styles_of(shown).values())
    await play_to(WIN, ann, message, "easy")
    assert plain(message).startswith("🏆 ❌ Ann wins")
    await pressed(ann, message, "Play again")
    assert "❌ OXO (easy)   🟡 Ann" in plain(message)
    assert position_of(message).ply == 1


async def test_a_rematch_stays_in_the_message(ann: Person, bo: Person, meeting: Chat) -> None:
    message = await played(ann, bo, await begun_inline(ann, bo, meeting), X_WINS)
    await pressed(ann, message, "Rematch")
    assert "Ann wants a rematch" in plain(message)
    await pressed(bo, message, "Rematch ✓")
    assert plain(message).endswith("❌ 小波   🟡 Ann\nScore: 小波 0 – 1 Ann")
    await put(bo, message, 0)


async def test_the_last_games_can_be_shown_around(ann: Person, bo: Person, meeting: Chat) -> None:
    assert len(await ann.inline("", in_=meeting)) == 2
    await played(ann, bo, await begun_inline(ann, bo, meeting), X_WINS)
    message = await begun_inline(ann, bo, meeting)
    await played(ann, bo, message, NOBODY_WINS)
    hardly_begun = await begun_inline(ann, bo, meeting)
    await given_up(ann, hardly_begun)
    shown = await chosen(ann, meeting, "My games")
    assert "1 win, 1 draw." in shown.text
    assert plain(shown).splitlines()[1:] == ["🤝 小波", "🏆 小波"]
    assert shown.labels == []
    theirs = await bo.inline("", in_=meeting)
    assert is_chinese(theirs[-1].title)
    assert len(theirs) == 3


@pytest.mark.usefixtures("feedback")
async def test_an_earlier_opponent_can_be_challenged_by_name(
    shared: World, ann: Person, bo: Person, cem: Person, meeting: Chat
) -> None:
    assert len(await ann.inline("小波", in_=meeting)) == 2, "nobody knows him yet"
    await played(ann, bo, await begun_inline(ann, bo, meeting), X_WINS)
    (named,) = await ann.inline("小波 bot", in_=meeting)
    assert str(bo.id) not in f"{named.id}{named.keyboard}", "whoever reads the button learns nobody's id"
    assert (named.title, named.description) == ("Challenge 小波", "Your opponent moves first")
    message = ann.choose(named, in_=meeting)
    assert "小波，Ann 想和你下一局井字棋" in plain(message), "in his language"
    assert "someone else" in await told(cem, message, "接受")
    await message.until(lambda shown: "拒绝" in offered(shown))
    await pressed(bo, message, "拒绝")
    assert plain(message) == "小波 谢绝了 Ann 的挑战。"
    group = shared.playground.add_group("Friends", [ann, bo])
    message = ann.choose((await ann.inline("小波 me", in_=group))[0], in_=group)
    assert "小波, Ann challenges you" in plain(message), "in the challenger's language, since others read it, too"
    await accepted(bo, message)
    assert "Ann's turn" in plain(message)
    late = (await ann.inline("小波 me", in_=group))[0]
    await shared.forgets(bo)
    await shared.until(lambda: shared.value("SELECT count(*) FROM erasures") == 0)
    assert "Your opponent left" in await told(cem, ann.choose(late, in_=meeting), "Accept")


@pytest.mark.usefixtures("feedback")
async def test_a_challenge_to_a_username_is_theirs_alone_and_tells_nothing_about_them(
    ann: Person, bo: Person, cem: Person, meeting: Chat
) -> None:
    await bo.ask("/newgame easy")
    messages = {}
    for name in (str(bo.username), "nobody_has_this_name"):
        (offer,) = await ann.inline(f"@{name} me", in_=meeting)
        messages[name] = message = ann.choose(offer, in_=meeting)
        assert "challenges you" in message.text, "not in the language of the person"
        assert "another username" in await told(cem, message, "Accept")
        await message.until(lambda shown: "Decline" in offered(shown))
    seen = [
        (plain(message).replace(name, ""), offered(message), mentioned(message))
        for name, message in messages.items()
    ]
    assert seen[0] == seen[1]
    message = await accepted(bo, messages[str(bo.username)])
    assert "❌ Ann   🟡 小波" in plain(message)


async def test_a_username_without_room_in_the_button_is_not_promised_the_game(
    ann: Person, cem: Person, meeting: Chat
) -> None:
    (offer,) = await ann.inline("@a_name_as_long_as_telegram_takes random", in_=meeting)
    assert offer.title == "Challenge"
    message = ann.choose(offer, in_=meeting)
    assert "Ann is looking for an opponent" in plain(message)
    await accepted(cem, message)
    assert "Cem" in plain(message)


async def test_a_choice_in_the_bots_own_chat_is_not_answered_with_a_shrug(shared: World, ann: Person) -> None:
    message = await chosen(ann, ann.private, "Challenge")
    await message.until(lambda shown: "Cancel" in offered(shown))
    await shared.has_answered(ann.private, ann)
    assert not [call for call in shared.sent(ann.private) if "only know" in str(call.parameters["text"])]


async def test_somebody_who_has_many_games_going_in_other_chats_begins_no_more_there(
    shared: World, ann: Person, bo: Person, meeting: Chat, monkeypatch: pytest.MonkeyPatch, *, feedback: bool
) -> None:
    monkeypatch.setattr("bot.features.inline.MOST_INLINE", 3)
    for _ in range(3):
        last = await chosen(ann, meeting, "Challenge")
        if feedback:
            await last.until(lambda shown: "Cancel" in offered(shown))
        else:
            await accepted(bo, last)
    another = await chosen(ann, meeting, "Challenge")
    assert "3" in await told(bo, another, another.labels[0][0])
    computer = await chosen(ann, meeting, "Play OXO")
    assert (await ann.tap(computer, computer.labels[0][0])).text is None
    await pressed(ann, last, "Cancel") if feedback else await given_up(ann, last)
    await shared.skip(1)
    await accepted(bo, another)
