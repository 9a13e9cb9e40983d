"""Lines that several views share: times, questions, comments, milestones and exhibitions."""

import time
from collections.abc import Collection, Sequence
from typing import Final, assert_never

from bot.boards.cells import cell_name
from bot.boards.players import Scene, called, level_name, mention, named
from bot.boards.rules import family_name, nobody_won
from bot.boards.translations import listed, sentences, versus
from bot.game.analysis import last_reason, times_before
from bot.game.attempt import Question, declined_in, question_of
from bot.game.deadlines import is_nudged
from bot.game.play import last_ply_of
from bot.language import N_, _, n_
from engine import Level, Mark, Reason
from storage.games.game import DRAWN, Game, Offer, rules_of
from storage.results.result import (
    MANY_GAMES,
    MANY_PUZZLES,
    OVERALL,
    UNBEATEN,
    Ending,
    Rivalry,
    is_called_off,
    series_goes_on,
)

# Translators: what people type after /share for a picture instead of an animation, with | between.
STILLS: Final = N_("picture|photo|still")
# Translators: the months in dates, with | between; as numbers where the letters aren't Latin, Greek or Cyrillic.
MONTHS: Final = N_("Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec")


def duration(seconds: int) -> str:
    """A time in the unit that fits it."""
    if seconds >= 5400:  # from an hour and a half on, hours say enough
        hours = round(seconds / 3600)
        return n_("{count} hour", "{count} hours", hours).format(count=hours)
    if seconds >= 90:  # from a minute and a half on, minutes
        minutes = round(seconds / 60)
        return n_("{count} minute", "{count} minutes", minutes).format(count=minutes)
    count = max(1, seconds)
    return n_("{count} second", "{count} seconds", count).format(count=count)


def clock_line(clock: int | None, *, is_first: bool = False) -> str | None:
    """How much time there is for a move, or the first one, where two people have a clock."""
    said = _("⏱ {time} for the first move") if is_first else _("⏱ {time} a move")
    return None if clock is None else said.format(time=duration(clock))


def left_line(game: Game) -> str | None:
    """Who has left the group where a game is shown, or was removed from it."""
    if game.left is None:
        return None
    said = _("👋 {name} was removed from this group.") if game.removed else _("👋 {name} left this group.")
    return said.format(name=named(game, game.left))


def nudge_line(scene: Scene) -> str | None:
    """That the person to move was nudged; not on the own board of somebody who has blocked who did it."""
    game, by = scene.game, scene.game.turn.other
    if not is_nudged(game) or (game.hushed and scene.own is game.turn):
        return None
    if scene.own is by:
        return _("👋 You nudged {name}.").format(name=named(game, game.turn))
    if scene.own is game.turn:
        return _("👋 {name} is waiting for your move.").format(name=named(game, by))
    said = _("👋 {other}, {name} is waiting for your move.")
    return said.format(other=mention(game, game.turn), name=named(game, by))


def question_line(scene: Scene) -> str | None:
    """What was asked and who has to answer, or that it was declined."""
    game = scene.game
    if (question := question_of(game)) is not None:
        return _asked(scene, question)
    if (declined := declined_in(game)) is not None:
        return _declined(scene, declined)
    return None


def _asked(scene: Scene, question: Question) -> str:
    game = scene.game
    own = game.seat(question.by) == scene.you
    words = {"name": named(game, question.by), "other": named(game, question.by.other)}
    match question.offer:
        case Offer.RESIGN | Offer.RESIGN_BOTH:
            return _about_to_resign(scene, question)
        case Offer.REMATCH if series_goes_on(game):
            mine = _("🔁 You're ready for the next game.")
            theirs = _("🔁 {name} is ready for the next game.")
        case Offer.REMATCH:
            mine = _("🔁 You asked for a rematch.")
            theirs = _("🔁 {name} wants a rematch.")
        case Offer.TAKEBACK:
            rules = rules_of(game.rules)
            moved = rules.read_moves(game.moves)[last_ply_of(game, question.by) or 0]
            words |= {"mark": scene.marks[question.by], "cell": cell_name(moved, rules)}
            mine = _("↩️ You asked to undo {mark} {cell}.")
            theirs = _("↩️ {name} asks to undo {mark} {cell}.")
        case Offer.DRAW:
            mine = _("🤝 You offered a draw.")
            theirs = _("🤝 {name} offers a draw.")
        case unknown:
            assert_never(unknown)
    is_first = question.offer is Offer.TAKEBACK and not game.takebacks
    cost = [_("Then the game won't be rated.")] if is_first else []
    if own:
        line = sentences(mine, *cost, _("Waiting for {other}…"))
    elif scene.you is None:
        words["other"] = mention(game, question.by.other)
        line = sentences(theirs, *cost, _("{other}, OK with you?"))
    else:
        line = sentences(theirs, *cost, _("OK with you?"))
    return line.format(**words)


