"""What the engine raises: each error is a `ValueError` whose message is a whole sentence."""


class EngineError(ValueError):
    """The base class of all errors of the engine."""


class InvalidRules(EngineError):
    """There are no such rules: the size or the length of a line is out of range, or the text names no rules."""


class MalformedMoves(EngineError):
    """A text with a character that is not a cell of the board."""


class IllegalMove(EngineError):
    """A ply on a taken cell, outside the board or after the end of the game."""


class NoMoveToChoose(EngineError):
    """A strategy was asked about a finished game, or about rules that it does not play."""


class UnknownLevel(EngineError):
    """A text that names no level."""
