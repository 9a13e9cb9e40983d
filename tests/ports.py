"""Ports for servers in tests: the system chooses them, and they stay reserved."""

import atexit
import socket
from typing import Final

HOST: Final = "127.0.0.1"


def free_port() -> int:
    """A port that nobody else gets: it stays bound until the end.

    A socket that doesn't listen doesn't stop servers from binding its port with SO_REUSEADDR (socket(7)).
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind((HOST, 0))
    atexit.register(holder.close)
    return int(holder.getsockname()[1])
