"""Calls to Telegram go through real proxies over TLS, and leak nothing."""

import asyncio
import errno
import os
import re
import resource
import shutil
import ssl
import subprocess
import traceback
from pathlib import Path
from typing import Final

import pytest
from telegram.error import NetworkError

from bot.network.proxies import is_exhausted, share_of_files
from bot.network.transport import NotSent, Transport
from storage.settings import Secret
from tests.relays import FAR, HOST, PASSWORD, QUOTED, Caller, Certificates, Relay, listening

RESULT: Final = b'{"ok":true,"result":"yes"}'
TOKEN: Final = "1:secret"  # noqa: S105 - opens nothing


@pytest.fixture
def certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Certificates:
    found = Certificates(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(found.file))
    return found


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    caller = Caller(reader, writer)
    while True:
        lines, _ = await caller.hear()
        assert not [line for line in lines if "proxy-authorization" in line.lower()]
        await caller.answer(RESULT)


async def call(url: str, proxy: str | None) -> object:
    transport = Transport(None if proxy is None else Secret(proxy))
    await transport.initialize()
    try:
        return await transport.call(f"{url}/bot{TOKEN}/getMe", b"{}")
    finally:
        await transport.shutdown()


async def test_a_certificate_is_trusted_by_ssl_cert_file_alone(
    certificates: Certificates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(answer, certificates.context) as port:
        assert await call(f"https://localhost:{port}", None) == "yes"
        other = tmp_path / "other"
        other.mkdir()
        monkeypatch.setenv("SSL_CERT_FILE", str(Certificates(other).file))
        with pytest.raises(NotSent, match="certificate"):
            await call(f"https://localhost:{port}", None)


@pytest.mark.parametrize("user", [QUOTED, None], ids=["with a password", "without"])
@pytest.mark.parametrize("target", ["https", "http"])
@pytest.mark.parametrize("scheme", ["http", "https", "socks5h", "socks5"])
async def test_a_call_goes_through_a_proxy(
    certificates: Certificates, scheme: str, target: str, user: str | None
) -> None:
    context = certificates.context
    async with listening(answer, context if target == "https" else None) as port:
        relay = Relay(port, wanted=user is not None)
        serve = relay.speak_socks if scheme.startswith("socks") else relay.speak_http
        async with listening(serve, context if scheme == "https" else None) as proxy:
            shown = "" if user is None else f"{user}@"
            # Only socks5 resolves names locally.
            url = f"{target}://{'localhost' if scheme == 'socks5' else FAR}"
            assert await call(url, f"{scheme}://{shown}{HOST}:{proxy}") == "yes"
    named = {
        "socks5": f"{HOST}:{443 if target == 'https' else 80}",
        "socks5h": f"{FAR}:{443 if target == 'https' else 80}",
    }
    tunnelled = f"CONNECT {FAR}:443" if target == "https" else f"POST http://{FAR}/bot{TOKEN}/getMe"
    assert relay.heard == [named.get(scheme, tunnelled)]


@pytest.mark.parametrize(
    ("scheme", "target", "kind", "reason"),
    [
        ("http", "https", NotSent, "through the proxy: .*authorization required"),
        ("http", "http", NetworkError, "does not take its user and password"),
        ("socks5h", "https", NotSent, "through the proxy: .*credentials not accepted"),
    ],
)
async def test_a_wrong_password_is_told_and_not_shown(
    scheme: str, target: str, kind: type[NetworkError], reason: str
) -> None:
    relay, wrong = Relay(1), "hunter2"
    async with listening(relay.speak_socks if scheme == "socks5h" else relay.speak_http) as proxy:
        with pytest.raises(kind, match=reason) as found:
            await call(f"{target}://{FAR}", f"{scheme}://ann:{wrong}@{HOST}:{proxy}")
    told = "".join(traceback.format_exception(found.value))
    assert not [word for word in (wrong, PASSWORD, TOKEN) if word in told]


@pytest.mark.parametrize("scheme", ["http", "socks5h"])
async def test_what_a_proxy_drops_before_there_is_a_way_was_not_sent(scheme: str) -> None:
    relay = Relay(1, drops=True)
    async with listening(relay.speak_socks if scheme == "socks5h" else relay.speak_http) as proxy:
        address = f"{scheme}://{QUOTED}@{HOST}:{proxy}"
        with pytest.raises(NotSent):
            await call(f"https://{FAR}", address)
    with pytest.raises(NotSent, match="cannot connect through the proxy"):
        await call(f"https://{FAR}", address)


def self_signed(folder: Path, *extensions: str) -> tuple[ssl.SSLContext, Path]:
    """A self-signed certificate of localhost as openssl makes it, and its file."""
    file, key = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    added = [
        word for extension in ("subjectAltName=DNS:localhost", *extensions) for word in ("-addext", extension)
    ]
    subprocess.run([*command, "-out", str(file), "-keyout", str(key), *added], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file, key)
    return context, file


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
@pytest.mark.parametrize("by_proxy", [False, True])
async def test_a_self_signed_certificate_is_trusted_or_the_host_learns_what_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, by_proxy: bool
) -> None:
    for extensions, is_fine in ((("basicConstraints=critical,CA:FALSE",), True), ((), False)):
        context, file = self_signed(tmp_path, *extensions)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        async with listening(answer, context) as port, listening(Relay(port, wanted=False).speak_http) as proxy:
            address = f"http://127.0.0.1:{proxy}" if by_proxy else None
            if is_fine:
                assert await call(f"https://localhost:{port}", address) == "yes"
            else:
                with pytest.raises(NotSent, match=re.escape("basicConstraints=critical,CA:FALSE")):
                    await call(f"https://localhost:{port}", address)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.EMFILE, "Too many open files"), True),
        (OSError(errno.ENOENT, "No such file"), False),
        (MemoryError(), True),
        (ImportError(f"libx.so: cannot open shared object file: {os.strerror(errno.EMFILE)}"), True),
        (ImportError("No module named x"), False),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("something else"), False),
        (ExceptionGroup("several", [ValueError(), OSError(errno.ENOMEM, "Cannot allocate memory")]), True),
    ],
    ids=repr,
)
def test_a_lack_of_the_systems_is_told_from_other_errors(error: Exception, expected: bool) -> None:  # noqa: FBT001 - a case
    assert is_exhausted(error) is expected
    outer = ValueError("what it led to")
    outer.__context__ = error
    assert is_exhausted(outer) is expected


def test_connections_of_one_kind_take_a_quarter_of_all_files() -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1000, limits[1]))
        assert (share_of_files(512), share_of_files(100)) == (250, 100)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