def _about_to_resign(scene: Scene, question: Question) -> str:
    game, own = scene.game, scene.game.seat(question.by) == scene.you
    name, off = named(game, question.by), is_called_off(game)
    if question.offer is Offer.RESIGN_BOTH:
        own = scene.you is not None
        name = listed([named(game, mark) for mark in Mark])
    if own:
        return _("🏳 Do you really want to call it off?") if off else _("🏳 Do you really want to resign?")
    if scene.you is not None:
        said = (
            _("🏳 {name} is thinking about calling it off.") if off else _("🏳 {name} is thinking about resigning.")
        )
    else:
        said = (
            _("🏳 {name}, do you really want to call it off?")
            if off
            else _("🏳 {name}, do you really want to resign?")
        )
    return said.format(name=name)


def _declined(scene: Scene, question: Question) -> str:
    if question.offer is Offer.TAKEBACK:
        by_you = _("↩️ You said no: the move stands.")
        to_all = to_asker = _("↩️ {other} said no: the move stands.")
    elif question.offer is Offer.DRAW:
        by_you = _("🤝 You said no: the game goes on.")
        to_all = to_asker = _("🤝 {other} said no: the game goes on.")
    elif series_goes_on(scene.game):
        by_you = to_all = to_asker = _("🔁 {other} isn't ready for the next game yet.")
    else:
        by_you = _("🔁 You declined the rematch.")
        to_all = _("🔁 {other} declined {name}'s rematch.")
        to_asker = _("🔁 {other} declined the rematch.")
    said = to_all if scene.you is None else by_you if scene.own is question.by.other else to_asker
    return said.format(other=named(scene.game, question.by.other), name=mention(scene.game, question.by))


WORDINGS: Final = {
    Reason.WIN: (
        N_("And that's my line!"),
        N_("There it is!"),
        N_("Got it!"),
        N_("That's the one I was waiting for."),
    ),
    Reason.BLOCK: (
        N_("Not so fast!"),
        N_("Nice try! This cell is mine."),
        N_("Ha, blocked!"),
        N_("I saw that line coming."),
        N_("I can't let you have that one."),
        N_("No line for you there."),
    ),
    Reason.FORK: (
        N_("I've got you now!"),
        N_("Two ways to win, and you can only stop one."),
        N_("Which of my two lines will you stop?"),
        N_("That's a fork!"),
    ),
    Reason.BLOCK_FORK: (
        N_("You were setting a trap, weren't you?"),
        N_("No trap for me today."),
        N_("I saw what you were up to."),
        N_("I'd rather not walk into that one."),
    ),
    Reason.THREAT: (
        N_("Watch this…"),
        N_("One more, and it's a line."),
        N_("Can you stop me?"),
        N_("Careful now!"),
        N_("I'm one cell away."),
        N_("Do you see it?"),
    ),
    Reason.TRAP: (N_("Wherever you go now, it's a line."), N_("You can't avoid a line now.")),
    Reason.WIN_BOARD: (
        N_("This little board is mine!"),
        N_("One board for me."),
        N_("I'll take this little board."),
        N_("Thanks, that board suits me."),
    ),
    Reason.BLOCK_BOARD: (
        N_("You won't get this little board."),
        N_("Not this board, my friend!"),
        N_("I need this board too."),
        N_("This little board stays open."),
    ),
    Reason.COMPLETES_LINE: (N_("Oh no, that's a line."), N_("I had no other choice.")),
}
"""What OXO says, by the reason for its move. Moves for any other reason get no comment."""


