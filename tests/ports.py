"""Ports for what tests start: the system chooses them, and they stay theirs."""

from __future__ import annotations

import atexit
import socket
from typing import Final

HOST: Final = "127.0.0.1"


def free_port() -> int:
    """A port that nobody else is given: it stays bound until the end.

    A socket that does not listen hinders nobody who binds its port with SO_REUSEADDR, as servers do (socket(7)).
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind((HOST, 0))
    atexit.register(holder.close)
    return int(holder.getsockname()[1])
