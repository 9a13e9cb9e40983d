"""What is set at Telegram, shared by all processes."""

from sqlalchemy import Connection

from storage import telegram


def test_what_is_set_in_a_place_is_known_until_something_else_is(connection: Connection) -> None:
    def is_set(place: str, content: str) -> bool:
        return telegram.is_set(connection, place=place, content=content)

    assert not is_set("menu", "a")
    for content in ("a", "b"):
        telegram.note_set(connection, place="menu", content=content)
        assert is_set("menu", content)
        assert not is_set("another", content)
    assert not is_set("menu", "a"), "as the place has b now"
