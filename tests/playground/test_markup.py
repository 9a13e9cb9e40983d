"""HTML: what it means and which HTML Telegram refuses."""

from __future__ import annotations

import pytest

from playground.chats import Chat
from tests.playground.client import Api


def entity(kind: str, offset: int, length: int, **more: object) -> dict[str, object]:
    return {"type": kind, "offset": offset, "length": length, **more}


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("a <b>b <i>c</i></b>", "a b c", [entity("bold", 2, 3), entity("italic", 4, 1)]),
        ("&lt;b&gt; &amp;&#33; &copy;", "<b> &! &copy;", []),
        ("<B>x</B> 3 > 2", "x 3 > 2", [entity("bold", 0, 1)]),
        ("😀<u>x</u>", "😀x", [entity("underline", 2, 1)]),
        ("<b></b>x", "x", []),
        (
            '<a href="https://example.org/?a=1&amp;b=2">x</a>',
            "x",
            [entity("text_link", 0, 1, url="https://example.org/?a=1&b=2")],
        ),
        ("<a href='x'>x</a> <a>a.org</a>", "x a.org", [entity("text_link", 2, 5, url="a.org")]),
        ("<blockquote>1. b2</blockquote>", "1. b2", [entity("blockquote", 0, 5)]),
        ("<pre><code>x</code></pre>", "x", [entity("pre", 0, 1)]),
        ("<tg-spoiler ><i>x</i></>", "x", [entity("spoiler", 0, 1), entity("italic", 0, 1)]),
    ],
)
async def test_html_becomes_entities(
    api: Api, chat: Chat, source: str, text: str, entities: list[dict[str, object]]
) -> None:
    sent = await api("sendMessage", chat_id=chat.id, text=source, parse_mode="HTML")
    assert (sent["text"], sent.get("entities", [])) == (text, entities)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("a < b>", "Unsupported or unclosed start tag"),
        ("<b", "Unsupported or unclosed start tag"),
        ('<pre class="x">x</pre>', "Unsupported or unclosed start tag"),
        ("<b>x<!-- y --></b>", "Unsupported or unclosed start tag"),
        ("é<div>x</div>", 'Unsupported start tag "div"'),
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("x</b>", "Unexpected end tag"),
        ("<b>x</i>", 'Unmatched end tag, expected "</b>", found "</i>"'),
    ],
)
async def test_malformed_html_is_refused(api: Api, chat: Chat, source: str, reason: str) -> None:
    refusal = await api.refused("sendMessage", chat_id=chat.id, text=source, parse_mode="HTML")
    assert refusal.description == f"Bad Request: can't parse entities: {reason}"


async def test_an_unknown_parse_mode_is_refused(api: Api, chat: Chat) -> None:
    refusal = await api.refused("sendMessage", chat_id=chat.id, text="x", parse_mode="BBCode")
    assert refusal.description == "Bad Request: unsupported parse_mode"
    refusal = await api.refused("sendMessage", chat_id=chat.id, text="x", parse_mode="MarkdownV2")
    assert refusal.description.endswith("the playground only knows HTML")
