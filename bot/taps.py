"""Handles taps: reads the button, calls its feature, and answers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import assert_never

from telegram import Update
from telegram.constants import ChatID

from bot.boards import buttons
from bot.boards.buttons import Menu, OnGame
from bot.context import acting
from bot.context.acting import MEANINGLESS, NO_NEW, REDRAWN, SLOW, act, once, redraw, unreadable
from bot.context.links import Link
from bot.context.requests import NOBODY, Requester
from bot.context.services import Context
from bot.features import basics as help_
from bot.features import (
    challenge,
    exporting,
    hints,
    inline,
    matchmaking,
    new_games,
    play,
    privacy,
    puzzle,
    review,
    settings,
    share,
    stats,
    top,
    watch,
)
from bot.features.basics import TOPICS
from bot.features.hints import Later
from bot.game import actions
from bot.game.actions import Action
from bot.intake.updates import arrival_of, reply_of, where_of
from bot.shared_commands import UNKNOWN_GAME
from storage.errors import CorruptGame, GameNotFound


async def on_button(update: Update, context: Context) -> None:
    """Take a tap on any button."""
    query = update.callback_query
    if query is None:
        return
    where = where_of(query)
    words: str | None = MEANINGLESS
    t = None
    if where is not None:
        sender, arrived = query.from_user, arrival_of(query)
        as_chat = sender.id == ChatID.ANONYMOUS_ADMIN
        requester = Requester(context.services, sender, update.update_id, where, arrived, as_chat=as_chat)
        t = requester.t
        if where.inline_message_id is not None:
            context.services.publisher.know_chat(where.inline_message_id, query.chat_instance)
        try:
            done = await _do(requester, query.data)
            if isinstance(done, Later):
                context.services.publisher.run_in_background(_answer_later(requester, query.id, done))
                return
            if isinstance(done, Link):
                context.services.publisher.answer(query.id, url=done.url, reply=reply_of(query))
                return
            words = done
        except GameNotFound:
            redrawn = await redraw(requester)
            words = redrawn if redrawn == REDRAWN else UNKNOWN_GAME
        except CorruptGame as error:
            words = unreadable(error, update.update_id)
    if words == SLOW and where is not None and context.services.publisher.sends_held(where.chat_id or 0):
        words = NO_NEW
    context.services.publisher.answer(query.id, t.gettext(words) if words and t else words, reply=reply_of(query))


async def _answer_later(requester: Requester, query_id: str, answer: Later) -> None:
    requester.services.publisher.answer(query_id, await answer.words)


async def _do(requester: Requester, data: str | None) -> str | Link | Later | None:
    """Do what a button says; returns what the tapper is told, a link to open, or an answer that takes longer."""
    button = buttons.read(data)
    if requester.as_chat and not _is_for_admins(button):
        return NOBODY
    if isinstance(button, OnGame):
        seen = replace(requester, edition=button.edition)
        return await _on_game(seen, button.game_id, button.action)
    return await redraw(requester) if button is None else await _on_menu(requester, button)


def _is_for_admins(button: buttons.Button | None) -> bool:
    """Whether administrators may do that for their chat."""
    if isinstance(button, OnGame):
        return isinstance(button.action, actions.Cancel | actions.Stop)
    return isinstance(button, buttons.Setting)


async def _on_game(requester: Requester, game_id: int, action: Action) -> str | Link | Later | None:
    if isinstance(action, actions.Permission):
        await acting.heal(requester, game_id)
    match action:
        case actions.Move():
            return await play.tap_cell(requester, game_id, action)
        case actions.ShowAll() | actions.ShowRegion() | actions.ShowRules() | actions.ShowMoreRules():
            return (await play.turn(requester, game_id, action)).words
        case actions.Hint():
            return await hints.hint(requester, game_id)
        case actions.Bring():
            return (await play.bring(requester, game_id)).words
        case actions.PlayWinner() if (won := await new_games.won_here(requester, game_id)) is not None:
            return await new_games.challenge_winner(requester, won)
        case actions.Stop() | actions.GoFaster() | actions.WatchAgain() | actions.PlayWinner():
            return await watch.tapped(requester, game_id, action)
        case actions.Share():
            return await share.tapped(requester, game_id, action)
        case (
            actions.LookBack()
            | actions.TryAgain()
            | actions.TryCell()
            | actions.ShowBest()
            | actions.LeaveReview()
        ):
            return await review.tapped(requester, game_id, action)
    return (await act(requester, game_id, action)).words


async def _on_menu(requester: Requester, button: Menu) -> str | Link | None:  # noqa: C901, PLR0911, PLR0912 - a case for each button
    where = requester.where
    match button:
        case buttons.Setting():
            return await settings.tapped(requester, button)
        case buttons.Stats():
            return await stats.tapped(requester, button)
        case buttons.Top():
            return await top.tapped(requester, button)
        case buttons.DownloadData():
            return await exporting.tapped(requester)
        case buttons.DeleteData():
            return await privacy.ask(requester)
        case buttons.Forget():
            return await privacy.tapped(requester, is_sure=button.is_sure)
        case (
            buttons.FindOpponent()
            | buttons.KeepWaiting()
            | buttons.StopWaiting()
            | buttons.ShowWanted()
            | buttons.ShowMoreWanted()
            | buttons.HideWanted()
            | buttons.SetWanted()
        ):
            return await matchmaking.tapped(requester, button)
        case (
            buttons.TryPuzzle()
            | buttons.RetryPuzzle()
            | buttons.ShowPuzzle()
            | buttons.RemindOfPuzzle()
            | buttons.OpenPuzzle()
        ):
            return await puzzle.tapped(requester, button)
        case buttons.Topic(topic) if topic in TOPICS:
            help_.turn_page(requester, topic)
            return None
        case buttons.Begin(offer) if where.inline_message_id is not None:
            return await inline.begin(requester, offer, where.inline_message_id)
        case buttons.Play() if where.chat_id is not None:
            return await new_games.play(requester)
        case buttons.PlayMeanwhile() if where.chat_id is not None:
            return await new_games.play(requester, meanwhile=True)
        case buttons.Invite() if where.chat_id is not None:
            return await once(requester, repr(button), partial(challenge.invite, requester, where.chat_id))
        case buttons.ChallengePlayer() if where.chat_id is not None:
            return await once(requester, repr(button), partial(challenge.challenge_player, requester, button))
        case buttons.TakeUp() if where.chat_id == requester.user.id:
            return await challenge.take_up(requester, button.link)
        case (
            buttons.Topic()
            | buttons.Begin()
            | buttons.Play()
            | buttons.PlayMeanwhile()
            | buttons.Invite()
            | buttons.ChallengePlayer()
            | buttons.TakeUp()
        ):
            return await redraw(requester)
        case unknown:
            assert_never(unknown)
