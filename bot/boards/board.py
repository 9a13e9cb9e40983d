"""The message that shows a game: with buttons, or as text for those who type.

Marks are letters, because a screen reader reads an emoji out by its long name; an empty cell shows what to type to
play it. In a private chat there are no buttons, and commands take their place; in a group others may want to tap.
"""

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Final

from bot.boards import keyboards
from bot.boards import matchmaking as views
from bot.boards.cells import CENTRE_CELL, cell_name, fading_line, next_line, overview, whole
from bot.boards.challenges import challenge_text
from bot.boards.finished import BETWEEN, count_of_moves, result_line, try_line
from bot.boards.players import DIFFICULTIES, Scene, level_name, mention, named
from bot.boards.rules import is_misere, line_said, nobody_won, rules_in_short, rules_line
from bot.boards.translations import in_order, listed, sentences, versus
from bot.boards.view import LETTERS, View, marks_of
from bot.boards.wording import (
    clock_line,
    comment_line,
    count_of_draws,
    exhibition_line,
    left_line,
    milestones_reached,
    nudge_line,
    question_line,
)
from bot.game.analysis import lesson_of
from bot.game.attempt import FIRST_MOVE_SECONDS, thought_of
from bot.game.deadlines import clock_of, is_awaited_in_cup
from bot.game.matchmaking import has_not_begun
from bot.game.pages import CHOOSING, HELLO, LEVEL_PAGE, MORE, RULES, shown_region
from bot.language import N_, _, speaking
from engine import Level, Mark, Position
from engine.rules.mnk import MISERE
from storage.games.game import (
    BY_THE_RULES,
    COMPUTER,
    DRAWN,
    Game,
    GameKind,
    Limits,
    Termination,
    is_erased,
    rules_of,
)
from storage.games.record import Board
from storage.results.result import (
    NotCounted,
    counts,
    is_called_off,
    not_counted,
    score_of,
    series_goes_on,
)

NOT_COUNTED: Final = {
    NotCounted.TAKEN_BACK: N_("A move was undone, so this game doesn't count."),
    NotCounted.PRACTICE: N_("It started in the middle of a game, so it doesn't count."),
    NotCounted.NOT_BEGUN: N_("It ended before both players had moved, so it doesn't count."),
}
"""Why a game that was played to an end doesn't count."""
IN_SERIES: Final = N_("This game counts in the series, but not in your stats.")
IN_CUP: Final = N_("This game counts in the cup, but not in your stats.")


def board_view(scene: Scene, hint: int | None = None) -> View:
    """A game's message on one of its boards; `hint` is a cell to mark.

    What has to be done, or what happened, comes first, because a list of chats only shows the beginning.
    """
    rows = keyboards.rows_of(scene)
    lines = _lines(scene)
    if scene.as_text:
        words = dict.fromkeys(key.words[0] for row in rows for key in row if key.words)
        lines += [listed(f"/{word}" for word in words)] if words else []
    text = "\n".join(line for line in lines if line is not None)
    return View(text, None if scene.is_typed else keyboards.keyboard_of(scene, rows, hint))


def _lines(scene: Scene) -> list[str | None]:
    game = scene.game
    if game.is_challenge:
        return [views.wait_text(game) if game.is_wait else challenge_text(scene), _taught(scene)]
    if scene.is_folded and not scene.as_text:
        return _folded(scene)
    said, is_of_two = comment_line(scene), game.kind is GameKind.PAIR
    return [
        cup_line(scene),
        _head(scene),
        _taught(scene),
        None if scene.gauntlet is None else try_line(scene, scene.gauntlet),
        series_line(scene) if is_of_two else None,
        said if scene.as_text else None,
        time_line(scene) if is_of_two else None,
        nudge_line(scene) if is_of_two else None,
        _from_elsewhere(scene) if is_of_two else None,
        left_line(game) if is_of_two and not game.is_over else None,
        question_line(scene) or (views.met_line(scene) if is_of_two else None),
        *drawn(scene),
        rules_line(game.rules),
        _clock(game) if is_of_two else None,
        scene.sides(),
        score_line(scene),
        *(_figures(scene) if game.is_over else ()),
        _how_to_type(scene) if scene.as_text else said,
    ]


def cup_line(scene: Scene) -> str | None:
    """The round of the cup in which a game is played, and by whom."""
    game = scene.game
    if game.round is None:
        return None
    said = _("🏆 Round {number} · {one} – {other}")
    return said.format(number=game.round, one=named(game, Mark.X), other=named(game, Mark.O))


