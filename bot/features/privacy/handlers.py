"""/privacy, and what belongs to it."""

from typing import Final

from bot.context.feature import By, Command, Feature, Routine
from bot.context.requests import CommandRequest
from bot.features.privacy import erasing, exporting, pages
from bot.language import N_
from storage.games.record import NoticeKind


async def privacy(request: CommandRequest) -> None:
    """Say what is stored, with buttons to download and delete it in the person's own chat."""
    page = pages.privacy_page(request.services.kept, request.services.features.keeps)
    request.reply(page if request.is_private else page.text)


FEATURE: Final = Feature(
    commands=[
        Command("privacy", privacy, N_("What I keep about you"), by=By.ANYBODY),
        Command("export", exporting.export, N_("Download my data")),
        Command("forget", erasing.forget, N_("Delete my data")),
    ],
    taps={pages.DownloadData: exporting.tapped, pages.DeleteData: erasing.ask, pages.Forget: erasing.tapped},
    notices={NoticeKind.EXPORT: exporting.made, NoticeKind.FORGOTTEN: erasing.last_word},
    routines=[Routine("Erasure", erasing.go_on, erasing.STEP_SECONDS, at_once=True)],
)
