"""The page for people with a notebook: what it shows is what comes out."""

import doctest
import re
from pathlib import Path

import engine
from engine import CLASSIC, STRATEGIES, explain

PAGE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")


def test_what_the_page_shows_is_what_comes_out() -> None:
    shown = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    page = doctest.DocTestParser().get_doctest(shown, {}, "docs/engine.md", None, None)
    said: list[str] = []
    assert doctest.DocTestRunner().run(page, out=said.append) == (0, len(page.examples)), "".join(said)
    assert len(page.examples) > 12


def test_the_page_says_what_each_strategy_is_good_for_and_how_one_chooses() -> None:
    rows = re.findall(r"^\| ([a-z-]+) \| ([^|]+\.) \|$", PAGE, re.MULTILINE)
    assert rows == [(name, strategy.lesson) for name, strategy in STRATEGIES.items()]
    assert f"```text\n{explain('tempo', CLASSIC.replay('b2 a1'))}\n```" in PAGE


def test_what_the_engine_exports_is_there_and_no_module() -> None:
    assert sorted(engine.__all__) == sorted({*engine.__all__})
    for name in engine.__all__:
        assert type(getattr(engine, name)) is not type(engine), name
