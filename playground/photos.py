"""Photos: what Telegram makes of an uploaded file, by its first bytes alone."""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass
from hashlib import sha256

from playground.errors import Json, bad_request
from playground.uploads import ANIMATION_ID, PHOTO_ID, Kept, Upload

_LARGEST = 10 * 2**20
"""Bytes of a photo (sendPhoto)."""
_SIDES = 10_000
"""Width and height together (sendPhoto)."""
_RATIO = 20
"""The longer side by the shorter (sendPhoto)."""
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The markers of a JPEG after which its size stands."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo that Telegram keeps."""

    file_id: str
    width: int
    height: int
    data: bytes

    def sizes(self) -> list[Json]:
        """The Bot API's array of PhotoSize: here one, Telegram has smaller ones too."""
        unique = sha256(self.data).hexdigest()[:16]
        size = {"width": self.width, "height": self.height, "file_size": len(self.data)}
        return [{"file_id": self.file_id, "file_unique_id": unique, **size}]

    @property
    def address(self) -> str:
        """A `data:` address that the page can show."""
        kind = "png" if self.data.startswith(_PNG) else "jpeg"
        return f"data:image/{kind};base64,{base64.b64encode(self.data).decode()}"


class Photos(Kept[Photo]):
    """The photos that were sent."""

    begins = PHOTO_ID
    refused = {ANIMATION_ID: "can't use file of type Animation as Photo"}  # noqa: RUF012 - its base says ClassVar

    def made(self, upload: Upload, file_id: str) -> Photo:
        """A photo, whose size is read off its first bytes."""
        data = upload.data
        if len(data) > _LARGEST:
            raise bad_request(
                f"file of size {len(data)} bytes is too big for a photo; the maximum is {_LARGEST} bytes"
            )
        width, height = _size_of(data)
        if not (width and height) or width + height > _SIDES or max(width, height) > _RATIO * min(width, height):
            raise bad_request("PHOTO_INVALID_DIMENSIONS")
        return Photo(file_id, width, height, data)


def _size_of(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG or JPEG.

    Raises:
        ApiError: It is neither.
    """
    if data.startswith(_PNG) and len(data) >= 24:  # noqa: PLR2004 - the end of the header
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    place = 2
    while data.startswith(_JPEG) and place + 9 <= len(data) and data[place] == 0xFF:  # noqa: PLR2004 - begins a marker
        marker, length = data[place + 1], int.from_bytes(data[place + 2 : place + 4])
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        place += 2 + length
    raise bad_request("IMAGE_PROCESS_FAILED")
