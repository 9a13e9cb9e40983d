"""What the engine refuses, each as a `ValueError` whose message is a whole sentence."""


class EngineError(ValueError):
    """Anything that the game's rules do not allow."""


class InvalidRules(EngineError):
    """No such game is played: a board of another size or another length of a line, or a text that names none."""


class MalformedPosition(EngineError):
    """A text or a pair of bitmasks that describes no board at all."""


class UnreachablePosition(EngineError):
    """Marks on a board that no game, played by the rules, can lead to."""


class MalformedMoves(EngineError):
    """A text in which some character stands for no cell of the board."""


class IllegalMove(EngineError):
    """A ply on a taken cell, beside the board or after the end of the game."""


class NoMoveToChoose(EngineError):
    """A strategy was asked about a finished game, or about rules that it does not play by."""


class UnknownLevel(EngineError):
    """A text that names no level."""
