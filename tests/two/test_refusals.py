"""Refusals out of a transaction of which no other test tells.

`tests.bots.CountedStore` fails whatever is refused after something was written, here as in all tests of a world.
"""

import pytest

from bot.boards import links
from bot.boards.buttons import OnGame, write
from bot.features import watch
from bot.game.pages import LookBack, Share
from playground.groups import Group
from playground.people import Person
from tests.people import WIN, X_WINS, accepted, begun, filmed, linked, opened, play_to, played, result_named, told
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_ninth_game_of_one_person_in_a_group_has_to_wait(shared: World, ann: Person, group: Group) -> None:
    for _ in range(8):
        await ann.ask("/newgame easy me", in_=group)
        await shared.skip(60)
    assert "most games at once here (8)" in (await ann.ask("/newgame easy me", in_=group)).text


async def test_an_offer_begins_only_one_game(shared: World, ann: Person, cem: Person) -> None:
    chat = shared.playground.add_meeting(cem, ann)
    offer = result_named(await ann.inline("", in_=chat), "Challenge")
    one, other = ann.choose(offer, in_=chat), ann.choose(offer, in_=chat)
    await accepted(cem, one)
    assert "invite has already been used" in await told(cem, other, "Accept")


async def test_an_offer_to_somebody_by_a_game_that_is_no_more_begins_none(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    chat = shared.playground.add_meeting(ann, bo)
    offer = result_named(await ann.inline(bo.first_name, in_=chat), bo.first_name)
    message = ann.choose(offer, in_=chat)
    shared.sql("DELETE FROM boards")
    shared.sql("DELETE FROM games")
    assert "no longer open" in await told(ann, message, "接受")


async def test_a_shared_game_challenges_only_another_player_of_it(ann: Person, bo: Person, group: Group) -> None:
    board = await played(ann, bo, await begun(ann, bo, group), X_WINS)
    choice = await opened(ann, linked(await filmed(ann, board)))
    (button,) = [key for row in choice.keyboard for key in row]
    _word, game, mark, sign = button["callback_data"].split(":")
    own = {"X": "O", "O": "X"}[mark]
    assert "out of date" in await told(ann, choice, data=f"challenge:{game}:{own}:{sign}")


async def test_nobody_shares_a_game_that_runs_or_that_they_have_not_seen(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    share = write(OnGame(shared.newest().game.id, Share()))
    assert "no finished game" in await told(ann, board, data=share)
    assert "someone else's game" in await told(cem, await cem.ask("/newgame easy me"), data=share)


@pytest.mark.parametrize("to", [links.REVIEW, links.SHARE])
async def test_a_link_leads_to_no_game_that_runs(shared: World, ann: Person, to: str) -> None:
    await ann.ask("/newgame easy me")
    key = links.signing_key(shared.playground.token)
    link = links.write(shared.newest().game.id, ann.id, key, to)
    assert "no finished game" in (await ann.ask(f"/start {link}")).text


async def test_nobody_reviews_a_game_that_runs_nor_on_a_message_that_never_showed_it(
    shared: World, ann: Person
) -> None:
    board = await ann.ask("/newgame easy me")
    menu = await ann.ask("/help")
    review = write(OnGame(shared.newest().game.id, LookBack(0)))
    assert "no finished game" in await told(ann, board, data=review)
    assert "no finished game" in (await ann.ask("/review")).text
    await play_to(WIN, ann, board, "easy")
    assert "no finished game" in await told(ann, menu, data=review)


async def test_the_computer_plays_itself_in_so_many_chats_at_a_time(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MOST_EXHIBITIONS", 0)
    assert "Too many computer games" in (await ann.ask("/watch")).text
