"""What the guide says to type, to see whether it works: `curl`, `player`, and lines through TLS."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from tests.helpers.pages import blocks
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import command
from tests.proxies.guide import GUIDE, NAME, replaced
from tests.proxies.programs import needed


def typed(program: str) -> list[str]:
    """The commands of the guide that begin with this program."""
    lines = [line for block in blocks(GUIDE, "sh") for line in block.lines]
    return [line for line in lines if line.startswith(f"{program} ")]


def visited_by_curl(folder: Path, page: str, ca: Path) -> dict[str, int]:
    """What each `curl` of the guide gives for a page: the status by the one that the guide says.

    curl is told in its own file where the machine is, and whom to trust.
    """
    needed("curl")
    parts = urlsplit(page)
    (folder / ".curlrc").write_text(f"resolve = {parts.netloc}:{LOCALHOST}\ncacert = {ca}\n")
    statuses = {}
    for line in typed("curl"):
        command, _, expected = line.rpartition("# ")
        origin = {f"origin=https://{NAME}": f"origin=https://{parts.netloc}"} if "origin=" in command else {}
        command = replaced(command, {**origin, f"https://{NAME}/": page})
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=os.environ | {"CURL_HOME": str(folder)},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        statuses[expected] = int(done.stdout.split()[-1])
    return statuses


def played_by_command(folder: Path, page: str, ca: Path, name: str) -> int:
    """Play at a dealer by the command of the guide, under this name; the number of rounds."""
    (line,) = typed("player")
    here = page.replace("https://", "wss://").replace(NAME, "localhost")
    words = shlex.split(replaced(line, {f"wss://{NAME}/": here}))[1:]
    done = command("player", *words, "--tls-ca", ca, "--name", name, "--json", cwd=folder)
    assert done.status == 0, done.err
    return int(json.loads(done.out)["rounds"])


def played_by_lines(line: str, name: str) -> list[str]:
    """What is heard by a command that passes lines on, in which a round is played by hand."""
    done = subprocess.run(
        shlex.split(line),
        input=f"JOIN {name} 1\nSTAND\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return done.stdout.splitlines()


def played_through_tls(port: int) -> dict[str, list[str]]:
    """What is heard by each program of the guide that passes lines on through TLS, by its name."""
    heard = {}
    for program in ("ncat", "openssl"):
        needed(program)
        (line,) = typed(program)
        host = (
            {f"{NAME}:443": f"localhost:{port}"}
            if program == "openssl"
            else {f"{NAME} 443": f"localhost {port}"}
        )
        heard[program] = played_by_lines(replaced(line, host), program)
    return heard
