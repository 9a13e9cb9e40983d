"""/privacy and /forget: what is stored about a person, and its deletion."""

import asyncio
import logging
import time
from typing import Final

from sqlalchemy import Connection

from bot.boards.buttons import DeleteData, DownloadData, Forget
from bot.boards.translations import folded, sentences, typed
from bot.boards.view import Key, View, keyboard
from bot.context.handlers import tap
from bot.context.requests import CommandRequest, Requester
from bot.context.services import Retention, Services
from bot.delivery.entries import OutgoingMessage
from bot.language import N_, _, n_
from storage.errors import told
from storage.privacy import erasure, forgotten
from storage.privacy.erasure import UNDER_WAY

NOTHING_FORGOTTEN: Final = N_("Nothing has changed.")
ASK_AGAIN: Final = N_("That question is too old. Please send /forget again.")
ERASURE_BEGUN: Final = N_(
    "I'm deleting your data and will tell you when it's done. Anything you start before then is deleted too."
)
AT_IT: Final = N_("I'm already deleting your data. I'll tell you when it's done.")
DATA_DELETED: Final = N_(
    "Done: your data is deleted. You can delete the messages in this chat. To play again, send /newgame."
)
"""The last word to somebody whose data were deleted."""
ONLY_HASHES: Final = N_(
    "Only hashes stay: of your id, so that restoring a backup deletes you again; of whom you've just played, for "
    "two days at most; and of blocks against you, until they're lifted."
)
ONLY_PRIVATE: Final = N_("That's between the two of us: please send it in our private chat.")
CLOSED: Final = N_("This game has ended because you deleted your data.")
EXPORT_UNDER_WAY: Final = N_("Your file is on its way, or I've just sent it.")
EXPORT_BEGUN: Final = N_("I'm collecting your data. You'll get it here as a file.")
EXPORT_FAILED: Final = N_("I couldn't make your file. Please send /export again in a few minutes.")
EXPORT_TOO_BIG: Final = N_(
    "Your file is bigger than the 50 MB Telegram lets me send. Please ask whoever runs me for it."
)


def privacy_page(kept: Retention) -> View:
    """What is stored; every bot has to say so (Telegram's terms for bot developers, section 4)."""
    parts = [
        _("<b>What I keep about you</b>"),
        _(
            "• Your Telegram id, name, username and language, and the day you last played. If somebody challenged "
            "you by username: that username.\n"
            "• Your games: opponents, moves, results, times, and the chats and messages they're in.\n"
            "• Your results, ratings, streaks, milestones, weekly wins and the difficulty that suits you, "
            "and how often you played each opponent.\n"
            "• The newest /puzzle you tried: your tries, your streak, the group where you last asked for it, and "
            "when to remind you.\n"
            "• Your /settings. For a group: its id and settings.\n"
            "• While /play looks for an opponent for you: the board, and since when. For a week after that: who "
            "it found, and how long you both waited.\n"
            "• For a while, what I still have to send you, and which of Telegram's messages I've handled."
        )
        + "\n"
        + _("• The cups you're in, with your results and place, until the next one in that group is over.")
        + "\n"
        + _("• Whom you've blocked. They aren't told.")
        + "\n"
        + _("• Groups that you've played in and left, so that their /top leaves you out."),
        _(
            "I look for moves and commands in what you write, and keep none of it. My logs have no names. I share "
            "nothing with anyone."
        ),
        _(
            "<b>Who sees it:</b> anyone who sees a game of yours, or a picture of it, sees your name. Opponents "
            "from /play see your rating. In groups where you play, others can look up your stats, and /top lists "
            "you there and among everybody; <code>/settings hidden on</code> hides all three. Anyone you've "
            "played still sees how those games went, in their own chat with me."
        ),
        _how_long(kept),
        sentences(
            _(
                "<b>Download my data</b> (/export) sends you all of it as a file. <b>Delete my data</b> "
                "(/forget) erases it; opponents keep the games you played with them, without your name."
            ),
            _(ONLY_HASHES),
        ),
        _("Telegram's standard privacy policy for bots applies too: telegram.org/privacy-tpa"),
    ]
    buttons = [
        Key(_("Download my data"), DownloadData()),
        Key(_("Delete my data"), DeleteData(), "danger"),
    ]
    return View("\n\n".join(parts), keyboard([buttons]))


def _how_long(kept: Retention) -> str:
    if kept.days is None:
        always = _("<b>How long:</b> until you delete it.")
    else:
        always = n_(
            "<b>How long:</b> finished games for {count} day. If you don't play for that long, I forget you.",
            "<b>How long:</b> finished games for {count} days. If you don't play for that long, I forget you.",
            kept.days,
        ).format(count=kept.days)
    group = n_(
        "A group that removes me is forgotten after {count} day.",
        "A group that removes me is forgotten after {count} days.",
        kept.group_days,
    ).format(count=kept.group_days)
    return sentences(always, group)


