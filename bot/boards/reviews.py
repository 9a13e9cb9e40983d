"""The review of a finished game: the position after each ply, and what the engine thinks of it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.boards import keyboards
from bot.boards.board import drawn, state_line
from bot.boards.buttons import OnGame
from bot.boards.cells import cell_name, overview
from bot.boards.finished import send_key
from bot.boards.players import Scene
from bot.boards.rules import rules_line
from bot.boards.translations import listed, sentences
from bot.boards.view import Key, Row, View, offered
from bot.boards.wording import question_line
from bot.game.actions import Action
from bot.game.analysis import is_pending, known_analysis
from bot.game.pages import (
    LeaveReview,
    LookBack,
    OurGames,
    PlayFrom,
    PlayOut,
    Review,
    ReviewMode,
    Share,
    ShowBest,
    ShowSharing,
    TryAgain,
    TryCell,
    are_rivals,
    can_try,
    choice_of,
)
from bot.language import N_, _, is_right_to_left, n_
from engine import Mark, Reason
from engine.reviews import Choice, GameAnalysis, Step, Verdict, most_telling
from engine.search.base import GameValue
from storage.games.game import Game, rules_of
from storage.games.record import Board

FOR: Final = {
    Reason.WIN: N_("it completes the line"),
    Reason.BLOCK: N_("it blocks a line"),
    Reason.FORK: N_("it makes two threats"),
    Reason.BLOCK_FORK: N_("it keeps {name} from making two threats"),
    Reason.THREAT: N_("it threatens a line"),
    Reason.TRAP: N_("whatever {name} plays completes a line"),
    Reason.WIN_BOARD: N_("it wins a little board"),
    Reason.BLOCK_BOARD: N_("it keeps {name} from winning a little board"),
    Reason.CENTRE: N_("the centre is strong"),
    Reason.CORNER: N_("corners are strong"),
    Reason.LINE: N_("a line can still go through it"),
    Reason.SAFE: N_("it can't complete a line"),
}
"""What speaks for a cell; {name} is the opponent of the player who chose it."""

AGAINST: Final = {
    Reason.COMPLETES_LINE: N_("it completes a line"),
    Reason.ALLOWS_WIN: N_("{name} can win with the next move"),
    Reason.ALLOWS_FORK: N_("{name} can make two threats"),
    Reason.ALLOWS_BOARD: N_("{name} can win a little board"),
    Reason.FREE_CHOICE: N_("{name} can choose the board"),
    Reason.LOSES: N_("{name} can force a win"),
    Reason.MISSES_WIN: N_("there was a win"),
}
"""What speaks against it."""

FOR_YOU: Final = {
    Reason.BLOCK_FORK: N_("it keeps you from making two threats"),
    Reason.TRAP: N_("whatever you play completes a line"),
    Reason.BLOCK_BOARD: N_("it keeps you from winning a little board"),
}
AGAINST_YOU: Final = {
    Reason.ALLOWS_WIN: N_("you can win with the next move"),
    Reason.ALLOWS_FORK: N_("you can make two threats"),
    Reason.ALLOWS_BOARD: N_("you can win a little board"),
    Reason.FREE_CHOICE: N_("you can choose the board"),
    Reason.LOSES: N_("you can force a win"),
}
"""The same for a reader who is that opponent."""

WAS_LOST: Final = N_("the game was already lost")
NOTHING_BETTER: Final = N_("nothing was better")
NOTHING_AGAINST: Final = N_("nothing wrong with it")
OTHERS: Final = N_("other cells look better")


class Mover(NamedTuple):
    """The player whose move is judged, as the reader sees them."""

    opponent: str | None = None
    """The name of their opponent, as safe HTML; None if that is the reader."""
    is_reader: bool = False


def mover_of(scene: Scene, ply: int) -> Mover:
    """The player whose move led to a ply."""
    mark = Mark.X if ply % 2 else Mark.O
    return Mover(None if scene.own is mark.other else scene.player(mark.other), scene.own is mark)


def verdict_sentence(step: Step, mover: Mover) -> str:
    """A move of a game, judged, as HTML."""
    match step.verdict:
        case Verdict.BEST:
            return _("⭐ <b>Best:</b> {reason}.").format(reason=_for(step, mover))
        case Verdict.GOOD:
            return _("👍 <b>Good:</b> {reason}.").format(reason=_for(step, mover))
        case Verdict.DOUBTFUL:
            sentence = _("⚠️ <b>Looks like a mistake:</b> {reason}.")
        case Verdict.MISTAKE if mover.is_reader:
            return _("⚠️ <b>Mistake: you could have won.</b>")
        case Verdict.MISTAKE:
            return _("⚠️ <b>Mistake: this could have been a win.</b>")
        case Verdict.BLUNDER if step.before.result is GameValue.WIN and mover.is_reader:
            sentence = _("💥 <b>Blunder: you could have won.</b> Now {reason}.")
        case Verdict.BLUNDER if step.before.result is GameValue.WIN:
            sentence = _("💥 <b>Blunder: this could have been a win.</b> Now {reason}.")
        case Verdict.BLUNDER if mover.is_reader:
            sentence = _("💥 <b>Blunder: you could have drawn.</b> Now {reason}.")
        case Verdict.BLUNDER:
            sentence = _("💥 <b>Blunder: this could have been a draw.</b> Now {reason}.")
    return sentence.format(reason=reason_against(step.reason, step.verdict, mover))


def in_favour(reason: Reason, mover: Mover, fallback: str = NOTHING_BETTER) -> str:
    """What speaks for a good cell, as part of a sentence."""
    return _said(FOR, FOR_YOU, reason, fallback, mover)


def reason_against(reason: Reason, verdict: Verdict, mover: Mover) -> str:
    """What speaks against a bad cell, as part of a sentence."""
    if verdict is Verdict.BLUNDER and reason not in AGAINST:
        reason = Reason.LOSES
    return _said(AGAINST, AGAINST_YOU, reason, OTHERS, mover)


def _said(
    words: Mapping[Reason, str], to_you: Mapping[Reason, str], reason: Reason, fallback: str, mover: Mover
) -> str:
    if mover.opponent is None and reason in to_you:
        return _(to_you[reason])
    return _(words.get(reason, fallback)).format(name=mover.opponent)


def _for(step: Step, mover: Mover) -> str:
    """What speaks for a move. Only where the values are proven does it say that nothing was better."""
    unproven = NOTHING_AGAINST if step.after.result is None else NOTHING_BETTER
    is_lost = GameValue.LOSS in (step.before.result, step.after.result)
    return in_favour(step.reason, mover, WAS_LOST if is_lost else unproven)


def review_view(scene: Scene, board: Board, review: Review) -> View:
    """The board of a finished game, showing a page of its review."""
    game, analysis = scene.game, known_analysis(scene.game)
    marked = review.cell if review.mode in (ReviewMode.FOUND, ReviewMode.ANSWER) else None
    then = scene._replace(game=_then(game, review.ply, marked), page=_part(game, review, analysis))
    commands = listed(_commands(game, review, analysis, board)) if scene.is_typed else None
    lines = [
        *said(scene, review, analysis),
        question_line(scene),
        *(drawn(then) if scene.as_text else (*overview(then)[-1:], ""))[-2:],
        rules_line(game.rules),
        scene.sides(),
        commands,
    ]
    text = "\n".join(line for line in lines if line is not None)
    if commands is not None:
        return View(text)
    rows = offered(_controls(scene, review, analysis, is_over=then.game.position.is_over))
    last = 0 if marked is not None or then.game.is_over else 1
    return View(text, keyboards.with_cells(then, rows, last, marked, TryCell))


def _then(game: Game, ply: int, marked: int | None) -> Game:
    moves = game.moves[:ply]
    if marked is not None:
        moves += rules_of(game.rules).move_text(marked)
    return game if moves == game.moves else game._replace(moves=moves, termination=None, winner=None)


def _part(game: Game, review: Review, analysis: GameAnalysis | None) -> str | None:
    """Of several little boards, the one that is shown: where the next move was, or where a better one is."""
    if analysis is None or review.ply == game.ply:
        return None
    step = analysis.steps[review.ply]
    cell = step.cell if review.is_looking or not step.choices else most_telling(step.choices).cell
    return str(rules_of(game.rules).layout.region_of(cell))


def said(scene: Scene, review: Review, analysis: GameAnalysis | None) -> list[str]:
    """The lines of a page, as HTML."""
    game = scene.game
    if analysis is None:
        unsaid = _("Analysing this game…") if is_pending(game) else _("I can't judge this game.")
        return [_head(scene, review.ply), unsaid]
    if review.is_looking:
        return [_head(scene, review.ply), *_judged(scene, review.ply, analysis)]
    step = analysis.steps[review.ply]
    rules = rules_of(game.rules)
    played = cell_name(step.cell, rules)
    choice = choice_of(step, review.cell)
    if choice is None:
        return [_("🤔 <b>Which cell is better?</b> Played: {cell}.").format(cell=played)]
    cell, mover = cell_name(choice.cell, rules), mover_of(scene, review.ply + 1)
    match review.mode:
        case ReviewMode.FOUND:
            why = in_favour(choice.reason, mover)
            return [_("🎉 <b>Well spotted!</b> {reason}.").format(reason=f"{why[:1].upper()}{why[1:]}")]
        case ReviewMode.ANSWER:
            answer = _("💡 <b>A better move: {cell}</b> ({reason}).")
            return [answer.format(cell=cell, reason=in_favour(choice.reason, mover))]
    return [
        missed(choice, game, mover),
        _("🤔 <b>Which cell is better?</b> Played: {cell}.").format(cell=played),
    ]


def missed(choice: Choice, game: Game, mover: Mover) -> str:
    """The line about a cell that was tried and is no better."""
    cell = cell_name(choice.cell, rules_of(game.rules))
    why = reason_against(choice.reason, choice.verdict, mover)
    return _("✖️ {cell}: {reason}.").format(cell=cell, reason=why)


def _head(scene: Scene, ply: int) -> str:
    game = scene.game
    if not ply:
        return sentences(_("🔎 <b>Review.</b>"), state_line(scene))
    here = _("🔎 <b>Move {number} of {count}.</b>").format(number=ply, count=game.ply)
    rules, mark = rules_of(game.rules), Mark.X if ply % 2 else Mark.O
    cell = cell_name(rules.read_moves(game.moves)[ply - 1], rules)
    moved = _("{mark} {name}: {cell}.").format(mark=scene.marks[mark], name=scene.player(mark), cell=cell)
    return sentences(here, moved)


def _judged(scene: Scene, ply: int, analysis: GameAnalysis) -> list[str]:
    """The verdict on the move that led to a ply; on the empty board, which move was the turning point."""
    turning = analysis.turning_point
    if ply:
        verdict = verdict_sentence(analysis.steps[ply - 1], mover_of(scene, ply))
        is_turn = turning == ply - 1
        return [sentences(verdict, _("This was the turning point.")) if is_turn else verdict]
    lines = []
    if turning is not None:
        lines = [_("⚡ <b>Turning point: move {number}.</b>").format(number=turning + 1)]
    elif analysis.depth is None:
        lines = [_("✨ No mistakes on either side.")]
    if analysis.depth:
        depth = n_("I looked {count} move ahead.", "I looked {count} moves ahead.", analysis.depth)
        lines.append(depth.format(count=analysis.depth))
    return lines


def _controls(scene: Scene, review: Review, analysis: GameAnalysis | None, *, is_over: bool) -> list[Row]:
    """The two rows below the cells, on each page of a review.

    Where a button was that leads to a page, a second tap leads back, or does nothing for good.
    """
    game, here = scene.game, review.ply

    def key(label: str, action: Action, style: str | None = None) -> Key:
        return Key(label, OnGame(game.id, action), style)

    back = key("✕", LookBack(here + 1))
    if review.mode in (ReviewMode.TRY, ReviewMode.MISSED):
        return [[back], [key(_("Show me"), ShowBest(here))]]
    if review.cell is not None and scene.is_in_chat and not is_over:
        return [[key(_("Play it out"), PlayOut(here, review.cell), "primary")], [back]]
    if review.mode is ReviewMode.SHARE:
        files = [key(_("Animation"), Share()), key(_("Picture"), Share(as_picture=True))]
        is_theirs = scene.is_in_chat and (scene.you is None or scene.own is not None)
        ours = [key(_("Our games"), OurGames())] if are_rivals(game) and is_theirs else []
        return [[send_key(scene, _("Send")), key(_("‹ Back"), LookBack(here))], [*files, *ours]]
    to_do = _next_to_do(scene, review, analysis)
    return [[to_do, key("⋯", ShowSharing(here))], [*_stepper(game, here), key("✕", LeaveReview())]]


def _stepper(game: Game, here: int) -> Row:
    """The way to the moves before and after, in reading direction; from the last one it goes on to the start."""
    steps, arrows = [LookBack(here - 1 if here else game.ply), LookBack((here + 1) % (game.ply + 1))], ["‹", "›"]
    if is_right_to_left():
        steps.reverse()
        arrows = [f"\u200e{arrow}" for arrow in arrows]
    return [Key(arrow, OnGame(game.id, step)) for arrow, step in zip(arrows, steps, strict=True)]


def _next_to_do(scene: Scene, review: Review, analysis: GameAnalysis | None) -> Key:
    """What most people want on a page of the review: to do better, else to play on, or to see where it turned."""
    game, here = scene.game, review.ply
    turning = None if analysis is None or analysis.turning_point is None else analysis.turning_point + 1
    if analysis is not None and can_try(game, review.reviewer or scene.you, here, analysis):
        return Key(_("Find a better move"), OnGame(game.id, TryAgain(here)), "primary")
    # In a message of inline mode there is nowhere to play it.
    may_play = scene.is_in_chat and not (here == game.ply and game.position.is_over)
    if may_play and (here or turning is None):
        return Key(_("Play from here"), OnGame(game.id, PlayFrom(here)))
    if turning is not None and turning != here:
        return Key(_("⚡ Turning point"), OnGame(game.id, LookBack(turning)))
    return Key("«", OnGame(game.id, LookBack(0))) if here else Key("»", OnGame(game.id, LookBack(game.ply)))


def _commands(game: Game, review: Review, analysis: GameAnalysis | None, board: Board) -> list[str]:
    here = review.mode is ReviewMode.LOOK
    words = ["/next"] if review.ply < game.ply else []
    words += ["/back"] if review.ply else []
    if analysis is not None and here and can_try(game, board.viewer, review.ply, analysis):
        words.append("/try")
    if review.mode in (ReviewMode.TRY, ReviewMode.MISSED):
        words.append("/try 5")
    if review.mode is ReviewMode.MISSED:
        words.append("/answer")
    return [*words, "/fromhere", "/leave"]
