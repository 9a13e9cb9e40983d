"""/privacy, and /export: everything stored about a person, written in portions so that taps come first."""

import asyncio
import gzip
import json
import logging
import shutil
import time
import weakref
from functools import partial
from tempfile import TemporaryFile
from typing import IO, Final

from bot.boards.view import View
from bot.context.acting import MEANINGLESS
from bot.context.feature import By, Command, Feature, Routine
from bot.context.requests import TOO_MANY, CommandRequest, Requester
from bot.context.services import Services
from bot.delivery.entries import File, OutgoingMessage, saying
from bot.features.privacy import erasing, pages
from bot.language import N_, _, speaking
from storage.games.outbox import Asked
from storage.games.record import Notice, NoticeKind
from storage.privacy import exports, forgotten
from storage.privacy.exports import Portion

log = logging.getLogger(__name__)

PLAIN_BYTES: Final = 4 * 2**20
"""Bytes up to which a file is sent as it is; a bigger one is compressed."""
MOST_BYTES: Final = 50_000_000
"""Bytes that Telegram takes in a file (Bot API, sendDocument)."""
EXPORT_PAUSE_SECONDS: Final = 0.01
"""Between two portions, so that taps come first."""
_AT_A_TIME: Final = partial(asyncio.Semaphore, 2)
"""How many files are made at a time."""

EXPORT_ANSWERS: Final = {
    Asked.STORED: pages.EXPORT_BEGUN,
    Asked.UNDER_WAY: pages.EXPORT_UNDER_WAY,
    Asked.SENT: pages.EXPORT_UNDER_WAY,
    Asked.TOO_MANY: TOO_MANY,
}


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


async def export(request: CommandRequest) -> None:
    """Send people everything stored about them."""
    request.reply(_(await download(request, pages.DownloadData())))


async def download(requester: Requester, _: pages.DownloadData) -> str:
    """Start making the file; returns what the person is told."""
    if requester.where.chat_id != requester.user.id:
        return pages.ONLY_PRIVATE
    wanted = requester.notice(NoticeKind.EXPORT)._replace(subject=requester.user.id)
    return EXPORT_ANSWERS[await requester.ask(lambda _: wanted)]


async def exported(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message with the file, or one that says it can't be made."""
    say = saying(notice)
    try:
        async with services.memory(_AT_A_TIME):
            file, packed = await _file(services, notice)
    except exports.NotWanted:
        return None
    except OSError as error:
        log.error("Couldn't make an export: %s", type(error).__name__)  # noqa: TRY400 - the kind is all there is
        return say(View(_(pages.EXPORT_FAILED)))

    def read() -> bytes:
        file.seek(0)
        return file.read()

    weakref.finalize(read, file.close)  # whether or not it is sent
    if file.tell() > MOST_BYTES:
        return say(View(_(pages.EXPORT_TOO_BIG)))
    name = f"oxo-{notice.chat_id}.json{'.gz' if packed else ''}"
    return say(View(pages.export_caption(packed=packed)), file=File(read, name, "document"))


async def _file(services: Services, notice: Notice) -> tuple[IO[bytes], bool]:
    """The file, and whether it is compressed. It has no name on the disk, so it disappears with the process."""
    file: IO[bytes] = TemporaryFile()  # noqa: SIM115 - it is read when it is sent
    try:
        await _write(services, notice, file)
    except BaseException:
        file.close()
        raise
    if file.tell() <= PLAIN_BYTES:
        return file, False
    return await asyncio.to_thread(_compressed, file), True


async def _write(services: Services, notice: Notice, file: IO[bytes]) -> None:
    """Write the document; only one portion is ever in memory."""
    person = notice.chat_id
    since = await services.store.read(forgotten.forgotten_at, person=person)
    made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    head = {"about": "Everything OXO keeps about you. Times are seconds since 1970.", "you": person, "made": made}
    head |= {} if since is None else {"forgotten_before": since}
    file.write(json.dumps(head, ensure_ascii=False)[:-1].encode())
    for section in exports.SECTIONS:
        file.write(f',\n"{section}": ['.encode())
        after, is_first = None, True
        while is_first or after is not None:
            found = await services.store.read(exports.portion, notice=notice, section=section, after=after)
            await asyncio.to_thread(_append, file, found, is_first=is_first)
            after, is_first = found.after, False
            await asyncio.sleep(EXPORT_PAUSE_SECONDS)
        file.write(b"]")
    file.write(b"\n}\n")


def _append(file: IO[bytes], found: Portion, *, is_first: bool) -> None:
    for number, row in enumerate(found.rows):
        file.write(b"\n" if is_first and not number else b",\n")
        file.write(json.dumps(row, ensure_ascii=False).encode())


def _compressed(file: IO[bytes]) -> IO[bytes]:
    packed = TemporaryFile()  # noqa: SIM115 - whoever reads it closes it
    file.seek(0)
    with file, gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as into:
        shutil.copyfileobj(file, into)
    return packed


FEATURE: Final = Feature(
    commands=[
        Command("privacy", privacy, N_("What I keep about you"), by=By.ANYBODY),
        Command("export", export, N_("Download my data")),
        Command("forget", erasing.forget, N_("Delete my data")),
    ],
    taps={
        pages.ReadAll: read_all,
        pages.DownloadData: download,
        pages.DeleteData: erasing.ask,
        pages.Forget: erasing.tapped,
    },
    notices={NoticeKind.EXPORT: exported, NoticeKind.FORGOTTEN: erasing.last_word},
    routines=[Routine("Erasure", erasing.go_on, erasing.STEP_SECONDS, at_once=True)],
)
