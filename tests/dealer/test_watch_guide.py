"""The guide to watching a dealer: its files and queries as Debian's promtool reads them, and its figures."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.dealer.conftest import Start
from tests.dealer.test_admin import admin_port, get
from tests.helpers.pages import ROOT, blocks
from tests.helpers.patience import PATIENCE

GUIDE: Final = ROOT / "docs/how-to/watch-a-dealer.md"
CONFIG: Final = "/etc/prometheus/prometheus.yml"
RULES: Final = "/etc/prometheus/twentyone.yml"
QUERIES: Final = ["\n".join(block.lines) for block in blocks(GUIDE, "promql")]

NAMED: Final = re.compile(r"twentyone_\w+(?=[{\[) ]|$)", re.MULTILINE)
FAMILY: Final = re.compile(r"^# TYPE (twentyone_\w+) (\w+)$", re.MULTILINE)

TROUBLES: Final[dict[str, tuple[dict[str, str], str]]] = {
    "DealerTakesNobody": ({'up{job="twentyone"}': "0x20"}, "10m"),
    "DealerIsSlow": (
        {
            'twentyone_loop_delay_seconds_bucket{le="0.1"}': "0x20",
            'twentyone_loop_delay_seconds_bucket{le="0.25"}': "0+10x20",
            'twentyone_loop_delay_seconds_bucket{le="+Inf"}': "0+10x20",
        },
        "15m",
    ),
    "DealerLosesRecords": ({'twentyone_file_errors_total{file="log"}': "0 0 1x20"}, "5m"),
}
"""By each alert: figures with their values minute by minute, and when that has to be told."""


def guide_file(name: str) -> str:
    """A file of the guide, which its first line names."""
    (text,) = ["\n".join(each.lines) for each in blocks(GUIDE, "yaml") if each.lines[0] == f"# {name}"]
    return f"{text}\n"


def promtool(*words: str | Path, typed: str = "") -> str:
    """What promtool says of something that it has to accept."""
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not installed (Debian: apt install prometheus)")
    done = subprocess.run([program, *words], input=typed, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def exposed(started: Start) -> str:
    """What a dealer answers that has just begun."""
    return get(admin_port(started(1, "--admin", "0")), "/metrics")[1]


def test_every_figure_is_described_and_every_one_that_is_asked_for_is_there(exposed: str) -> None:
    kinds = dict(FAMILY.findall(exposed))
    rows = re.findall(r"^\| `(twentyone_\w+)` \| (\w+) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == kinds
    exposed_names = set(re.findall(r"^twentyone_\w+", exposed, re.MULTILINE))
    for text in (*QUERIES, guide_file(RULES)):
        named = set(NAMED.findall(text))
        assert named <= exposed_names, named - exposed_names
    assert len(QUERIES) == 6


@pytest.mark.check
def test_promtool_finds_nothing_to_complain_of_in_what_a_dealer_answers(exposed: str) -> None:
    assert promtool("check", "metrics", typed=exposed) == ""


@pytest.mark.check
def test_promtool_accepts_the_files_and_queries_of_the_guide(tmp_path: Path) -> None:
    config, rules, asked = (tmp_path / name for name in ("prometheus.yml", "twentyone.yml", "asked.yml"))
    rules.write_text(guide_file(RULES))
    config.write_text(guide_file(CONFIG).replace(RULES, str(rules)))
    assert "SUCCESS: 3 rules found" in promtool("check", "rules", rules)
    assert f"{config} is valid" in promtool("check", "config", config)
    recorded = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(QUERIES)]
    asked.write_text(json.dumps({"groups": [{"name": "queries", "rules": recorded}]}))
    assert f"SUCCESS: {len(QUERIES)} rules found" in promtool("check", "rules", asked)


@pytest.mark.check
def test_each_alert_tells_its_trouble(tmp_path: Path) -> None:
    (tmp_path / "twentyone.yml").write_text(guide_file(RULES))
    tests = [
        {
            "interval": "1m",
            "input_series": [{"series": name, "values": values} for name, values in series.items()],
            "promql_expr_test": [
                {
                    "expr": f"count(ALERTS{{alertname='{alert}', alertstate='firing'}})",
                    "eval_time": when,
                    "exp_samples": [{"labels": "{}", "value": 1}],
                }
            ],
        }
        for alert, (series, when) in TROUBLES.items()
    ]
    file = tmp_path / "tests.yml"
    file.write_text(json.dumps({"rule_files": ["twentyone.yml"], "tests": tests}))
    assert "SUCCESS" in promtool("test", "rules", file)
