"""The message of a game: whose turn it is or how it ended, and who plays, above its keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.pages import RULES, open_page
from bot.game.queue import has_not_begun
from bot.game.states import thought_of
from bot.views import keyboards, queue, watched
from bot.views.challenges import challenge_text
from bot.views.durations import duration
from bot.views.lists import number_of
from bot.views.looks import marks_of
from bot.views.people import Eyes, computer, mention, named, player
from bot.views.questions import question_line
from bot.views.remarks import remark_line
from bot.views.rules import is_misere, line_of, line_said, nobody_won, rules_line
from bot.views.texts import listed, sentences, texts
from bot.views.ultimate import overview
from bot.views.view import View
from engine import Mark
from engine.ultimate import ULTIMATE
from storage.game import COMPUTER, Termination, has_left

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.board import Board
    from storage.game import Game


def board_view(game: Game, board: Board, username: str, hint: int | None = None) -> View:
    """A game's message on one of its boards; `username` is the bot's, for links to it, `hint` a cell to mark.

    What has to be done, or what happened, comes first: a list of chats shows no more than the beginning.
    """
    eyes = Eyes(board.viewer, texts(board.language), marks_of(board.look))
    page = None if board.page is None else open_page(game, board.page)
    if game.is_of_queue and game.is_challenge:
        return View(queue.text(game, eyes), queue.keyboard_of(game, eyes.t, page))
    if game.is_challenge:
        link = link_of(game, board, username)
        text = challenge_text(game, link, eyes)
        return View(text, keyboards.of_challenge(game, eyes.t, link, page, viewer=board.viewer))
    lines = [
        _asked(game, eyes, page),
        time_line(game, eyes),
        question_line(game, eyes) or watched.free_seat_line(game, eyes) or queue.met_line(game, eyes),
        *(overview(game, eyes, board.look, page) if game.rules == ULTIMATE.text else ()),
        "",
        rules_line(game.rules, eyes.t),
        playing(game, eyes, board),
        score_line(game, eyes),
        remark_line(game, board, eyes.t),
    ]
    return View(
        "\n".join(line for line in lines if line is not None),
        keyboards.of_game(game, eyes.t, eyes.viewer, hint, board.look, page=page),
    )


def link_of(game: Game, board: Board, username: str) -> str | None:
    """The link that a challenge is made by, for who may share it: who has made it."""
    own = board.viewer is not None and game.mark_of(board.viewer) is not None
    return f"https://t.me/{username}?start={game.token}" if game.token and own else None


def farewell(board: Board) -> View:
    """What stays of a board's message where it cannot be deleted, once the board has moved down."""
    return View(texts(board.language).gettext("⬇️ This board has moved down to the newest message."))


def reminder(game: Game, seconds: int, t: NullTranslations) -> str:
    """What the person to move is told when the deadline comes near; it mentions them, and so notifies."""
    who = mention(game, game.turn, Eyes(None, t))
    if has_not_begun(game):
        return t.gettext("⏰ {name}, it is your move. After {time} more {other} plays somebody else.").format(
            name=who, other=named(game, game.turn.other, Eyes(None, t)), time=duration(seconds, t)
        )
    return t.gettext("⏰ {name}, it is your move. After {time} more the game is lost on time.").format(
        name=who, time=duration(seconds, t)
    )


def ending(game: Game, eyes: Eyes) -> str:
    """How a finished game ended, in a sentence, for somebody who does not see it."""
    return _state(game, eyes)


def opponent(game: Game, person: int, t: NullTranslations) -> str:
    """The other player of a person's game, as safe HTML."""
    return player(game, (game.mark_of(person) or Mark.X).other, Eyes(None, t))


def playing(game: Game, eyes: Eyes, board: Board) -> str:
    """Both marks with who plays them, and the number by which lists call the board."""
    if game.host is not None:
        return "   ".join([*watched.sides(game, eyes), number_of(game)])
    parts = [
        f"{eyes.marks[mark]} {computer(game, eyes.t) if game.seat(mark) == COMPUTER else player(game, mark, eyes)}"
        f"{queue.rating(game, mark, eyes)}"
        for mark in Mark
    ]
    if board.chat_id is not None:
        parts.append(number_of(game))
    return "   ".join(parts)


def score_line(game: Game, eyes: Eyes) -> str | None:
    """The series so far, this game included."""
    if game.host is not None:
        return None
    t = eyes.t
    wins = {Mark.X: game.x_wins + (game.winner is Mark.X), Mark.O: game.o_wins + (game.winner is Mark.O)}
    draws = game.draws + (game.termination is Termination.FULL_BOARD)
    one = Mark.O if game.o_seat == eyes.viewer or game.x_seat == COMPUTER else Mark.X
    parts = []
    if any(wins.values()):
        parts.append(f"{player(game, one, eyes)} {wins[one]} – {wins[one.other]} {player(game, one.other, eyes)}")
    if draws:
        parts.append(t.ngettext("{count} draw", "{count} draws", draws).format(count=draws))
    return t.gettext("Score: {score}").format(score=listed(t, parts)) if parts else None


