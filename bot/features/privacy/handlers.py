"""/privacy, and what belongs to it."""

from typing import Final

from bot.context.acting import MEANINGLESS
from bot.context.feature import By, Command, Feature, Routine
from bot.context.requests import CommandRequest, Requester
from bot.features.privacy import erasing, exporting, pages
from bot.language import N_, speaking
from storage.games.record import NoticeKind


async def privacy(request: CommandRequest) -> None:
    """Say in short what is stored, with a button to read all, and in the person's own chat to delete it."""
    request.reply(pages.short_page(request.services.kept, is_private=request.is_private))


async def read_all(requester: Requester, _: pages.ReadAll) -> str | None:
    """Show all that there is to say, in the tapped message."""
    if not requester.chat_id or not requester.is_at(pages.ReadAll):
        return MEANINGLESS
    services = requester.services
    with speaking(requester.language_here):
        page = pages.privacy_page(services.kept, services.features.keeps, is_private=requester.is_private)
    requester.show_instead(page)
    return None


FEATURE: Final = Feature(
    commands=[
        Command("privacy", privacy, N_("What I keep about you"), by=By.ANYBODY),
        Command("export", exporting.export, N_("Download my data")),
        Command("forget", erasing.forget, N_("Delete my data")),
    ],
    taps={
        pages.ReadAll: read_all,
        pages.DownloadData: exporting.tapped,
        pages.DeleteData: erasing.ask,
        pages.Forget: erasing.tapped,
    },
    notices={NoticeKind.EXPORT: exporting.made, NoticeKind.FORGOTTEN: erasing.last_word},
    routines=[Routine("Erasure", erasing.go_on, erasing.STEP_SECONDS, at_once=True)],
)
