"""Commands with words, in any language: those that mean nothing are answered with those that do."""

from typing import Final

import pytest

from engine import Level
from playground.groups import Group
from playground.people import Person
from tests.people import is_board, is_chinese, offered, position_of
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")

A_GAME: Final = (*Level, "Me", "OXO", "Random", "/challenge")
A_LEVEL: Final = tuple(Level)
A_FIRST: Final = ("Me", "OXO", "Random")
THEMES: Final = "/settings theme classic, letters, shapes, sky, hearts"
SETTINGS: Final = ("/settings level", THEMES)
ANSWERED: Final = {
    "/newgame nightmare": A_GAME,
    "/newgame <b>bold</b>": A_GAME,
    "/newgame \u202eevil\u202c": A_GAME,
    "/newgame " + "é" * 2000: A_GAME,
    "/newgame " + "<" * 3000: A_GAME,
    "/newgame easy hard": A_GAME[:-1],
    "/newgame " + "me easy " * 300 + "what": ("what", *A_GAME[:-1]),
    "/difficulty me": A_LEVEL,
    "/difficulty <b>": A_LEVEL,
    "/difficulty easy hard": A_LEVEL,
    "/difficulty easy me": ("word me", *A_LEVEL),
    "/first easy": A_FIRST,
    "/first \u2066": A_FIRST,
    "/first me bot": A_FIRST,
    "/takebacks maybe": ("I don't know the word maybe",),
    "/settings theme pink": ("I don't know the word pink", THEMES),
    "/settings text on off": ("I don't know the word",),
    "/settings <b> on": ("I don't know the word", *SETTINGS),
    "/stats me": ("/stats @name",),
    "/stats @one_name @other_name": ("/stats @name",),
    "/stats " + "9" * 300: ("/stats @name",),
    "/top month": ("/top week",),
    "/share it": ("/share picture",),
    **dict.fromkeys(("hello", "/unknown", "newgame now", "<b>", "x" * 4096), ("🙂",)),
    "/start payload_of-no_link": (),
    **dict.fromkeys(("/accept", "/rematch", "/withdraw"), ("There's nothing to answer",)),
    "centre": ("no game in progress",),
    "/play hard": ("I don't know the word hard", "any means any board"),
    "/play 5x5 6x6": ("one board",),
    "/newgame 9x9": ("ultimate", "5x5"),
    "/watch hard @somebody": ("perfect",),
    "/watch 5x5 tempo": ("only plays on 3×3",),
    **dict.fromkeys(
        ("/review", "/next", "/try", "/answer", "/leave"),
        ("There's no finished game here to review. Send /newgame for a fresh board.",),
    ),
}


@pytest.mark.parametrize("said", ANSWERED, ids=[f"{said[:30]!a}" for said in ANSWERED])
async def test_what_means_nothing_is_answered_with_what_works(shared: World, ann: Person, said: str) -> None:
    answer = await ann.ask(said)
    for words in ANSWERED[said]:
        assert words in answer.text
    assert not is_board(answer)
    (call,) = shared.sent(ann.private)
    assert call.ok
    if said.startswith("/newgame"):
        assert len(answer.text) < 600
        assert answer.labels == []
    if said.startswith(("/difficulty", "/first")):
        assert "✓ adaptive" in offered(await ann.ask("/difficulty")), "nothing was changed"
        assert "✓ Me" in offered(await ann.ask("/first"))


@pytest.mark.parametrize(
    ("said", "level", "ply"),
    [
        ("/NewGame   ME \n  pErFeCt  ", "perfect", 0),
        ("/newgame\nbot easy easy", "easy", 1),
        ("/newgame@OXO_Playground_Bot bot easy", "easy", 1),
    ],
)
async def test_words_come_in_any_order_and_case(ann: Person, said: str, level: str, ply: int) -> None:
    board = await ann.ask(said)
    assert level in board.text
    assert position_of(board).ply == ply


async def test_what_follows_a_command_may_be_said_in_the_persons_language(shared: World, bo: Person) -> None:
    board = await bo.ask("/newgame 困难 bot")
    assert "困难" in board.text
    assert position_of(board).ply == 1
    oleg = shared.playground.add_person("Олег", language="ru")
    for words in ("Напоминания да", "reminders ON"):
        assert ": да" in (await oleg.ask(f"/settings {words}")).text
    assert "Türkçe" in (await oleg.ask("/settings язык türkçe")).text
    assert "Русский" in (await oleg.ask("/settings dil РУССКИЙ")).text
    nothing = (await oleg.ask("/share")).text
    assert (await oleg.ask("/share картинка")).text == nothing != (await oleg.ask("/share музыка")).text
    await oleg.ask("/forget")
    refused = (await oleg.ask("/forget нет")).text
    assert refused == (await oleg.ask("/forget no")).text


async def test_a_group_is_answered_in_its_language_and_a_tapper_in_their_own(
    ann: Person, bo: Person, group: Group
) -> None:
    for words in ("/settings language zh", "/newgame nightmare", "/settings"):
        assert is_chinese((await ann.ask(words, in_=group)).text)
    board = await ann.ask("/newgame easy", in_=group)
    assert not is_chinese((await ann.tap(board, data="nonsense")).text)
    assert is_chinese((await bo.tap(board, row=0)).text)
    assert (await ann.ask("/newgame")).text.startswith("Your turn")
    for said in ("centre", "左上"):
        assert "一步棋" in (await ann.ask(f"/move {said} {said}", in_=group)).text
    await ann.say("/move 左上", in_=group)
    await board.until(lambda message: message.deleted or "❌" in message.labels[0])
