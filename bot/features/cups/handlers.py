"""/cup: a tournament of a group (`bot.game.cups`).

A cup goes on in a job of its own, not in the transaction that ends a game: each look finds cups of which a game is
over that they haven't noted. So a game ends as every other does, by a move, on time, because its player is
forgotten, and nothing is lost if the process is killed right after it: the next look of any process finds the
cup. The look reads it, and decides outside all transactions, as pairing takes a while. Then it locks the cup's row
and, if the cup still is what was read, stores results, pairs, the games that begin with their boards, and that the
message is to be made again, all in one transaction. Of two processes that look at the same time the second one
finds another cup than it has read, and looks again; a kill before the commit leaves everything to the next look,
and one after it leaves lagging boards and a notice, which the sweep takes up. Joining, leaving and starting lock
the same row, and leave to a look whatever follows.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final

from bot.boards import rule_words
from bot.boards.buttons import NewCup
from bot.boards.cups import CUP_LINK, HOW_IT_GOES, InCup, LeaveCup, cup_view, waits_line
from bot.boards.planned import When, said_of, when_among
from bot.boards.rule_words import WordError
from bot.boards.translations import folded, meanings, sentences, to_type
from bot.boards.view import Key, View, coded, keyboard
from bot.boards.zones import other_zone
from bot.context.feature import Alert, By, Command, Event, Feature, Heading, HelpPage, Menus, Routine, Told
from bot.context.requests import CommandRequest, Requester
from bot.context.services import Services
from bot.context.trials import Trials
from bot.delivery.entries import OutgoingMessage, saying
from bot.features.cups import steps, wishes
from bot.game import departures
from bot.game.attempt import NotAllowed, Refusal, Unclear
from bot.game.cups import ALONE_SECONDS, left_behind
from bot.game.deadlines import GOOD_PART
from bot.language import N_, _, speaking
from storage.games.record import Notice, NoticeKind
from storage.people import chats, cups
from storage.people.cups import MINUTES_SECONDS
from storage.people.person import CupStage, CupState

CUP_KINDS: Final = ("clock", "rules")

# Translators: what people type after /cup, as the texts about it say, with | between.
WISHES: Final = {N_("join"): "join", N_("leave|quit"): "leave", N_("start|begin"): "start", N_("cancel"): "cancel"}
FOR_HOSTS: Final = ("start", "cancel")
"""What only the first who joined and administrators may do."""
FOR_PEOPLE: Final = ("join", "leave")
"""What nobody does as the group itself."""

CUP: Final = "Cup {}"
PLANNED: Final = "The planned cup of {}"
"""What is tried of one, in the log."""

ONLY_IN_GROUPS: Final = N_(
    "Cups are for groups: add me to one and send /cup there. Once you're in a cup, /cup brings your games here."
)


async def cup(request: CommandRequest) -> None:
    """Start a cup in a group, join, leave, start or cancel it by a word, or bring its message down.

    In a private chat, bring the games there that the person plays in cups.
    """
    if request.is_private:
        await play_here(request)
        return
    word = folded(" ".join(request.args))
    wish = meanings(WISHES).get(word)
    if wish in (None, "start"):
        request.need_recent()
    if wish is not None:
        state = await request.services.store.read(cups.newest, chat_id=request.chat_id)
        if state is None or state.cup.stage is CupStage.OVER:
            request.reply(_(await _nothing_open(request, wish)))
        elif (asked := _asked_to_leave(request, state, wish)) is not None:
            request.reply(asked)
        else:
            request.reply(_(str(await carry_out(request, InCup(state.cup.id, wish)))))
        return
    words, when = when_among(request.args)
    try:
        wished = rule_words.read(words, *CUP_KINDS)
    except WordError as error:
        others = _("Or: {words}.").format(words=coded(_(each).partition("|")[0] for each in WISHES))
        raise Unclear(sentences(rule_words.complaint(error, *CUP_KINDS), others)) from None
    if when is not None or int(wished.get("clock", 0)) > MINUTES_SECONDS:
        await request.need_admin()
    if when is not None:
        await _plan(request, when, wished)
        return
    step = await request.services.store.run(steps.begin, requester=request, wished=wished)
    _show(request.services, step, request.user.id)
    if step.said:
        request.reply(_(step.said))


async def tap_new(requester: Requester, _: NewCup) -> str | None:
    """Hold a cup as /cup alone does; returns what the tapper is told."""
    return await _hold(requester, {})


async def _hold(requester: Requester, wished: Mapping[str, str]) -> str | None:
    if requester.chat_id >= 0:
        return ONLY_IN_GROUPS
    step = await requester.services.store.run(steps.begin, requester=requester, wished=wished)
    _show(requester.services, step, requester.user.id)
    return step.said


async def _plan(request: CommandRequest, when: When, wished: Mapping[str, str]) -> None:
    """Hold a cup later: once, or every week."""
    zone = (await request.services.store.read(chats.load, chat_id=request.chat_id)).timezone
    at = when.next_at(int(time.time()), zone)
    plan = partial(steps.plan, at=at, is_weekly=when.is_weekly, wished=wished)
    await request.services.store.run(plan, requester=request)
    told = _(
        "🗓 <b>Cup</b>: {when}. I'll let you know ten minutes before. <code>/cup {cancel}</code> calls it off."
    )
    said = told.format(when=said_of(at, zone, is_weekly=when.is_weekly), cancel=to_type("cancel"))
    request.reply(said if zone else f"{said}\n{other_zone()}")


async def _nothing_open(request: CommandRequest, wish: str) -> str:
    """What somebody is told where no cup is going on; an administrator calls off one that was planned."""
    store, chat_id = request.services.store, request.chat_id
    if wish != "cancel" or not await store.read(cups.has_plan, chat_id=chat_id):
        return steps.NO_CUP
    await request.need_admin()
    return steps.NOT_PLANNED if await store.run(steps.drop_plan, requester=request) else steps.NO_CUP


async def tap(requester: Requester, button: InCup) -> Told:
    """Do what is wished of a cup, of which an earlier message may still be there when it has started."""
    state = await requester.services.store.read(cups.newest, chat_id=requester.chat_id)
    asked = None
    if state is not None and state.cup.id == button.cup:
        with speaking(requester.language_here):
            asked = _asked_to_leave(requester, state, button.wish)
    if asked is None:
        return await carry_out(requester, button)
    requester.show_instead(asked, below=True)
    return None


def _asked_to_leave(requester: Requester, state: CupState, wish: str) -> View | None:
    """The question whether somebody really leaves a cup that has started, if they are in it."""
    player = state.player(requester.user.id)
    if wish != "leave" or state.cup.stage is not CupStage.RUNNING or player is None or player.is_out:
        return None
    sure = Key(_("Leave the cup"), LeaveCup(state.cup.id, player.number), "danger")
    return View(_(steps.ASK_LEAVE), keyboard([[sure]]))


async def leave_for_good(requester: Requester, button: LeaveCup) -> str:
    """Leave a cup that has started, if the question was one's own."""
    state = await requester.services.store.read(cups.newest, chat_id=requester.chat_id)
    player = None if state is None else state.player(requester.user.id)
    if player is None or player.number != button.player:
        return Refusal.NOT_ASKED.value
    told = str(await carry_out(requester, InCup(button.cup, "leave")))
    with speaking(requester.language_here):
        requester.show_instead(View(_(told)))
    return told


