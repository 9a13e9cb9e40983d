"""Uploaded files: what is kept of each one, and the id under which it is found again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Final, Generic, Protocol, TypeVar

from playground.errors import bad_request

PHOTO_ID: Final = "AgACAgIAAxkDAAI"
"""How the `file_id` of a photo begins."""
ANIMATION_ID: Final = "CgACAgIAAxkDAAI"
"""How the `file_id` of an animation begins."""
DOCUMENT_ID: Final = "BQACAgIAAxkDAAI"
"""How the `file_id` of a document begins."""


class Upload(str):
    """A file of a multipart form; as a text it says what it is."""

    data: bytes
    filename: str

    __slots__ = ("data", "filename")

    @classmethod
    def of(cls, filename: str, data: bytes) -> Upload:
        """A file with its content."""
        upload = cls(f"{filename or 'file'}, {len(data)} bytes")
        upload.data, upload.filename = data, filename
        return upload


class Sent(Protocol):
    """What Telegram makes of an upload and keeps."""

    @property
    def file_id(self) -> str:
        """By which it is found again."""


SentT = TypeVar("SentT", bound=Sent)


class Kept(ABC, Generic[SentT]):
    """What was sent of one kind, by `file_id`."""

    begins: ClassVar[str]
    """How the ids of this kind begin."""
    refused: ClassVar[Mapping[str, str]] = {}
    """How ids of kinds that cannot be sent as this one begin, and what Telegram says to them."""

    def __init__(self) -> None:
        self._kept: dict[str, SentT] = {}
        self._number = 0

    def find(self, given: str) -> SentT:
        """What an upload makes, which is then kept, or what has a `file_id`.

        Raises:
            ApiError: There is none, or it is not one that Telegram takes.
        """
        if isinstance(given, Upload):
            return self._keep(given)
        if given.startswith(("http://", "https://")):
            raise bad_request("failed to get HTTP URL content")
        for begins, why in self.refused.items():
            if given.startswith(begins):
                raise bad_request(why)
        if given not in self._kept:
            raise bad_request("wrong file identifier/HTTP URL specified")
        return self._kept[given]

    def forget(self) -> None:
        """Keep nothing any more: the ids lead nowhere, as those that another bot was given."""
        self._kept.clear()

    @abstractmethod
    def made(self, upload: Upload, file_id: str) -> SentT:
        """What Telegram makes of an upload that is not empty.

        Raises:
            ApiError: It takes none such.
        """

    def _keep(self, upload: Upload) -> SentT:
        if not upload.data:
            raise bad_request("file must be non-empty")
        sent = self.made(upload, f"{self.begins}{self._number + 1:06}")
        self._number += 1
        self._kept[sent.file_id] = sent
        return sent
