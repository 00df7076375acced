"""Two dealers with names behind HAProxy, as the guide says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.proxies import guide
from tests.proxies.guide import NAME
from tests.proxies.programs import Certificate, Ports, dealing, haproxy, kept_ports, needed

USUAL: Final = {"a": 8091, "b": 8092}
"""The dealers of the guide, and their ports."""

ADMIN: Final = {"a": 9001, "b": 9002}
"""The ports at which they say whether they take players."""


@dataclass(frozen=True)
class Several:
    """Two dealers behind HAProxy.

    Attributes:
        folder: where all of them write.
        ports: of HAProxy.
        page: the address of the page.
        dealers: their processes, by their names.
        begin: starts the dealer of this name again.
    """

    folder: Path
    ports: Ports
    page: str
    dealers: dict[str, subprocess.Popen[str]]
    begin: Callable[[str], None]

    def log(self, dealer: str) -> list[dict[str, Any]]:
        """What a dealer has noted."""
        lines = (self.folder / f"{dealer}.jsonl").read_text().split("\n")[:-1]  # the last one may be half
        return [json.loads(line) for line in lines]

    def joined(self, dealer: str) -> list[dict[str, Any]]:
        """Those who have joined at a dealer."""
        return [entry for entry in self.log(dealer) if entry["event"] == "joined"]


@contextmanager
def several(
    folder: Path, certificate: Certificate, *options: str, drain: float | None = None
) -> Iterator[Several]:
    """The dealers of the guide, with more options, and HAProxy in front of them.

    Args:
        folder: where all of them write.
        certificate: HAProxy's.
        options: of each dealer.
        drain: seconds for which a dealer drains that is told to stop, and HAProxy is told so; None for none.
    """
    needed("haproxy")
    with kept_ports(6) as (https, plain, *both), ExitStack() as stack:
        page = f"https://{NAME}:{https}/"
        own, admin = dict(zip(USUAL, both, strict=False)), dict(zip(ADMIN, both[2:], strict=True))
        dealers: dict[str, subprocess.Popen[str]] = {}

        def begin(name: str) -> None:
            (command,) = guide.dealers(f"--name {name} ")
            assert command[0] == str(USUAL[name])
            words = [page if word == f"https://{NAME}/" else word for word in command[2:]]
            drained = () if drain is None else ("--drain", str(drain), "--admin", str(admin[name]))
            dealers[name] = stack.enter_context(dealing(folder, own[name], *words, *options, *drained))

        for name in USUAL:
            begin(name)
        ports = Ports(https, plain)
        put_in = {USUAL[name]: port for name, port in own.items()}
        checked = {} if drain is None else {f"port {ADMIN[name]}": f"port {admin[name]}" for name in ADMIN}
        is_drained = drain is not None
        stack.enter_context(haproxy(folder, ports, put_in, certificate, checked, is_drained=is_drained))
        yield Several(folder, ports, page, dealers, begin)