async def call_to_planned(services: Services, _: object = None) -> None:
    """Call people to cups that were planned, ten minutes before they start."""
    now = int(time.time())
    for chat_id in await services.store.read(cups.plans, before=now + steps.PLANNED_SECONDS):
        with services.memory(Trials).of(PLANNED, chat_id):
            _show(services, await services.store.run(steps.call, chat_id=chat_id, now=now))


async def play_here(request: CommandRequest, _rest: str = "") -> None:
    """Bring the games that a person plays in cups to their private chat, or say what the next one waits for."""
    services = request.services
    brought = await services.store.run(steps.bring, requester=request)
    services.boards.show_all(brought.boards, request.prompt)
    for each in brought.waiting:
        if (player := each.state.player(request.user.id)) is not None:
            request.reply(waits_line(each, player))
    if not brought.boards and not brought.waiting:
        request.reply(_(ONLY_IN_GROUPS))


async def carry_out(requester: Requester, button: InCup) -> Told:
    """Join, leave, start or cancel a cup, or hold the next one; returns what the person is told."""
    if requester.as_chat and button.wish in FOR_PEOPLE:
        raise NotAllowed(Refusal.ANONYMOUS)
    if button.wish == "rules":
        return Alert(_(HOW_IT_GOES).format(cancel=to_type("cancel")))
    if button.wish == "again":
        return await _hold_again(requester, button.cup)
    services, person, now = requester.services, requester.user.id, int(time.time())
    state = await services.store.read(cups.newest, chat_id=requester.chat_id)
    if state is None or state.cup.id != button.cup:
        return steps.CUP_IS_OVER
    if button.wish in FOR_HOSTS and (refused := await _is_no_host(requester, state)) is not None:
        return refused
    if button.wish == "cancel":
        may_end = bool(await requester.is_admin())
        step = await services.store.run(steps.cancel, cup_id=button.cup, requester=requester, may_end=may_end)
        _show(services, step, person)
        return step.said or steps.CUP_IS_OVER
    wished: Mapping[str, wishes.Wish] = {
        "join": partial(wishes.join, person=person, now=now, rng=services.rng),
        "leave": partial(wishes.leave, person=person, now=now),
        "start": partial(wishes.start, now=now),
    }
    wish = wished[button.wish]
    step = await services.store.run(steps.change, cup_id=button.cup, requester=requester, wish=wish)
    _show(services, step, person)
    await _try_each(services, [button.cup])
    return step.said or steps.CUP_IS_OVER