def question() -> View:
    """The question whether to delete somebody's data, and what that means."""
    what = _(
        "<b>Delete all your data?</b>\n"
        "• Your running games end, and your opponents win them. Your open challenges are withdrawn.\n"
        "• Your name, settings, results, ratings, rankings and games against OXO are erased.\n"
        "• Opponents keep the games you played with them. You're “Somebody who left” there.\n"
        "• Boards in other chats lose your name: those of running games, and the newest 20. Older boards, shared "
        "pictures, stats and announcements stay as they are there; in our chat you can delete them."
    )
    how = _(
        "This can't be undone. /export gives you a copy first.\n"
        "Tap, or send <code>/forget yes</code> or <code>/forget no</code>."
    )
    yes = Key(_("Yes, delete it"), Forget(is_sure=True), "danger")
    return View(f"{what}\n• {_(ONLY_HASHES)}\n\n{how}", keyboard([[yes, Key(_("No"), Forget(is_sure=False))]]))


def export_caption(*, packed: bool) -> str:
    """The caption of an exported file."""
    words = _("Everything I keep about you, as JSON.")
    return sentences(words, _("It's compressed: gzip, 7-Zip and most systems can open it.")) if packed else words


log = logging.getLogger(__name__)

YES_WORDS, NO_WORDS = N_("yes|ok|sure"), N_("no|no thanks")


async def privacy(request: CommandRequest) -> None:
    """Say what is stored, with buttons to download and delete it in the person's own chat."""
    page = privacy_page(request.services.kept)
    request.reply(page if request.is_private else page.text)


async def forget(request: CommandRequest) -> None:
    """Ask whether to delete somebody's data; `/forget yes` and `/forget no` answer that."""
    if not request.is_private:
        request.reply(_(ONLY_PRIVATE))
        return
    word = folded(" ".join(request.args))
    if word in typed(NO_WORDS):
        await request.services.store.run(erasure.withdraw, person=request.user.id)
        request.reply(_(NOTHING_FORGOTTEN))
    elif word in typed(YES_WORDS) and (said := await _confirmed(request)) is not None:
        request.reply(_(said))
    else:
        request.reply(await _question(request))


@tap(DeleteData)
async def ask(requester: Requester, _: DeleteData) -> str | None:
    """Ask the same from a button, with a new message; returns why not, if it can't."""
    chat_id, thread_id = requester.chat_id, requester.where.thread_id
    if chat_id != requester.user.id:
        return ONLY_PRIVATE
    asked = OutgoingMessage(chat_id, await _question(requester), thread_id, person=requester.user.id)
    requester.services.messages.say(asked)
    return None


async def _question(requester: Requester) -> View:
    listed = await requester.services.store.run(erasure.ask, person=requester.user.id, now=int(time.time()))
    if listed is None:
        return question()
    await list_(requester.services, [listed])
    return View(_(AT_IT))


@tap(Forget)
async def tapped(requester: Requester, answer: Forget) -> str | None:
    """Take the answer to the question; returns why it is void, if it is."""
    if requester.chat_id != requester.user.id or not requester.is_at(Forget):
        return ONLY_PRIVATE
    if not answer.is_sure:
        await requester.services.store.run(erasure.withdraw, person=requester.user.id)
        said: str | None = NOTHING_FORGOTTEN
    else:
        said = await _confirmed(requester)
    if said is None:
        return ASK_AGAIN
    requester.show_instead(View(_(said)))
    return None


async def _confirmed(requester: Requester) -> str | None:
    """Begin to delete somebody's data if they were asked; returns what to say, None if they weren't asked.

    The list next to the database is written first: after a kill in between, the next start goes on from there.
    """
    services, person, now = requester.services, requester.user.id, int(time.time())
    said, entry = await services.store.run(_found, person=person, now=now)
    if said == ERASURE_BEGUN:
        await list_(services, [entry])
        left = await services.let_go(person)
        await services.store.run(erasure.begin, person=requester.player, entry=entry, now=now)
        for board in left:
            if board.chat_id is not None and board.message_id is not None:
                closed = OutgoingMessage(board.chat_id, View(_(CLOSED)), message_id=board.message_id)
                services.messages.say(closed)
    return said


def _found(connection: Connection, *, person: int, now: int) -> tuple[str | None, forgotten.ForgottenEntry]:
    """What is said to a yes; whoever said it before, to a process that was killed since, may be gone by now."""
    entry = forgotten.entry_of(connection, person, now)
    if erasure.was_asked(connection, person, now):
        return ERASURE_BEGUN, entry
    if erasure.stage_of(connection, person) in UNDER_WAY:
        return AT_IT, entry
    return DATA_DELETED if forgotten.is_gone(connection, person) else None, entry


async def list_(services: Services, entries: list[forgotten.ForgottenEntry]) -> None:
    """Add people to the list next to the database; if that fails, the log says so, and erasing goes on."""
    try:
        await asyncio.to_thread(services.journal.add, entries)
    except OSError as error:
        log.error("Can't write FORGOTTEN_FILE: %s", told(error))  # noqa: TRY400 - the reason is all there is
