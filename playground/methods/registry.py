"""The table of Bot API methods, read off the signatures of the functions that carry them out."""

import contextlib
import inspect
import json
import re
import types
import typing
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NewType, TypeVar

from playground.errors import ApiError, Json, bad_request
from playground.files import Upload

Result = Any
"""What a method answers: the JSON under `result`."""
F = TypeVar("F", bound=Callable[..., Result | Awaitable[Result]])
Array = list[Any]
File = NewType("File", str)
"""A file of the form, or the `file_id` of one that Telegram keeps."""
ChatId = NewType("ChatId", int)
"""A chat's id; nobody here is known by a username."""


class Described(str):
    """What the webhook methods answer: True, with this as its `description`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Method:
    """A Bot API method."""

    name: str
    carry_out: Callable[..., Result | Awaitable[Result]]
    parameters: dict[str, Callable[[str, Any], Any]]
    """Converters by parameter; raise ApiError."""
    ignored: frozenset[str]
    """Parameters that are checked and have no effect here."""
    required: tuple[str, ...]

    def arguments(self, raw: Json) -> Json:
        """The typed arguments of a call."""
        arguments = {}
        for name, value in raw.items():
            converter = self.parameters.get(name)
            if converter is None:
                raise bad_request(f'method {self.name} has no parameter "{name}"')
            # An empty or null value stands for none, as in Telegram's own reading of forms.
            if value is None or (value == "" and converter not in (_string, _file)):
                continue
            converted = converter(name, value)
            if name not in self.ignored:
                arguments[name] = converted
        for name in self.required:
            if name not in arguments:
                raise bad_request(_MISSING.get(name, f'parameter "{name}" is required'))
        return arguments


_SURROGATE = re.compile("[\ud800-\udfff]")
_MISSING = {"chat_id": "chat_id is empty", "message_id": "message identifier is not specified"}
_MISSING |= {name: f"there is no {name} in the request" for name in ("photo", "animation", "document")}

_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_REST = inspect.Parameter.VAR_KEYWORD

METHODS: dict[str, Method] = {}
"""By lower-cased name: Telegram does not mind the case."""


def method(**ignored: type) -> Callable[[F], F]:
    """Make a function a Bot API method of its camel-cased name.

    Its keyword parameters are the method's, those of a TypedDict for the rest included; those without a default
    are required. The function takes the world first. The parameters in `ignored`, by type, are taken and have no
    effect here.
    """

    def register(function: F) -> F:
        head, *tail = function.__name__.split("_")
        name = head + "".join(word.capitalize() for word in tail)
        hints = typing.get_type_hints(function)
        signature = inspect.signature(function).parameters
        given = [parameter for parameter in signature.values() if parameter.kind is parameter.KEYWORD_ONLY]
        parameters = {parameter.name: _converter(hints[parameter.name]) for parameter in given}
        parameters |= {other: _converter(kind) for other, kind in ignored.items()}
        required = [parameter.name for parameter in given if parameter.default is parameter.empty]
        for shared in (typing.get_args(hints[rest])[0] for rest in signature if signature[rest].kind is _REST):
            parameters |= {other: _converter(hint) for other, hint in typing.get_type_hints(shared).items()}
            required += shared.__required_keys__
        METHODS[name.lower()] = Method(name, function, parameters, frozenset(ignored), tuple(required))
        return function

    return register


def _string(name: str, value: Any) -> str:  # noqa: ANN401 - whatever the bot sent stands here
    if isinstance(value, Upload):
        return ""
    if isinstance(value, str):
        if _SURROGATE.search(value):
            raise bad_request("strings must be encoded in UTF-8")
        return value
    if type(value) in {int, float}:
        return str(value)
    raise bad_request(f'parameter "{name}" must be of type String')


def _file(name: str, value: Any) -> File:  # noqa: ANN401 - likewise
    return File(value if isinstance(value, Upload) else _string(name, value))


def _integer(name: str, value: Any) -> int:  # noqa: ANN401 - likewise
    if type(value) in {int, str}:
        with contextlib.suppress(ValueError):
            return int(value)
    raise bad_request(f'parameter "{name}" must be of type Integer')


def _boolean(name: str, value: Any) -> bool:  # noqa: ANN401 - likewise
    word = str(value).strip().lower()
    if word not in _TRUTH:
        raise bad_request(f'parameter "{name}" must be of type Boolean')
    return _TRUTH[word]


def _chat(name: str, value: Any) -> ChatId:  # noqa: ANN401 - likewise
    try:
        return ChatId(_integer(name, value))
    except ApiError:
        raise bad_request("chat not found") from None


def _structure(kind: type, words: str, name: str, value: Any) -> Any:  # noqa: ANN401 - likewise
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise bad_request(f"can't parse {name} JSON object") from None
    if not isinstance(value, kind):
        raise bad_request(f'parameter "{name}" must be {words}')
    return value


def _converter(hint: Any) -> Callable[[str, Any], Any]:  # noqa: ANN401 - a type hint
    members = typing.get_args(hint)
    kind = members[0] if types.NoneType in members else hint
    return _CONVERTERS[typing.get_origin(kind) or kind]


_CONVERTERS: dict[Any, Callable[[str, Any], Any]] = {
    ChatId: _chat,
    File: _file,
    str: _string,
    int: _integer,
    bool: _boolean,
    dict: partial(_structure, dict, "a JSON Object"),
    list: partial(_structure, list, "a JSON Array"),
}
