"""Immutable values without `dataclasses`, whose import alone takes longer than the whole engine's."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is left unimported too
if TYPE_CHECKING:
    from typing import NoReturn


class Value:
    """A value: its slots are its fields, set once, compared and hashed together."""

    __slots__: tuple[str, ...] = ()

    def _fields(self) -> tuple[object, ...]:
        """The arguments that build this value again."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"A {type(self).__name__} never changes: {name} cannot be set.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"A {type(self).__name__} never changes: {name} cannot be deleted.")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._fields()))})"

    def __reduce__(self) -> tuple[type[Value], tuple[object, ...]]:
        return type(self), self._fields()
