"""Translates callback data of earlier releases, which old messages still carry, into today's.

Only the form is checked here: the result is read as strictly as any other data (`bot.boards.buttons`).
"""

from __future__ import annotations

from typing import Final

MARK: Final = "1"
"""The prefix of callback data then; a letter for the kind followed."""

_RENAMED: Final = {
    "h": "help",
    "p": "play",
    "n": "invite",
    "i": "i",
    "c": "challenge",
    "t": "m",
    "u": "m",
    "y": "c",
    "l": "level",
    "r": "rules",
}
"""The kinds whose values haven't changed."""

_WITH_PLY: Final = frozenset({"undo", "resign", "yes", "no", "review", "try"})
_WITHOUT_PLY: Final = frozenset(
    {
        *("decline", "cancel", "computer", "giveup", "goon", "rematch", "again", "swap", "hint", "bring"),
        *("stop", "faster", "watch", "winner", "leave"),
    }
)


def renewed(data: str) -> str:
    """Today's callback data for a button of an earlier release; empty if it no longer means anything."""
    kind, *rest = data.removeprefix(MARK).split(":", 1)
    if not data.startswith(MARK):
        return ""
    if kind in _RENAMED:
        return ":".join((_RENAMED[kind], *rest))
    return _reworded(kind, rest[0].split(":") if rest else [])


def _reworded(kind: str, values: list[str]) -> str:  # noqa: C901, PLR0911, PLR0912 - a case for each form
    match kind, values:
        case "g", [game, ply, word] if word in _WITH_PLY:
            return f"{word}:{game}:{ply}"
        case "g", [game, _, word] if word in _WITHOUT_PLY:
            return f"{word}:{game}"
        case "g", [game, ply, "show"]:
            return f"best:{game}:{ply}"
        case "g", [game, _, "share" | "still" as word]:
            return f"share:{game}:{int(word == 'still')}"
        case "g", [game, _, "accept", *rules] if len(rules) <= 1:
            return f"accept:{game}:{''.join(rules)}"
        case "d" | "o", [value] if value:
            return f"set:{'level' if kind == 'd' else 'first'}:{value}"
        case "a", [game, "0" | "1" as swap]:
            return f"{'swap' if swap == '1' else 'again'}:{game}"
        case "f", [game, "me" | "bot" as first]:
            return f"first:{game}:{int(first == 'me')}"
        case "v", [game, ply, "all"]:
            return f"all:{game}:{ply}"
        case "v", [game, ply, "rules"]:
            return f"boards:{game}:{ply}"
        case "v", [game, ply, region]:
            return f"region:{game}:{ply}:{region}"
        case "b", ["on" | "off" as word]:
            return f"set:takebacks:{word}"
        case "s", [] | [_] | [_, _]:
            return ":".join(("set", *values, *("", "")[len(values) :]))
        case "q", [person, "h" | "w" as place, family, "t" | "p" as form]:
            return f"stats:{person}:{int(place == 'h')}:{family}:{int(form == 'p')}"
        case "k", ["h" | "w" as place, "r" | "v" as order, family, page]:
            return f"top:{int(place == 'h')}:{int(order == 'v')}:{family}:{page}"
        case "x", ["yes" | "no" as word]:
            return f"forget:{int(word == 'yes')}"
        case "w", ["play", *rules] if len(rules) <= 1:
            return f"find:{''.join(rules)}"
        case "w", ["stay"]:
            return "wait"
        case "w", ["leave"]:
            return "nowait"
    return ""
