"""The message that shows a game: with buttons, or as text for those who type.

Marks are letters, because a screen reader reads an emoji out by its long name; an empty cell shows what to type to
play it. In a private chat there are no buttons, and commands take their place; in a group others may want to tap.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import Final

from bot.boards import keyboards, matchmaking, wording
from bot.boards.cells import CENTRE, cell_name, fading_line, lettered, next_line, overview, short_name
from bot.boards.challenges import challenge_text
from bot.boards.lists import number_shown
from bot.boards.players import DIFFICULTIES, Viewer, computer, level_name, mention, mover, named, player, side
from bot.boards.rules import is_misere, line_said, nobody_won, rules_line
from bot.boards.translations import in_order, listed, sentences
from bot.boards.view import FADING, LETTERS, View, marks_of
from bot.boards.wording import clock_line, comment, comment_line, duration, milestone_lines, question_line
from bot.game.attempt import is_asked_to_resign, question_of, thought_of
from bot.game.choices import ADAPTIVE
from bot.game.deadlines import clock_of
from bot.game.matchmaking import has_not_begun
from bot.game.new_game import link_parameter
from bot.game.pages import CHOOSING, open_page
from bot.game.play import last_ply_of
from bot.language import N_, _, n_, speaking
from engine import Mark, Position
from storage.games.game import COMPUTER, DRAWN, RESIGNING, Game, Termination, is_erased, rules_of
from storage.games.record import Board
from storage.people.person import Wait
from storage.results.result import NotCounted, not_counted, score_of, series_goes_on

NOT_COUNTED: Final = {
    NotCounted.TAKEN_BACK: N_("A move was taken back, so this game doesn't count."),
    NotCounted.NOT_BEGUN: N_("It ended before both players had moved, so it doesn't count."),
}
"""Why a game that was played to an end doesn't count."""
IN_SERIES: Final = N_("This game counts in the series, but not in your stats.")


def board_view(game: Game, board: Board, username: str, hint: int | None = None) -> View:
    """A game's message on one of its boards; `username` is the bot's, for links to it, `hint` a cell to mark.

    What has to be done, or what happened, comes first, because a list of chats only shows the beginning.
    """
    viewer = Viewer(board.viewer, marks_of(board.theme))
    page = open_page(game, board)
    if game.is_challenge:
        link = link_of(game, board, username)
        text = challenge_text(game, link, viewer)
        return View(text, keyboards.of_challenge(game, link, page, viewer=board.viewer))
    lines = [
        _("<b>What shall we play?</b>") if page in CHOOSING else state_line(game, viewer),
        series_line(game, viewer),
        time_line(game, viewer),
        question_line(game, viewer) or matchmaking.met_line(game, viewer),
        *overview(game, viewer, board.theme, page),
        fading_line(game, FADING),
        "",
        rules_line(game.rules),
        None if game.is_over else clock_line(clock_of(game)),
        playing(game, viewer, board),
        score_line(game, viewer),
        rating_line(game, viewer),
        level_line(game),
        *milestone_lines(game, viewer),
        comment_line(game, board),
    ]
    return View(
        "\n".join(line for line in lines if line is not None),
        keyboards.of_game(game, viewer.person, hint, board.theme, page=page),
    )


def link_of(game: Game, board: Board, username: str) -> str | None:
    """The link of a challenge, for the challenger, who alone may share it."""
    own = board.viewer is not None and game.mark_of(board.viewer) is not None
    return f"https://t.me/{username}?start={link_parameter(game)}" if game.link and own else None


def farewell(board: Board) -> View:
    """What a board's message becomes once the board has moved elsewhere, if it can't be deleted."""
    with speaking(board.language):
        if board.inline_message_id is not None:
            return View(_("This invite has been used."))
        return View(_("⬇️ This board has moved down to the newest message."))


def reminder(game: Game, seconds: int) -> str:
    """The reminder for the person to move; it mentions them, so that it notifies."""
    who = mention(game, game.turn)
    if has_not_begun(game):
        return _("⏰ {name}, it's your move. {time} left, or {other} leaves.").format(
            name=who, other=named(game, game.turn.other), time=duration(seconds)
        )
    return _("⏰ {name}, it's your move. {time} left, or you lose on time.").format(
        name=who, time=duration(seconds)
    )


