"""Messages of earlier releases still work: their buttons, signed inline offers, and links."""

from __future__ import annotations

from typing import Final

import pytest

from bot.boards.buttons import (
    Begin,
    Button,
    ChallengePlayer,
    FindOpponent,
    Forget,
    Invite,
    KeepWaiting,
    OnGame,
    Play,
    Setting,
    Stats,
    StopWaiting,
    Top,
    Topic,
    read,
    write,
)
from bot.context import links
from bot.features.inline import offers
from bot.features.inline.offers import InlineOffer, signing_key
from bot.game import actions
from engine import Level, Mark

SIGN: Final = "9tMFNllandQj7ZWp"
OFFER: Final = "me:101:ssssssss:UTmgyrhfI2XK"

EARLIER: Final[dict[str, dict[str, Button | None]]] = {
    "the first boards": {
        "1t:7:2:4": OnGame(7, actions.Move(2, 4)),
        "1l:7:hard": OnGame(7, actions.SetLevel(Level.HARD)),
        "1f:7:me": OnGame(7, actions.SetFirst(is_person=True)),
        "1f:7:bot": OnGame(7, actions.SetFirst(is_person=False)),
        "1a:7:0": OnGame(7, actions.PlayAgain()),
        "1a:7:1": OnGame(7, actions.SwapSides()),
        "1d:easy": Setting("level", "easy"),
        "1o:me": Setting("first", "me"),
        "1o:random": Setting("first", "random"),
    },
    "0.1.0, with two people": {
        "1g:7:0:accept": OnGame(7, actions.Accept()),
        "1g:7:0:decline": OnGame(7, actions.Decline()),
        "1g:7:0:cancel": OnGame(7, actions.Cancel()),
        "1g:7:0:computer": OnGame(7, actions.LetComputerPlay()),
        "1g:7:2:undo": OnGame(7, actions.TakeBack(2)),
        "1g:7:2:resign": OnGame(7, actions.Resign(2)),
        "1g:7:2:giveup": OnGame(7, actions.ConfirmResign()),
        "1g:7:2:goon": OnGame(7, actions.PlayOn()),
        "1g:7:2:yes": OnGame(7, actions.Agree(2)),
        "1g:7:2:no": OnGame(7, actions.Refuse(2)),
        "1g:7:5:rematch": OnGame(7, actions.Rematch()),
        "1g:7:5:again": OnGame(7, actions.PlayAgain()),
        "1g:7:5:swap": OnGame(7, actions.SwapSides()),
        "1g:7:2:hint": OnGame(7, actions.Hint()),
        "1g:7:2:bring": OnGame(7, actions.Bring()),
        "1n": Invite(),
        f"1i:{OFFER}": Begin(OFFER),
    },
    "the help and the settings": {
        "1p": Play(),
        "1h:friends": Topic("friends"),
        "1b:on": Setting("takebacks", "on"),
        "1b:off": Setting("takebacks", "off"),
        "1s": Setting(),
        "1s:look": Setting("look"),
        "1s:text:on": Setting("text", "on"),
        "1s:board:4x4x3-misere": Setting("board", "4x4x3-misere"),
    },
    "exhibitions": {
        "1g:7:2:stop": OnGame(7, actions.Stop()),
        "1g:7:2:faster": OnGame(7, actions.GoFaster()),
        "1g:7:9:watch": OnGame(7, actions.WatchAgain()),
        "1g:7:9:winner": OnGame(7, actions.PlayWinner()),
        "1g:7:2:takex": None,
        "1g:7:2:takeo": None,
    },
    "boards of every size": {
        "1r:7:5x5x4": OnGame(7, actions.SetRules("5x5x4")),
        "1r:7:ultimate": OnGame(7, actions.SetRules("ultimate")),
        "1v:7:0:all": OnGame(7, actions.ShowAll(0)),
        "1v:7:0:rules": OnGame(7, actions.ShowRules(0)),
        "1v:7:2:8": OnGame(7, actions.ShowRegion(2, 8)),
        "1t:7:12:63": OnGame(7, actions.Move(12, 63)),
    },
    "results": {
        "1q:101:h:misere:t": Stats(101, here=True, family="misere"),
        "1q:101:w::p": Stats(101, picture=True),
        "1k:h:v::3": Top(here=True, by_wins=True, page=3),
        "1k:w:r:ultimate:0": Top(here=False, family="ultimate"),
    },
    "reviews": {
        "1g:7:3:review": OnGame(7, actions.LookBack(3)),
        "1g:7:3:try": OnGame(7, actions.TryAgain(3)),
        "1y:7:2:4": OnGame(7, actions.TryCell(2, 4)),
        "1g:7:2:show": OnGame(7, actions.ShowBest(2)),
        "1g:7:2:leave": OnGame(7, actions.LeaveReview()),
    },
    "the queue and shared games": {
        "1u:7:2:40": OnGame(7, actions.Move(2, 40)),
        "1g:7:5:share": OnGame(7, actions.Share()),
        "1g:7:5:still": OnGame(7, actions.Share(as_picture=True)),
        "1w:play": FindOpponent(),
        "1w:play:5x5x4": FindOpponent("5x5x4"),
        "1w:stay": KeepWaiting(),
        "1w:leave": StopWaiting(),
        "1x:yes": Forget(is_sure=True),
        "1x:no": Forget(is_sure=False),
        f"1c:7:O:{SIGN}": ChallengePlayer(7, Mark.O, SIGN),
    },
    "challenges that say what they are for": {
        "1g:7:0:accept:5x5x4": OnGame(7, actions.Accept("5x5x4")),
    },
}
"""All forms that a button has had, by what came with them; None where it means nothing any more."""

