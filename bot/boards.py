"""The message of a game: who plays, whose turn it is or how it ended, above its keyboard (`bot.keyboards`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bot import acts, challenges, keyboards, names
from bot.acts import REMATCH, RESIGN
from bot.texts import texts
from bot.views import MARKS, View, cell_name, level_name
from engine import Mark
from storage.game import COMPUTER, EXPIRED, FULL_BOARD, RESIGNATION, TIMEOUT, cell_of, geometry_of

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.game import Game


class Eyes(NamedTuple):
    """Who looks at a board: a player in a private chat is `You`; in a group (None) everybody has a name."""

    viewer: int | None
    t: NullTranslations


def board(game: Game, username: str, *, guest: bool = False) -> View:
    """A game's message; of the two boards of a game by link, the first or the guest's.

    `username` is the bot's, for links to it.
    """
    eyes = _eyes(game, guest=guest)
    if game.is_challenge:
        link = f"https://t.me/{username}?start={game.token}" if game.token else None
        return View(_challenge(game, eyes, link), keyboards.of_challenge(game, eyes.t, link))
    lines = [
        _players(game, eyes),
        _score(game, eyes),
        "",
        _state(game, eyes),
        _late(game, eyes),
        _offer(game, eyes),
    ]
    return View(
        "\n".join(line for line in lines if line is not None), keyboards.of_game(game, eyes.t, eyes.viewer)
    )


def line_of(game: Game, t: NullTranslations, person: int) -> str:
    """A game in one line, for a list: against whom, and whose turn it is."""
    eyes = Eyes(person, t)
    mark = game.mark_of(person) or Mark.X
    other = _player(game, mark.other, eyes)
    turn = t.gettext("your turn") if game.turn is mark else t.gettext("their turn")
    return f"{MARKS[mark]} #{game.id} · {other} · {turn}"


def reminder(game: Game, seconds: int, t: NullTranslations) -> str:
    """What the person to move is told when the deadline comes near; it mentions them, and so notifies."""
    hours = max(1, round(seconds / 3600))
    left = t.ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    who = _mention(game, game.turn, Eyes(None, t))
    return t.gettext("⏰ {name}, it is your move. After {time} more the game is lost on time.").format(
        name=who, time=left
    )


def ending(game: Game, t: NullTranslations, viewer: int | None) -> str:
    """How a finished game ended, in a sentence, for somebody who does not see it; `viewer` as in `Eyes`."""
    return _state(game, Eyes(viewer, t))


def _eyes(game: Game, *, guest: bool) -> Eyes:
    chat_id = game.guest_chat_id if guest else game.chat_id
    # The id of a private chat is the id of the person in it (Bot API, Chat).
    viewer = chat_id if chat_id is not None and chat_id > 0 else None
    return Eyes(viewer, texts(game.guest_language if guest else game.language))


def _players(game: Game, eyes: Eyes) -> str:
    """Both marks with who plays them, and the level."""
    seats = "   ".join(f"{MARKS[mark]} {_player(game, mark, eyes)}" for mark in Mark)
    return f"{seats}   · {level_name(game.level, eyes.t)}" if game.level else seats


def _player(game: Game, mark: Mark, eyes: Eyes) -> str:
    seat = game.seat(mark)
    if seat == COMPUTER:
        return "OXO"
    if seat is not None and seat == eyes.viewer:
        return eyes.t.gettext("You")
    return _name(game, mark, eyes)


def _name(game: Game, mark: Mark, eyes: Eyes) -> str:
    return names.shown(game.name(mark), eyes.t.gettext("Player"))


def _mention(game: Game, mark: Mark, eyes: Eyes) -> str:
    """A name that leads to its person; it stands in edits, which never notify."""
    return f'<a href="tg://user?id={game.seat(mark)}">{_name(game, mark, eyes)}</a>'


def _score(game: Game, eyes: Eyes) -> str | None:
    """The series so far, this game included."""
    if game.is_against_computer:
        return None
    wins = {Mark.X: game.x_wins + (game.winner == Mark.X), Mark.O: game.o_wins + (game.winner == Mark.O)}
    draws = game.draws + (game.termination == FULL_BOARD)
    if not any((*wins.values(), draws)):
        return None
    return eyes.t.gettext("Score: {x} {x_wins} – {o_wins} {o}, draws {draws}").format(
        x=_player(game, Mark.X, eyes),
        x_wins=wins[Mark.X],
        o=_player(game, Mark.O, eyes),
        o_wins=wins[Mark.O],
        draws=draws,
    )


def _state(game: Game, eyes: Eyes) -> str:
    """Whose turn it is, or how the game ended."""
    t = eyes.t
    if not game.is_over:
        if game.seat(game.turn) == eyes.viewer:
            return t.gettext("<b>Your turn.</b> Tap a cell.")
        who = _mention(game, game.turn, eyes)
        if game.is_against_computer:
            return t.gettext("<b>{name}, it is your turn.</b> Tap a cell.").format(name=who)
        return t.gettext("<b>{mark} {name}'s turn.</b>").format(mark=MARKS[game.turn], name=who)
    if game.termination == FULL_BOARD:
        return t.gettext("🤝 <b>Draw.</b> The board is full and nobody has a line.")
    if game.termination == EXPIRED or game.winner is None:
        return t.gettext("💤 This game was closed: nobody has moved for a long time.")
    return f"{_won(game, Mark(game.winner), eyes)} {_how(game, Mark(game.winner).other, eyes)}"


def _late(game: Game, eyes: Eyes) -> str | None:
    """That the deadline comes near; in a message of inline mode there is no other place for it."""
    if game.is_over or game.reminded != game.ply:
        return None
    return eyes.t.gettext("⏰ Without a move the game is soon lost on time.")


def _won(game: Game, winner: Mark, eyes: Eyes) -> str:
    t = eyes.t
    seat = game.seat(winner)
    if seat == COMPUTER:
        return t.gettext("🤖 <b>I win.</b>")
    if seat == eyes.viewer:
        return t.gettext("🎉 <b>You win!</b>")
    name = _name(game, winner, eyes)
    if game.is_against_computer:
        return t.gettext("🎉 <b>You win, {name}!</b>").format(name=name)
    return t.gettext("🏆 <b>{mark} {name} wins.</b>").format(mark=MARKS[winner], name=name)


def _how(game: Game, loser: Mark, eyes: Eyes) -> str:
    """Why the game was won."""
    t = eyes.t
    if game.termination == RESIGNATION:
        if game.seat(loser) == eyes.viewer or game.is_against_computer:
            return t.gettext("You have resigned.")
        return t.gettext("{name} has resigned.").format(name=_name(game, loser, eyes))
    if game.termination == TIMEOUT:
        if game.seat(loser) == eyes.viewer:
            return t.gettext("Your time has run out.")
        return t.gettext("{name}'s time has run out.").format(name=_name(game, loser, eyes))
    if game.seat(loser.other) == COMPUTER:
        return t.gettext("Three in a row for me this time.")
    return t.gettext("Three in a row, well played.")


def _offer(game: Game, eyes: Eyes) -> str | None:
    """What waits for somebody's answer."""
    t = eyes.t
    offer = acts.offer_of(game)
    if offer is None:
        return None
    own = game.seat(offer.by) == eyes.viewer
    name = _name(game, offer.by, eyes)
    if offer.kind == RESIGN:
        if own or game.is_against_computer:
            return t.gettext("🏳 Do you really want to resign?")
        return t.gettext("🏳 {name}, do you really want to resign?").format(name=name)
    if offer.kind == REMATCH:
        if own:
            return t.gettext("🔁 You would like a rematch.")
        return t.gettext("🔁 {name} would like a rematch.").format(name=name)
    ply = acts.last_move_of(game, offer.by) or 0
    cell = cell_name(cell_of(game.moves[ply]), geometry_of(game.geometry).m, t)
    if own:
        return t.gettext("↩️ You have asked to take back {mark} on {cell}.").format(mark=MARKS[offer.by], cell=cell)
    return t.gettext("↩️ {name} asks to take back {mark} on {cell}.").format(
        name=name, mark=MARKS[offer.by], cell=cell
    )


