"""The proxy that a connection takes, and how many connections the machine allows."""

import errno
import os
import re
import sys
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from pyreqwest.proxy import ProxyBuilder

SCHEMES: Final = ("http", "https", "socks5", "socks5h")


def proxy_address(text: str) -> str:
    """The address of a proxy; the ValueError for one that is none quotes no part of it."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        is_whole = parts.port != 0 and not (parts.path.strip("/") or parts.query or parts.fragment)
        ProxyBuilder.all(text)
    except ValueError:
        is_whole = False
    if not is_whole or not parts.hostname:
        raise ValueError(
            "it is not an address such as http://user:password@proxy.example.org:3128, with special characters "
            "of the password written as %40 and the like"
        )
    if parts.scheme not in SCHEMES:
        raise ValueError(f"it must begin with one of {', '.join(f'{scheme}://' for scheme in SCHEMES)}")
    return text


def is_direct(address: str, no_proxy: str) -> bool:
    """Whether an address is on this machine, or one of the exceptions in `NO_PROXY`.

    Those are names, which include their subdomains, addresses, networks such as 10.0.0.0/8, or `*`; a port
    may follow.
    """
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    number = _number(host)
    if host == "localhost" or host.endswith(".localhost") or (number is not None and number.is_loopback):
        return True
    return any(_holds(entry, port, host, number) for entry in re.split(r"[\s,]+", no_proxy.lower()) if entry)


def _number(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _holds(exception: str, port: int, host: str, number: IPv4Address | IPv6Address | None) -> bool:
    """Whether an exception covers a host."""
    if exception == "*":
        return True
    for entry in (exception, exception.removesuffix(f":{port}")):
        name = entry.removeprefix("*").strip(".")
        if f".{host}".endswith(f".{name}") if number is None else number in _network(entry):
            return True
    return False


def _network(text: str) -> IPv4Network | IPv6Network | tuple[()]:
    try:
        return ip_network(text.strip("[]"), strict=False)
    except ValueError:
        return ()


if sys.platform != "win32":
    import resource

EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN})
"""Errors that mean the system has no files, memory or processes left."""


def share_of_files(most: int) -> int:
    """How many connections of one kind are allowed: `most`, or a quarter of all files if that is less."""
    if sys.platform == "win32":
        return most
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if limit == resource.RLIM_INFINITY else max(1, min(most, limit // 4))


def is_exhausted(error: BaseException) -> bool:
    """Whether an error comes from a lack of files, memory or processes, which may soon be over."""
    return any(_says_so(cause) for cause in _causes(error, set()))


def _says_so(error: BaseException) -> bool:
    match error:
        case MemoryError():
            return True
        case OSError(errno=int(number)):
            return number in EXHAUSTED
        case ImportError():  # of a library that cannot be opened; the system's number is not kept
            return any(os.strerror(number) in str(error) for number in EXHAUSTED)
        case RuntimeError():
            return str(error) == "can't start new thread"
    return False


def _causes(error: BaseException | None, seen: set[int]) -> Iterator[BaseException]:
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    yield from _causes(error.__cause__, seen)
    yield from _causes(error.__context__, seen)
    for part in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from _causes(part, seen)
