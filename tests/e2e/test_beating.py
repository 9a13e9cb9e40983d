"""Beat this: others play the side of whoever shared a game, who is told how it ends."""

import pytest

from bot.boards.links import BEAT
from bot.game.pages import to_beat
from engine import CLASSIC, Mark, Position
from playground.chats import Message
from playground.people import Person
from storage.games.game import Game, GameKind, Side, Termination
from tests.people import (
    X_WINS,
    begun,
    data_of,
    filmed,
    given_up,
    is_board,
    linked,
    offered,
    opened,
    plain,
    played,
    position_of,
    resigned,
)
from tests.world import World

SEVEN = (0, 2, 1, 4, 3, 5, 6)
"""A game that X wins in seven moves."""
TOLD = "🎯 {name} tried the game you shared, and {how}."


def met(oxo: World, *names: str) -> list[Person]:
    return [oxo.playground.add_person(name, started=True) for name in names]


async def to_be_beaten(oxo: World, person: Person) -> str:
    """What the link below a game carries that somebody has lost as X after a move."""
    await resigned(person, "beginner")
    return oxo.link_below(BEAT, 2)


async def taken_over(person: Person, link: str) -> Message:
    board = await opened(person, link)
    assert is_board(board)
    return board


def ways(message: Message) -> set[str]:
    """The buttons of a message, without what isolates names."""
    return {label.translate({0x2068: None, 0x2069: None}) for label in offered(message)}


def heard(person: Person) -> list[str]:
    said = [plain(each) for each in person.private.messages.values() if each.from_bot]
    return [each for each in said if each.startswith("🎯") and "you shared" in each]


def best(position: Position) -> int:
    """A cell that completes a line, or else prevents one, or else any."""
    for mark in (position.turn, position.turn.other):
        for line in CLASSIC.lines:
            marks = [position.mark_at(cell) for cell in line]
            if marks.count(mark) == 2 and None in marks:
                return int(line[marks.index(None)])
    return int(position.legal_moves[0])


async def test_whoever_shared_a_game_is_told_silently_how_another_did_from_a_position_of_it(oxo: World) -> None:
    ann, bo = met(oxo, "Ann", "Bo")
    picture = await filmed(ann, await resigned(ann, "beginner"))
    assert picture.labels == [["Beat this", "Play \u2068Ann\u2069"]]
    assert all("url" in each for row in picture.keyboard for each in row), "what is shared has links alone"
    assert "cut short" in (await opened(bo, linked(picture, "Beat this")[:-1])).text
    board = await opened(bo, linked(picture, "Beat this"))
    assert "🎯 Ann lost this as ❌. Can you do better? Ann may hear how it ends." in plain(board)
    assert position_of(board).ply == 2, "after Ann's first move and the answer"
    assert "❌ You   🟡 OXO (beginner)" in plain(board)
    while position_of(board).outcome is None:
        assert (await bo.tap(board, data=data_of(board, best(position_of(board))))).text is None
        await board.changed()
    outcome = position_of(board).outcome
    assert outcome is not None
    how = "drew" if outcome.is_draw else "won" if outcome.winner is Mark.X else "lost"
    compared = "No better than Ann" if how == "lost" else "You did better than Ann!"
    await oxo.until(lambda: f"🎯 {compared}" in plain(board))
    await oxo.until(lambda: heard(ann))
    assert heard(ann) == [f"{TOLD.format(name='Bo', how=how)}\n3×3 · OXO (beginner)"]
    call = oxo.playground.calls_of("sendMessage", chat=ann.private)[-1]
    assert call.parameters["disable_notification"], "without a sound"
    assert "count" not in plain(board)
    answer = await ann.say("/block", reply_to=list(ann.private.messages.values())[-1])
    blocked = await ann.private.wait_for(after=answer)
    assert plain(blocked).startswith("Blocked: Bo")


async def test_of_a_game_of_two_the_side_is_that_of_the_player_who_shares_it(oxo: World) -> None:
    ann, bo, cem = met(oxo, "Ann", "Bo", "Cem")
    cem.language = "zh-hans"
    group = oxo.playground.add_group("The Noughts", [ann, bo, cem])
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    picture = await filmed(bo, board)
    own = await opened(cem, linked(picture, "Beat this"))
    assert position_of(own).ply == 1
    assert "🟡 你" in plain(own)


async def test_a_won_game_that_is_sent_counts_by_itself_who_has_tried_it_and_survives_a_kill(oxo: World) -> None:
    ann, bo, cem = met(oxo, "Ann", "Bo", "Cem")
    group = oxo.playground.add_group("The Noughts", [ann, bo])
    await played(ann, bo, await begun(ann, bo, group), SEVEN)
    link = oxo.link_below(BEAT)
    (result,) = await ann.inline(link, in_=group)
    sent = ann.choose(result, in_=group)
    assert plain(sent).splitlines()[:2] == ["🎯 Ann won this as ❌ in 7 moves.", "Can you do it in fewer?"]
    assert plain(sent).splitlines()[-1] == "1. Ann 7"
    assert offered(sent) == {"Try it", "Pass it on"}
    assert not any("callback_data" in button for row in sent.keyboard for button in row), "it can be forwarded"
    await oxo.skip(1)
    to = str(sent.button("Try it")["url"]).partition("?start=")[2]
    for person in (bo, cem):
        await given_up(person, await taken_over(person, to))
    before = len(oxo.playground.calls_of("editMessageText"))
    oxo.kill()
    await oxo.serve()
    await oxo.until(lambda: plain(sent).endswith("1. Ann 7\n✗ Bo, Cem"))
    edits = [call for call in oxo.playground.calls_of("editMessageText")[before:] if "✗" in str(call.parameters)]
    assert len(edits) == 1, "for both"
    await oxo.forgets(bo)
    await oxo.until(lambda: plain(sent).endswith("✗ Cem"))
    await cem.ask("/settings hidden on")
    await oxo.until(lambda: plain(sent).endswith("1. Ann 7"))
    await oxo.forgets(ann)
    await oxo.until(lambda: "Ann" not in plain(sent))


