"""What can go wrong in storage, as far as callers need to tell it apart."""


class StorageError(Exception):
    """The base of every error that this package raises on purpose."""


def told(error: OSError) -> str:
    """What the system says about a file, without the number and the quotes of Python's text."""
    return f"{error.strerror or error}: {error.filename}" if error.filename else str(error.strerror or error)


class StorageUnavailable(StorageError):
    """The database is locked, full, unreachable or overloaded; nothing was written and a later try may work."""


class TooSlow(StorageUnavailable):
    """A statement took longer than it may."""


class OtherRelease(StorageUnavailable):
    """Another release has upgraded the database while this process ran; it must end, and the other one goes on."""

    def __init__(self, schema: str) -> None:
        super().__init__(f"another release has brought it to schema {schema}")


class GameNotFound(StorageError):
    """No game has this id."""

    def __init__(self, game_id: int) -> None:
        super().__init__(f"there is no game {game_id}")
        self.game_id = game_id


class CorruptGame(StorageError):
    """A stored game contradicts itself: its moves do not replay, or its ending does not fit them."""

    def __init__(self, game_id: int, reason: str) -> None:
        super().__init__(f"game {game_id} cannot be read: {reason}")
        self.game_id = game_id
        self.reason = reason


class NewerGame(CorruptGame):
    """A stored game has a word that only a newer release knows, and is left to that."""


class ConcurrentChange(StorageError):
    """Another transaction changed the same rows first; the loser may try again."""


class LockedRow(ConcurrentChange):
    """Another transaction holds a row for longer than a statement waits; the loser may try again later."""
