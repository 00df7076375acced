"""What the guide says to type, to see whether it works: `curl`, and lines through TLS."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from tests.helpers.pages import blocks
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from tests.proxies.guide import GUIDE, NAME, replaced


def typed(program: str) -> list[str]:
    """The commands of the guide that begin with this program."""
    lines = [line for block in blocks(GUIDE, "sh") for line in block.lines]
    return [line for line in lines if line.startswith(f"{program} ")]


def visited_by_curl(folder: Path, page: str, ca: Path) -> dict[str, int]:
    """What each `curl` of the guide gives for a page: the status by the one that the guide says.

    curl is told in its own file where the machine is, and whom to trust.
    """
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
