"""Moves: taps on a board, and what is typed instead."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from sqlalchemy import Connection
from telegram import Message, Update

from bot.boards import board as board_views
from bot.boards import keyboards, lists
from bot.boards.buttons import OnGame
from bot.boards.cells import BadMove, cell_name, is_like_a_move, read_move
from bot.boards.players import Scene, number_of
from bot.boards.rules import rules_name
from bot.boards.translations import folded, sentences
from bot.boards.view import View, keyboard, marks_of, theme_in
from bot.context.acting import SLOW, Done, act, board_at, bring
from bot.context.at_hand import WHICH, game_at_hand, games_meant, list_games
from bot.context.feature import Command, Feature, Heading, HelpPage, Waiting
from bot.context.requests import CommandRequest, Requester, first_button, request_of
from bot.context.services import Context
from bot.game.actions import Action
from bot.game.attempt import OLD_BOARD_REFUSALS, Access, Attempt, Facts, NotAllowed, Refusal, Unclear, question_of
from bot.game.deadlines import Nudge
from bot.game.gate import decide, is_shown
from bot.game.new_game import Accept
from bot.game.pages import Bring, ShowAll, ShowLevels, ShowMoreRules, ShowOptions, ShowPage, ShowRegion, ShowRules
from bot.game.play import Move
from bot.game.questions import OfferDraw, Resign, TakeBack
from bot.language import N_, _, n_, speaking
from storage.games import boards, games, lookups
from storage.games.game import RESIGNING, Game, rules_of
from storage.games.record import Record
from storage.games.versions import Stored

BEGINS: Final = ("again", "rematch", "play_winner")
"""The words that begin another game."""
NOTHING_TO_ANSWER: Final = N_("There's nothing to answer here. /games lists your games.")


async def answer(request: CommandRequest, word: str) -> None:
    """Do what a button does by its word; where no board has it, what a feature does then."""
    if word in BEGINS:
        request.need_recent()
    if await _answered(request, word):
        return
    if (otherwise := request.services.features.words.get(word)) is not None:
        await otherwise(request)
    else:
        request.reply(_(NOTHING_TO_ANSWER))


async def _answered(request: CommandRequest, word: str) -> bool:
    """Do what the button with a word does, on the game replied to or the newest with it; False if none has it."""
    attempt = request.attempt(Facts(is_admin=request.as_chat))
    for record in await request.services.store.read(_find_asked, request=request):
        # The review of a game that was played elsewhere is no place for answers.
        if not is_shown(record.game, record.boards, request.where):
            continue
        if (action := meant(record, word, attempt)) is not None:
            if isinstance(action, Accept) and _has_just_changed(record):
                request.reply(_(JUST_CHANGED))
            else:
                await _do(request, record.game.id, action)
            return True
    return False


def meant(record: Record, word: str, attempt: Attempt) -> Action | None:
    """What a command means for somebody on a game, among what is theirs to do."""
    rows = keyboards.rows_of(Scene(record.game, attempt.who.id, as_text=True))
    keys = [key for row in rows for key in row if word in key.words]
    for action in (key.carries.action for key in keys if isinstance(key.carries, OnGame)):
        try:
            decide(record, action, attempt)
        except NotAllowed as refused:
            if refused.refusal in NOT_THEIRS:
                continue
        return action
    return None


async def _do(request: CommandRequest, game_id: int, action: Action) -> None:
    if (handler := request.services.features.taps.get(type(action))) is None:
        await act(request, game_id, action)
        return
    told = await handler(request, game_id, action)
    if isinstance(told, str) and told != SLOW:
        request.reply(_(told))


NOT_THEIRS: Final = frozenset(
    {Refusal.NOT_YOURS, Refusal.OWN_CHALLENGE, Refusal.NOT_FOR_YOU, Refusal.OTHER_NAME, Refusal.NOT_YOUR_CHALLENGE}
)
READING_SECONDS: Final = 5
JUST_CHANGED: Final = N_("The challenge has just changed. Have a look at it, then send /accept again.")


def _has_just_changed(record: Record) -> bool:
    """Whether somebody who types that they accept may not have seen the terms as they are now."""
    game = record.game
    lags = any(board.is_lagging and not board.is_unreachable for board in record.boards)
    return game.version > 1 and (lags or time.time() - game.changed_at < READING_SECONDS)


def _find_asked(connection: Connection, *, request: CommandRequest) -> Sequence[Record]:
    """The games that an answer can mean (`games_here`).

    One in which the opponent asks the person something comes before challenges that others have sent meanwhile.
    """
    return sorted(request.games_here(connection), key=lambda record: not _is_asked(record.game, request.user.id))


def _is_asked(game: Game, person: int) -> bool:
    """Whether the opponent waits for somebody's answer in a running game."""
    question = None if game.is_over else question_of(game)
    if question is None or question.offer in RESIGNING:
        return False
    return game.mark_of(person) is question.by.other


TOO_SOON: Final = N_("A different board just came up there. Tap again to play this cell.")


