"""A finished game is shared: drawn once, then sent by its file id; and a link below challenges its players."""

import io
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from bot.boards.finished import sent_text
from bot.boards.links import CHALLENGE, Me, signing_key
from bot.boards.players import Scene
from bot.boards.view import View
from bot.delivery.boards import render
from bot.game.pages import OurGames, Share
from playground.chats import Chat, Message
from playground.groups import Group
from playground.people import Person
from tests.bot.reading import buttons
from tests.carried import data_with
from tests.people import (
    NOBODY_WINS,
    X_WINS,
    begun,
    begun_by_link,
    film,
    filmed,
    given_up,
    is_board,
    is_chinese,
    is_over,
    led,
    linked,
    offered,
    opened,
    plain,
    played,
    played_both,
    pressed,
    resigned,
    still,
    token_of,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

DRAWING = "Drawing it…"
HERE = "It's already here. You can share it again in a moment."


def files(shared: World, method: str, chat: Chat) -> list[bool]:
    """For each call that sent a picture to a chat, whether it uploaded the file."""
    field = {"sendAnimation": "animation", "sendPhoto": "photo"}[method]
    calls = shared.playground.calls_of(method, chat=chat)
    return [str(call.parameters[field]).endswith("bytes") for call in calls if call.ok]


async def test_a_finished_game_comes_as_an_animation_and_then_as_a_still(shared: World, ann: Person) -> None:
    board = await resigned(ann)
    assert (await ann.tap(board, data=data_with(board, Share()))).text == DRAWING
    sent = await film(ann.private, board)
    assert sent.animation is not None
    assert sent.animation.frames >= 3
    assert sent.animation.hundredths > 500
    assert plain(sent).startswith("❌ Ann   🟡 OXO (easy)\n🏆 🟡 OXO (easy) wins by resignation")
    image = Image.open(io.BytesIO(sent.animation.data))
    assert image.size == (sent.animation.width, sent.animation.height)
    assert (await ann.tap(board, data=data_with(board, Share(as_picture=True)))).text == DRAWING
    picture = await still(ann.private, sent)
    assert picture.photo is not None
    assert plain(picture) == plain(sent)
    assert files(shared, "sendAnimation", ann.private) == [True]
    assert files(shared, "sendPhoto", ann.private) == [True]
    assert shared.playground.calls_of("deleteMessage", chat=ann.private) == [], (
        "the animation is no twin of the board"
    )
    assert (await ann.tap(board, "Play again")).text is None


async def test_a_stored_picture_is_sent_by_its_id_in_any_chat_and_drawn_again_once_telegram_lost_it(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    cem = shared.joins("Cem", group)
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    first = await filmed(ann, board)
    said = cem.start(await led(cem, board, Share()))  # bystanders get it in private
    second = await film(cem.private, said)
    assert first.animation is not None
    assert second.animation is not None
    assert second.animation.file_id == first.animation.file_id
    assert files(shared, "sendAnimation", cem.private) == [False]
    assert (await cem.ask(f"/start {said.text.split()[1]}")).text in (HERE, DRAWING), "stored a moment later"
    assert all("url" in each for row in second.keyboard for each in row), "nothing there acts on the game"
    shared.playground.world.files.forget()
    dee = shared.joins("Dee", group)
    said = dee.start(await led(dee, board, Share()))
    await shared.until(lambda: files(shared, "sendAnimation", dee.private))
    third = await film(dee.private, said)
    assert third.animation is not None
    assert third.animation.file_id != first.animation.file_id
    assert files(shared, "sendAnimation", dee.private) == [True]


async def test_by_text_it_is_the_answered_game_or_the_newest_and_a_word_asks_for_the_still(
    shared: World, ann: Person
) -> None:
    assert (
        await ann.ask("/share")
    ).text == "There's no finished game to share here. Send /newgame for a fresh board."
    board = await resigned(ann)
    said = await ann.say("/share", reply_to=board)
    sent = await film(ann.private, said)
    await shared.has_settled(ann.private)
    again = await ann.ask("/share")
    assert again.text.startswith("It's already here")
    said = await ann.say("/share picture", reply_to=sent)
    assert (await still(ann.private, said)).photo is not None
    assert "/share picture" in (await ann.ask("/share it")).text
    assert files(shared, "sendAnimation", ann.private) == [True]


async def test_in_a_group_the_picture_speaks_the_boards_language(ann: Person, bo: Person, group: Group) -> None:
    board = await played(bo, ann, await begun(bo, ann, group), X_WINS)
    assert is_chinese(board.text)
    answer = await ann.tap(board, data=data_with(board, Share()))
    assert answer.text == DRAWING, "but the tap is answered in their own language"
    sent = await film(group, board)
    assert is_chinese(sent.text)


async def test_a_picture_with_another_date_in_it_is_another_but_not_with_another_name(
    shared: World, bo: Person, group: Group
) -> None:
    """Names are in the caption."""
    dan = shared.joins("Dan", group)
    board = await played(dan, bo, await begun(dan, bo, group), X_WINS)
    await filmed(bo, board)
    for name, language, uploaded in (("Eve", "en", False), ("Fe", "ru", True), ("Gus", "en", False)):
        if name == "Gus":
            dan.rename("Daniel", None, None, "en")
            await dan.ask("/stats")
        person = shared.playground.add_person(name, language=language, started=True)
        group.add(person)
        sent = await film(person.private, person.start(await led(person, board, Share())))
        assert files(shared, "sendAnimation", person.private) == [uploaded], name
    assert "Daniel" in sent.text


# *Send*: the folded board in a friend's chat.


async def test_a_finished_game_is_sent_to_a_friend_by_inline_mode_and_has_links_alone(
    shared: World, ann: Person, bo: Person, dee: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    query = str(board.button("Send")["switch_inline_query_chosen_chat"]["query"])
    meeting = shared.playground.add_meeting(ann, dee)
    (found,) = await ann.inline(query, in_=meeting)
    won = "🎯 Ann won this as ❌ in 5 moves."
    assert found.title.translate({0x2068: None, 0x2069: None}) == won
    sent = ann.choose(found, in_=meeting)
    assert plain(sent).startswith(f"{won}\nCan you do it, too?\n\n")
    assert offered(sent) == {"Try it", "Pass it on"}
    assert not any("callback_data" in each for row in sent.keyboard for each in row)
    assert won in plain(await opened(dee, linked(dee.forward(sent), "Try it"))), "as forwarded"
    (of_bo,) = await bo.inline(query, in_=group)
    lost = bo.choose(of_bo, in_=group)
    assert plain(lost).endswith("❌ Ann   🟡 小波\n\n❎❎❎\n🟡🟡⬜\n⬜⬜⬜"), "how it ended"
    assert len(await ann.inline(query[:-1], in_=meeting)) > 1, "a query that was cut short offers what is usual"
    await shared.forgets(ann)
    (now,) = await bo.inline(query, in_=group)
    assert "Ann" not in str(now), "what is sent from now on names nobody who was forgotten"


async def test_without_inline_mode_a_game_is_sent_by_a_link_that_leads_into_it(
    shared: World, ann: Person, dee: Person
) -> None:
    board = await resigned(ann, "easy")
    me = Me("oxo_playground_bot", signing_key(shared.playground.token))
    game = shared.newest().game
    (keyboard,) = [render(game, each, me).keyboard for each in shared.newest().boards]
    (url,) = [each["url"] for row in buttons(keyboard) for each in row if each["text"] == "Send"]
    link = parse_qs(urlsplit(url).query)
    assert link["text"] == [View(sent_text(Scene(game))).plain]
    said = await opened(dee, link["url"][0].partition("?start=")[2])
    assert "🎯 Ann lost this as ❌." in plain(said)
    assert is_over(board)


# *Our games*: what two players are told of their games with each other, and who else may read it.


async def score(person: Person, board: Message) -> Message:
    """What comes after a tap."""
    assert (await person.tap(board, data=data_with(board, OurGames()))).text is None
    return await board.chat.wait_for(lambda message: "⚔️" in message.text, after=board)


async def test_two_players_read_their_score_and_nothing_comes_twice(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    for _ in range(2):
        board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    said = await score(bo, board)
    assert plain(said) == "⚔️ Ann 2 – 0 小波\nAnn: 2 wins in a row"
    assert offered(said) == set()
    assert is_over(board), "the message of the score is no twin of the board"
    assert (await ann.tap(board, data=data_with(board, OurGames()))).text == HERE
    cem = shared.joins("Cem", group)
    told = await cem.tap(board, data=data_with(board, OurGames()))
    assert str(told.text).startswith("That's someone else's game.")


async def test_by_text_the_words_do_the_same(ann: Person, bo: Person) -> None:
    one, other = await begun_by_link(ann, bo)
    await played_both((ann, one), (bo, other), X_WINS)
    assert plain(await ann.ask("our games")) == "⚔️ Ann 1 – 0 小波"
    bo.rename("小波", None, f"bo_{bo.id}", "zh-hans")
    await bo.ask("/stats")
    assert plain(await ann.ask(f"/stats @{bo.username}")) == "⚔️ Ann 1 – 0 小波"
    assert plain(await bo.ask("/ourgames", reply_to=other)) == "⚔️ Ann 1 – 0 小波"


async def test_where_others_read_it_those_who_hide_their_results_are_told_aside(
    ann: Person, bo: Person, group: Group
) -> None:
    await played(ann, bo, await begun(ann, bo, group), NOBODY_WINS)
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await score(ann, board)
    await bo.ask("/settings hidden on")
    before = max(group.messages)
    for person, words in ((ann, "Ann 1 – 0 小波, 1 draw"), (bo, "Ann 1 – 0 小波、1 平")):
        shown = (await person.tap(board, data=data_with(board, OurGames()))).text or ""
        assert shown.translate({0x2068: None, 0x2069: None}) == words
    assert max(group.messages) == before
    assert (await ann.ask("/ourgames", in_=group, reply_to=board)).text.startswith("One of you hides")


async def test_the_longest_names_leave_room_for_the_score_in_an_answer(
    ann: Person, bo: Person, group: Group
) -> None:
    """Joiners between the digits, which keep them from being a phone number, make these names longest."""
    for person in (ann, bo):
        person.rename("7" * 64, "7" * 64, person.username, person.language)
    await played(ann, bo, await begun(ann, bo, group), NOBODY_WINS)
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await bo.ask("/settings hidden on")
    shown = (await ann.tap(board, data=data_with(board, OurGames()))).text or ""
    assert "\u2069 1 – 0 \u2068" in shown
    assert shown.endswith(", 1 draw")


async def test_games_that_do_not_count_have_no_score_and_the_computer_is_no_rival(
    ann: Person, bo: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    await played(ann, bo, board, (0,))
    await given_up(ann, board)
    assert "count yet" in ((await ann.tap(board, data=data_with(board, OurGames()))).text or "")


# Challenging a player of a shared game by the link below it.


async def link_of_a_game(world: World, ann: Person, bo: Person, group: Group) -> str:
    """What the link below the picture of a game of two carries."""
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    return world.link_below(CHALLENGE)


async def challenged(person: Person, link: str, name: str) -> tuple[str | None, Message]:
    """Open a link and challenge a player of its game; what one is told, and what was opened."""
    choice = await opened(person, link)
    (button,) = [label for label in offered(choice) if name in label]
    return (await person.tap(choice, button)).text, choice


async def test_opening_the_link_lets_one_choose_a_player_who_is_told_and_may_accept(
    ann: Person, bo: Person, dee: Person, group: Group
) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    choice = await opened(dee, linked(await filmed(ann, board)))
    assert plain(choice) == "⚔️ Who do you want to challenge? Board: 3×3."
    (button,) = [label for label in offered(choice) if "Ann" in label]
    assert (await dee.tap(choice, button)).text is None
    own = await dee.private.wait_for(after=choice)
    assert plain(own).startswith("⚔️ You challenged Ann.")
    assert offered(own) == {"Send to a friend", "Cancel", "Board: 3×3", "Clock: none", "Series: 1 game"}
    hers = await ann.private.wait_for(lambda message: "Accept" in offered(message))
    assert "Dee" in plain(hers)
    assert offered(hers) == {"Accept", "Decline", "Block"}
    assert (await ann.tap(hers, "Accept")).text is None
    await hers.until(is_board)
    await dee.private.wait_for(is_board, after=choice)


async def test_the_challenged_person_may_decline_and_the_challenger_is_told(
    shared: World, ann: Person, bo: Person, dee: Person, group: Group
) -> None:
    link = await link_of_a_game(shared, ann, bo, group)
    _, choice = await challenged(dee, link, "小波")
    own = await dee.private.wait_for(after=choice)
    his = await bo.private.wait_for(lambda message: len(offered(message)) == 3 and is_chinese(message.text))
    await pressed(bo, his, his.labels[0][1])
    await own.until(lambda message: plain(message) == "小波 declined your challenge.")


async def test_the_link_of_the_challenge_is_for_its_rival_alone_and_makes_no_second_board(
    shared: World, ann: Person, bo: Person, dee: Person, group: Group
) -> None:
    link = await link_of_a_game(shared, ann, bo, group)
    _, choice = await challenged(dee, link, "Ann")
    own = await dee.private.wait_for(after=choice)
    token = token_of(own)
    assert "for someone else" in (await opened(shared.playground.add_person("Eve", started=True), token)).text
    await ann.private.wait_for(lambda message: "Accept" in offered(message))
    said = ann.start(token)
    await ann.private.wait_for(is_board, after=said)
    boards = [message for message in ann.private.messages.values() if is_board(message) and message.id > said.id]
    assert len(boards) == 1


async def test_nobody_is_flooded_with_challenges(shared: World, ann: Person, bo: Person, group: Group) -> None:
    link = await link_of_a_game(shared, ann, bo, group)
    people = [shared.playground.add_person(f"P{number}", started=True) for number in range(4)]
    answers = [(await challenged(person, link, "Ann"))[0] for person in people]
    assert answers[:3] == [None] * 3
    assert answers[3] == "This player has plenty of challenges waiting. Please try again later."
    assert (await challenged(people[0], link, "Ann"))[0] == answers[3], "nor does one person ask twice"


async def test_a_stranger_sends_a_few_challenges_a_day_silently_and_takes_them_back(
    shared: World, ann: Person, bo: Person, dee: Person, group: Group
) -> None:
    """Withdrawing, and deleting one's data, makes room for no more."""
    link = await link_of_a_game(shared, ann, bo, group)
    answers = []
    for _ in range(5):
        told, choice = await challenged(dee, link, "Ann")
        answers.append(told)
        if answers[-1] is None:
            own = await dee.private.wait_for(lambda message: "Cancel" in offered(message), after=choice)
            hers = await ann.private.wait_for(lambda message: "Accept" in offered(message))
            await pressed(dee, own, "Cancel")
            await hers.until(lambda message: message.deleted)
    enough = "This player has had enough challenges from you today. Please try again tomorrow."
    assert answers == [None] * 3 + [enough] * 2
    calls = [call for call in shared.sent(ann.private) if "Dee" in str(call.parameters["text"])]
    assert len(calls) == 3
    assert all(call.parameters.get("disable_notification") for call in calls)
    await shared.forgets(dee)
    told, _ = await challenged(dee, link, "Ann")
    assert told == "That's enough challenges for today. Please try again tomorrow."


async def test_people_without_reminders_are_told_of_no_challenge_and_a_player_may_challenge_the_other(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    link = await link_of_a_game(shared, ann, bo, group)
    await bo.ask("/notify off")
    before = len(bo.private.messages)
    choice = await opened(ann, link)
    (button,) = offered(choice)
    assert "小波" in button, "people can't challenge themselves"
    await ann.tap(choice, button)
    own = await ann.private.wait_for(after=choice)
    assert plain(own).startswith("⚔️ You challenged 小波.")
    await ann.ask("/help")
    assert len(bo.private.messages) == before
