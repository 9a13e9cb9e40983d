"""Links to reviews and shared games: each leads one person to one game.

Links that challenge the players of a game, or lead to a position of it, are for everybody: signed for person 0.
"""

import base64
import hmac
import re
from typing import Final, NamedTuple

from engine import Mark
from storage.games.game import COMPUTER, Game

SIGNATURE_LETTERS: Final = 16
"""Characters of the signature: 96 bits."""
REVIEW, SHARE, CHALLENGE, BEAT = "v", "s", "c", "b"
"""What a link leads to; its first letter."""
PURPOSES: Final = {REVIEW: "review", SHARE: "share", CHALLENGE: "challenge", BEAT: "beat"}
FOR_EVERYBODY: Final = (CHALLENGE, BEAT)
"""Those that lead whoever opens them."""
_FORM: Final = re.compile(f"([vscb])([1-9][0-9]{{0,17}}(?:_[1-9][0-9]?)?)-([A-Za-z0-9_-]{{{SIGNATURE_LETTERS}}})")


def signing_key(token: str) -> bytes:
    """The key that signs links and offers, derived from the bot's token, which can't be derived from it."""
    return hmac.digest(token.encode(), b"inline offers", "sha256")


def signature(what: str, key: bytes, letters: int) -> str:
    """So many letters, of 6 bits each, that only a bot with this key can make for a text."""
    return base64.urlsafe_b64encode(hmac.digest(key, what.encode(), "sha256"))[:letters].decode()


def write(game_id: int, person: int, key: bytes, to: str = REVIEW, ply: int = 0) -> str:
    """The start parameter of a link: at most 64 characters (Bot API, "Deep linking")."""
    place = f"{game_id}_{ply}" if ply else f"{game_id}"
    return f"{to}{place}-{_signature(place, person, key, to)}"


def read(text: str, person: int, key: bytes, to: str = REVIEW) -> tuple[int, ...] | None:
    """The game that a link leads a person to, perhaps with a ply; None if it isn't ours, or is somebody else's."""
    found = _FORM.fullmatch(text)
    if found is None or found[1] != to:
        return None
    is_ours = hmac.compare_digest(found[3], _signature(found[2], person, key, to))
    return tuple(map(int, found[2].split("_"))) if is_ours else None


def meaning(text: str, person: int, key: bytes) -> tuple[str, tuple[int | str, ...]]:
    """What a link is for, and what it says: a signed one a game, perhaps with a ply; else what follows a word.

    Anything else is for "", a challenge. Its random letters may begin with a dash, or with a letter and a dash.
    """
    for to in PURPOSES:
        if (place := read(text, 0 if to in FOR_EVERYBODY else person, key, to)) is not None:
            return to, place
    to, _, rest = text.partition("-")
    return (to, (rest,)) if to and to not in PURPOSES else ("", (text,))


def sign_of_challenge(game_id: int, key: bytes) -> str:
    """The signature in the link that challenges the players of a game; it may contain dashes and digits."""
    return _signature(f"{game_id}", 0, key, CHALLENGE)


class Me(NamedTuple):
    """The bot, as what is said of it needs to know it."""

    username: str = ""
    key: bytes = b""
    """Signs its links, and what inline mode offers."""
    has_inline: bool = False
    """Whether its host has turned inline mode on."""

    def link_to(self, parameter: str) -> str:
        """A link to the private chat with the bot, from which a person sends `/start` with this parameter."""
        return f"https://t.me/{self.username}?start={parameter}"

    def lead(self, game_id: int, person: int, to: str, ply: int = 0) -> str:
        """The link that leads a person, in their private chat, to a game that they have seen elsewhere."""
        return self.link_to(write(game_id, person, self.key, to, ply))


def players_of(game: Game) -> list[Mark]:
    """The marks that people have played in a finished game; not of those who were forgotten."""
    if not game.is_over or game.is_challenge or game.is_exhibition:
        return []
    return [mark for mark in Mark if (game.seat(mark) or COMPUTER) > COMPUTER]


def _signature(place: str, person: int, key: bytes, to: str) -> str:
    return signature(f"{PURPOSES[to]} of {place} for {person}", key, SIGNATURE_LETTERS)
