"""Links to reviews and to shared games: each leads one person to one game that they have seen, and nobody else.

A link that challenges the players of a game is for everybody: it is written for the person 0.
"""

from __future__ import annotations

import base64
import hmac
import re
from typing import Final

LETTERS: Final = 16
"""Characters of the signature: 96 bits."""
REVIEW, SHARE, CHALLENGE = "v", "s", "c"
"""What a link leads to, as its first letter."""
PURPOSES: Final = {REVIEW: "review", SHARE: "share", CHALLENGE: "challenge"}
_FORM: Final = re.compile(f"([vsc])([1-9][0-9]{{0,17}})-([A-Za-z0-9_-]{{{LETTERS}}})")


def write(game_id: int, person: int, key: bytes, to: str = REVIEW) -> str:
    """What a link carries: at most 64 characters that a start parameter may have (Bot API, "Deep linking")."""
    return f"{to}{game_id}-{_signature(game_id, person, key, to)}"


def read(text: str, person: int, key: bytes, to: str = REVIEW) -> int | None:
    """The game that a link leads a person to; None where it is no link of ours, or somebody else's."""
    found = _FORM.fullmatch(text)
    if found is None or found[1] != to:
        return None
    game_id = int(found[2])
    return game_id if hmac.compare_digest(found[3], _signature(game_id, person, key, to)) else None


def _signature(game_id: int, person: int, key: bytes, to: str) -> str:
    digest = hmac.digest(key, f"{PURPOSES[to]} of {game_id} for {person}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest)[:LETTERS].decode()
