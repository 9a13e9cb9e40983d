"""`make texts`: brings the catalogues of all languages up to date with the texts in the code.

A second run changes nothing: the output depends only on the code and the translations. A text may lack some
of them until a release, and is English there.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.language import DOMAIN, LANGUAGES, catalogue_of
from engine import STRATEGIES, Level
from engine.levels import STRONGEST_NAME

PACKAGE: Final = "bot"
"""From the root of the project."""
KEYWORDS: Final = {"gettext": None, "_": None, "n_": (1, 2), "N_": None}
OWN_NAME: Final = "English"
"""The text that each language translates with its own name."""
FOR_TRANSLATORS: Final = ("Translators:",)
"""A comment that begins so, above a text, comes with it into the catalogues."""
SHOWN: Final = 20
"""How many of the texts that lack a translation are listed."""


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
    for name in (*Level, STRONGEST_NAME, *STRATEGIES):
        template.add(str(name), None, [("engine", 0)], auto_comments=["How the computer plays."])
    return template


def brought_up_to_date(language: str, template: Catalog) -> Translations:
    """The catalogue of a language with the texts of the template and the translations that are stored."""
    locale = Locale.parse(language)
    stored = Catalog(locale=locale)
    if catalogue_of(language).exists():
        with catalogue_of(language).open("rb") as file:
            stored = read_po(file, locale=locale)
    # A translation guessed from that of a similar text would be wrong more often than not.
    stored.update(template, no_fuzzy_matching=True)
    if not catalogue_of(language).exists():
        # Until more is translated, people can at least find the language by its name.
        own = locale.get_language_name() or str(locale)
        stored[OWN_NAME].string = own[0].upper() + own[1:]
    catalogue = Translations(locale)
    for message in stored:
        if message.id:
            catalogue[message.id] = message
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """A catalogue as its file has it."""
    file = BytesIO()
    write_po(file, catalogue, width=0, include_lineno=False)
    return file.getvalue()


def untranslated(catalogue: Catalog) -> list[str]:
    """The texts in a catalogue that are English because their translation is missing or doubtful."""
    ids = [message.id for message in catalogue if message.id and not is_translated(message)]
    return [text if isinstance(text, str) else text[0] for text in ids]


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
    for folder in LANGUAGES.values():
        other = Locale.parse(folder)
        if other.language == locale.language and other != locale and not (other.script and locale.script):
            sys.exit(f"{locale.language} already exists, as {folder}.")
    return str(locale)


def main() -> None:
    """Update all languages, and start a new one if it is named; or only check them."""
    parser = argparse.ArgumentParser(prog="python -m tools.texts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("language", nargs="?", help="a new language, such as de")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if there is something to do")
    asked = parser.parse_args()
    languages = {folder for tag, folder in LANGUAGES.items() if tag != "en"}
    if asked.language is not None:
        languages.add(folder_of(asked.language))
    template = extracted()
    catalogues = {language: brought_up_to_date(language, template) for language in sorted(languages)}
    missing = {language: untranslated(catalogue) for language, catalogue in catalogues.items()}
    if asked.check:
        stale = [each for each in catalogues if catalogue_of(each).read_bytes() != written(catalogues[each])]
        if stale or any(missing.values()):
            sys.exit(
                "\n".join([f"Run make texts: it changes {', '.join(stale)}."] * bool(stale) + report(missing))
            )
        return
    for language, catalogue in catalogues.items():
        catalogue_of(language).parent.mkdir(parents=True, exist_ok=True)
        catalogue_of(language).write_bytes(written(catalogue))
    print("\n".join(report(missing) or ["Every text has its translations."]))  # noqa: T201 - it reports


def report(missing: Mapping[str, Sequence[str]]) -> list[str]:
    """How many texts lack a translation in each language, and the first of them; nothing if none does."""
    counts = [f"{len(texts)} in {language}" for language, texts in missing.items() if texts]
    texts = dict.fromkeys(text for texts in missing.values() for text in texts)
    listed = [f"  {text!r}" for text in islice(texts, SHOWN)] + ["  ..."] * (len(texts) > SHOWN)
    return [f"Without a translation: {', '.join(counts)}.", *listed] if counts else []


if __name__ == "__main__":
    main()
