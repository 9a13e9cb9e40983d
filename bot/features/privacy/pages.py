"""What is said about what is kept of people."""

from collections.abc import Sequence
from typing import Final

from bot.boards.buttons import Menu
from bot.boards.translations import sentences, to_type
from bot.boards.view import Key, Row, View, keyboard
from bot.context.services import Retention
from bot.game.choices import Flag
from bot.language import N_, _, n_


class DownloadData(Menu, word="download"):
    """Sends people everything stored about them."""


class ReadAll(Menu, word="privacy"):
    """Shows all that is said about what is kept."""


class DeleteData(Menu, word="delete"):
    """Asks people whether everything stored about them should be deleted."""


class Forget(Menu, word="forget"):
    """Answers that question."""

    is_sure: Flag


YES_WORDS, NO_WORDS = N_("yes|ok|sure"), N_("no|no thanks")
"""What people type after /forget."""
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
    "Only hashes (codes without a name) stay: of your id, so that you're deleted again if a backup is restored; "
    "of whom you've just played, for two days at most; and of blocks against you, until they're lifted."
)
ONLY_PRIVATE: Final = N_("That's between the two of us: please send it in our private chat.")
CLOSED: Final = N_("This game has ended because you deleted your data.")
EXPORT_UNDER_WAY: Final = N_("Your file is on its way, or I've just sent it.")
EXPORT_BEGUN: Final = N_("I'm collecting your data. You'll get it here as a file.")
EXPORT_FAILED: Final = N_("I couldn't make your file. Please send /export again in a few minutes.")
EXPORT_TOO_BIG: Final = N_(
    "Your file is bigger than the 50 MB Telegram lets me send. Please ask whoever runs me for it."
)


KEPT_OF_ALL: Final = N_(
    "• Your Telegram id, name, username and language, and the day you last played. If somebody challenged you by "
    "username: that username.\n"
    "• Your games: opponents, moves, results, times, and the chats and messages they're in.\n"
    "• Your results, ratings, streaks, milestones, weekly wins and the difficulty that suits you, and how often "
    "you played each opponent.\n"
    "• Your /settings. For a group: its id and settings.\n"
    "• Groups that you've played in and left, so that their /top leaves you out.\n"
    "• For a while, what I still have to send you, and which of Telegram's messages I've handled."
)


IN_SHORT: Final = (
    N_("<b>What I keep about you</b>"),
    N_("Your name, your settings, and your games with their results. Nothing else that you write."),
    N_("Whoever sees a game of yours sees your name. Lists show your results unless you hide them."),
    N_("I share nothing with anyone. In our chat you can download or delete all of it."),
)


def short_page(kept: Retention, *, is_private: bool) -> View:
    """What is stored, in a few lines."""
    lines = [*map(_, IN_SHORT), _how_long(kept)]
    return View(
        "\n".join(lines), keyboard([[Key(_("Read all"), ReadAll())], *(_own_data() if is_private else ())])
    )


def _own_data() -> list[Row]:
    return [[Key(_("Download my data"), DownloadData()), Key(_("Delete my data"), DeleteData(), "danger")]]


def privacy_page(kept: Retention, keeps: Sequence[str], *, is_private: bool = True) -> View:
    """What is stored; every bot has to say so (Telegram's terms for bot developers, section 4).

    `keeps` has what single features store, to be translated.
    """
    parts = [
        _(IN_SHORT[0]),
        "\n".join([_(KEPT_OF_ALL), *map(_, keeps)]),
        _(
            "I look for moves and commands in what you write, and keep none of it. My logs have no names. I share "
            "nothing with anyone."
        ),
        _(
            "<b>Who sees it:</b> anyone who sees a game of yours, or a picture of it, sees your name. Opponents "
            "from /play see your rating. In groups where you play, others can look up your stats, and /top lists "
            "you there and in the overall ranking; <code>/settings hidden {on}</code> hides all three. "
            "Anyone you've played still sees how those games went, in their own chat with me."
        ).format(on=_("on")),
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
    return View("\n\n".join(parts), keyboard(_own_data()) if is_private else None)


def _how_long(kept: Retention) -> str:
    if kept.days is None:
        always = _("<b>How long:</b> until you delete it.")
    else:
        always = n_(
            "<b>How long:</b> finished games for {count} day.",
            "<b>How long:</b> finished games for {count} days.",
            kept.days,
        ).format(count=kept.days)
        always = sentences(always, _("If you don't play for that long, I delete the rest, too."))
    group = n_(
        "The data of a group that removes me is deleted after {count} day.",
        "The data of a group that removes me is deleted after {count} days.",
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
        "Tap, or send <code>/forget {yes}</code> or <code>/forget {no}</code>."
    ).format(yes=to_type(YES_WORDS), no=to_type(NO_WORDS))
    yes = Key(_("Yes, delete it"), Forget(is_sure=True), "danger")
    return View(f"{what}\n• {_(ONLY_HASHES)}\n\n{how}", keyboard([[yes, Key(_("No"), Forget(is_sure=False))]]))


def export_caption(*, packed: bool) -> str:
    """The caption of an exported file."""
    words = _("Everything I keep about you, as JSON.")
    return sentences(words, _("It's compressed: gzip, 7-Zip and most systems can open it.")) if packed else words
