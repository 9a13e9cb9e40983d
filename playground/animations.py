"""Animations: GIFs, which Telegram converts to films without sound."""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass
from hashlib import sha256

from playground.errors import Json, bad_request
from playground.uploads import ANIMATION_ID, PHOTO_ID, Kept, Upload

_LARGEST = 50 * 2**20
"""The most bytes of an animation (sendAnimation)."""
_SIGNATURES = (b"GIF87a", b"GIF89a")
_SCREEN = 13
"""Bytes before the first table of colours (GIF89a, 18)."""
_EXTENSION, _IMAGE, _END = 0x21, 0x2C, 0x3B
_CONTROL = 0xF9
"""The extension that holds the duration of a frame."""


@dataclass(frozen=True, slots=True)
class Animation:
    """A stored animation."""

    file_id: str
    width: int
    height: int
    frames: int
    hundredths: int
    """Its duration, in hundredths of a second."""
    data: bytes

    def as_json(self) -> Json:
        """The Bot API's Animation: a film by then."""
        return {
            "file_id": self.file_id,
            "file_unique_id": sha256(self.data).hexdigest()[:16],
            "width": self.width,
            "height": self.height,
            "duration": self.hundredths // 100,
            "file_name": "animation.gif.mp4",
            "mime_type": "video/mp4",
            "file_size": len(self.data),
        }

    @property
    def address(self) -> str:
        """A `data:` address that the page can show."""
        return f"data:image/gif;base64,{base64.b64encode(self.data).decode()}"


class Animations(Kept[Animation]):
    """The animations sent so far."""

    begins = ANIMATION_ID
    refused = {PHOTO_ID: "can't use file of type Photo as Animation"}  # noqa: RUF012 - its base says ClassVar

    def made(self, upload: Upload, file_id: str) -> Animation:
        """Store an animation, with the size and duration of its frames."""
        data = upload.data
        if len(data) > _LARGEST:
            raise bad_request(f"file of size {len(data)} bytes is too big for an animation")
        width, height = _size_of(data)
        frames, hundredths = _times_of(data)
        return Animation(file_id, width, height, frames, hundredths, data)


def _size_of(data: bytes) -> tuple[int, int]:
    """Width and height of a GIF.

    Raises:
        ApiError: It is no GIF; the playground doesn't know films.
    """
    if not data.startswith(_SIGNATURES) or len(data) <= _SCREEN:
        raise bad_request("the playground knows animations as GIF only")
    width, height = struct.unpack("<HH", data[6:10])
    if not (width and height):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return width, height


def _times_of(data: bytes) -> tuple[int, int]:
    """How many frames a GIF has, and how long they take in hundredths of a second.

    Raises:
        ApiError: It is truncated.
    """
    frames, hundredths = 0, 0
    place = _SCREEN + _colours(data[10])
    try:
        while (kind := data[place]) != _END:
            if kind == _EXTENSION:
                if data[place + 1] == _CONTROL:
                    hundredths += int.from_bytes(data[place + 4 : place + 6], "little")
                place = _after_blocks(data, place + 2)
            elif kind == _IMAGE:
                frames += 1
                place = _after_blocks(data, place + 11 + _colours(data[place + 9]))
            else:
                raise bad_request("IMAGE_PROCESS_FAILED")
    except IndexError:
        raise bad_request("IMAGE_PROCESS_FAILED") from None
    return frames, hundredths


def _colours(flags: int) -> int:
    """The bytes of the colour table that follows, if there is one."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _after_blocks(data: bytes, place: int) -> int:
    """The end of a sequence of blocks, each of which begins with its length."""
    while data[place]:
        place += data[place] + 1
    return place + 1
