"""Inline offers, as the button of a message carries them: what, whose, by which rules, and a signature.

The key of the signature is derived from the bot's token, so that nobody can forge an offer in somebody else's
name.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Final, NamedTuple

from bot.game.new_game import DEFAULT_RULES
from engine.rules.catalogue import in_full, in_short

SIGNATURE: Final = 9
"""How many bytes of the signature are sent; callback data has room for 64 in all."""


LONGEST: Final = 60
"""The longest offer, to fit a button and the id of a result (64 bytes each, Bot API)."""


class InlineOffer(NamedTuple):
    """What a picked message offers: a challenge (`me`, `bot` or `random` moves first), or the difficulty."""

    kind: str
    person: int
    nonce: str = ""
    """Tells this offer from the person's others, as each starts one game."""
    rival: str | None = None
    """The person a challenge is for: a `@username`, or an id."""
    rules: str = DEFAULT_RULES
    """The rules to play by."""


def signing_key(token: str) -> bytes:
    """The key that signs offers, derived from the bot's token, which can't be derived from it."""
    return hmac.digest(token.encode(), b"inline offers", "sha256")


def write(offer: InlineOffer, key: bytes) -> str:
    """The signed data of an offer's button; no two are equal. A rival's name that doesn't fit is left out."""
    kind = offer.kind if offer.rules == DEFAULT_RULES else f"{offer.kind}-{in_short(offer.rules)}"
    named = "" if offer.rival is None else f"_{offer.rival.removeprefix('@')}"
    rest = f":{offer.person}:{secrets.token_urlsafe(6)}"
    if len(f"{kind}{named}{rest}") + 1 + SIGNATURE * 4 // 3 > LONGEST:
        named = ""
    plain = f"{kind}{named}{rest}"
    return f"{plain}:{_signature(plain, key)}"


def read(text: str, key: bytes) -> InlineOffer | None:
    """The offer that a button carries; None if the signature isn't ours."""
    plain, _, signature = text.rpartition(":")
    kind, _, rest = plain.partition(":")
    person, _, nonce = rest.partition(":")
    if not hmac.compare_digest(signature.encode(), _signature(plain, key).encode()):
        return None
    kind, _, name = kind.partition("_")
    rival = name if name.isdecimal() else f"@{name}"
    kind, _, short = kind.partition("-")
    rules = in_full(short) if short else DEFAULT_RULES
    return InlineOffer(kind, int(person), nonce, rival if name else None, rules)


def _signature(plain: str, key: bytes) -> str:
    digest = hmac.digest(key, plain.encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:SIGNATURE]).decode()
