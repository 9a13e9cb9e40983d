"""Rules in words: what is played, what a line means there, and what rules and families of rules are called."""

from typing import Final, NamedTuple

from bot.boards.translations import listed
from bot.game.choices import ANY
from bot.language import N_, _
from engine import CLASSIC
from engine.rules.catalogue import BIGGER, THREE_BY_THREE, usual_line
from engine.rules.mnk import MISERE
from storage.games.game import Game, Termination, rules_of
from storage.results.result import OVERALL

_LINES: Final = {
    3: N_("three in a row"),
    4: N_("four in a row"),
    5: N_("five in a row"),
    6: N_("six in a row"),
    7: N_("seven in a row"),
    8: N_("eight in a row"),
}


class Named(NamedTuple):
    """The words for rules with a name of their own."""

    name: str
    """Short enough for a button."""
    typed: str
    """What people may type, with | between; the first is the word told to them."""
    played: str
    """A short line that says what is played, as HTML."""
    line: str
    """The beginning of a sentence that says a line was completed."""
    drawn: str
    """A sentence that says the game was drawn, and why."""
    taught: str
    """How it is played, as a paragraph of the help, in HTML."""


NAMED_RULES: Final = {
    "ultimate": Named(
        N_("Ultimate"),
        # Translators: what people may type for rules, with | between; the first one is told to them.
        N_("ultimate"),
        N_("<b>Ultimate</b>: three boards in a row win."),
        N_("Three boards in a row"),
        N_("🤝 <b>Draw.</b> All boards are finished, and nobody has three in a row."),
        N_(
            "<b>Ultimate</b>: your cell decides your opponent's next board; three boards in a row win. Type "
            "board and cell: <code>5 3</code>."
        ),
    ),
    "vanishing": Named(
        N_("Vanishing"),
        # Translators: what people may type for rules, as above.
        N_("vanishing"),
        N_("<b>Vanishing</b>: three marks each; a fourth removes your oldest."),
        N_("Three in a row"),
        N_("🤝 <b>Draw.</b> That was move 80, and nobody has a line."),
        N_("<b>Vanishing</b>: a fourth mark removes your oldest (⏳). After 80 moves it's a draw."),
    ),
}
"""By the text of the rules."""


def words_of(text: str) -> list[str]:
    """What people may type for rules with a name of their own; the first is the word told to them."""
    return _(NAMED_RULES[text].typed).split("|")


def rules_in_short(family: str) -> str:
    """How a family of rules with a name of its own is played, in a few words, as HTML."""
    return (
        _(NAMED_RULES[family].played) if family in NAMED_RULES else _("<b>Misère</b>: make a line and you lose.")
    )


def rules_line(text: str) -> str | None:
    """A short line that says what is played, as HTML; empty for what everybody knows."""
    if text == CLASSIC.text:
        return None
    if text in NAMED_RULES:
        return _(NAMED_RULES[text].played)
    rules = rules_of(text)
    words = {"columns": rules.layout.columns, "rows": rules.layout.rows, "line": line_length(text)}
    if rules.misere:
        return _("<b>Misère</b> on {columns}×{rows}: make {line} and you <b>lose</b>.").format(**words)
    return _("{columns}×{rows}, {line}").format(**words)


def rules_name(text: str) -> str:
    """What is played, as plain text short enough for a button."""
    if text == CLASSIC.text:
        return "3×3"
    if text == ANY:
        # Translators: a button; any board will do.
        return _("Any")
    if text in NAMED_RULES:
        return _(NAMED_RULES[text].name)
    rules = rules_of(text)
    layout = rules.layout
    words = {"columns": layout.columns, "rows": layout.rows, "line": rules.line}
    is_usual = rules.line == usual_line(layout.columns, layout.rows, misere=rules.misere)
    if not rules.misere:
        # Translators: a board and how many marks make a line on it.
        size = "{columns}×{rows}" if is_usual else _("{columns}×{rows}, {line} in a row")
    elif is_usual:
        size = _("Misère") if rules.cells == CLASSIC.cells else _("Misère {columns}×{rows}")
    else:
        size = _("Misère {columns}×{rows}, {line} in a row")
    return size.format(**words)


def rules_played(text: str) -> str:
    """What was played, as plain text with its line."""
    if text == CLASSIC.text or text in NAMED_RULES:
        return rules_name(text)
    if is_misere(text):
        return listed([rules_name(text), _("{line} loses").format(line=line_length(text))])
    layout = rules_of(text).layout
    return listed([f"{layout.columns}×{layout.rows}", line_length(text)])


def line_length(text: str) -> str:
    """How long a line is, such as `four in a row`."""
    return _(_LINES[rules_of(text).line])


def is_misere(text: str) -> bool:
    """Whether a line loses."""
    return rules_of(text).misere


def line_said(text: str) -> str:
    """That a line was made, as the beginning of a sentence, such as `Four in a row`."""
    if text in NAMED_RULES:
        return _(NAMED_RULES[text].line)
    line = line_length(text)
    return line[0].upper() + line[1:]


def nobody_won(game: Game) -> str:
    """A sentence that says the game was drawn, and why."""
    if game.termination is Termination.AGREEMENT:
        return _("🤝 <b>Draw</b> by agreement.")
    if game.rules in NAMED_RULES:
        return _(NAMED_RULES[game.rules].drawn)
    return _("🤝 <b>Draw.</b> The board is full and nobody has a line.")


_FAMILIES: Final = {
    # Translators: all kinds of boards and rules together.
    OVERALL: N_("all boards"),
    THREE_BY_THREE: N_("3×3"),
    # Translators: all boards that are larger than three by three.
    BIGGER: N_("bigger boards"),
    MISERE: N_("misère"),
}


def family_name(family: str) -> str:
    """The name of a family of rules, or of all together, in a language."""
    return _(_FAMILIES[family]) if family in _FAMILIES else words_of(family)[0]
