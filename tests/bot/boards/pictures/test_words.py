"""What can be written in pictures, and how two people's results against each other are drawn."""

import io

import pytest
from PIL import Image, features

from bot.boards.pictures.figures import Labels, Rivals
from bot.boards.pictures.positions import COLOURS, INK
from bot.boards.pictures.replays import CHIP, MARGIN, REPLAY_WIDTH, rivals_card
from bot.boards.pictures.words import GOLD, _fitted, written
from bot.boards.wording import date_of
from bot.language import speaking


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["Ann"], "Ann"),
        (["Ştefan Nguyễn-Müller"], "Ştefan Nguyễn-Müller"),
        (["Jose\u0301"], "José"),
        (["Мария"], "Мария"),
        (["Ελένη"], "Ελένη"),
        (["דן"], "דן" if features.check("raqm") else ""),  # else it would be written backwards
        (["Ann 🌸❤️"], "Ann"),
        (["Zoë🏴\U000e0067\U000e0062\U000e007f"], "Zoë"),
        (["小波"], ""),
        (["Bo 波"], ""),
        (["علي"], ""),
        (["𝓐𝓷𝓷"], ""),
        (["👍"], ""),
        (["OXO (困难)", "OXO"], "OXO"),
        ([], ""),
    ],
)
def test_a_name_is_written_if_the_font_has_all_of_its_letters(texts: list[str], shown: str) -> None:
    assert written(*texts) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"),
        ("Konstantinos Papadopoulos", "Konstantinos\nPapadopoulos"),
        ("M" * 48, "MMMMMMM…"),
    ],
)
def test_a_long_name_takes_two_lines_or_is_cut_and_never_leaves_its_box(name: str, shown: str) -> None:
    face, text = _fitted(name, 166, 32, bold=False, lines=2)
    assert text == shown
    assert all(face.getlength(line) <= 166 for line in text.split("\n"))


def test_dates_are_written_as_people_do_in_every_language(tag: str) -> None:
    with speaking(tag):
        shown = [written(date_of(day * 86400)) for day in range(20400, 20765, 28)]
    assert all(shown)
    assert len(set(shown)) == len(shown)
    assert not any("-" in date for date in shown)


def test_a_date_in_english() -> None:
    assert date_of(1795600000) == "25 Nov 2026"


CARD = Rivals(Labels(("Ann",), ("小波",), "25 Nov 2026", "@oxo_bot"), "classic", (7, 5), [], "XXO-X")


def drawn(card: Rivals) -> Image.Image:
    return Image.open(io.BytesIO(rivals_card(card))).convert("RGB")


def count(image: Image.Image, colour: str) -> int:
    wanted = tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return next((number for number, found in image.getcolors(1_000_000) or () if found == wanted), 0)


def test_the_card_of_two_rivals_has_their_score_by_board_their_last_games_and_a_crown_for_who_leads() -> None:
    one, other = (MARGIN, 0, MARGIN + CHIP[1], MARGIN), (REPLAY_WIDTH - MARGIN - CHIP[0], 0, REPLAY_WIDTH, MARGIN)
    assert [count(drawn(CARD).crop(box), GOLD) > 50 for box in (one, other)] == [True, False]
    beaten, level = drawn(CARD._replace(score=(5, 7))), drawn(CARD._replace(score=(5, 5)))
    assert [count(beaten.crop(box), GOLD) > 50 for box in (one, other)] == [False, True]
    assert [count(level.crop(box), GOLD) for box in (one, other)] == [0, 0]
    assert count(drawn(CARD), INK) > 1000
    boards = drawn(
        CARD._replace(boards=[(("3×3",), "4 – 3"), (("大棋盘", "Bigger boards"), "3 – 2"), (("大",), "")])
    )
    assert boards.height - drawn(CARD).height == 2 * 52, "a board whose name can't be written is left out"
    cross, ring = COLOURS["classic"]
    more = drawn(CARD._replace(form="XXXXXX"))
    assert count(more, cross) > count(drawn(CARD), cross) > 0
    assert count(drawn(CARD), ring) > count(more, ring) > 0
