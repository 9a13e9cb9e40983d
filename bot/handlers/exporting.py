"""/export: all that is kept of a person as a JSON file, made portion by portion beside everybody's taps."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import shutil
import time
from contextlib import suppress
from functools import partial
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Final

from bot.delivery.entries import Attachment, Words
from bot.handlers.requests import request_of
from bot.views import rights as views
from bot.views.view import View
from storage import exports
from storage.errors import StorageError

if TYPE_CHECKING:
    from telegram import Update

    from bot.context import Context, Services
    from bot.handlers.requests import CommandRequest
    from storage.exports import Portion

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 2
"""Exports that this process makes at a time."""
PLAIN: Final = 4 * 2**20
"""Bytes up to which a file is sent as it is; a bigger one is compressed."""
PART: Final = 16 * 2**20
"""Bytes of a part of a file that is too big even so. Telegram takes 50 MB (Bot API, sendDocument); a part is in
memory while it is sent."""
PAUSE_SECONDS: Final = 0.01
"""Between two portions, so that taps come first."""


async def export(update: Update, context: Context) -> None:
    """Send somebody all that is kept of them."""
    if (request := request_of(update, context)) is None:
        return
    services, person = request.services, request.sender.user.id
    if not request.is_private:
        said = views.ONLY_PRIVATE
    elif len(services.exporting) >= MOST_AT_ONCE and person not in services.exporting:
        said = views.EXPORT_BUSY
    elif await services.store.run(
        partial(exports.claim, person=person, now=int(time.time()), update_id=request.sender.update_id)
    ):
        services.exporting.add(person)
        said = views.EXPORT_BEGUN
        services.publisher.beside(_sent(request))
    else:
        said = views.EXPORT_UNDER_WAY
    request.reply(request.t.gettext(said))


async def _sent(request: CommandRequest) -> None:
    """Make the file and let it be sent; whatever goes wrong, the person hears of it."""
    services, person = request.services, request.sender.user.id
    until = int(time.time()) + exports.AGAIN_SECONDS
    try:
        for words in await _files(request):
            services.publisher.say(words)
    except exports.NotWanted:
        log.debug("An export was ended: its person was forgotten")
    except (OSError, StorageError) as error:
        log.error("An export could not be made: %s", type(error).__name__)  # noqa: TRY400 - the kind is all there is
        until = 0
        request.reply(request.t.gettext(views.EXPORT_FAILED))
    finally:
        services.exporting.discard(person)
        with suppress(StorageError):
            await services.store.run(partial(exports.release, person=person, until=until))


class _Kept:
    """A file, closed once nobody refers to it any more, whatever has become of its parts."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def __del__(self) -> None:
        self.file.close()


async def _files(request: CommandRequest) -> list[Words]:
    """The messages with the file, or its parts. It has no name on the disk: it is gone with whoever reads it."""
    file: IO[bytes] = TemporaryFile()  # noqa: SIM115 - it is read when it is sent
    try:
        await _write(request.services, request.sender.user.id, file)
    except BaseException:
        file.close()
        raise
    size, packed = file.tell(), False
    if size > PLAIN:
        file, packed = await asyncio.to_thread(_compressed, file), True
        size = file.tell()
    name = f"oxo-{request.sender.user.id}.json{'.gz' if packed else ''}"
    count, kept = -(-size // PART), _Kept(file)
    return [
        Words(
            request.chat_id,
            View(views.export_caption(request.t, part + 1, count, packed=packed)),
            attachment=Attachment(
                name if count == 1 else f"{name}.{part + 1:03}",
                partial(_read, kept, part * PART, PART),
                sent=partial(_all_there, request) if part + 1 == count else None,
            ),
        )
        for part in range(count)
    ]


async def _all_there(request: CommandRequest) -> None:
    """The last part is sent: its update has had its effect."""
    sender = request.sender
    note = partial(exports.note_sent, person=sender.user.id, update_id=sender.update_id)
    await sender.services.store.run(note)


async def _write(services: Services, person: int, file: IO[bytes]) -> None:
    """Write the document, of which no more than a portion is ever in memory."""
    since = await services.store.run(partial(exports.forgotten_since, person=person))
    made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    head = {"about": "All that OXO keeps about you. Times are seconds since 1970.", "you": person, "made": made}
    head |= {} if since is None else {"forgotten_before": since}
    file.write(json.dumps(head, ensure_ascii=False)[:-1].encode())
    for section in exports.SECTIONS:
        file.write(f',\n"{section}": ['.encode())
        after, is_first = None, True
        while is_first or after is not None:
            read = partial(exports.portion, person=person, section=section, after=after, now=int(time.time()))
            found = await services.store.run(read)
            await asyncio.to_thread(_append, file, found, is_first=is_first)
            after, is_first = found.after, False
            await asyncio.sleep(PAUSE_SECONDS)
        file.write(b"]")
    file.write(b"\n}\n")


def _append(file: IO[bytes], found: Portion, *, is_first: bool) -> None:
    for number, row in enumerate(found.rows):
        file.write(b"\n" if is_first and not number else b",\n")
        file.write(json.dumps(row, ensure_ascii=False).encode())


def _compressed(file: IO[bytes]) -> IO[bytes]:
    """The file compressed, in another one that has no name either."""
    packed = TemporaryFile()  # noqa: SIM115 - as above
    file.seek(0)
    with file, gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as into:
        shutil.copyfileobj(file, into)
    return packed


def _read(kept: _Kept, start: int, size: int) -> bytes:
    kept.file.seek(start)
    return kept.file.read(size)
