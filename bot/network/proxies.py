"""Proxies between the bot and Telegram: valid addresses, and hosts reached directly."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from pyreqwest.proxy import ProxyBuilder

SCHEMES: Final = ("http", "https", "socks5", "socks5h")


def proxy_address(text: str) -> str:
    """The address of a proxy.

    Raises:
        ValueError: if it is no such address; the message quotes no part of it.
    """
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
