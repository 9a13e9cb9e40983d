"""What the engine refuses, each as a `ValueError` whose message is a whole sentence."""


class EngineError(ValueError):
    """Anything that the game's rules do not allow."""


class InvalidGeometry(EngineError):
    """A board of this size, or with this length of a line, is not played."""


class MalformedPosition(EngineError):
    """A text or a pair of bitmasks that describes no board at all."""


class UnreachablePosition(EngineError):
    """Marks on a board that no game, played by the rules, can lead to."""


class IllegalMove(EngineError):
    """A ply on a taken cell, beside the board or after the end of the game."""


class NoMoveToChoose(EngineError):
    """A strategy was asked about a finished game, or about a board that it does not know."""
