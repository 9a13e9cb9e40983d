"""nginx in front of several bots, with the locations that are delivered."""

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.children import ROOT

PROGRAM = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
"""Debian has it where only root looks for programs."""

_LOCATIONS = ROOT / "deploy" / "nginx" / "oxo-server.inc"

_CONFIGURATION = """
daemon off; pid nginx.pid; error_log nginx.log;
worker_processes auto;
events {{}}
http {{
    upstream oxo {{ zone oxo 64k; {servers} keepalive 64; }}
    server {{ listen 127.0.0.1:{port}; include {locations}; }}
}}
"""


@contextlib.contextmanager
def in_front_of(bots: Sequence[int], port: int) -> Iterator[None]:
    """Let nginx listen at a port of loopback and share what comes among bots, given by their ports."""
    if PROGRAM is None:
        raise FileNotFoundError("There is no nginx. On Debian: apt install nginx-light")
    servers = " ".join(f"server 127.0.0.1:{bot} max_fails=0;" for bot in bots)
    with tempfile.TemporaryDirectory() as folder:
        written = _CONFIGURATION.format(servers=servers, port=port, locations=_LOCATIONS)
        Path(folder, "nginx.conf").write_text(written)
        process = subprocess.Popen(
            [PROGRAM, "-p", folder, "-c", "nginx.conf"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait(10)
