"""What holds in every language: Telegram's limits, and that each word that people type means one thing."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache

import pytest
from babel import Locale

from bot.boards.cells import LONGEST_MOVE, NINE, OTHERWISE, cell_name, is_like_a_move, read_move
from bot.boards.lists import BUTTON_LETTERS, IN_THREE, IN_TWO, width
from bot.boards.matchmaking import ANY_WORD
from bot.boards.players import first_name, level_name, level_names, strategy_names
from bot.boards.rule_words import BOARD_OF_THREE, CLOCK_WORDS, MISERE_WORD, read, to_say
from bot.boards.rules import NAMED_RULES as RULES
from bot.boards.rules import family_name, rules_name
from bot.boards.translations import folded, typed
from bot.context import acting
from bot.dispatch import FEATURES
from bot.features.hints import words_for_hint
from bot.features.settings import SETTINGS, names, values
from bot.game.attempt import Refusal
from bot.game.choices import ADAPTIVE, First
from bot.introduction import BOT_NAME, DESCRIPTION, SHORT_DESCRIPTION
from bot.language import LANGUAGES, LOCALES, _, catalogue_of, is_right_to_left, own_name, read_texts, speaking
from engine import CLASSIC, Level, Reason, parse_rules
from engine.levels import STRONGEST_NAME
from engine.reviews import Choice, Verdict
from engine.rules.catalogue import FAMILIES, MENU
from storage.results.result import OVERALL
from tests.bot.catalogues import stored
from tests.bot.screens import choosing, helping, labels

TOAST, MESSAGE = 200, 4096
"""Characters that Telegram takes (Bot API, answerCallbackQuery, sendMessage)."""
SHORT = 100
"""Characters of an English text that may be a toast."""
ROOM = {1: BUTTON_LETTERS, 2: IN_TWO, 3: IN_THREE}
"""About how many letters of each label a phone shows, by how many buttons share a row."""
SENTENCE = 3
"""Words from which on a text is not the same in another language."""

OTHERS = sorted(set(LANGUAGES) - {"en"})


@cache
def translations(tag: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for message in stored(catalogue_of(LANGUAGES[tag])):
        original = message.id if isinstance(message.id, str) else message.id[-1]
        said = [message.string] if isinstance(message.string, str) else message.string
        found += [(original, text) for text in said if original]
    return found


@pytest.mark.usefixtures("tag")
def test_what_telegram_is_told_of_the_bot_is_short_enough() -> None:
    """Bot API: setMyName, setMyShortDescription, setMyDescription, BotCommand."""
    limits = {BOT_NAME: 64, SHORT_DESCRIPTION: 120, DESCRIPTION: 512}
    limits |= {command.description: 256 for command in FEATURES.commands.values()}
    assert all(1 <= len(_(text)) <= most for text, most in limits.items())


@pytest.mark.usefixtures("tag")
def test_no_label_is_cut_on_a_phone() -> None:
    wide = {(label, count) for label, count in labels() if width(label) > ROOM.get(count, 32)}
    assert sorted(wide - {("Find a better move", 2)}) == [], (
        "a row has no room for them (that one has narrow letters)"
    )


@pytest.mark.usefixtures("tag")
def test_messages_and_toasts_are_short_enough() -> None:
    assert all(1 <= len(view.text) <= MESSAGE for view in (*helping(), *choosing()))
    others = (acting.REDRAWN, acting.BROKEN_GAME, acting.UNKNOWN_GAME)
    toasts = [_(words) for words in (*(refusal.value for refusal in Refusal), *others)]
    toasts += [words_for_hint(Choice(4, Verdict.BEST, reason), CLASSIC) for reason in Reason]
    assert all(1 <= len(said) <= TOAST for said in toasts)
    assert len(set(toasts)) == len(Refusal) + len(others) + 13, "eleven reasons, hard positions, everything else"


@pytest.mark.parametrize("tag", OTHERS)
def test_what_is_short_in_english_is_no_longer_than_a_toast(tag: str) -> None:
    assert [text for original, text in translations(tag) if len(original) <= SHORT and len(text) > TOAST] == []


@pytest.mark.parametrize("tag", OTHERS)
def test_no_sentence_is_left_in_english(tag: str) -> None:
    left = [text for original, text in translations(tag) if original == text]
    assert [text for text in left if sum(map(str.isalpha, text.split())) >= SENTENCE] == []


@pytest.mark.usefixtures("tag")
def test_no_two_choices_are_called_alike() -> None:
    for called in (
        [level_name(level) for level in Level],
        [first_name(first) for first in First],
        [first_name(first, in_group=True) for first in First],
        [rules_name(rules) for rules in MENU],
        [family_name(family) for family in (OVERALL, *FAMILIES)],
        [own_name(other) for other in LANGUAGES],
    ):
        assert len(set(called)) == len(called)


def test_it_is_known_which_languages_are_written_from_right_to_left(tag: str) -> None:
    assert is_right_to_left() == (Locale.parse(LANGUAGES[tag]).text_direction == "rtl")


@pytest.mark.usefixtures("tag")
def test_a_game_can_be_played_by_ones_own_words_alone() -> None:
    for board in (*to_say(), "6x6x5"):
        for level in Level:
            asked = f"{board} {level_name(level)} {first_name(First.ME)}".split()
            wished = read(asked, "rules", "level", "first")
            assert (wished["level"], wished["first"]) == (level, "me")
            assert parse_rules(wished["rules"]).start().legal_moves
    position = CLASSIC.start()
    for cell in (4, 0, 2, 6, 3, 5, 1, 7, 8):
        others = _(OTHERWISE[cell]).split("|") if cell in OTHERWISE else []
        for said in (cell_name(cell, CLASSIC), *others):
            assert is_like_a_move(said)
            assert read_move(said, position) == cell
        position = position.play(cell)
    assert position.is_over
    assert all(folded(_(words).split("|")[0]) in typed(words) for words in FEATURES.plain.values())


@pytest.mark.parametrize("tag", OTHERS)
def test_a_command_in_a_text_can_be_tapped(tag: str) -> None:
    """Telegram doesn't link a command right after a letter."""
    texts = read_texts(tag)
    for text in (texts.gettext(original) for original, _said in translations(tag)):
        assert not re.search(r"[^\W\d_]/[a-z]{3}", re.sub(r"</?b>|telegram\.org/", "", text)), text