EXAMPLES: Final = [(data, button) for form in EARLIER.values() for data, button in form.items()]


@pytest.mark.parametrize(("data", "button"), EXAMPLES)
def test_a_button_of_an_earlier_release_means_what_it_did(data: str, button: Button | None) -> None:
    assert read(data) == button
    assert type(read(data)) is type(button)


@pytest.mark.parametrize(
    ("data", "setting"),
    [
        ("2newlevel:hard", Setting("level", "hard")),
        ("2newfirst:random", Setting("first", "random")),
        ("2takebacks:0", Setting("takebacks", "off")),
    ],
)
def test_a_button_below_the_question_of_a_command_still_sets_what_it_names(data: str, setting: Setting) -> None:
    assert read(data) == setting


def test_and_is_written_otherwise_today() -> None:
    for data, button in EXAMPLES:
        assert button is None or write(button)[0] != data[0], data


def test_one_that_was_cut_or_goes_on_never_means_something_else_of_a_game() -> None:
    for data, _ in EXAMPLES:
        whole = read(data)
        for cut in (data[:-1], f"{data}:", f"{data}:1", data.replace(":", "::", 1), data[1:], f"1{data}"):
            if isinstance(found := read(cut), OnGame):
                assert isinstance(whole, OnGame), cut
                assert type(found.action) is type(whole.action), cut


@pytest.mark.parametrize(
    "data",
    [
        *("1", "1t", "t:1:0:0", "0t:1:0:0", "1t:0:0:0", "1t:-1:0:0", "1t:1:0:0:0", "1t:1:0", "1t:1:0:100"),
        *("1t:1000000000000000000:0:0", "1t: 1:0:0", "1T:1:0:0", "1t:１:0:0", "1t:1:0:0\n", "1g:1:0:explode"),
        *("1g:1:0:", "1g:1:0:undo:5x5x4", "1g:1:0:remind", "1g:1:0:move", "1l:1:EASY", "1f:1:random", "1r:1:9x9"),
        *("1v:1:0:x", "1d:easy:easy", "1i:", "1i:a b", "1n:", "1n1", "1p:", "1h:", "1b:ON", "1b:maybe"),
        *("1q:7:x::t", "1q:0:h::t", "1q:7:h:classical:t", "1k:h:r::10000", "1k:h:r", "1w:dance", "1x:maybe", "1z"),
    ],
)
def test_what_no_release_has_written_is_no_button(data: str) -> None:
    assert read(data) is None


KEY: Final = signing_key("42:TEST")


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("me:101:sssss:GMs4Rb7CHLzh", InlineOffer("me", 101, "sssss")),
        ("hard:101:sssss:3fmthy9FEI4z", InlineOffer("hard", 101, "sssss")),
        ("me:101:ssssssss:UTmgyrhfI2XK", InlineOffer("me", 101, "ssssssss")),
        ("me-554:101:ssssssss:UXwIU-na0vlh", InlineOffer("me", 101, "ssssssss", rules="5x5x4")),
        ("me-u:101:ssssssss:KXgjBJ9M0YCJ", InlineOffer("me", 101, "ssssssss", rules="ultimate")),
        ("me-443m:101:ssssssss:W3jbI1QWyaLv", InlineOffer("me", 101, "ssssssss", rules="4x4x3-misere")),
        ("me_bo_bo:101:ssssssss:o4r9i1v4_LsQ", InlineOffer("me", 101, "ssssssss", "@bo_bo")),
        ("random_102:101:ssssssss:6eluCU7it8IC", InlineOffer("random", 101, "ssssssss", "102")),
    ],
)
def test_an_offer_that_an_earlier_release_has_signed_is_still_good(text: str, offer: InlineOffer) -> None:
    assert offers.read(text, KEY) == offer


@pytest.mark.parametrize(
    ("text", "person", "to"),
    [
        ("v7-Psr39TmkG9E1qBmX", 101, links.REVIEW),
        ("s7-tWg8A662Zn7R5Z1k", 101, links.SHARE),
        (f"c7-{SIGN}", 0, links.CHALLENGE),
    ],
)
def test_a_link_that_an_earlier_release_has_signed_still_leads_to_its_game(
    text: str, person: int, to: str
) -> None:
    assert links.read(text, person, KEY, to) == 7
    assert links.read(text, person + 1, KEY, to) is None
