"""Links to reviews: each leads one person to one game that they have seen, and nobody else anywhere."""

from __future__ import annotations

import base64
import hmac
import re
from typing import Final

LETTERS: Final = 16
"""Characters of the signature: 96 bits."""
_FORM: Final = re.compile(f"v([1-9][0-9]{{0,17}})-([A-Za-z0-9_-]{{{LETTERS}}})")


def write(game_id: int, person: int, key: bytes) -> str:
    """What a link carries: at most 64 characters that a start parameter may have (Bot API, "Deep linking")."""
    return f"v{game_id}-{_signature(game_id, person, key)}"


def read(text: str, person: int, key: bytes) -> int | None:
    """The game that a link leads a person to; None where it is no link of ours, or somebody else's."""
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    game_id = int(found[1])
    return game_id if hmac.compare_digest(found[2], _signature(game_id, person, key)) else None


def _signature(game_id: int, person: int, key: bytes) -> str:
    digest = hmac.digest(key, f"review of {game_id} for {person}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest)[:LETTERS].decode()