@pytest.mark.parametrize("tag", OTHERS)
def test_what_a_text_says_to_type_after_newgame_is_understood(tag: str) -> None:
    with speaking(tag):
        texts = [*(_(original) for original, _said in translations(tag)), *(view.text for view in helping())]
        said = [words for text in texts for words in re.findall(r"<code>/newgame ([^@<{]+)</code>", text)]
        assert all(read(words.split(), "rules", "level", "first") for words in said)
        assert len(said) >= 2


def meant(words: Mapping[str, object]) -> list[tuple[str, object]]:
    return [(spelt, meaning) for text, meaning in words.items() for spelt in typed(text)]


def named() -> list[tuple[str, object]]:
    """The words after /newgame, /challenge, /play and /watch."""
    firsts: list[tuple[str, object]] = [
        (folded(first_name(first, in_group=where)), first) for first in First for where in (True, False)
    ]
    levels = {**{level.value: level for level in Level}, STRONGEST_NAME: Level.STRONGEST, ADAPTIVE: ADAPTIVE}
    boards = {BOARD_OF_THREE: "3x3", MISERE_WORD: "misere", **{named.typed: text for text, named in RULES.items()}}
    firsts += [(word, seconds) for word, seconds in CLOCK_WORDS.items()]
    return [*firsts, *meant({**levels, **boards, ANY_WORD: "any", **{name: name for name in strategy_names()}})]


