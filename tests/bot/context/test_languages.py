"""The language to use: the chat's choice, else the person's, else Telegram's, else the host's."""

from typing import cast

import pytest
from telegram import User

from bot.context.services import Languages
from bot.introduction import _languages
from bot.language import LANGUAGES
from storage.store import Store

GROUP = -5
ANN = User(1, "Ann", is_bot=False, language_code="en-GB")
NOBODY = User(2, "Cem", is_bot=False)
STRANGER = User(3, "Dee", is_bot=False, language_code="vo")


@pytest.mark.parametrize(
    ("chosen", "user", "chat", "spoken"),
    [
        ([], ANN, None, "en-GB"),
        *(([(ANN.id, "zh")], ANN, chat, "zh") for chat in (None, ANN.id, GROUP)),
        ([(ANN.id, "zh"), (ANN.id, None)], ANN, None, "en-GB"),
        *(([(ANN.id, "en"), (GROUP, "zh")], user, GROUP, "zh") for user in (ANN, None)),
        ([(ANN.id, "en"), (GROUP, "zh")], ANN, None, "en"),
        *(([], user, None, "de") for user in (NOBODY, STRANGER, None)),
    ],
)
def test_a_chats_choice_is_spoken_and_else_the_persons_or_telegrams_and_else_the_hosts(
    chosen: list[tuple[int, str | None]], user: User | None, chat: int | None, spoken: str
) -> None:
    languages = Languages("de")
    for whose, language in chosen:
        languages.choose(whose, language)
    assert languages.of(user, chat) == spoken


async def test_a_choice_made_while_the_choices_are_read_is_kept() -> None:
    languages = Languages("en")
    languages.choose(GROUP, "de")

    class Slow:
        async def read(self, _work: object) -> dict[int, str]:
            languages.choose(ANN.id, "zh")
            languages.choose(GROUP, None)
            return {GROUP: "de"}

    await languages.read(cast(Store, Slow()))
    assert languages.of(ANN) == "zh"
    assert languages.of(None, GROUP) == "en"


def test_telegram_is_told_of_every_language_by_two_letters_and_the_hosts_for_all_others() -> None:
    assert _languages("en") == {"": "en", **{code: code for code in LANGUAGES if code != "en"}}
    assert _languages("zh")["en"] == "en"
    assert _languages("zh")[""] == "zh"
    assert all(len(code) in {0, 2} for code in _languages("en"))