def comment_line(scene: Scene) -> str | None:
    """OXO's comment on its last move, as safe HTML; None if it has none.

    A game uses one half of the wordings, each at most once. The choice depends on the game alone, so a board says
    the same however often it is drawn.
    """
    game = scene.game
    reason = None if scene.no_comments else last_reason(game)
    if reason is None or reason not in WORDINGS:
        return None
    wordings = WORDINGS[reason][game.id % 2 :: 2]
    if (used := times_before(game, reason)) >= len(wordings):
        return None
    said = _(wordings[(game.id // 2 + used) % len(wordings)])
    if scene.as_text:  # a screen reader reads it as speech
        # Translators: quotation marks around what the computer says.
        return _("“{words}”").format(words=said)
    return f"💬 <i>{said}</i>"


_WORDS: Final = {
    UNBEATEN: N_("Ten games in a row without a loss"),
    MANY_GAMES: N_("A hundred games played"),
    MANY_PUZZLES: N_("A whole week of puzzles"),
}


def milestone_lines(reached: Collection[str], who: str | None = None) -> list[str]:
    """A line for each milestone, one for all levels beaten; `who` reached them, if that should be said."""
    said = [_(words) for name, words in _WORDS.items() if name in reached]
    if levels := [level_name(level) for level in Level if level in reached]:
        said.insert(0, _("First win against OXO ({level})").format(level=listed(levels)))
    return [f"🏅 {who} · {words}" if who else f"🏅 {words}" for words in said]


def milestones_reached(scene: Scene) -> list[str]:
    """The milestones that a finished game brought its reader; in a group, all its players."""
    game = scene.game
    if scene.you is not None:
        own = game.mark_of(scene.you)
        return milestone_lines(((own and game.side(own).reached) or "").split())
    told = [(mark, reached.split()) for mark in Mark if (reached := game.side(mark).reached)]
    return [line for mark, each in told for line in milestone_lines(each, scene.player(mark))]


def date_of(at: float) -> str:
    """A day as people write it: that of a time, in seconds since 1970, in UTC."""
    when = time.gmtime(at)
    # Translators: a date; with the month as a number where the letters aren't Latin, Greek or Cyrillic.
    return _("{day} {month} {year}").format(
        day=when.tm_mday, month=_(MONTHS).split("|")[when.tm_mon - 1], year=when.tm_year
    )


def count_of_draws(draws: int) -> str:
    """How many games were drawn."""
    return n_("{count} draw", "{count} draws", draws).format(count=draws)


def results_in_words(wins: int, draws: int, losses: int) -> Sequence[str]:
    """How many games were won, drawn and lost."""
    return (
        n_("{count} win", "{count} wins", wins).format(count=wins),
        count_of_draws(draws),
        n_("{count} loss", "{count} losses", losses).format(count=losses),
    )


def rivals_score(one: str, other: str, rivalry: Rivalry, family: str = OVERALL) -> str:
    """Two people's score against each other, in a family of rules or in all."""
    (wins, losses), draws = rivalry.score(family), rivalry.ended(Ending.DRAW, family)
    return listed([versus(f"{one} {wins}", f"{losses} {other}"), *([count_of_draws(draws)] if draws else [])])


def rivals_lines(one: str, other: str, rivalry: Rivalry, chosen: str = OVERALL) -> list[str]:
    """Two people's score against each other, by board, and who has won the last games; their names are HTML."""
    lines = [f"⚔️ <b>{rivals_score(one, other, rivalry, chosen)}</b>"]
    if not chosen:
        for family in rivalry.families:
            board = family_name(family)
            lines.append(f"{board[:1].upper()}{board[1:]}: {rivals_score(one, other, rivalry, family)}")
        if abs(rivalry.streak) > 1:
            winner = one if rivalry.streak > 0 else other
            count = abs(rivalry.streak)
            said = n_("{name}: {count} win in a row", "{name}: {count} wins in a row", count)
            lines.append(said.format(name=winner, count=count))
    return lines


def exhibition_line(scene: Scene) -> str:
    """Whose turn it is, or how the game ended and after how many moves."""
    game = scene.game
    if not game.is_over:
        return _("<b>{side}'s turn.</b> I'm playing myself.").format(side=scene.side(game.turn))
    moves = n_("{count} move.", "{count} moves.", game.ply).format(count=game.ply)
    if game.winner is not None:
        end = _("🏆 <b>{side} wins.</b>").format(side=scene.side(game.winner))
    elif game.termination in DRAWN:
        end = nobody_won(game)
    elif game.ended_by is not None:
        unknown = game.ended_by != game.host and not game.name_of(game.ended_by)
        name = _("an admin") if unknown else called(game, game.ended_by)
        end = _("⏹ <b>Stopped</b> by {name}.").format(name=name)
    else:
        end = _("⏹ <b>Stopped.</b>")
    return sentences(end, moves)