def _challenge(game: Game, eyes: Eyes, link: str | None) -> str:
    """The text of a challenge."""
    t = eyes.t
    mark = challenges.challenger_of(game)
    name = _name(game, mark, eyes)
    if game.is_over:
        return {
            "cancelled": t.gettext("The challenge was withdrawn."),
            "declined": t.gettext("The challenge was declined."),
        }.get(game.termination or "", t.gettext("The challenge has expired: nobody took it."))
    if link is not None:
        head = t.gettext("⚔️ <b>Challenge a friend</b>: whoever opens this link first plays you.") + f"\n{link}"
        first = (
            t.gettext("You play ❌ and move first.")
            if mark is Mark.X
            else t.gettext("You play ⭕ and move second.")
        )
        return f"{head}\n\n{first}"
    rival = None
    if game.rival_name is not None:
        rival = names.shown(game.rival_name, t.gettext("Player"))
        if game.rival_id is not None:
            rival = f'<a href="tg://user?id={game.rival_id}">{rival}</a>'
    return invitation(name, "me" if mark is Mark.X else "bot", t, rival)


def invitation(name: str, first: str, t: NullTranslations, rival: str | None = None) -> str:
    """The text of a challenge; the names are safe HTML, and `first` is me (the challenger), bot or random."""
    if rival is None:
        head = t.gettext("⚔️ <b>{name} challenges you</b> to noughts and crosses: who takes it up?").format(
            name=name
        )
    else:
        head = t.gettext("⚔️ <b>{name} challenges {rival}</b> to noughts and crosses.").format(
            name=name, rival=rival
        )
    sentences = {
        "me": t.gettext("{name} plays ❌ and moves first."),
        "bot": t.gettext("{name} plays ⭕; the other side has ❌ and moves first."),
        "random": t.gettext("A coin decides who moves first."),
    }
    return f"{head}\n\n{sentences[first].format(name=name)}"


def announcement(name: str, level: str, t: NullTranslations) -> str:
    """The text of a game against the computer that has not begun; the names are safe HTML."""
    return t.gettext("{name} is about to play OXO at level {level}.").format(name=name, level=level)


def opponent(game: Game, person: int, t: NullTranslations) -> str:
    """The other player of a person's game, as safe HTML."""
    return _player(game, (game.mark_of(person) or Mark.X).other, Eyes(None, t))