async def _hold_again(requester: Requester, cup_id: int) -> Told:
    """Hold a cup by what was said for one of the group that is over, or for its last one if that is no more."""
    store, chat_id = requester.services.store, requester.chat_id
    last = await store.read(cups.load, cup_id=cup_id, locked=False)
    if last is None or last.cup.chat_id != chat_id:
        last = await store.read(cups.newest, chat_id=chat_id)
    if last is None:
        return await _hold(requester, {})
    if last.cup.clock > MINUTES_SECONDS:
        await requester.need_admin()
    return await _hold(requester, {"rules": last.cup.rules, "clock": str(last.cup.clock)})


async def _is_no_host(requester: Requester, state: CupState) -> str | None:
    """Why somebody may not start a cup or call it off; None if they hold it, or are an administrator."""
    if any(player.person == requester.user.id and player.number == 0 for player in state.players):
        return None
    is_admin = await requester.is_admin()
    return Refusal.UNKNOWN.value if is_admin is None else None if is_admin else steps.NOT_YOUR_CUP


async def look(services: Services, are_heard: Callable[[], Awaitable[bool]]) -> None:
    """Let cups go on of which a game has ended, or that are due, if people are heard."""
    found = await services.store.read(cups.waiting, now=int(time.time()))
    if found and await are_heard():
        await _try_each(services, found)


async def _go_on(services: Services, cup_id: int) -> steps.CupStep:
    """Let a cup go on that is due, or of which a game has ended."""
    now, store = int(time.time()), services.store
    found = await store.read(steps.find, cup_id=cup_id)
    if found is None:
        return steps.CupStep()
    if behind := left_behind(found.state):
        for game_id, mark in behind:
            services.show(await store.change(game_id, partial(departures.resigned, mark=mark)))
        found = await store.read(steps.find, cup_id=cup_id) or found
    after = await asyncio.to_thread(steps.decided, found, now=now, rng=services.rng)
    before, limits = found.state, services.limits
    return await store.run(steps.go_on, cup_id=cup_id, before=before, after=after, now=now, limits=limits)


