"""Answers to taps and to inline queries."""

import re
from dataclasses import replace
from typing import Any

from playground.errors import bad_request
from playground.keyboards import inline_keyboard
from playground.methods.registry import Array, method
from playground.queries import Answer, InlineResult
from playground.texts import Users, formatted, utf16_length
from playground.world import World

_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
_MAXIMUM_ANSWER = 200
_MAXIMUM_RESULTS = 50
_MAXIMUM_ID = 64
_ARTICLE = frozenset({"type", "id", "title", "description", "input_message_content", "reply_markup"})


@method(cache_time=int)
def answer_callback_query(
    world: World,
    *,
    callback_query_id: str,
    text: str = "",
    show_alert: bool = False,
    url: str = "",
) -> bool:
    """Answer a tap, once, in time."""
    if utf16_length(text) > _MAXIMUM_ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    if url and not re.match(rf"https://t\.me/{world.bot.username}\?start=[\w-]{{1,64}}$", url, re.IGNORECASE):
        raise bad_request("URL_INVALID")
    query = world.taps.take(callback_query_id, world.clock.now())
    if query is None:
        raise bad_request(_TOO_OLD)
    query.answer.set_result(Answer(text or None, show_alert, url or None))
    return True


@method(next_offset=str, button=dict)
def answer_inline_query(
    world: World,
    *,
    inline_query_id: str,
    results: Array,
    cache_time: int = 300,
    is_personal: bool = False,
) -> bool:
    """Offer results for an inline query, once, in time."""
    if len(results) > _MAXIMUM_RESULTS:
        raise bad_request("too many inline query results specified")
    offered = [_result(result, world.user) for result in results]
    if len({result.id for result in offered}) < len(offered):
        raise bad_request("RESULT_ID_DUPLICATE")
    query = world.inline_queries.take(inline_query_id, world.clock.now())
    if query is None:
        raise bad_request(_TOO_OLD)
    offered = [replace(result, query=query.text) for result in offered]
    if cache_time > 0:
        owner = query.person.id if is_personal else None
        world.inline_cache[query.text, query.offset, owner] = (world.clock.now() + cache_time, offered)
    query.answer.set_result(offered)
    return True


def _result(given: Any, users: Users) -> InlineResult:  # noqa: ANN401 - whatever the bot sent stands here
    if not isinstance(given, dict):
        raise bad_request("can't parse inline query result: expected an Object")
    if given.get("type") != "article":
        raise bad_request("can't parse inline query result: the playground knows articles only")
    if unknown := given.keys() - _ARTICLE:
        raise bad_request(f"can't parse inline query result: the playground doesn't know {sorted(unknown)}")
    identifier, title = given.get("id"), given.get("title")
    if not isinstance(identifier, str) or not 1 <= len(identifier.encode("utf-8", "replace")) <= _MAXIMUM_ID:
        raise bad_request("RESULT_ID_INVALID")
    if not isinstance(title, str) or not title.strip():
        raise bad_request("ARTICLE_TITLE_EMPTY")
    content = given.get("input_message_content")
    if not isinstance(content, dict) or "message_text" not in content:
        raise bad_request("can't parse inline query result: Can't find field \"input_message_content\"")
    text = formatted(str(content["message_text"]), str(content.get("parse_mode") or ""), users)
    keyboard = inline_keyboard(given.get("reply_markup"))
    return InlineResult("", identifier, title, str(given.get("description") or ""), text, keyboard)