def _folded(scene: Scene) -> list[str | None]:
    """A finished game in a few lines, with its last position: it reads the same wherever it is copied to."""
    game, for_all = scene.game, scene._replace(you=None)
    head: list[str | None]
    if game.termination in BY_THE_RULES and not game.is_exhibition:
        # A phone would break the line within the score, if that followed.
        score = score_said(for_all)
        head = [BETWEEN.join([f"<b>{result_line(scene)}</b>", count_of_moves(game)]), score]
        below = None if score else for_all.sides()
    else:
        head, below = [state_line(scene)], score_line(for_all) or for_all.sides()
    return [
        cup_line(scene),
        *head,
        series_line(scene),
        question_line(scene),
        *(("", whole(scene)) if game.moves else ()),
        rules_line(game.rules),
        below,
        *_figures(scene),
        comment_line(scene),
    ]


def _figures(scene: Scene) -> list[str | None]:
    return [rating_line(scene), lesson_line(scene), level_line(scene.game), *milestones_reached(scene)]


def _from_elsewhere(scene: Scene) -> str | None:
    """Why a game of inline mode, which knows no chat, is in a private one."""
    if scene.game.chat_id is not None or scene.you is None or scene.game.is_over:
        return None
    return _("🏠 The message with this game is gone, so it goes on here.")


def _head(scene: Scene) -> str:
    if scene.page == HELLO:
        return sentences(_("👋 <b>Hi, I'm OXO!</b>"), _happened(scene) if scene.as_text else state_line(scene))
    if scene.as_text:
        return _happened(scene)
    if scene.page == LEVEL_PAGE:
        return _("<b>How strong should OXO be?</b>")
    return _("<b>What shall we play?</b>") if scene.page in CHOOSING else state_line(scene)


def _taught(scene: Scene) -> str | None:
    """How the rules are played that the open page of the board picker offers."""
    shown = {RULES: ("vanishing",), MORE: (MISERE, "ultimate")}.get(scene.page or "", ())
    return "\n".join(rules_in_short(rules) for rules in shown) or None


def drawn(scene: Scene) -> Sequence[str | None]:
    """The board in the message's text, and what is to be known of its cells."""
    game = scene.game
    fading = fading_line(scene)
    if not scene.as_text:
        return (*overview(scene), fading, "")
    following = next_line(game.position, scene.page, "+") if len(game.position.regions) > 1 else None
    board = f"<pre>{in_order(drawing(game.position, is_over=game.is_over))}</pre>"
    return (None if game.is_over else following, fading, board)


def farewell(board: Board) -> View:
    """What a board's message becomes once the board has moved elsewhere, if it can't be deleted."""
    with speaking(board.language):
        if board.inline_message_id is not None:
            return View(_("This invite has already been used."))
        return View(_("⬇️ This board has moved down to the newest message."))


def opponent(game: Game, person: int) -> str:
    """A person's opponent, as safe HTML."""
    return Scene(game).player((game.mark_of(person) or Mark.X).other)


def score_line(scene: Scene) -> str | None:
    """The series so far, this game included."""
    said, most = score_said(scene), scene.game.best_of
    if most is not None:
        series = _("Best of {count}").format(count=most)
        return _("{setting}: {value}").format(setting=series, value=said) if said else series
    return _("Score: {score}").format(score=said) if said else None


def score_said(scene: Scene) -> str | None:
    """The score of the players, this game included; None before anybody has finished one."""
    game = scene.game
    is_first = not (game.x.wins or game.o.wins or game.draws)
    if (is_first and game.best_of is None) or game.is_exhibition:
        return None
    score = score_of(game)
    one = Mark.O if game.o.seat == scene.you or game.x.seat == COMPUTER else Mark.X
    wins, others = (score.x_wins, score.o_wins) if one is Mark.X else (score.o_wins, score.x_wins)
    parts = []
    if wins or others:
        parts.append(versus(f"{scene.player(one)} {wins}", f"{others} {scene.player(one.other)}"))
    if score.draws:
        parts.append(count_of_draws(score.draws))
    return listed(parts) if parts else None


def series_line(scene: Scene) -> str | None:
    """Who has won the series, on the board of its last game."""
    game = scene.game
    if game.best_of is None or not game.is_over or series_goes_on(game):
        return None
    score = score_of(game)
    if score.x_wins == score.o_wins:
        return _("🤝 <b>The series is a draw.</b>")
    winner = Mark.X if score.x_wins > score.o_wins else Mark.O
    if game.seat(winner) == scene.you:
        return _("🏆 <b>You win the series!</b>")
    return _("🏆 <b>{name} wins the series!</b>").format(name=named(game, winner))


def rating_line(scene: Scene) -> str | None:
    """How a finished game changed its players' ratings, or why it doesn't count."""
    game = scene.game
    if (why := not_counted(game)) is not None:
        if scene.gauntlet is not None:
            return None  # what it counts for is said
        if game.time_limits is Limits.CUP:
            return _(IN_CUP)
        if _is_called_off(game):
            return None
        in_series = game.best_of is not None and why is NotCounted.TAKEN_BACK
        return _(IN_SERIES if in_series else NOT_COUNTED[why])
    return "\n".join(line for mark in Mark if (line := _rated(scene, mark)) is not None) or None


