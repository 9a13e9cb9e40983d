"""The message of a game: who plays, whose turn it is or how it ended, above its keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, assert_never

from bot.game.play import last_ply_of
from bot.game.states import question_of
from bot.views import keyboards, names
from bot.views.cells import cell_name
from bot.views.challenges import challenge_text
from bot.views.choices import level_name
from bot.views.texts import texts
from bot.views.view import MARKS, View
from engine import Mark
from storage.game import COMPUTER, Offer, Termination, rules_of

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.board import Board
    from storage.game import Game


class Eyes(NamedTuple):
    """Who looks at a board: a player in a private chat is `You`; in a group (None) everybody has a name."""

    viewer: int | None
    t: NullTranslations


def board_view(game: Game, board: Board, username: str) -> View:
    """A game's message on one of its boards; `username` is the bot's, for links to it."""
    eyes = Eyes(board.viewer, texts(board.language))
    if game.is_challenge:
        link = f"https://t.me/{username}?start={game.token}" if game.token and board.viewer else None
        text = challenge_text(game, link, eyes.t)
        return View(text, keyboards.of_challenge(game, eyes.t, link))
    lines = [
        _players(game, eyes),
        _score(game, eyes),
        "",
        _state(game, eyes),
        _late(game, eyes),
        _question(game, eyes),
    ]
    return View(
        "\n".join(line for line in lines if line is not None), keyboards.of_game(game, eyes.t, eyes.viewer)
    )


def farewell(board: Board) -> View:
    """What stays of a board's message where it cannot be deleted, once the board has moved down."""
    return View(texts(board.language).gettext("⬇️ This board has moved down to the newest message."))


def line_of(game: Game, t: NullTranslations, person: int) -> str:
    """A game in one line of plain text, for a list: against whom, and whose turn it is."""
    mark = game.mark_of(person) or Mark.X
    other = mark.other
    name = "OXO" if game.seat(other) == COMPUTER else names.plain(game.name(other), t.gettext("Player"))
    turn = t.gettext("your turn") if game.turn is mark else t.gettext("their turn")
    return f"{MARKS[mark]} #{game.id} · {name} · {turn}"


def reminder(game: Game, seconds: int, t: NullTranslations) -> str:
    """What the person to move is told when the deadline comes near; it mentions them, and so notifies."""
    who = _mention(game, game.turn, Eyes(None, t))
    return t.gettext("⏰ {name}, it is your move. After {time} more the game is lost on time.").format(
        name=who, time=duration(seconds, t)
    )


def duration(seconds: int, t: NullTranslations) -> str:
    """A time in the unit that fits it."""
    if seconds >= 5400:  # noqa: PLR2004 - from an hour and a half on, hours say enough
        hours = round(seconds / 3600)
        return t.ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    if seconds >= 90:  # noqa: PLR2004 - likewise minutes
        minutes = round(seconds / 60)
        return t.ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
    count = max(1, seconds)
    return t.ngettext("{count} second", "{count} seconds", count).format(count=count)


def ending(game: Game, t: NullTranslations, viewer: int | None) -> str:
    """How a finished game ended, in a sentence, for somebody who does not see it; `viewer` as in `Eyes`."""
    return _state(game, Eyes(viewer, t))


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
    wins = {Mark.X: game.x_wins + (game.winner is Mark.X), Mark.O: game.o_wins + (game.winner is Mark.O)}
    draws = game.draws + (game.termination is Termination.FULL_BOARD)
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
    if game.termination is Termination.FULL_BOARD:
        return t.gettext("🤝 <b>Draw.</b> The board is full and nobody has a line.")
    if game.termination is Termination.EXPIRED or game.winner is None:
        return t.gettext("💤 This game was closed: nobody has moved for a long time.")
    return f"{_won(game, game.winner, eyes)} {_how(game, game.winner.other, eyes)}"


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
    if game.termination is Termination.RESIGNATION:
        if game.seat(loser) == eyes.viewer or game.is_against_computer:
            return t.gettext("You have resigned.")
        return t.gettext("{name} has resigned.").format(name=_name(game, loser, eyes))
    if game.termination is Termination.TIMEOUT:
        if game.seat(loser) == eyes.viewer:
            return t.gettext("Your time has run out.")
        return t.gettext("{name}'s time has run out.").format(name=_name(game, loser, eyes))
    if game.seat(loser.other) == COMPUTER:
        return t.gettext("Three in a row for me this time.")
    return t.gettext("Three in a row, well played.")


def _question(game: Game, eyes: Eyes) -> str | None:
    """What waits for somebody's answer."""
    t = eyes.t
    question = question_of(game)
    if question is None:
        return None
    own = game.seat(question.by) == eyes.viewer
    name = _name(game, question.by, eyes)
    match question.offer:
        case Offer.RESIGN:
            if own or game.is_against_computer:
                return t.gettext("🏳 Do you really want to resign?")
            return t.gettext("🏳 {name}, do you really want to resign?").format(name=name)
        case Offer.REMATCH:
            if own:
                return t.gettext("🔁 You would like a rematch.")
            return t.gettext("🔁 {name} would like a rematch.").format(name=name)
        case Offer.TAKEBACK:
            rules = rules_of(game.rules)
            moved = rules.read_moves(game.moves)[last_ply_of(game, question.by) or 0]
            words = {"mark": MARKS[question.by], "cell": cell_name(moved, rules, t)}
            if own:
                return t.gettext("↩️ You have asked to take back {mark} on {cell}.").format(**words)
            return t.gettext("↩️ {name} asks to take back {mark} on {cell}.").format(name=name, **words)
        case unknown:
            assert_never(unknown)


def opponent(game: Game, person: int, t: NullTranslations) -> str:
    """The other player of a person's game, as safe HTML."""
    return _player(game, (game.mark_of(person) or Mark.X).other, Eyes(None, t))
