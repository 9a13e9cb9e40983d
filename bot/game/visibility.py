"""Decides who may see a person's results."""

from __future__ import annotations

from typing import NamedTuple


class ResultsRequest(NamedTuple):
    """What is known when one person wants to see another's results."""

    own: bool
    """Whether the results are their own."""
    in_group: bool
    answered: bool
    """Whether they reply to a message of the other person's."""
    plays_here: bool
    """Whether the other person has finished a game in this chat."""
    hidden: bool
    """Whether the other person hides their results."""


def may_see(asked: ResultsRequest) -> bool:
    """Whether results are shown: one's own always; others', unless hidden, in a group where they play or write.

    Nobody is told the reason, as that would tell something about the other person.
    """
    if asked.own:
        return True
    return asked.in_group and not asked.hidden and (asked.answered or asked.plays_here)
