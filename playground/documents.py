"""Documents: files of any kind."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from hashlib import sha256

from playground.errors import ApiError, Json
from playground.uploads import DOCUMENT_ID, Kept, Upload

LARGEST = 50 * 2**20
"""The most bytes of a file that a bot may send (sendDocument)."""


@dataclass(frozen=True, slots=True)
class Document:
    """A stored file."""

    file_id: str
    name: str
    data: bytes

    def as_json(self) -> Json:
        """The Bot API's Document."""
        unique = sha256(self.data).hexdigest()[:16]
        kind = mimetypes.guess_type(self.name)[0] or "application/octet-stream"
        named = {"file_name": self.name, "mime_type": kind}
        return {"file_id": self.file_id, "file_unique_id": unique, **named, "file_size": len(self.data)}


class Documents(Kept[Document]):
    """The files sent so far."""

    begins = DOCUMENT_ID

    def made(self, upload: Upload, file_id: str) -> Document:
        """Store a file as it is."""
        if len(upload.data) > LARGEST:
            raise ApiError(413, "Request Entity Too Large")
        return Document(file_id, upload.filename or "file", upload.data)
