"""Whatever a bot sends, the answer is a result or a refusal."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground import ApiError, Playground
from playground.methods import METHODS
from playground.texts import clean, formatted, parse_html, utf16_length
from tests.soak import SOAK

FIELDS = ["inline_keyboard", "text", "callback_data", "style", "url", "type", "offset", "length", "user", "id"]
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8))
KEYS = st.sampled_from(FIELDS) | st.text(max_size=4)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8
)
TEXTS = st.text("<b>/*_x\ud800 ", max_size=8)
PLAUSIBLE: dict[str, st.SearchStrategy[object]] = {
    "text": TEXTS,
    "parse_mode": st.sampled_from(["HTML", "x"]),
    "reply_markup": st.fixed_dictionaries(
        {"inline_keyboard": st.lists(st.lists(st.dictionaries(KEYS, VALUES, max_size=4), max_size=2), max_size=2)}
    ),
    "reply_parameters": st.fixed_dictionaries({"message_id": st.just(101), "chat_id": VALUES}),
    "scope": st.fixed_dictionaries({"type": st.sampled_from(["default", "all_group_chats"]) | VALUES}),
    "commands": st.lists(st.fixed_dictionaries({"command": TEXTS, "description": VALUES}), max_size=2),
    "results": st.lists(
        st.fixed_dictionaries(
            {
                "type": st.just("article"),
                "id": st.just("1") | VALUES,
                "title": st.just("x") | VALUES,
                "input_message_content": st.fixed_dictionaries(
                    {"message_text": TEXTS}, optional={"parse_mode": VALUES}
                ),
            }
        ),
        max_size=2,
    ),
}


@pytest.mark.parametrize("name", sorted(set(METHODS) - {"getupdates"}))
@settings(max_examples=300 if SOAK else 15)
@given(data=st.data())
def test_any_parameters_get_a_result_or_a_refusal(name: str, data: st.DataObject) -> None:
    playground = Playground()
    ann, noughts = playground.people["ann"], playground.groups["noughts"]
    ann.start()
    ids = st.sampled_from([ann.id, playground.people["bo"].id, noughts.id, 101])
    method = METHODS[name]
    values = {
        parameter: PLAUSIBLE.get(parameter, ids if parameter.endswith("_id") else VALUES) | VALUES
        for parameter in method.parameters
    }
    required = {parameter: values.pop(parameter) for parameter in method.required}
    raw = data.draw(st.fixed_dictionaries(required, optional=values))
    with contextlib.suppress(ApiError):
        result = method.carry_out(playground.world, **method.arguments(raw))
        json.dumps(result)


MARKS = "abc😀é \n\\*_~|`>[]()!</>&;=\"'#.\u202e"
PIECES = ["<b>", "</b>", "<i>", "</i>", '<a href="', '">', "</a>", "x", "😀", " "]
MARKUP = st.text(MARKS, max_size=30) | st.lists(st.sampled_from(PIECES)).map("".join)


@given(text=MARKUP, mode=st.sampled_from(["HTML", ""]))
def test_any_markup_is_parsed_within_its_text_or_refused(text: str, mode: str) -> None:
    with contextlib.suppress(ApiError):
        result = formatted(text, mode, lambda _: None)
        assert result.text == result.text.strip() != ""
        for entity in result.entities:
            assert 0 <= entity["offset"] < entity["offset"] + entity["length"] <= utf16_length(result.text)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_escaped_text_comes_back_as_it_was(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert parse_html(escaped, lambda _: None) == (clean(text), [])