async def test_after_a_try_one_may_try_again_or_play_who_shared_it_and_nonsense_leads_nowhere(oxo: World) -> None:
    ann, bo = met(oxo, "Ann", "Bo")
    group = oxo.playground.add_group("The Noughts", [ann, bo])
    await played(ann, bo, await begun(ann, bo, group), SEVEN)
    link, cem = oxo.link_below(BEAT), oxo.playground.add_person("Cem")
    board = await taken_over(cem, link)
    assert "🎯 Ann won this as ❌ in 7 moves. Can you do it in fewer? Ann may hear how it ends." in plain(board)
    await given_up(cem, board)
    await oxo.until(lambda: "Play again" in offered(board))
    assert "🎯 Ann won in 7 moves. Not this time! Ann may hear about it." in plain(board)
    assert ways(board) - set("·❌🟡") == {"Play again", "⚔️ Ann", "🔎"}
    await taken_over(cem, str(board.button("Play again")["url"]).partition("?start=")[2])
    assert {result.title for result in await cem.inline(link[:-1], in_=cem.private)} != {board.text}


async def test_few_are_told_of_each_person_once_and_nothing_is_lost_or_doubled_by_a_kill(oxo: World) -> None:
    ann, *others = met(oxo, "Ann", "Bo", "Cem", "Dee", "Eve")
    link = await to_be_beaten(oxo, ann)
    for number, person in enumerate((others[0], *others)):
        await given_up(person, await taken_over(person, link))
        if number == 0:
            oxo.kill()
            await oxo.serve()
            await oxo.until(lambda: heard(ann))
        await oxo.skip(10)
    assert [each.split()[1] for each in heard(ann)] == ["Bo", "Cem", "Dee"]
    await oxo.skip(days=1)
    await oxo.skip(10)
    await given_up(others[3], await taken_over(others[3], link))
    await oxo.until(lambda: len(heard(ann)) == 4)


@pytest.mark.parametrize("why", ["own", "undone", "hidden", "blocked", "off", "forgotten", "unreachable"])
async def test_nobody_is_told_what_they_may_not_or_will_not_know(oxo: World, why: str) -> None:
    bo, cem = met(oxo, "Bo", "Cem")
    ann = oxo.playground.add_person("Ann", started=why != "unreachable")
    group = oxo.playground.add_group("The Noughts", [ann, bo, cem])
    if why == "unreachable":
        await played(ann, cem, await begun(ann, cem, group), X_WINS)
        link = oxo.link_below(BEAT, 2)
    else:
        link = await to_be_beaten(oxo, ann)
    if why == "hidden":
        await bo.ask("/settings hidden on")
    if why == "off":
        await ann.ask("/notify off")
    if why == "blocked":
        await ann.say("/block", in_=group, reply_to=await bo.say("hi", in_=group))
        await oxo.skip(5)
    person = ann if why == "own" else bo
    board = await opened(person, link)
    assert ("may hear" in board.text) is (why not in ("own", "hidden")), "a block can't be seen"
    if why == "undone":
        await person.tap(board, data=data_of(board, best(position_of(board))))
        await board.changed()
        await person.tap(board, "Undo")
        await board.changed()
    if why == "forgotten":
        await oxo.forgets(ann)
        await oxo.until(lambda: "Ann" not in board.text)
    await given_up(person, board)
    await oxo.skip(60)
    assert heard(ann) == []
    assert oxo.sql("SELECT id FROM outbox WHERE kind = 'beaten'") == []
    if why == "forgotten":
        assert "no longer have this game" in (await opened(bo, link)).text


@pytest.mark.parametrize(
    ("moves", "x", "o"),
    [("", None, None), ("4", None, 1), ("40", 2, 1), ("01", 2, 1), ("04", 2, 1), ("03142", 2, 1), ("0418", 2, 3)],
)
def test_the_position_is_that_of_the_first_mistake_or_the_second_move(
    moves: str, x: int | None, o: int | None
) -> None:
    over = Game(
        1, None, "3x3x3", GameKind.PAIR, Side(5), Side(6), moves=moves, termination=Termination.RESIGNATION
    )
    assert (to_beat(over, Mark.X), to_beat(over, Mark.O)) == (x, o)


async def test_whoever_deletes_their_data_and_comes_back_is_not_told_of_again_that_day_though_a_block_is_gone(
    oxo: World,
) -> None:
    ann, bo = met(oxo, "Ann", "Bo")
    link = await to_be_beaten(oxo, ann)
    for _ in range(2):
        await given_up(bo, await taken_over(bo, link))
        await oxo.skip(30)
        await ann.say("/block", reply_to=list(ann.private.messages.values())[-1])
        await oxo.forgets(bo)
    assert len(heard(ann)) == 1


async def test_a_board_on_which_somebody_tries_a_game_names_its_sharer_no_more_once_they_are_forgotten(
    oxo: World,
) -> None:
    ann, bo, cem = met(oxo, "Ann", "Bo", "Cem")
    group = oxo.playground.add_group("The Noughts", [ann, bo])
    await played(ann, bo, await begun(ann, bo, group), SEVEN)
    board = await opened(cem, oxo.link_below(BEAT))
    assert "Ann" in plain(board)
    await oxo.forgets(ann)
    await oxo.until(lambda: "Somebody who left won this" in plain(board))
    await given_up(cem, board)
