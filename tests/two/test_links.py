"""Challenges by link: each plays in their own private chat, and both boards stay in sync."""

from urllib.parse import parse_qs, urlsplit

import pytest

from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from tests.people import (
    X_WINS,
    begun_by_link,
    boards_in,
    data_of,
    is_board,
    is_chinese,
    offered,
    opened,
    plain,
    played_both,
    pressed,
    put_both,
    token_of,
    told,
)
from tests.world import World

CHALLENGED = "⚔️ Ann challenges you to tic-tac-toe:"


def sent_along(invitation: Message) -> tuple[str, str]:
    """What the button below a challenge sends: what its link leads to, and the text."""
    url = urlsplit(str(invitation.button("Send to a friend")["url"]))
    assert f"{url.scheme}://{url.netloc}{url.path}" == "https://t.me/share/url"
    query = parse_qs(url.query, strict_parsing=True)
    (link,), (text,) = query["url"], query["text"]
    return link.partition("https://t.me/oxo_playground_bot?start=")[2], text.translate(
        {0x2068: None, 0x2069: None}
    )


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_challenge_has_a_link_that_can_be_shared_and_goes_once_it_is_used(ann: Person, bo: Person) -> None:
    invitation = await ann.ask("/challenge")
    assert "https://t.me/oxo_playground_bot?start=" in invitation.text
    assert offered(invitation) == {"Send to a friend", "Cancel", "Board: 3×3", "Clock: none", "Series: 1 game"}
    assert sent_along(invitation) == (token_of(invitation), f"{CHALLENGED} 3×3. You play 🟡 and move second.")
    await opened(bo, token_of(invitation))
    assert is_board(await ann.private.wait_for(after=invitation)), "a message of its own tells the challenger"
    await invitation.until(lambda message: message.deleted)


async def test_the_sentence_that_goes_with_a_link_has_its_terms_and_notifies_nobody(
    shared: World, bo: Person, group: Group
) -> None:
    odd = shared.playground.add_person(f"@{bo.username} & Co. /newgame", username="odd_one", started=True)
    group.add(odd)
    invitation = await odd.ask("/challenge bot 5x5 2m bo3")
    for label, clock, games in (
        (None, "2 minutes", 3),
        ("⏱ 2 min", "10 minutes", 3),
        ("Best of", "10 minutes", 5),
    ):
        if label is not None:
            await pressed(odd, invitation, next(each for each in offered(invitation) if each.startswith(label)))
        token, told = sent_along(invitation)
        assert token == token_of(invitation)
        assert f"5×5 · ⏱ {clock} a move · Best of {games}." in told
        assert told.endswith("You play ❌ and move first.")
    sent = await odd.say(f"https://t.me/oxo_playground_bot?start={token}\n{told}", in_=group)
    assert [entity["type"] for entity in sent.entities] == ["url"], "the link alone"
    await odd.ask("/settings text on")
    assert told.split(":")[0] in plain(await odd.ask("/challenge")), "who types has no button"


async def test_the_words_of_the_command_hold_for_links(ann: Person) -> None:
    assert "You play 🟡 and move second" in (await ann.ask("/challenge bot")).text
    assert "I don't know the word" in (await ann.ask("/challenge easy")).text
    invitation = await ann.ask("/challenge me @cem_oz 5x5")
    assert "You play ❌ and move first" in invitation.text
    assert "Board: 5×5" in offered(invitation)
    said = await ann.private.wait_for(after=invitation)
    assert said.text == "I can't reach this player from here, so please send the link yourself."


async def test_both_boards_are_kept_in_step_in_each_ones_language(ann: Person, bo: Person) -> None:
    hers, his = await begun_by_link(ann, bo)
    assert "❌ You   🟡 小波" in plain(hers)
    assert "Your turn" in hers.text
    assert "Ann" in plain(his)
    assert is_chinese(his.text.splitlines()[0])
    assert is_chinese(await told(bo, his, data=data_of(his, 0)))
    await played_both((ann, hers), (bo, his), X_WINS)
    assert "You win" in hers.text
    assert "Ann" in plain(his).splitlines()[0]
    await pressed(ann, hers, "Rematch")
    assert "You asked for a rematch. Waiting for 小波…" in plain(hers)
    assert offered(hers) == {"Rematch…", "✕", "🔎"}
    await his.until(lambda message: "🔁" in message.text)
    await bo.tap(his, his.labels[3][0])
    second_hers = await ann.private.wait_for(is_board, after=hers)
    second_his = await bo.private.wait_for(is_board, after=his)
    assert "❌ 小波   🟡 You" in plain(second_hers)
    assert "Score: You 1 – 0 小波" in plain(second_hers)
    await put_both(bo, second_his, second_hers, 4)


async def test_a_player_gets_the_board_by_the_link_again_and_nobody_else(
    ann: Person, bo: Person, cem: Person
) -> None:
    invitation = await ann.ask("/challenge")
    token = token_of(invitation)
    assert "your own link" in (await opened(ann, token)).text
    first = await opened(bo, token)
    again = await bo.private.wait_for(is_board, after=bo.start(token))
    await first.until(lambda message: message.deleted)
    hers = await ann.private.wait_for(is_board, after=invitation)
    await put_both(ann, hers, again, 4)
    below = await ann.private.wait_for(is_board, after=ann.start(token))
    await put_both(bo, again, below, 0)
    assert "doesn't work" in (await opened(cem, token)).text