def _asked(game: Game, eyes: Eyes, page: str | None) -> str:
    """What is asked of who looks: which board it shall be, or what the state of the game says."""
    return eyes.t.gettext("<b>What shall we play?</b>") if page == RULES else _state(game, eyes)


def _state(game: Game, eyes: Eyes) -> str:
    """Whose turn it is, or how the game ended."""
    if game.host is not None:
        return watched.state_line(game, eyes)
    t = eyes.t
    if not game.is_over:
        if thought_of(game) is not None:
            return t.gettext("🤖 <b>OXO is thinking …</b>")
        if game.seat(game.turn) == eyes.viewer:
            return t.gettext("<b>Your turn.</b> Tap a cell.")
        who = mention(game, game.turn, eyes)
        if game.is_against_computer:
            return t.gettext("<b>{name}, your turn.</b> Tap a cell.").format(name=who)
        return t.gettext("<b>{mark} {name}'s turn.</b>").format(mark=eyes.marks[game.turn], name=who)
    if game.termination is Termination.FULL_BOARD:
        return nobody_won(game, t)
    if game.termination is Termination.EXPIRED and game.is_of_queue:
        return t.gettext("💤 You did not come in time, so your opponent plays somebody else. /play looks again.")
    if game.termination is Termination.EXPIRED or game.winner is None:
        return t.gettext("💤 This game was closed: nobody has moved for a long time.")
    return sentences(t, _won(game, game.winner, eyes), _how(game, game.winner.other, eyes))


def time_line(game: Game, eyes: Eyes) -> str | None:
    """That the deadline comes near; in a message of inline mode there is no other place for it."""
    if game.is_over or game.reminded != game.ply:
        return None
    return queue.time_line(game, eyes) or eyes.t.gettext("⏰ Without a move the game is soon lost on time.")


def _won(game: Game, winner: Mark, eyes: Eyes) -> str:
    t = eyes.t
    seat = game.seat(winner)
    if seat == COMPUTER:
        return t.gettext("🤖 <b>I win this time.</b>")
    if seat == eyes.viewer:
        return t.gettext("🎉 <b>You win!</b>")
    name = named(game, winner, eyes)
    if game.is_against_computer:
        return t.gettext("🎉 <b>You win, {name}!</b>").format(name=name)
    if game.termination is Termination.TIMEOUT and eyes.viewer is None:
        name = mention(game, winner, eyes)  # they may be away
    return t.gettext("🏆 <b>{mark} {name} wins.</b>").format(mark=eyes.marks[winner], name=name)


def _how(game: Game, loser: Mark, eyes: Eyes) -> str:
    """Why the game was won."""
    t = eyes.t
    if game.termination is Termination.RESIGNATION:
        if has_left(game.seat(loser)):
            return (
                t.gettext("👋 The other side has left.")
                if game.seat(loser.other) == COMPUTER
                else t.gettext("{name} has given the game up.").format(name=named(game, loser, eyes))
            )
        if game.seat(loser) == eyes.viewer or game.is_against_computer:
            return t.gettext("You have resigned.")
        return t.gettext("{name} has resigned.").format(name=named(game, loser, eyes))
    if game.termination is Termination.TIMEOUT:
        if game.seat(loser) == eyes.viewer:
            return t.gettext("Your time has run out.")
        return t.gettext("{name}'s time has run out.").format(name=named(game, loser, eyes))
    if is_misere(game.rules):
        return _lost_by_line(game, loser, eyes)
    line = line_said(game.rules, t)
    if game.seat(loser.other) == COMPUTER:
        return t.gettext("{line}. Another one?").format(line=line)
    return t.gettext("{line}, well played.").format(line=line)


def _lost_by_line(game: Game, loser: Mark, eyes: Eyes) -> str:
    """That somebody has made a line where that loses."""
    t, line = eyes.t, line_of(game.rules, eyes.t)
    if game.seat(loser) == COMPUTER:
        return t.gettext("I had to make {line}, and that loses here.").format(line=line)
    if game.is_against_computer:
        return t.gettext("You made {line}, and that loses here. Another one?").format(line=line)
    if game.seat(loser) == eyes.viewer:
        return t.gettext("You made {line}, and that loses here.").format(line=line)
    return t.gettext("{name} made {line}, and that loses here.").format(name=named(game, loser, eyes), line=line)
