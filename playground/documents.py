"""Documents: files of any kind, and by which id they are found again."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from playground.errors import ApiError, bad_request
from playground.photos import Upload

if TYPE_CHECKING:
    from playground.errors import Json

LARGEST = 50 * 2**20
"""Bytes of a file that a bot may send (sendDocument)."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that Telegram keeps."""

    file_id: str
    name: str
    data: bytes

    def as_json(self) -> Json:
        """The Bot API's Document."""
        unique = sha256(self.data).hexdigest()[:16]
        kind = mimetypes.guess_type(self.name)[0] or "application/octet-stream"
        named = {"file_name": self.name, "mime_type": kind}
        return {"file_id": self.file_id, "file_unique_id": unique, **named, "file_size": len(self.data)}


class Documents:
    """The files that were sent, by `file_id`."""

    def __init__(self) -> None:
        self._kept: dict[str, Document] = {}

    def find(self, given: str) -> Document:
        """The document of an upload, which is then kept, or of a `file_id`.

        Raises:
            ApiError: It is none, or not one that Telegram takes.
        """
        if isinstance(given, Upload):
            return self._keep(given)
        if given.startswith(("http://", "https://")):
            raise bad_request("failed to get HTTP URL content")
        if given not in self._kept:
            raise bad_request("wrong file identifier/HTTP URL specified")
        return self._kept[given]

    def _keep(self, upload: Upload) -> Document:
        if not upload.data:
            raise bad_request("file must be non-empty")
        if len(upload.data) > LARGEST:
            raise ApiError(413, "Request Entity Too Large")
        document = Document(f"BQACAgIAAxkDAAI{len(self._kept) + 1:06}", upload.filename or "file", upload.data)
        self._kept[document.file_id] = document
        return document
