"""The guide's files for dealers that are replaced, judged by systemd and HAProxy themselves."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.authority import Authority
from tests.proxies import guide
from tests.proxies.guide import NAME
from tests.proxies.programs import needed

UNITS: Final = "/etc/systemd/system"

MOST_EXPOSED: Final = 3.0
"""The exposure, of 10, below which systemd calls a service OK."""


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """The units of the guide, with the program of this environment."""
    needed("systemd-analyze")
    written = []
    for name in ("twentyone.service", "twentyone.socket"):
        (text,) = guide.files(f"{UNITS}/{name}")
        if name.endswith(".service"):
            text = guide.replaced(
                text, {"/opt/twentyone/bin/dealer": str(Path(sys.executable).with_name("dealer"))}
            )
        (tmp_path / name).write_text(text)
        written.append(tmp_path / name)
    return written


def analyzed(*words: object) -> str:
    """The output of `systemd-analyze`, which must be content."""
    done = subprocess.run(["systemd-analyze", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_systemd_accepts_the_units(units: list[Path]) -> None:
    assert analyzed("verify", *units) == ""


def test_the_service_is_locked_down(units: list[Path]) -> None:
    told = analyzed("security", "--offline=yes", "--no-pager", units[0])
    exposure = re.search(r"Overall exposure level for twentyone.service: ([\d.]+)", told)
    assert exposure is not None, told
    assert float(exposure[1]) < MOST_EXPOSED


def test_haproxy_accepts_the_section_for_dealers_that_drain(tmp_path: Path) -> None:
    needed("haproxy", "openssl")
    own, key = Authority(tmp_path).certificate(NAME)
    both = tmp_path / "both.pem"
    both.write_text(own.read_text() + key.read_text())
    (whole,), (section,) = guide.files(guide.HAPROXY), guide.files(f"{guide.HAPROXY}, the last section")
    usual = whole.partition("\nbackend dealers\n")[2]
    assert set(re.findall(r"server \w \S+", usual)) == set(re.findall(r"server \w \S+", section))
    file = tmp_path / "haproxy.cfg"
    file.write_text(guide.replaced(guide.for_drained_dealers(), {"/etc/haproxy/example.org.pem": str(both)}))
    done = subprocess.run(["haproxy", "-c", "-f", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
