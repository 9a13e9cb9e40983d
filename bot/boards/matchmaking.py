"""The messages of matchmaking: while somebody waits for an opponent, and once one is found."""

from __future__ import annotations

from typing import Final, assert_never

from bot.boards import keyboards
from bot.boards.buttons import (
    FindOpponent,
    HideWanted,
    KeepWaiting,
    PlayMeanwhile,
    SetWanted,
    ShowMoreWanted,
    ShowWanted,
    StopWaiting,
)
from bot.boards.players import Scene, named
from bot.boards.rules import rules_name
from bot.boards.translations import sentences
from bot.boards.view import Key, View, keyboard
from bot.boards.wording import duration
from bot.game.matchmaking import ANY as ANY_RULES
from bot.game.matchmaking import has_not_begun
from bot.language import N_, _
from storage.games.game import Game
from storage.games.record import Board
from storage.people.person import Wait, WaitEnd

# Translators: what people type to play on any board, with | between; the first one is the one told to them.
ANY: Final = N_("any")

LEFT: Final = N_("OK, I've stopped looking.")
NOT_WAITING: Final = N_("You're not looking for an opponent. Send /play to find one.")
MET: Final = N_("Your opponent is already here! The board is below.")
STAYS: Final = N_("Great! I'll keep looking.")


def wait_view(wait: Wait, board: Board) -> View:
    """The message of somebody who is waiting, or whose wait has ended without an opponent."""
    return View(text(wait), keyboard_of(wait, board))


def text(wait: Wait) -> str:
    """What the message of a wait says."""
    if wait.ended is not None:
        return _ended(wait.ended)
    what = _("any board") if wait.any_rules else rules_name(wait.rules)
    if wait.asked:
        head = _("👋 <b>Still there?</b> Tap <b>Still here</b> or send /play, and I'll keep looking.")
        looked = _("Board: {board}.").format(board=what)
        return f"{head}\n{looked}"
    head = _("🔎 <b>Looking for an opponent…</b>")
    lines = [
        f"{head} {what}",
        how_long(wait.told),
        _("Your board will appear here as soon as I find one."),
    ]
    return "\n".join(lines)


def how_long(seconds: int | None) -> str:
    """The typical wait."""
    if seconds is None:
        return _("No estimate yet.")
    if not seconds:
        return _("Typical wait: almost none.")
    return _("Typical wait: {time}.").format(time=duration(seconds))


def keyboard_of(wait: Wait, board: Board) -> str:
    """The buttons below the message of a wait."""
    wanted = ANY_RULES if wait.any_rules else wait.rules
    leave = Key(_("Leave"), StopWaiting())
    if wait.ended is not None:
        return keyboard([[look_button(wait.rules)]])
    if wait.asked:
        stay = Key(_("Still here"), KeepWaiting(), "success")
        return keyboard([[stay, leave]])
    meanwhile = Key(_("Play OXO meanwhile"), PlayMeanwhile())
    if board.choosing:
        if board.region is None:
            back, more = HideWanted(), ShowMoreWanted()
            menu = keyboards.menu_of(wanted, SetWanted, back, more, (ANY_RULES,), below=True)
        else:
            menu = keyboards.more_of(wanted, SetWanted, ShowWanted())
        return keyboard([[meanwhile], *menu, [leave]])
    return keyboard([[meanwhile], [keyboards.menu_key(wanted, ShowWanted())], [leave]])


def look_button(rules: str) -> Key:
    """A button that looks for an opponent for these rules again."""
    return Key(_("Look again"), FindOpponent(rules))


def met_line(scene: Scene) -> str | None:
    """The line that says an opponent was found, until both have moved."""
    game = scene.game
    if not has_not_begun(game) or scene.you is None:
        return None
    mark = game.mark_of(scene.you)
    if mark is None:
        return None
    other = named(game, mark.other)
    if game.turn is mark:
        return _("🤝 You're playing {name}. Your move!").format(name=other)
    return _("🤝 You're playing {name}.").format(name=other)


def time_line(scene: Scene) -> str | None:
    """The line that says the time for the first move is running out."""
    game = scene.game
    if not has_not_begun(game):
        return None
    if scene.you == game.seat(game.turn):
        return _("⏰ Move soon, or {name} leaves.").format(name=named(game, game.turn.other))
    return _("⏰ If {name} doesn't move soon, I'll find you someone else. You keep your place.").format(
        name=named(game, game.turn)
    )


def any_hint() -> str:
    """The word for any board, told to people who typed an unknown one."""
    return _("{any} means any board.").format(any=f"<code>{_(ANY).split('|')[0]}</code>")


def to_the_private_chat(link: str) -> View:
    """The answer in a group, where nobody can wait."""
    words = _("I find opponents in our private chat. Each of you gets a board there.")
    return View(words, keyboard([[Key(_("Find an opponent"), link)]]))


def one_at_a_time(game: Game, person: int) -> str:
    """The answer to somebody who looks for an opponent while still playing one."""
    mark = game.mark_of(person)
    other = named(game, game.turn if mark is None else mark.other)
    said = _("You're already playing {name}. I've moved your board down here; /resign gives up.")
    return said.format(name=other)


def _ended(why: WaitEnd) -> str:
    again = _("Send /play to look again.")
    match why:
        case WaitEnd.UNANSWERED:
            return sentences(_("💤 You didn't answer, so I've stopped looking."), again)
        case WaitEnd.LEFT:
            return sentences(_("You've stopped looking."), again)
        case unknown:
            assert_never(unknown)