def _rated(scene: Scene, mark: Mark) -> str | None:
    """A player's settled rating after the game, and how it changed; of a guess nothing is said."""
    before, now = scene.game.side(mark).rating or "", scene.game.side(mark).rated or ""
    if not (before.isdecimal() and now.isdecimal()):
        return None
    change = int(now) - int(before)
    sign = "▲" if change > 0 else "▼" if change < 0 else "▬"
    # Translators: a player's rating after a game, and how it changed: ▲ Ann 1512 (+12).
    return _("{sign} {name} {rating}").format(sign=sign, name=scene.player(mark), rating=f"{now} ({change:+d})")


def lesson_line(scene: Scene) -> str | None:
    """When the reader could have won a game that OXO has won, or drawn it."""
    if (lesson := lesson_of(scene.game, scene.you)) is None:
        return None
    said = _("💡 You had a win at move {number}.") if lesson.was_won else _("💡 You had a draw at move {number}.")
    return said.format(number=lesson.number)


def level_line(game: Game) -> str | None:
    """How far up the ladder of levels a player is after a game, where the difficulty is adaptive."""
    if game.is_against_computer and game.hints and game.winner and game.seat(game.winner) != COMPUTER:
        return _("💡 You had a hint, so there's no medal and no new level.") if counts(game) else None
    if game.next_level is None or not counts(game):
        return None
    rung = DIFFICULTIES.index(game.next_level)
    before = DIFFICULTIES.index(game.level or game.next_level)
    text = _("Level up! Next: {level}") if rung > before else _("Next: {level}")
    words = text.format(level=level_name(game.next_level, game.rules))
    return f"{'🟩' * rung}{'⬜' * (len(Level) - rung)} {words}"


def state_line(scene: Scene) -> str:
    """Whose turn it is, or how the game ended."""
    game = scene.game
    if game.is_exhibition:
        return exhibition_line(scene)
    if not game.is_over:
        is_own = scene.own is game.turn
        if not is_own and thought_of(game) is not None:
            return _("🤖 <b>OXO is thinking…</b>")
        choice = shown_region(game.position, scene.page) is None
        if is_own:
            return _("<b>Your turn.</b> Choose a board.") if choice else _("<b>Your turn.</b> Tap a cell.")
        who = mention(game, game.turn)
        if game.is_against_computer:
            said = (
                _("<b>{name}, your turn.</b> Choose a board.")
                if choice
                else _("<b>{name}, your turn.</b> Tap a cell.")
            )
            return said.format(name=who)
        return _("<b>{mark} {name}'s turn.</b>").format(mark=scene.marks[game.turn], name=who)
    if game.termination in DRAWN:
        return nobody_won(game)
    if game.winner is None:
        return _closed(game)
    if _is_called_off(game):
        if game.seat(game.winner.other) == scene.you or game.is_against_computer:
            return _("👋 <b>You called it off.</b>")
        return _("👋 <b>{name} called it off.</b>").format(name=named(game, game.winner.other))
    return sentences(_won(scene, game.winner), _how(scene, game.winner.other))


def _is_called_off(game: Game) -> bool:
    """Whether a player has called off a finished game, and is still here."""
    resigned = game.termination is Termination.RESIGNATION and is_called_off(game) and game.winner is not None
    return resigned and game.left is None and not any(is_erased(game.seat(mark)) for mark in Mark)


def _closed(game: Game) -> str:
    if game.termination is Termination.CANCELLED:
        return _("💤 The message with this game is gone, so I closed it without a result.")
    if game.is_between_strangers:
        return _("💤 You didn't move for too long, so your opponent left. Send /play to find a new one.")
    if (gone := left_line(game)) is not None:
        return sentences(gone, _("This game is closed."))
    return _("💤 I closed this game: nobody moved for a long time.")


def _clock(game: Game) -> str | None:
    if has_not_begun(game):
        return clock_line(FIRST_MOVE_SECONDS, is_first=True)
    return None if game.is_over else clock_line(clock_of(game), is_first=is_awaited_in_cup(game))


def time_line(scene: Scene) -> str | None:
    """The line that says time is running out; how much is left changes while it is read."""
    game = scene.game
    cannot_lose = game.removed or game.left is game.turn.other
    if game.is_over or game.reminded != game.ply or cannot_lose:
        return None
    return views.time_line(scene) or _("⏰ Time's running out: move now, or the game is lost.")