def alone() -> list[tuple[str, object]]:
    """The words that need no command."""
    cells = {**{name: cell for cell, name in enumerate(NINE)}, **{name: cell for cell, name in OTHERWISE.items()}}
    return meant({**cells, **{words: name for name, words in FEATURES.plain.items()}})


@pytest.mark.usefixtures("tag")
def test_no_word_means_two_things_and_each_is_short_enough_to_be_read() -> None:
    for known in (named(), alone()):
        for word, meaning in known:
            assert word
            assert {other for spelt, other in known if spelt == word} == {meaning}, word
    assert all(len(word) <= LONGEST_MOVE for word, _ in alone())
    assert all(len(name.split()) == 1 for name in level_names()), "so that it can be copied"


@pytest.mark.usefixtures("tag")
def test_english_is_understood_besides_every_language() -> None:
    with speaking("en"):
        english = set(named()), set(alone())
    assert english[0] - {("challenger", First.ME), ("opponent", First.BOT)} <= {
        *named(),
        *((first.value, first) for first in First),
        ("oxo", First.BOT),
    }
    assert english[1] <= set(alone())
    assert is_like_a_move("Centre")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("SÍ", "si"),
            ("İPTAL", "iptal"),
            ("ISTIFA", "ıstıfa"),
            ("Ещё", "еще"),
            ("Ще", "щe"),
            ("Підказка", "підказка"),
            ("oʻyin", "o'yin"),
            ("Đen", "den"),
            ("größe", "GROSSE"),
            ("5х5", "5x5"),
            ("В2", "b2"),
            ("Ｙｅｓ", "yes"),
            ("हाँ", "हां"),
        ),
        *(("نعم", "نَعَم"), ("إلغاء", "الغاء"), ("بله\u200c", "بله "), ("یک", "يك"), ("۱۲ ٣٤ ५६", "12 34 56")),
        ("\u2068a1\u2069", "a1"),
    ],
)
def test_spellings_of_one_word_are_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.usefixtures("tag")
def test_settings_are_named_and_switched_as_their_buttons_say_it() -> None:
    for name, option in SETTINGS.items():
        assert names()[folded(_(option.label))] == names()[name] == name
        for value in option.values:
            assert values(name)[value] == value
    assert {values("text")[folded(_(word))] for word in ("on", "off")} == {"on", "off"}
    assert all(values("language")[folded(own_name(code))] == code for code in LANGUAGES)


@cache
def glossary(tag: str) -> dict[str, Mapping[str, str]]:
    folder = LOCALES if tag == "en" else LOCALES / LANGUAGES[tag]
    return tomllib.loads((folder / "glossary.toml").read_text(encoding="utf-8"))


def pattern(word: str) -> re.Pattern[str]:
    """What finds a word that isn't used, or one that begins with it, as the English glossary says."""
    begins = r"(?<!\w)" if word[0].lower() != word[0].upper() else ""
    ends = r"(?!\w)" if word.endswith(" ") else ""
    return re.compile(f"{begins}{re.escape(word.rstrip())}{ends}", re.IGNORECASE)


def test_each_language_has_a_glossary_of_the_same_terms(tag: str) -> None:
    found = glossary(tag)
    assert found.keys() == {"address", "digits", "spelling", "terms", "banned"}
    assert found["terms"].keys() == glossary("en")["terms"].keys()
    assert all([found["address"], found["digits"], found["spelling"], *found["terms"].values()])


def test_no_text_uses_a_word_that_its_glossary_bans(tag: str) -> None:
    known = translations(OTHERS[0] if tag == "en" else tag)
    said = [original if tag == "en" else text for original, text in known if "|" not in original + text]
    shown = [re.sub(r"\{\w+\}|</?\w[^>]*>|(?<=[/@])\w+", " ", text) for text in said]
    banned = [pattern(word) for word in glossary(tag)["banned"]]
    assert [(word, text) for text in shown for word in banned if word.search(text)] == []
