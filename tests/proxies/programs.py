"""The programs of the guide as ordinary processes: in the foreground, in a folder, at 127.0.0.1."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import finish, interruptible, start
from tests.proxies import guide
from tests.proxies.guide import NAME

SECOND: Final = "127.0.0.2"
"""Another address of this machine, where the guide has one of IPv6, or from which a second visitor comes."""

PACKAGES: Final = {"nginx": "nginx-light", "nc": "netcat-openbsd", "systemd-analyze": "systemd"}
"""The packages of Debian that have these programs, where they have other names."""

NGINX_AROUND: Final = """
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include {site};
}}
"""
"""In place of Debian's own nginx.conf, for a process without root."""

CADDY_AROUND: Final = """
{{
	admin off
	default_bind 127.0.0.1
	http_port {http}
	https_port {https}
}}
"""
"""The ports are put in here: Caddy's file of the guide names none."""

HAPROXY_AROUND: Final = """
global
    log stderr format raw local0
    maxconn 500
"""
"""In place of Debian's own section `global`."""


NOTHING: Final[Mapping[str, str]] = {}


class Certificate(NamedTuple):
    """The files of a certificate of the tests: the authority's own, the chain, the key, and both of these."""

    ca: Path
    chain: Path
    key: Path
    both: Path


class Ports(NamedTuple):
    """The ports of a proxy: where it speaks TLS, and where it does not."""

    https: int
    http: int


def needed(*programs: str) -> None:
    """Skip the test where one of these programs is not there."""
    for program in programs:
        if _found(program) is None:
            pytest.skip(f"{program} is not installed (Debian: apt install {PACKAGES.get(program, program)})")


@contextmanager
def kept_ports(count: int) -> Iterator[list[int]]:
    """Free ports that nobody is given as long as the block runs, at all addresses of this machine.

    A port that is bound, and at which nobody listens, can be listened at by a program that asks for
    SO_REUSEADDR, as all servers do.
    """
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            each.bind(("", 0))
        yield [each.getsockname()[1] for each in sockets]


@contextmanager
def dealing(folder: Path, port: int, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A dealer that listens on this port, with the options of a command of the guide."""
    (folder / str(port)).unlink(missing_ok=True)
    dealer = start("dealer", port, 0, "--quiet", f"--port-file={port}", *options, cwd=folder)
    try:
        assert eventually(lambda: (folder / str(port)).exists() or dealer.poll() is not None)
        assert dealer.poll() is None, dealer.communicate()
        yield dealer
    finally:
        dealer.kill()
        finish(dealer)


@contextmanager
def nginx(
    folder: Path, ports: Ports, dealer: int, certificate: Certificate, more: Mapping[str, str] = NOTHING
) -> Iterator[None]:
    """Debian's nginx with the site of the guide.

    Args:
        folder: where it writes.
        ports: at which it listens.
        dealer: the port of the dealer.
        certificate: its certificate.
        more: other pieces that are put into the file, by what stands there.
    """
    (text,) = guide.files(guide.NGINX)
    pieces = {
        "listen 80": f"listen {LOCALHOST}:{ports.http}",
        "listen [::]:80": f"listen {SECOND}:{ports.http}",
        "listen 443": f"listen {LOCALHOST}:{ports.https}",
        "listen [::]:443": f"listen {SECOND}:{ports.https}",
        "/etc/letsencrypt/live/example.org/fullchain.pem": str(certificate.chain),
        "/etc/letsencrypt/live/example.org/privkey.pem": str(certificate.key),
        "127.0.0.1:8088": f"{LOCALHOST}:{dealer}",
    }
    site = folder / "site"
    site.write_text(guide.replaced(text, {**pieces, **more}))
    around = folder / "nginx.conf"
    around.write_text(NGINX_AROUND.format(site=site))
    words = ("-p", folder, "-e", "stderr", "-c", around)
    with _running(folder, ports.https, "nginx", *words):
        yield


@contextmanager
def caddy(
    folder: Path, ports: Ports, dealer: int, certificate: Certificate, *, is_under_path: bool = False
) -> Iterator[None]:
    """Debian's Caddy with a file of the guide, at `example.org` and at `localhost`, which programs find."""
    text = guide.files(guide.CADDY)[is_under_path]
    pieces = {
        f"{NAME} {{": f"{NAME}, localhost {{\n\ttls {certificate.chain} {certificate.key}",
        "127.0.0.1:8088": f"{LOCALHOST}:{dealer}",
    }
    file = folder / "Caddyfile"
    file.write_text(CADDY_AROUND.format(http=ports.http, https=ports.https) + guide.replaced(text, pieces))
    words = ("run", "--config", file, "--adapter", "caddyfile")
    with _running(folder, ports.https, "caddy", *words):
        yield


@contextmanager
def haproxy(
    folder: Path,
    ports: Ports,
    dealers: Mapping[int, int],
    certificate: Certificate,
    more: Mapping[str, str] = NOTHING,
    *,
    is_drained: bool = False,
) -> Iterator[None]:
    """Debian's HAProxy with the file of the guide.

    Args:
        folder: where it writes.
        ports: at which it listens; where it speaks no TLS it passes lines on, and redirects nobody.
        dealers: the port of each dealer by that of the guide.
        certificate: its certificate.
        more: other pieces that are put into the file, by what stands there.
        is_drained: whether it is to know that a dealer is drained.
    """
    text = guide.for_drained_dealers() if is_drained else guide.files(guide.HAPROXY)[0]
    pieces = {
        "bind [::]:80 v4v6": f"bind {SECOND}:{ports.http}",
        "bind [::]:443 v4v6": f"bind {LOCALHOST}:{ports.https}",
        "bind [::]:8088 v4v6": f"bind {LOCALHOST}:{ports.http}",
        "/etc/haproxy/example.org.pem": str(certificate.both),
        **{f"{LOCALHOST}:{usual}": f"{LOCALHOST}:{port}" for usual, port in dealers.items()},
    }
    around, file = folder / "global.cfg", folder / "haproxy.cfg"
    around.write_text(HAPROXY_AROUND)
    file.write_text(guide.replaced(text, {**pieces, **more}))
    with _running(folder, ports.https, "haproxy", "-db", "-f", around, "-f", file):
        yield


@contextmanager
def _running(folder: Path, port: int, program: str, *words: object) -> Iterator[None]:
    """A program that listens at this port; it is ended by its id."""
    output = folder / f"{program}.txt"
    homes = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    with output.open("w") as file:
        process = subprocess.Popen(
            interruptible(_found(program), *words),
            cwd=folder,
            env=os.environ | homes,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        assert eventually(lambda: process.poll() is not None or _is_open(port))
        assert process.poll() is None, output.read_text()
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _found(program: str) -> str | None:
    """The path of a program; those that serve are where only root looks."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((LOCALHOST, port)) == 0
