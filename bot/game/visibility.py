"""Decides who may see a person's results."""

from __future__ import annotations

from typing import NamedTuple


class ResultsRequest(NamedTuple):
    """What is known when somebody wants to see somebody's results."""

    own: bool
    """Whether they are their own."""
    in_group: bool
    answered: bool
    """Whether they answer a message of whose results they are."""
    plays_here: bool
    """Whether who they are of has finished a game in this chat."""
    hidden: bool
    """Whether who they are of keeps them to themselves."""


def may_see(asked: ResultsRequest) -> bool:
    """Whether results are shown: one's own always, others' in a group where they play or write, unless hidden.

    Nobody is told which of the reasons it is: that would tell of the person.
    """
    if asked.own:
        return True
    return asked.in_group and not asked.hidden and (asked.answered or asked.plays_here)
