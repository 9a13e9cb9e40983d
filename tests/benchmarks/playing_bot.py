"""A bot that plays against itself in the least way: X where it is tapped, O on the first empty cell.

It speaks to the Bot API with the standard library alone, one update at a time, and says so when a tap makes no
sense, which is how the tests see that the load generator taps as people do.
"""

import json
import os
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ADDRESS = f"{os.environ['BOT_API_URL']}/bot{os.environ['BOT_TOKEN']}/"
HEADER = "X-Telegram-Bot-Api-Secret-Token"
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def call(method: str, **parameters: Any) -> Any:  # noqa: ANN401 - JSON
    """Call a method; None when Telegram refuses."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(ADDRESS + method, json.dumps(parameters).encode(), headers)  # noqa: S310 - http
    try:
        with urllib.request.urlopen(request) as response:  # noqa: S310 - http on loopback
            return json.load(response)["result"]
    except urllib.error.HTTPError:
        return None


def over(marks: str) -> bool:
    """Whether there is a line or no room."""
    return "." not in marks or any(marks[a] == marks[b] == marks[c] != "." for a, b, c in LINES)


def board(marks: str) -> dict[str, Any]:
    """The keyboard; data names the cell, or asks for another game."""
    labels = {"X": "❌", "O": "⭕", ".": "·"}
    buttons = [{"text": labels[mark], "callback_data": str(cell)} for cell, mark in enumerate(marks)]
    rows = [buttons[0:3], buttons[3:6], buttons[6:9], [{"text": "Play again", "callback_data": "again"}]]
    return {"inline_keyboard": rows}


def tapped(query: dict[str, Any], games: dict[tuple[int, int], str]) -> None:
    """Play a tap."""
    message = query["message"]
    key = message["chat"]["id"], message["message_id"]
    marks, words = games[key], ""
    if query["data"] == "again":
        marks, words = ".........", "" if over(marks) else "still running"
    elif over(marks):
        words = "over"
    elif marks[int(query["data"])] != ".":
        words = "taken"
    else:
        cell = int(query["data"])
        marks = marks[:cell] + "X" + marks[cell + 1 :]
        if not over(marks):
            marks = marks.replace(".", "O", 1)
    games[key] = marks
    call("answerCallbackQuery", callback_query_id=query["id"], text=words)
    call("editMessageText", chat_id=key[0], message_id=key[1], text="Play", reply_markup=board(marks))


def take(update: dict[str, Any], games: dict[tuple[int, int], str]) -> None:
    """Do what an update asks for."""
    if "callback_query" in update:
        tapped(update["callback_query"], games)
        return
    chat = update["message"]["chat"]["id"]
    sent = call("sendMessage", chat_id=chat, text="Play", reply_markup=board("........."))
    games[chat, sent["message_id"]] = "........."


def serve(port: int, games: dict[tuple[int, int], str]) -> None:
    """Take updates by webhook for ever, refusing one in twenty at first."""
    one_at_a_time = threading.Lock()
    seen: set[int] = set()

    class Webhook(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            update = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            refused = update["update_id"] % 20 == 0 and update["update_id"] not in seen
            seen.add(update["update_id"])
            if not refused:
                with one_at_a_time:
                    take(update, games)
            status = 503 if refused else 200 if self.headers[HEADER] == "s3cret" else 403
            self.wfile.write(b"HTTP/1.1 %d Said\r\nContent-Length: 0\r\n\r\n" % status)

    ThreadingHTTPServer(("127.0.0.1", port), Webhook).serve_forever()


def main() -> None:
    """Poll for ever, or take updates by webhook where WEBHOOK_PORT says so."""
    games: dict[tuple[int, int], str] = {}
    if port := os.environ.get("WEBHOOK_PORT"):
        serve(int(port), games)
    offset = 0
    while True:
        for update in call("getUpdates", offset=offset, timeout=10):
            offset = update["update_id"] + 1
            take(update, games)


if __name__ == "__main__":
    main()