async def announce_again(services: Services, seconds: int, until: int) -> bool:
    """Give cups announced before `until` their time again, if nobody could be heard for a good part of it.

    False if there were none.
    """
    is_good_part = seconds * GOOD_PART >= ALONE_SECONDS
    found = await services.store.read(cups.announced, before=until) if is_good_part else ()
    run = services.store.run
    return await _try_each(services, found, lambda _, each: run(steps.announce_again, cup_id=each, until=until))


async def _try_each(
    services: Services, found: Sequence[int], step: Callable[[Services, int], Awaitable[steps.CupStep]] = _go_on
) -> bool:
    """Let a step of each cup be stored by itself, and show it; False if there was none to try."""
    trials = services.memory(Trials)
    resting = trials.resting(CUP)
    ready = [cup_id for cup_id in found if cup_id not in resting]
    for cup_id in ready:
        with trials.of(CUP, cup_id):
            _show(services, await step(services, cup_id))
    return bool(ready)


async def made(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message of a cup as it is now; None if there is nothing to say."""
    if (shown := await services.store.read(steps.to_show, notice=notice)) is None:
        return None

    async def remake() -> View | None:
        now = await services.store.read(steps.to_show, notice=notice)
        return None if now is None else cup_view(now, services.calls.bot.username)

    message_id = None if notice.kind is NoticeKind.ROUND else shown.state.cup.message_id
    # It is made again when it is sent, however soon, as the cup may have gone on by then.
    view = cup_view(shown, services.calls.bot.username)
    return saying(notice)(view, message_id=message_id, remake=remake, made_at=0.0)


async def going(_services: Services, notice: Notice) -> OutgoingMessage:
    """A message of a cup that another one has replaced goes, or says so if Telegram deletes none so old."""
    return saying(notice)(View(_("🏆 The cup goes on below.")), message_id=notice.reply_to, goes=True)


async def _note_left(
    services: Services, chat_id: int, person: int, *, removed: bool, by: int | None, is_banned: bool
) -> None:
    note = partial(steps.note_removed, by=by, is_banned=is_banned) if removed else steps.note_left
    await services.store.run(note, chat_id=chat_id, person=person)


async def _note_back(services: Services, chat_id: int, person: int) -> None:
    await services.store.run(steps.note_back, chat_id=chat_id, person=person)


def _show(services: Services, step: steps.CupStep, person: int | None = None) -> None:
    """Show what was stored; `person` has asked for it, and it takes of their share of the group's pace."""
    for record in step.begun:
        services.show_made(record)
    services.boards.show_all(step.changed)
    for notice in step.notices:
        services.messages.tell(notice, person)


FEATURE: Final = Feature(
    heading=Heading.NEW_GAMES,
    commands=[Command("cup", cup, N_("Start a cup in a group"), Menus.GROUPS, By.ADMINISTRATORS)],
    taps={InCup: tap, NewCup: tap_new, LeaveCup: leave_for_good},
    links={CUP_LINK: play_here},
    notices={NoticeKind.CUP: made, NoticeKind.ROUND: made, NoticeKind.FORMER_CUP: going},
    routines=[Routine("Cups", look, 1.0), Routine("Planned cups", call_to_planned, 5.0)],
    on={Event.LEFT_GROUP: _note_left, Event.BACK_IN_GROUP: _note_back, Event.UNHEARD: announce_again},
    helps={HelpPage.FRIENDS: lambda: _("<b>A cup:</b> /cup in a group; whoever joins plays.")},
    keeps=N_("• The cups you're in, with your results and place, until the next one in that group is over."),
)
