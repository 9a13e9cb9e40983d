"""Reading the parameters of a call, in all four ways that Telegram takes them."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

from aiohttp import web

from playground.errors import Json, bad_request
from playground.files import Upload


async def read_parameters(request: web.Request) -> Json:
    """The raw parameters: query string, then urlencoded form, JSON object or multipart form.

    Raises:
        ApiError: The body is not what its content type says.
    """
    raw: Json = dict(request.query) if request.query_string else {}
    if not request.can_read_body:
        return raw
    kind = request.content_type
    if kind == "multipart/form-data":
        for name, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                raw[name] = Upload.of(value.filename, value.file.read())
            else:
                raw[name] = value if isinstance(value, str) else ""
        return raw
    body = await request.read()
    if not body:
        return raw
    try:
        if kind == "application/json":
            given = json.loads(body)
            if not isinstance(given, dict):
                raise bad_request("can't parse request body: expected a JSON Object")
            raw.update(given)
        elif kind == "application/x-www-form-urlencoded":
            pairs = parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True, errors="strict")
            raw.update(pairs)
        else:
            raise bad_request(f"unsupported content type {kind}")
    except ValueError:
        raise bad_request("can't parse request body") from None
    return raw
