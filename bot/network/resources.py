"""The system's limits on open files and connections, and errors that say one is reached."""

from __future__ import annotations

import errno
import os
import sys
from typing import Final

if sys.platform != "win32":
    import resource

from collections.abc import Iterator

EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN})
"""Errors that mean the system has no files, memory or processes left."""


def share_of_files(most: int) -> int:
    """How many connections of one kind are allowed: `most`, or a quarter of all files if that is less."""
    if sys.platform == "win32":
        return most
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if limit == resource.RLIM_INFINITY else max(1, min(most, limit // 4))


def is_exhausted(error: BaseException) -> bool:
    """Whether an error comes from a lack of files, memory or processes, which may soon be over."""
    return any(_says_so(cause) for cause in _causes(error, set()))


def _says_so(error: BaseException) -> bool:
    match error:
        case MemoryError():
            return True
        case OSError(errno=int(number)):
            return number in EXHAUSTED
        case ImportError():  # of a library that cannot be opened; the system's number is not kept
            return any(os.strerror(number) in str(error) for number in EXHAUSTED)
        case RuntimeError():
            return str(error) == "can't start new thread"
    return False


def _causes(error: BaseException | None, seen: set[int]) -> Iterator[BaseException]:
    """An error and all its causes."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    yield from _causes(error.__cause__, seen)
    yield from _causes(error.__context__, seen)
    for part in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from _causes(part, seen)
