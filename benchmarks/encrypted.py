"""The price of TLS at the dealer: memory for a connection, and processor time for a handshake and a decision.

python -m benchmarks.encrypted --help
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.command import Benchmark, RunsOption, start
from benchmarks.figures import Rows, Spread, spread_of
from benchmarks.load import LIMIT, SETTLING, memory
from benchmarks.processes import START_LIMIT, Child, Dealer
from benchmarks.variants import Words
from twentyone.support.command import CommandError, describe
from twentyone.support.options import JsonOption

KINDS: Final = ("plain", "TLS")

FORMS: Final = {"kib_per_connection": ".1f", "us_to_open": ",.0f", "us_per_decision": ",.1f"}

MAKES_CERTIFICATE: Final = (
    *("openssl", "req", "-x509", "-nodes", "-days", "1", "-subj", "/CN=localhost"),
    *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
    *("-addext", "subjectAltName=IP:127.0.0.1"),
)

app = typer.Typer(add_completion=False)


def processor_time(pid: int) -> float:
    """The seconds of processor time that a process has used.

    Raises:
        CommandError: if the system does not tell.
    """
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        raise CommandError("processor time cannot be read here: expected Linux's /proc") from None
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def measure(kind: str, connections: int, rounds: int) -> dict[str, float]:
    """One run with a dealer of its own: everybody comes, and then plays."""
    with tempfile.TemporaryDirectory() as folder:
        options, trusted = _tls_in(Path(folder)) if kind == "TLS" else ((), ())
        most = ("--max-connections", f"{connections + 16}")
        with Dealer(Path(folder), 0, *most, *options) as dealer:
            port = dealer.wait_for_port()
            time.sleep(SETTLING)
            idle, began = memory(dealer.pid, "VmRSS"), processor_time(dealer.pid)
            crowd_of: Words = ("-m", "benchmarks.crowd", port, connections, rounds, 0, LIMIT, *trusted)
            with Child(crowd_of) as crowd:
                crowd.tell("come")
                crowd.read(LIMIT)
                size, opened = memory(dealer.pid, "VmRSS"), processor_time(dealer.pid)
                crowd.tell("play")
                played = crowd.result(LIMIT)
            if played["lost"]:
                raise CommandError(f"{played['lost']} players did not finish")
            ended = processor_time(dealer.pid)
            dealer.interrupt()
            dealer.result(START_LIMIT)
    return {
        "kib_per_connection": (size - idle) / connections,
        "us_to_open": 1e6 * (opened - began) / connections,
        "us_per_decision": 1e6 * (ended - opened) / played["answers"],
    }


def _tls_in(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The options by which a dealer speaks TLS, and the argument by which the players trust it."""
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    try:
        subprocess.run([*MAKES_CERTIFICATE, "-keyout", key, "-out", cert], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise CommandError("no certificate could be made: expected the command openssl") from None
    return ("--tls-cert", cert, "--tls-key", key), (cert,)


@describe(app)
def encrypted(
    connections: Annotated[int, typer.Option(min=1, max=5000, help="Players at once.")] = 1000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that each of them plays.")] = 50,
    runs: RunsOption = 5,
    json: JsonOption = False,
) -> int:
    """Compare a dealer that speaks TLS with one that does not, by players who answer at once.

    The keys of --json: `machine`, `command`, `load_before`, `runs`, `connections`, `rounds`, `goals` (none),
    and for `plain`, `TLS` and `more` (the difference, within each run) the dealer's `kib_per_connection`,
    `us_to_open` (processor time from the connection to the first question; the difference is the handshake)
    and `us_per_decision`, each with `median`, `min` and `max`.
    """
    benchmark = Benchmark("encrypted", runs)
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in KINDS}
    for number in range(runs):
        for kind in KINDS:
            benchmark.say(number, kind)
            found[kind].append(measure(kind, connections, rounds))
    figures = {kind: {key: spread_of([run[key] for run in found[kind]]) for key in FORMS} for kind in KINDS}
    pairs = list(zip(found["TLS"], found["plain"], strict=True))
    figures["more"] = {key: spread_of([tls[key] - plain[key] for tls, plain in pairs]) for key in FORMS}
    return benchmark.finish(
        "TLS at the dealer",
        (_rows(figures),),
        (
            f"{connections:,} players are all there before anybody plays, and then answer at once.",
            "Processor time is the dealer's own, of which the system counts hundredths of a second.",
        ),
        (),
        {"connections": connections, "rounds": rounds, **figures},
        as_json=json,
    )


def _rows(figures: dict[str, dict[str, Spread]]) -> Rows:
    names = ("KiB for a connection", "µs until the first question", "µs for a decision")
    table: list[tuple[str, ...]] = [("the dealer's", *figures)]
    for name, (key, form) in zip(names, FORMS.items(), strict=True):
        table.append((name, *(spread[key].text(form) for spread in figures.values())))
    return table


if __name__ == "__main__":
    start(app, "encrypted")
