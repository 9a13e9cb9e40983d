"""`make texts`: brings the catalogues of all languages up to date with the texts in the code.

A second run changes nothing: the output depends only on the code and the translations.
"""

import argparse
import sys
from collections.abc import Iterator
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.language import DOMAIN, LOCALES, catalogue_of
from engine import STRATEGIES, Level
from engine.levels import STRONGEST

PACKAGE: Final = "bot"
"""From the root of the project."""
KEYWORDS: Final = {"gettext": None, "_": None, "n_": (1, 2), "N_": None}
OWN_NAME: Final = "English"
"""The text that each language translates with its own name."""
FOR_TRANSLATORS: Final = ("Translators:",)
"""A comment that begins so, above a text, comes with it into the catalogues."""


class Translations(Catalog):
    """The catalogue of a language, whose header has nothing that changes by itself: no date, no version."""

    def __init__(self, locale: Locale) -> None:
        comment = f"# The texts of OXO in {locale.english_name}."
        super().__init__(locale=locale, domain=DOMAIN, charset="utf-8", fuzzy=False, header_comment=comment)

    def __iter__(self) -> Iterator[Message]:
        """The header as a message of its own, and the messages."""
        header = {
            "Language": self.locale_identifier,
            "MIME-Version": "1.0",
            "Content-Type": f"text/plain; charset={self.charset}",
            "Content-Transfer-Encoding": "8bit",
            "Plural-Forms": self.plural_forms,
        }
        _, *messages = super().__iter__()
        yield Message("", "".join(f"{name}: {value}\n" for name, value in header.items()))
        yield from messages


def extracted() -> Catalog:
    """Every text marked in the code, in order, and the engine's names of levels and strategies."""
    template = Catalog(domain=DOMAIN, charset="utf-8")
    found = extract_from_dir(
        PACKAGE, [("**.py", "python")], keywords=KEYWORDS, comment_tags=FOR_TRANSLATORS, strip_comment_tags=True
    )
    for name, _, message, comments, context in found:
        # No line numbers: they would change with every change of the code.
        template.add(message, None, [(f"{PACKAGE}/{name}", 0)], auto_comments=comments, context=context)
    for name in (*Level, STRONGEST, *STRATEGIES):
        template.add(str(name), None, [("engine", 0)], auto_comments=["How the computer plays."])
    return template


def brought_up_to_date(language: str, template: Catalog) -> tuple[int, int]:
    """Write the catalogue of a language; returns how many texts it has, and how many lack a translation.

    A new text that resembles an older one gets its translation, marked as fuzzy: it isn't used before
    somebody has checked it and removed the mark.
    """
    locale = Locale.parse(language)
    written = catalogue_of(language)
    stored = Catalog(locale=locale)
    if written.exists():
        with written.open("rb") as file:
            stored = read_po(file, locale=locale)
    stored.update(template)
    if not written.exists():
        # Until more is translated, people can at least find the language by its name.
        own = locale.get_language_name() or str(locale)
        stored[OWN_NAME].string = own[0].upper() + own[1:]
    catalogue = Translations(locale)
    for message in stored:
        if message.id:
            catalogue[message.id] = message
    written.parent.mkdir(parents=True, exist_ok=True)
    with written.open("wb") as file:
        write_po(file, catalogue, width=0, include_lineno=False)
    return len(catalogue), sum(bool(message.id) and not is_translated(message) for message in stored)


def is_translated(message: Message) -> bool:
    """Whether a message has a usable translation in each of its plural forms."""
    strings = [message.string] if isinstance(message.string, str) else message.string
    return not message.fuzzy and bool(strings) and all(strings)


def folder_of(language: str) -> str:
    """The name of the folder of a new language, an IETF tag or a locale; exits if there can be none."""
    try:
        locale = Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        sys.exit(f"{language} is not a language; de and pt_BR are.")
    if locale.language == "en":
        sys.exit("English is in the code and has no catalogue.")
    for folder in LOCALES.iterdir():
        if folder.name != str(locale) and Locale.parse(folder.name).language == locale.language:
            sys.exit(f"{locale.language} already exists, as {folder.name}.")
    return str(locale)


def main() -> None:
    """Update all languages, and start a new one if it is named."""
    parser = argparse.ArgumentParser(prog="python -m tools.texts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("language", nargs="?", help="a new language, such as de")
    new = parser.parse_args().language
    languages = {folder.name for folder in LOCALES.iterdir() if folder.is_dir()}
    if new is not None:
        languages.add(folder_of(new))
    template = extracted()
    for language in sorted(languages):
        texts, missing = brought_up_to_date(language, template)
        print(f"{language}: {texts} texts, {missing or 'none'} without a translation.")  # noqa: T201 - it reports


if __name__ == "__main__":
    main()