def _won(scene: Scene, winner: Mark) -> str:
    game = scene.game
    seat = game.seat(winner)
    if seat == COMPUTER:
        return _("💔 <b>I win this time.</b>")
    if seat == scene.you:
        return _("🎉 <b>You win!</b>")
    name = named(game, winner)
    if game.is_against_computer:
        return _("🎉 <b>You win, {name}!</b>").format(name=name)
    if game.termination is Termination.TIMEOUT and scene.you is None:
        name = mention(game, winner)  # they may not be looking
    lost = scene.own is winner.other
    words = _("💔 <b>{mark} {name} wins.</b>") if lost else _("🏆 <b>{mark} {name} wins.</b>")
    return words.format(mark=scene.marks[winner], name=name)


def _how(scene: Scene, loser: Mark) -> str:
    game = scene.game
    if game.termination is Termination.RESIGNATION:
        if game.left is loser and not game.removed and (gone := left_line(game)) is not None:
            return gone
        if is_erased(game.seat(loser)):
            return (
                _("👋 The player left.") if game.seat(loser.other) == COMPUTER else _("👋 The other player left.")
            )
        if game.seat(loser) == scene.you or game.is_against_computer:
            return _("You resigned.")
        return _("{name} resigned.").format(name=named(game, loser))
    if game.termination is Termination.TIMEOUT:
        if game.seat(loser) == scene.you:
            return _("You ran out of time.")
        return _("{name} ran out of time.").format(name=named(game, loser))
    line = line_said(game.rules)
    if is_misere(game.rules):
        line = f"{line[:1].lower()}{line[1:]}"
        if game.seat(loser) == scene.you or (game.is_against_computer and game.seat(loser) != COMPUTER):
            return _("You made {line}: in misère, that loses.").format(line=line)
        return _("{name} made {line}: in misère, that loses.").format(name=scene.player(loser), line=line)
    if game.seat(loser.other) == COMPUTER:
        return _("{line}. Good game!").format(line=line)
    return _("{line}, well played.").format(line=line)


def drawing(position: Position, *, is_over: bool = False) -> str:
    """The cells, with a letter above each column and a number before each row."""
    rules, layout, marks = position.rules, position.rules.layout, marks_of(LETTERS)
    if len(layout.regions) > 1:
        return str(position)
    names = {
        cell: marks[mark] if (mark := position.mark_at(cell)) else rules.name_of(cell) for cell in layout.drawn
    }
    if not is_over:
        names |= {cell: names[cell].lower() for cell in position.fading}
    rows = [f"   {'  '.join(ascii_lowercase[: layout.columns])}"]
    for row in range(layout.rows):
        cells = [names[layout.cell_at(row, column)] for column in range(layout.columns)]
        rows.append(f"{row + 1}  " + " ".join(cell.ljust(2) for cell in cells).rstrip())
    return "\n".join(rows)


def turn_line(scene: Scene) -> str:
    """Whose turn it is in a running game, for those who type."""
    game = scene.game
    if thought_of(game) is not None:
        return _("OXO is thinking.")
    if game.seat(game.turn) == scene.you:
        return _("Your turn.")
    return _("{name}'s turn.").format(name=mention(game, game.turn))


def _happened(scene: Scene) -> str:
    game = scene.game
    now = state_line(scene) if game.is_over or game.is_exhibition else turn_line(scene)
    if not game.moves:
        return now
    rules = rules_of(game.rules)
    mark = game.turn.other
    last = _("{name}: {cell}.").format(
        name=scene.side(mark) if game.is_exhibition else scene.player(mark),
        cell=cell_name(rules.read_moves(game.moves)[-1], rules),
    )
    return sentences(last, now)


def _how_to_type(scene: Scene) -> str | None:
    game = scene.game
    if game.is_over or game.is_exhibition or thought_of(game) is not None:
        return None
    if scene.you is not None and game.seat(game.turn) != scene.you:
        return None
    rules = rules_of(game.rules)
    layout, free = rules.layout, game.position.legal_moves
    in_regions = len(layout.regions) > 1
    cell = CENTRE_CELL if CENTRE_CELL in free and layout.has_names and not in_regions else free[0]
    words = {"number": cell + 1, "short": rules.name_of(cell), "name": cell_name(cell, rules)}
    if in_regions:
        region = layout.region_of(cell)
        words["both"] = f"{region + 1} {layout.regions[region].index(cell) + 1}"
        said = _("Type a cell to play it: {short}, or board and cell: {both}.")
    elif layout.has_names and scene.you is not None:
        said = _("Type a cell to play it: {short}, {number} or {name}.")
    else:
        said = _("Type a cell to play it: {short} or {number}.")
    if scene.you is None:  # Telegram shows us nothing else there
        said = sentences(said, _("Here, send it in reply to this message, or after /move."))
    return said.format(**words)