async def tap_cell(requester: Requester, game_id: int, action: Move) -> str | None:
    """Play a cell, unless the first of two quick taps has just put another one there.

    Returns what the person who has tapped is told: nothing where the board shows it at once.
    """
    if requester.services.double_taps.is_second(game_id, requester.user.id, requester.arrived):
        return TOO_SOON
    done = await act(requester, game_id, action)
    _note(requester, done)
    return _played(requester, done, action.cell)


async def tap_page(requester: Requester, game_id: int, action: ShowPage) -> str | None:
    """Turn the tapped board to another page of itself; returns what the tapper is told."""
    try:
        record, stored = await requester.services.store.run(
            _turn_page, game_id=game_id, action=action, attempt=requester.attempt()
        )
    except NotAllowed as refused:
        if refused.record and refused.access is Access.ACT and refused.refusal in OLD_BOARD_REFUSALS:
            requester.services.boards.refresh(refused.record, requester.where.message_id)
        raise
    done = Done(record, stored is not None and requester.services.boards.show_stored(stored, requester.prompt))
    if isinstance(action, ShowAll | ShowRegion):
        _note(requester, done)
    return done.words


def _turn_page(
    connection: Connection, *, game_id: int, action: ShowPage, attempt: Attempt
) -> tuple[Record, Stored | None]:
    record = games.load(connection, game_id)
    decide(record, action, attempt)
    board, page = board_at(record, attempt.where), action.page(record.game)
    if board is None or board.page == page:
        return record, None
    return record, boards.turn(connection, record, board, page)


def _note(requester: Requester, done: Done) -> None:
    """Note a tap that has put another region's cells under the finger."""
    game = done.record.game
    if len(rules_of(game.rules).layout.regions) > 1:
        requester.services.double_taps.note(game.id, requester.user.id, requester.arrived)


def _played(requester: Requester, done: Done, cell: int) -> str | None:
    """What the tapper is told about a move; None if the board shows it right away."""
    if not done.is_slow:
        return done.words
    game = done.record.game
    mark = game.mark_of(requester.user.id)
    marks = marks_of(theme_in(done.record, requester.where.chat_id))
    words = _("Got it: {mark} {cell}.").format(mark=marks[mark], cell=cell_name(cell, rules_of(game.rules)))
    return sentences(words, _(SLOW))


async def board(request: CommandRequest) -> None:
    """Move a running board to the bottom of the chat; of several, the one that is numbered or then chosen."""
    found = await games_meant(request)
    number = folded("".join(request.args)).removeprefix("#")
    named = [record for record in found if str(number_of(record.game)) == number]
    found = named or found
    if len(found) == 1:
        await bring(request, found[0].game.id)
    else:
        await list_games(_(WHICH), found, request)


async def show_games(request: CommandRequest) -> None:
    """List a person's running games in this chat, with whose turn it is."""
    found = await request.services.store.read(lookups.running, chat_id=request.chat_id, person=request.user.id)
    head = _("Your games here. Tap one to move its board to the bottom.")
    await list_games(head, found, request)


MOST_SHOWN: Final = 5


async def waiting(request: CommandRequest) -> Waiting | None:
    """The games in a person's chat that wait for their move, the newest with a button."""
    found = await request.services.store.read(lookups.running, chat_id=request.chat_id, person=request.user.id)
    games = [record.game for record in found if record.game.turn is record.game.mark_of(request.user.id)]
    if not games:
        return None
    said = n_("{count} game waits for you", "{count} games wait for you", len(games)).format(count=len(games))
    return Waiting(said, lists.game_rows(games[:MOST_SHOWN], request.user.id, int(time.time())))


async def move(request: CommandRequest) -> None:
    """Play a typed move: `2,3` is row 2, column 3; `5` is the fifth cell."""
    await _move(request, " ".join(request.args))


async def typed_move(update: Update, context: Context) -> None:
    """Play a move typed in a private chat, or in reply to a board (`is_to_board`)."""
    if (request := request_of(update, context)) is not None:
        await _move(request, request.message.text or "")


def is_to_board(message: Message, bot_id: int) -> bool:
    """Whether a message replies to a board, or to what we have said of it: menus have other buttons."""
    replied = message.reply_to_message
    if replied is None or replied.from_user is None or replied.from_user.id != bot_id:
        return False
    return replied.reply_markup is None or isinstance(first_button(replied), OnGame)


async def other(update: Update, context: Context) -> None:
    """Answer what is neither a move nor a command in a private chat; whoever plays by text, by their game."""
    message = update.effective_message
    if message is None or message.via_bot is not None:
        return  # a message sent by inline mode, perhaps our own, isn't meant for the bot
    if (request := request_of(update, context)) is None:
        return
    said = None if message.forward_origin else message.text
    running = [record for record in await games_meant(request) if not record.game.is_over] if said else []
    if said and any(board.as_text for record in running for board in record.boards_in(request.chat_id)):
        await _move(request, said)
    else:
        request.reply(
            View(_("🙂 I only play tic-tac-toe. Shall we?"), keyboard(keyboards.ways_to_play(request.services.me)))
        )


async def tap_bring(requester: Requester, game_id: int, _: Bring) -> str | None:
    """Move a player's board to the bottom of the chat; returns what the tapper is told."""
    return (await bring(requester, game_id)).words


