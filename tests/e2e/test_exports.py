"""/export: everything stored about a person, as one JSON document, without the ids of others."""

import json

import pytest

from playground.groups import Group
from playground.people import Person
from tests.people import X_WINS, begun, played, resigned
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_all_that_is_kept_comes_as_one_json_document(
    shared: World, ann: Person, bo: Person, group: Group
) -> None:
    await ann.ask("/settings hidden on")
    await ann.ask("/difficulty hard")
    await played(ann, bo, await begun(ann, bo, group), X_WINS)
    await resigned(ann)
    await ann.ask("/stats")
    said = await ann.ask("/export")
    assert "as a file" in said.text
    message = await shared.comes(ann.private, said, lambda message: message.document)
    assert message.document is not None
    assert message.document.name == f"oxo-{ann.id}.json"
    assert "as JSON" in message.text
    found = json.loads(message.document.data)
    assert found["you"] == ann.id
    (person,) = found["people"]
    assert (person["name"], person["hidden"]) == ("Ann", True)
    (chat,) = found["chats"]
    assert (chat["id"], chat["level"]) == ("our private chat", "hard")
    with_bo, against_me = found["games"]
    assert (with_bo["x_seat"], with_bo["o_seat"], with_bo["o_name"]) == ("you", "somebody else", "小波")
    assert (with_bo["moves"], with_bo["winner"], with_bo["chat_id"]) == ("03142", "X", group.id)
    assert (against_me["o_seat"], against_me["o_level"]) == ("the computer", "easy")
    assert (against_me["termination"], against_me["winner"]) == ("resignation", "O")
    result, _ = found["results"]
    assert (result["outcome"], result["opponent"]) == ("win", "somebody else")
    assert found["boards"]
    assert str(bo.id) not in json.dumps(found), "nobody else's id is in it"


async def test_it_is_given_in_private_alone(shared: World, ann: Person, group: Group) -> None:
    assert "private chat" in (await ann.ask("/export", in_=group)).text
    assert not shared.playground.calls_of("sendDocument", chat=group)
