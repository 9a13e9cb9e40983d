"""Refusals: every reason has a sentence, and every answer to a tap fits into Telegram's toast."""

from __future__ import annotations

import pytest

from bot import shared_commands
from bot.boards.refusals import words_for
from bot.boards.translations import LANGUAGES, texts
from bot.context import acting
from bot.game.attempt import Refusal


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_refusal_has_a_sentence_that_fits_into_200_characters(tag: str) -> None:
    for refusal in Refusal:
        words = words_for(refusal)
        assert words, refusal
        assert 0 < len(texts(tag).gettext(words)) <= 200, refusal


def test_every_refusal_has_a_sentence_of_its_own() -> None:
    assert len({words_for(refusal) for refusal in Refusal}) == len(Refusal)


def test_what_was_done_needs_no_words() -> None:
    assert words_for(None) is None


@pytest.mark.parametrize("tag", LANGUAGES)
def test_other_answers_to_taps_fit_too(tag: str) -> None:
    for words in (acting.MEANINGLESS, acting.REDRAWN, shared_commands.UNKNOWN_GAME, acting.BROKEN_GAME):
        assert len(texts(tag).gettext(words)) <= 200, words
