"""Two dealers with names behind HAProxy, as the guide says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.proxies import guide
from tests.proxies.guide import NAME
from tests.proxies.programs import Certificate, Ports, dealing, haproxy, kept_ports, needed

USUAL: Final = {"a": 8091, "b": 8092}
"""The dealers of the guide, and their ports."""


@dataclass(frozen=True)
class Several:
    """Two dealers behind HAProxy.

    Attributes:
        folder: where all of them write.
        ports: of HAProxy.
        page: the address of the page.
        dealers: their processes, by their names.
    """

    folder: Path
    ports: Ports
    page: str
    dealers: dict[str, subprocess.Popen[str]]

    def log(self, dealer: str) -> list[dict[str, Any]]:
        """What a dealer has noted."""
        lines = (self.folder / f"{dealer}.jsonl").read_text().split("\n")[:-1]  # the last one may be half
        return [json.loads(line) for line in lines]

    def joined(self, dealer: str) -> list[dict[str, Any]]:
        """Those who have joined at a dealer."""
        return [entry for entry in self.log(dealer) if entry["event"] == "joined"]


@contextmanager
def several(folder: Path, certificate: Certificate, *options: str) -> Iterator[Several]:
    """The dealers of the guide, with more options, and HAProxy in front of them."""
    needed("haproxy")
    with kept_ports(4) as (https, plain, *own), ExitStack() as stack:
        page = f"https://{NAME}:{https}/"
        dealers = {}
        for name, port in zip(USUAL, own, strict=True):
            (command,) = guide.dealers(f"--name {name} ")
            assert command[0] == str(USUAL[name])
            words = [page if word == f"https://{NAME}/" else word for word in command[2:]]
            dealers[name] = stack.enter_context(dealing(folder, port, *words, *options))
        ports = Ports(https, plain)
        put_in = dict(zip(USUAL.values(), own, strict=True))
        stack.enter_context(haproxy(folder, ports, put_in, certificate))
        yield Several(folder, ports, page, dealers)