def opponent(game: Game, person: int) -> str:
    """A person's opponent, as safe HTML."""
    return player(game, (game.mark_of(person) or Mark.X).other, Viewer(None))


def playing(game: Game, viewer: Viewer, board: Board) -> str:
    """Both marks with their players, and the board's number in lists."""
    if game.is_exhibition:
        return "   ".join([*wording.sides(game, viewer), number_shown(game)])
    parts = [
        f"{viewer.marks[mark]} "
        f"{computer(game) if game.seat(mark) == COMPUTER else player(game, mark, viewer)}"
        f"{matchmaking.rating(game, mark, viewer)}"
        for mark in Mark
    ]
    if board.chat_id is not None:
        parts.append(number_shown(game))
    return "   ".join(parts)


def score_line(game: Game, viewer: Viewer) -> str | None:
    """The series so far, this game included."""
    if game.is_exhibition:
        return None
    score = score_of(game)
    wins, draws = {Mark.X: score.x_wins, Mark.O: score.o_wins}, score.draws
    one = Mark.O if game.o_seat == viewer.person or game.x_seat == COMPUTER else Mark.X
    parts = []
    if any(wins.values()):
        parts.append(
            f"{player(game, one, viewer)} {wins[one]} – {wins[one.other]} {player(game, one.other, viewer)}"
        )
    if draws:
        parts.append(n_("{count} draw", "{count} draws", draws).format(count=draws))
    if game.best_of is not None:
        series = _("Best of {count}").format(count=game.best_of)
        return _("{setting}: {value}").format(setting=series, value=listed(parts)) if parts else series
    return _("Score: {score}").format(score=listed(parts)) if parts else None


def series_line(game: Game, viewer: Viewer) -> str | None:
    """Who has won the series, on the board of its last game."""
    if game.best_of is None or not game.is_over or series_goes_on(game):
        return None
    score = score_of(game)
    if score.x_wins == score.o_wins:
        return _("🤝 <b>The series is a draw.</b>")
    winner = Mark.X if score.x_wins > score.o_wins else Mark.O
    if game.seat(winner) == viewer.person:
        return _("🏆 <b>You win the series!</b>")
    return _("🏆 <b>{name} wins the series!</b>").format(name=named(game, winner))


def rating_line(game: Game, viewer: Viewer) -> str | None:
    """How a finished game changed its players' ratings, or why it doesn't count."""
    if not game.is_over:
        return None
    if (why := not_counted(game)) is not None:
        in_series = game.best_of is not None and why is NotCounted.TAKEN_BACK
        return _(IN_SERIES if in_series else NOT_COUNTED[why])
    parts = [
        f"{player(game, mark, viewer)} {game.rating(mark)} → {game.rated(mark)}"
        for mark in Mark
        if game.rated(mark)
    ]
    return _("Rating: {rating}").format(rating=listed(parts)) if parts else None


def level_line(game: Game) -> str | None:
    """How a finished game changed its player's level, where the difficulty is adaptive."""
    if not game.is_over or game.next_level in (None, game.level):
        return None
    is_up = DIFFICULTIES.index(game.next_level) > DIFFICULTIES.index(game.level or ADAPTIVE)
    text = _("⬆️ Level up! Next: {level}") if is_up else _("⬇️ Next level: {level}")
    return text.format(level=level_name(game.next_level, game.rules))


def state_line(game: Game, viewer: Viewer) -> str:
    """Whose turn it is, or how the game ended."""
    if game.is_exhibition:
        return wording.state_line(game, viewer)
    if not game.is_over:
        if thought_of(game) is not None:
            return _("🤖 <b>OXO is thinking…</b>")
        if game.seat(game.turn) == viewer.person:
            return _("<b>Your turn.</b> Tap a cell.")
        who = mention(game, game.turn)
        if game.is_against_computer:
            return _("<b>{name}, your turn.</b> Tap a cell.").format(name=who)
        return _("<b>{mark} {name}'s turn.</b>").format(mark=viewer.marks[game.turn], name=who)
    if game.termination in DRAWN:
        return nobody_won(game)
    if game.termination is Termination.EXPIRED and game.is_between_strangers:
        return _("💤 You took too long, so your opponent left. Send /play to find another.")
    if game.termination is Termination.EXPIRED or game.winner is None:
        return _("💤 I closed this game: nobody moved for a long time.")
    return sentences(_won(game, game.winner, viewer), _how(game, game.winner.other, viewer))


