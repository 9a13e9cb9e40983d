"""Photos, animations and documents: what Telegram makes of an upload, and the id by which it is found again."""

from __future__ import annotations

import io
import mimetypes
import struct
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import Literal, Self

from PIL import Image, ImageSequence

from playground.errors import ApiError, Json, bad_request

FileKind = Literal["photo", "animation", "document"]

LARGEST = {"photo": 10 * 2**20, "animation": 50 * 2**20, "document": 50 * 2**20}
"""Bytes that a bot may send (sendPhoto, sendAnimation, sendDocument)."""
_BEGINNINGS: dict[FileKind, str] = {
    "photo": "AgACAgIAAxkDAAI",
    "animation": "CgACAgIAAxkDAAI",
    "document": "BQACAgIAAxkDAAI",
}
"""How the `file_id` of each kind begins."""
_FORMATS = {"photo": ("PNG", "JPEG"), "animation": ("GIF",)}
"""What Pillow reads them as; the playground doesn't know films."""
_GIF_TRAILER = b";"
_SIDES = 10_000
"""Width and height of a photo together (sendPhoto)."""
_RATIO = 20
"""The longer side of a photo by the shorter (sendPhoto)."""
_UNREADABLE = (OSError, SyntaxError, ValueError, LookupError, EOFError, struct.error, Image.DecompressionBombError)
"""What Pillow raises for a broken file."""


class Upload(str):
    """A file of a multipart form; as a text it says what it is."""

    data: bytes
    filename: str

    __slots__ = ("data", "filename")

    def __new__(cls, filename: str, data: bytes) -> Self:
        upload = super().__new__(cls, f"{filename or 'file'}, {len(data)} bytes")
        upload.data, upload.filename = data, filename
        return upload


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that Telegram keeps."""

    kind: FileKind
    file_id: str
    name: str
    mime_type: str
    data: bytes
    width: int = 0
    height: int = 0
    frames: int = 0
    hundredths: int = 0
    """The duration of all frames, in hundredths of a second."""

    def as_json(self) -> Json:
        """The fields of a Bot API's Message that tell of it."""
        about: Json = {
            "file_id": self.file_id,
            "file_unique_id": sha256(self.data).hexdigest()[:16],
            "file_size": len(self.data),
        }
        if self.kind == "document":
            return {"document": {**about, "file_name": self.name, "mime_type": self.mime_type}}
        about |= {"width": self.width, "height": self.height}
        if self.kind == "photo":
            return {"photo": [about]}  # Telegram has smaller sizes of it too.
        # A GIF is a film by then. It is also a document, for bots that don't know the difference.
        film = {"duration": self.hundredths // 100, "file_name": "animation.gif.mp4", "mime_type": "video/mp4"}
        return {"animation": about | film, "document": about | film}


class Files:
    """The files that were sent, by `file_id`."""

    def __init__(self) -> None:
        self._kept: dict[str, StoredFile] = {}
        self._numbers = count(1)

    def find(self, kind: FileKind, given: str) -> StoredFile:
        """What an upload makes, which is then kept, or what has a `file_id`."""
        if isinstance(given, Upload):
            file_id = f"{_BEGINNINGS[kind]}{next(self._numbers):06}"
            self._kept[file_id] = file = _made(kind, file_id, given)
            return file
        if given.startswith(("http://", "https://")):
            raise bad_request("failed to get HTTP URL content")
        for other, beginning in _BEGINNINGS.items():
            if other != kind and given.startswith(beginning):
                raise bad_request(f"can't use file of type {other.title()} as {kind.title()}")
        if given not in self._kept:
            raise bad_request("wrong file identifier/HTTP URL specified")
        return self._kept[given]

    def get(self, file_id: str) -> StoredFile | None:
        return self._kept.get(file_id)

    def forget(self) -> None:
        """Keep nothing any more: the ids lead nowhere, as those that another bot was given."""
        self._kept.clear()


def _made(kind: FileKind, file_id: str, upload: Upload) -> StoredFile:
    data, name = upload.data, upload.filename or "file"
    if not data:
        raise bad_request("file must be non-empty")
    if len(data) > LARGEST[kind]:
        if kind == "photo":
            raise bad_request(f"file of size {len(data)} bytes is too big for a photo")
        raise ApiError(413, "Request Entity Too Large")
    if kind == "document":
        mime_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return StoredFile(kind, file_id, name, mime_type, data)
    if kind == "animation" and not data.endswith(_GIF_TRAILER):
        # Pillow takes a GIF that was truncated between two frames for a shorter one.
        raise bad_request("IMAGE_PROCESS_FAILED")
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS[kind]) as image:
            width, height = image.size
            if kind == "photo" and (width + height > _SIDES or max(width, height) > _RATIO * min(width, height)):
                raise bad_request("PHOTO_INVALID_DIMENSIONS")
            milliseconds = [_duration(frame) for frame in ImageSequence.Iterator(image)]
            mime_type = str(image.get_format_mimetype())
    except _UNREADABLE:
        raise bad_request("IMAGE_PROCESS_FAILED") from None
    hundredths = sum(milliseconds) // 10
    return StoredFile(kind, file_id, name, mime_type, data, width, height, len(milliseconds), hundredths)


def _duration(frame: Image.Image) -> int:
    frame.load()  # A frame that is truncated fails here.
    return int(frame.info.get("duration", 0))