async def test_a_link_seats_nobody_on_terms_that_it_was_not_sent_with(ann: Person, bo: Person) -> None:
    invitation = await ann.ask("/challenge bot 30s")
    first = token_of(invitation)
    for label in ("⏱ 30 s", "Series: 1 game"):
        await pressed(ann, invitation, label)
    offer = await opened(bo, first)
    assert not is_board(offer)
    assert is_chinese(offer.text)
    assert "3" in plain(offer).splitlines()[-2], "the best of 3 games that he hasn't seen"
    assert len(offer.labels) == 1, offer.labels
    seen, carried = token_of(invitation), str(offer.keyboard[0][0]["callback_data"])
    await pressed(ann, invitation, "Best of 3")
    assert is_chinese(await told(bo, offer, data=carried)), "they have changed once more"
    await offer.until(lambda message: "5" in plain(message).splitlines()[-2])
    assert not is_board(await opened(bo, seen))
    assert (await bo.tap(offer, offer.labels[0][0])).text is None
    await offer.until(is_board)
    hers = await ann.private.wait_for(is_board, after=invitation)
    assert "Best of 5" in plain(hers)
    assert (await bo.tap(offer, data=carried)).text is not None, "the message is the board now"
    await put_both(bo, offer, hers, 4)


async def test_a_link_that_has_the_terms_seats_whoever_opens_it(ann: Person, bo: Person, cem: Person) -> None:
    invitation = await ann.ask("/challenge 5x5 2m bo3")
    before = token_of(invitation)
    await pressed(ann, invitation, "Best of 3")
    for wrong in (f"{before}-", f"{before}-x-", f"{before.split('-5x5')[0]}A"):
        assert not (await opened(cem, wrong)).labels or "5×5" in (await opened(cem, wrong)).text
    his = await opened(bo, token_of(invitation))
    assert len(his.labels[0]) == 5


async def test_once_the_game_is_over_the_link_still_brings_its_players_their_board(
    ann: Person, bo: Person, cem: Person
) -> None:
    invitation = await ann.ask("/challenge")
    token = token_of(invitation)
    his = await opened(bo, token)
    hers = await ann.private.wait_for(is_board, after=invitation)
    await played_both((ann, hers), (bo, his), X_WINS)
    for person, board in ((ann, hers), (bo, his)):
        again = await opened(person, token)
        assert (again.text, again.labels) == (board.text, board.labels)
    assert "someone was faster" in (await opened(cem, token)).text


async def test_whoever_comes_too_late_for_a_challenge_is_told_that_it_is_no_longer_open(
    shared: World, ann: Person, cem: Person
) -> None:
    withdrawn, expired = await ann.ask("/challenge"), await ann.ask("/challenge")
    tokens = [token_of(invitation) for invitation in (withdrawn, expired)]
    await pressed(ann, withdrawn, "Cancel")
    await shared.skip(days=1)
    await shared.until(lambda: "expired" in expired.text)
    for token in tokens:
        assert (
            await opened(ann, token)
        ).text == "This challenge is no longer open. Send /newgame for a fresh board."
        assert "no longer open" in (await opened(cem, token)).text


async def test_tokens_cannot_be_guessed_and_a_withdrawn_one_seats_nobody(
    ann: Person, bo: Person, cem: Person
) -> None:
    invitations = [await ann.ask("/challenge") for _ in range(3)]
    tokens = [token_of(invitation) for invitation in invitations]
    assert all(len(token) >= 22 for token in tokens), "at least 128 bits"
    assert len(set(tokens)) == 3
    assert "most open challenges here (3)" in (await ann.ask("/challenge")).text
    for wrong in (tokens[0][:-1], tokens[0].swapcase(), "1", "x" * 64, f"{tokens[0]}A"):
        assert "doesn't work" in (await opened(cem, wrong)).text
    await pressed(ann, invitations[1], "Cancel")
    assert "withdrawn" in invitations[1].text
    assert is_chinese((await opened(bo, tokens[1])).text)
    assert not boards_in(bo.private)
    assert is_board(await opened(bo, tokens[0]))


async def test_links_are_made_in_private_chats_only(ann: Person, group: Group) -> None:
    challenge = await ann.ask("/challenge", in_=group)
    assert "https" not in challenge.text
    greeting = await ann.ask("/start", in_=group)
    assert "http" not in greeting.text + str(greeting.keyboard)
    assert "private chat" in await told(ann, challenge, data="invite")


async def test_each_brings_down_their_own_board_and_a_deleted_one_is_sent_again(ann: Person, bo: Person) -> None:
    hers, his = await begun_by_link(ann, bo)
    await put_both(ann, hers, his, 4)
    below = await bo.ask("/board")
    assert is_board(below)
    await his.until(lambda message: message.deleted)
    await put_both(bo, below, hers, 0)
    assert is_chinese((await bo.ask("/games")).text)
    assert "小波" in (await ann.ask("/games")).labels[0][0]
    bo.delete(below)
    await ann.tap(hers, data=data_of(hers, 8))
    again = await bo.private.wait_for(is_board, after=below)
    await put_both(bo, again, hers, 2)