async def act_at_hand(request: CommandRequest, at: Callable[[int], Action]) -> None:
    """Do with the game at hand what a button does, at its ply."""
    if (record := await game_at_hand(request)) is None:
        return
    done = await act(request, record.game.id, at(record.game.ply))
    if done.cost is not None:
        request.reply(_(done.cost))
    if done.record.game.version == record.game.version:  # it waits for an answer already, which the board says
        await bring(request, record.game.id)


async def _move(request: CommandRequest, text: str) -> None:
    if (record := await game_at_hand(request)) is None:
        return
    game = record.game
    try:
        cell = _heard(text, game, request)
    except BadMove as error:
        raise Unclear(_no_cell(game, str(error), request)) from None
    mover = replace(request, arrived=time.perf_counter())
    done = await act(mover, game.id, Move(game.ply, cell))
    comes = any(board.message_id is None for board in done.record.boards if board.chat_id == request.chat_id)
    if request.is_private and done.record.game.ply > game.ply and not comes:
        # In a group the board is enough: one message of ours there.
        tell = partial(_tell, record=done.record, ply=game.ply, request=request)
        request.services.computer.after_answer(done.record.game, tell)


def _heard(text: str, game: Game, request: CommandRequest) -> int:
    """The cell that somebody typed, in the chat's language or their own."""
    if not is_like_a_move(text):
        with speaking(request.services.languages.of(request.user)):
            if is_like_a_move(text):
                return read_move(text, game.position)
    return read_move(text, game.position)


def _no_cell(game: Game, why: str, request: CommandRequest) -> str:
    """What is told instead of a move: which cells there are, and to one person whose turn it is in which game."""
    rules = rules_of(game.rules)
    first, last = (f"<code>{rules.name_of(rules.layout.drawn[at])}</code>" for at in (0, -1))
    said = sentences(why, _("Cells go from {first} to {last}. /help has the rest.").format(first=first, last=last))
    if game.is_over or not request.is_private:
        return said
    turn = board_views.turn_line(Scene(game, request.user.id))
    return f"{said}\n{rules_name(game.rules)} · {turn}"


def _tell(newest: Game, *, record: Record, ply: int, request: CommandRequest) -> None:
    """Tell a person their move, and the computer's answer if it has come by now."""
    known = record._replace(game=newest) if newest.ply > record.game.ply else record
    with speaking(request.language_here):
        request.reply(_told(known, ply, request))


def _told(record: Record, ply: int, request: CommandRequest) -> str:
    """A move and its answer in words, for somebody who doesn't see the board."""
    game = record.game
    rules = rules_of(game.rules)
    played = [cell_name(cell, rules) for cell in rules.read_moves(game.moves)[ply:]]
    parts = [_("Your move: {cell}.").format(cell=played[0])]
    if len(played) > 1:
        parts.append(_("My move: {cell}.").format(cell=played[1]))
    if game.is_over:
        person = request.user.id if request.is_private else None
        parts.append(board_views.state_line(Scene(game, person, theme_in(record, request.chat_id))))
    return sentences(*parts)


def _help() -> str:
    return _(
        "Tap a cell to play it. ❌ moves first.\n"
        "<b>Undo</b> takes back your last move; a human opponent has to agree.\n"
        "You can also type moves: <code>5</code>, <code>b2</code>, or <code>2,3</code> for row 2, column 3; in a "
        "group, reply to the board. In our chat, <code>centre</code> works, too.\n"
        "Play several games at once: /games lists them, /board moves one to the bottom."
    )


FEATURE: Final = Feature(
    heading=Heading.IN_A_GAME,
    commands=[
        Command("games", show_games, N_("Your games here")),
        Command("board", board, N_("Move your board to the bottom")),
        Command("move", move, N_("Type a move, like /move 5")),
        Command("undo", partial(act_at_hand, at=TakeBack), N_("Undo your last move"), plain=N_("undo|take back")),
        Command("draw", partial(act_at_hand, at=OfferDraw), N_("Offer a draw"), plain=N_("draw|offer a draw")),
        Command("nudge", partial(act_at_hand, at=Nudge), N_("Nudge your opponent to move")),
        Command("resign", partial(act_at_hand, at=Resign), N_("Resign"), plain=N_("resign|give up")),
    ],
    plain={
        "yes": N_("yes|ok|sure"),
        "no": N_("no|no thanks"),
        "accept": N_("accept|i accept"),
        "decline": N_("decline|i decline"),
        "cancel": N_("cancel|withdraw"),
        "again": N_("again|play again"),
        "rematch": N_("rematch|another game"),
    },
    taps={
        Move: tap_cell,
        Bring: tap_bring,
        **dict.fromkeys((ShowAll, ShowRegion, ShowRules, ShowMoreRules, ShowLevels, ShowOptions), tap_page),
    },
    waits=waiting,
    helps={
        HelpPage.PLAY: _help,
        HelpPage.RESULTS: lambda: _(
            "Up to three games a day with the same person are rated. A rating with a ? is provisional."
        ),
    },
)