def time_line(game: Game, viewer: Viewer) -> str | None:
    """The line that says time is running out, where no reminder can be sent."""
    if game.is_over or game.reminded != game.ply:
        return None
    if (clock := clock_of(game)) is not None:
        left = duration(min(clock - clock * 3 // 4, clock - game.spent_now))
        return _("⏰ {time} left for this move.").format(time=left)
    return matchmaking.time_line(game, viewer) or _("⏰ Time is running out: move soon, or the game is lost.")


def _won(game: Game, winner: Mark, viewer: Viewer) -> str:
    seat = game.seat(winner)
    if seat == COMPUTER:
        return _("💔 <b>I win this time.</b>")
    if seat == viewer.person:
        return _("🎉 <b>You win!</b>")
    name = named(game, winner)
    if game.is_against_computer:
        return _("🎉 <b>You win, {name}!</b>").format(name=name)
    if game.termination is Termination.TIMEOUT and viewer.person is None:
        name = mention(game, winner)  # they may not be looking
    lost = viewer.person is not None and game.seat(winner.other) == viewer.person
    words = _("💔 <b>{mark} {name} wins.</b>") if lost else _("🏆 <b>{mark} {name} wins.</b>")
    return words.format(mark=viewer.marks[winner], name=name)


def _how(game: Game, loser: Mark, viewer: Viewer) -> str:
    if game.termination is Termination.RESIGNATION:
        if is_erased(game.seat(loser)):
            return (
                _("👋 The player left.")
                if game.seat(loser.other) == COMPUTER
                else _("{name} gave up.").format(name=named(game, loser))
            )
        if game.seat(loser) == viewer.person or game.is_against_computer:
            return _("You resigned.")
        return _("{name} resigned.").format(name=named(game, loser))
    if game.termination is Termination.TIMEOUT:
        if game.seat(loser) == viewer.person:
            return _("You ran out of time.")
        return _("{name} ran out of time.").format(name=named(game, loser))
    line = line_said(game.rules)
    if is_misere(game.rules):
        return _("{line}: in misère, that loses.").format(line=line)
    if game.seat(loser.other) == COMPUTER:
        return _("{line}. Good game!").format(line=line)
    return _("{line}, well played.").format(line=line)


def text_board_view(game: Game, board: Board, username: str) -> View:
    """A game's message in text; `username` is the bot's, for links to it."""
    viewer = Viewer(board.viewer, marks_of(LETTERS))
    page = open_page(game, board)
    if game.is_challenge:
        link = link_of(game, board, username)
        parts = [challenge_text(game, link, viewer), _line(_answers(game, board.viewer))]
        keyboard = None if board.viewer else keyboards.of_challenge(game, link, page)
    else:
        parts = [
            _happened(game, viewer),
            series_line(game, viewer),
            _spoken(game, board),
            time_line(game, viewer),
            question_line(game, viewer) or matchmaking.met_line(game, viewer),
            _where_next(game, page),
            fading_line(game, marks_of(LETTERS)[game.turn].lower()),
            f"<pre>{in_order(drawing(game.position, is_over=game.is_over))}</pre>",
            rules_line(game.rules),
            playing(game, viewer, board),
            score_line(game, viewer),
            rating_line(game, viewer),
            level_line(game),
            *milestone_lines(game, viewer),
            _how_to_move(game, viewer),
            _line(_commands(game, board.viewer)),
        ]
        keyboard = None if board.viewer else keyboards.of_game(game, None, theme=LETTERS, page=page)
    return View("\n".join(part for part in parts if part), keyboard)


def wait_text_view(wait: Wait) -> View:
    """The message of somebody who waits for an opponent, in text."""
    said = [matchmaking.text(wait), _line([] if wait.is_over else ["leave"])]
    return View("\n\n".join(part for part in said if part))


def drawing(position: Position, *, is_over: bool = False) -> str:
    """The cells, with a letter above each column and a number before each row."""
    rules, layout, marks = position.rules, position.rules.layout, marks_of(LETTERS)
    if len(layout.regions) > 1:
        return lettered(position)
    names = {
        cell: marks[mark] if (mark := position.mark_at(cell)) else short_name(cell, rules) for cell in layout.drawn
    }
    if not is_over:
        names |= {cell: names[cell].lower() for cell in position.fading}
    rows = [f"   {'  '.join(ascii_lowercase[: layout.columns])}"]
    for row in range(layout.rows):
        cells = [names[layout.cell_at(row, column)] for column in range(layout.columns)]
        rows.append(f"{row + 1}  " + " ".join(cell.ljust(2) for cell in cells).rstrip())
    return "\n".join(rows)


def _where_next(game: Game, page: str | None) -> str | None:
    position = game.position
    if game.is_over or len(position.regions) == 1:
        return None
    return next_line(position, page, "+")


def turn_line(game: Game, viewer: Viewer) -> str:
    """Whose turn it is in a running game, for those who type."""
    if thought_of(game) is not None:
        return _("OXO is thinking.")
    if game.seat(game.turn) == viewer.person:
        return _("Your turn.")
    return _("{name}'s turn.").format(name=mention(game, game.turn))


def _happened(game: Game, viewer: Viewer) -> str:
    now = state_line(game, viewer) if game.is_over or game.is_exhibition else turn_line(game, viewer)
    if not game.moves:
        return now
    rules = rules_of(game.rules)
    mark = Mark.X if game.ply % 2 else Mark.O
    last = _("{name}: {cell}.").format(
        name=side(game, mark, viewer) if game.is_exhibition else mover(game, game.ply, viewer),
        cell=cell_name(rules.read_moves(game.moves)[-1], rules),
    )
    return sentences(last, now)


def _spoken(game: Game, board: Board) -> str | None:
    """The computer's comment in quotation marks, which a screen reader reads as speech."""
    said = comment(game, board)
    # Translators: quotation marks around what the computer says.
    return said and _("“{words}”").format(words=said)


def _how_to_move(game: Game, viewer: Viewer) -> str | None:
    if game.is_over or game.is_exhibition or thought_of(game) is not None:
        return None
    if viewer.person is not None and game.seat(game.turn) != viewer.person:
        return None
    rules = rules_of(game.rules)
    layout, free = rules.layout, game.position.legal_moves
    in_regions = len(layout.regions) > 1
    cell = CENTRE if CENTRE in free and layout.has_names and not in_regions else free[0]
    words = {"number": cell + 1, "short": short_name(cell, rules), "name": cell_name(cell, rules)}
    if in_regions:
        region = layout.region_of(cell)
        both = f"{region + 1} {layout.regions[region].index(cell) + 1}"
        return _("Type a cell to play it: {short}, or board and cell: {both}.").format(**words, both=both)
    if not layout.has_names:
        return _("Type a cell to play it: {short} or {number}.").format(**words)
    return _("Type a cell to play it: {short}, {number} or {name}.").format(**words)


def _commands(game: Game, viewer: int | None) -> list[str]:
    review = ["review", "share"] if game.is_over and game.moves else []
    if game.next_game is not None:
        return review
    if game.is_exhibition:
        return [*wording.commands(game), *review]
    question = question_of(game)
    if question is not None:
        by_viewer = viewer is not None and game.seat(question.by) == viewer
        if question.offer in RESIGNING:
            mark = None if viewer is None else game.mark_of(viewer)
            return ["resign"] if mark and not is_asked_to_resign(game, mark) else ["yes", "no"]
        return [*(["cancel"] if by_viewer else ["yes", "no"]), *([] if game.is_over else ["resign"])]
    if game.is_over:
        return [*(["again", "swap"] if game.is_against_computer else ["rematch"]), *review]
    hint = ["hint"] if game.is_against_computer else []
    players = [viewer] if viewer is not None else [seat for seat in (game.x_seat, game.o_seat) if seat]
    undo = ["undo"] if any(_has_moved(game, player) for player in players) else []
    return [*undo, *hint, "resign"]


def _has_moved(game: Game, person: int) -> bool:
    mark = game.mark_of(person)
    return mark is not None and last_ply_of(game, mark) is not None


def _answers(game: Game, viewer: int | None) -> list[str]:
    if game.is_over:
        return []
    if viewer is not None:
        return ["cancel"] if game.mark_of(viewer) is not None else ["accept", "decline"]
    return ["accept", *(["decline"] if game.names_rival else []), "cancel"]


def _line(commands: list[str]) -> str | None:
    return listed([f"/{name}" for name in commands]) if commands else None
