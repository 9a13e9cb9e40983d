"""A mapping that drops the entry set longest ago."""

from bot.recent import Recent


def test_what_was_set_longest_ago_makes_room_for_the_next() -> None:
    recent: Recent[str, int] = Recent(2)
    for key in "abac":
        recent[key] = ord(key)
    assert list(recent) == ["a", "c"]


def test_reading_keeps_nothing_and_setting_the_same_value_again_does() -> None:
    recent: Recent[str, int] = Recent(2)
    recent["a"] = recent["b"] = 1
    assert recent.get("a") == recent.setdefault("a", 5) == 1
    assert recent.setdefault("c", 7) == 7
    assert list(recent) == ["b", "c"]
