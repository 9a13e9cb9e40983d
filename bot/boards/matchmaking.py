"""The messages of matchmaking: while somebody waits for an opponent, and once one is found."""

from typing import Final

from bot.boards.players import Scene, named
from bot.boards.rules import rules_name
from bot.boards.translations import sentences, to_type
from bot.boards.view import Key, View, keyboard
from bot.boards.wording import duration
from bot.game.matchmaking import has_not_begun
from bot.language import N_, _
from storage.games.game import Game, Termination

# Translators: what people type to play on any board, with | between; the first one is the one told to them.
ANY_WORD: Final = N_("any")

STAYS: Final = N_("Great! I'll keep looking.")


def wait_text(game: Game) -> str:
    """The text for somebody who waits for an opponent, or has stopped waiting."""
    if game.is_over:
        return _ended(game)
    what = _("any board") if game.any_rules else rules_name(game.rules)
    if game.reminded is not None:
        head = _("👋 <b>Still there?</b> Tap <b>Still here</b> or send /play, and I'll keep looking.")
        looked = _("Board: {board}.").format(board=what)
        return f"{head}\n{looked}"
    head = _("🔎 <b>Looking for an opponent…</b>")
    rests = game.created_at - game.moved_at
    later = _("Your last game never started, so I'll look again in {time}.").format(time=duration(rests))
    lines = [
        f"{head} {what}",
        later if rests > 0 else how_long(game.told, None if game.any_rules else what),
        _("Your board will appear here as soon as I find somebody."),
    ]
    return "\n".join(lines)


def how_long(seconds: int | None, board: str | None) -> str:
    """The typical wait for a board; None for any."""
    if seconds is None:
        if board is None:
            return _("Nobody else is looking yet.")
        return _("Nobody else is looking for {board} yet.").format(board=board)
    if not seconds:
        return _("Typical wait: almost none.")
    return _("Typical wait: {time}.").format(time=duration(seconds))


def met_line(scene: Scene) -> str | None:
    """The line that says an opponent was found, until both have moved."""
    game, own = scene.game, scene.own
    if own is None or not has_not_begun(game):
        return None
    return _("🤝 You're playing {name}.").format(name=named(game, own.other))


def time_line(scene: Scene) -> str | None:
    """The line that says the time for the first move is running out."""
    game = scene.game
    if not has_not_begun(game):
        return None
    if scene.own is game.turn:
        return _("⏰ Move soon, or {name} leaves.").format(name=named(game, game.turn.other))
    return _("⏰ If {name} doesn't move soon, I'll find you someone else. You keep your place.").format(
        name=named(game, game.turn)
    )


def any_hint() -> str:
    """The word for any board, told to people who typed an unknown one."""
    return _("{any} means any board.").format(any=f"<code>{to_type(ANY_WORD)}</code>")


def to_the_private_chat(link: str) -> View:
    """The answer in a group, where nobody can wait."""
    words = _("I find opponents in our private chat. Each of you gets a board there.")
    return View(words, keyboard([[Key(_("Find an opponent"), link)]]))


def one_at_a_time(game: Game, person: int) -> str:
    """The answer to somebody who looks for an opponent while still playing one."""
    mark = game.mark_of(person)
    other = named(game, game.turn if mark is None else mark.other)
    said = _("You're already playing {name}. I've moved your board down here. To give up, send /resign.")
    return said.format(name=other)


def _ended(game: Game) -> str:
    again = _("Send /play to look again.")
    if game.termination is Termination.EXPIRED:
        return sentences(_("💤 You didn't answer, so I've stopped looking."), again)
    return sentences(_("You've stopped looking."), again)
