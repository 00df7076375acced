"""The grammar of the names of policies: one for every command, option and bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards import PRESETS, Rules, seeded
from tests.twentyone.policies.tables import numbered
from twentyone.exact.named import MAKERS
from twentyone.policies import names
from twentyone.policies.action_values import ActionValues
from twentyone.policies.makers import policy_of, source_of, table_of
from twentyone.policies.names import PolicyName, PolicyNameError, parse
from twentyone.policies.policy import Observation
from twentyone.policies.table_files import save

BOTS = ("basic", "threshold", "random", "qtable")


@pytest.mark.parametrize(
    "kind", ["basic", "total-only", "random-play-limit", "mimic", "never-bust", "random"]
)
def test_a_word_is_a_policy(kind: str) -> None:
    assert parse(kind) == PolicyName(kind, kind)
    assert table_of(parse(kind), Rules(), MAKERS).name == kind


@pytest.mark.parametrize("total", [0, 9, 16, 22])
def test_a_threshold_has_its_total(total: int) -> None:
    name = parse(f"threshold:{total}")
    assert name == PolicyName(f"threshold:{total}", "threshold", total=total)
    hit = table_of(name, Rules(), {}).hit
    assert [bool(row.all()) for row in hit] == [held < total for held in range(22)]


def test_a_table_is_named_by_its_file_with_or_without_the_word(tmp_path: Path) -> None:
    file = tmp_path / "q.txt"
    save(numbered(), file)
    for text in (f"qtable:{file}", str(file)):
        name = parse(text)
        assert (name.kind, name.file) == ("qtable", file)
        assert isinstance(source_of(name), ActionValues)
    assert parse("qtable").file is None
    assert source_of(parse("basic")) is None


@pytest.mark.parametrize(
    "text",
    [
        *("", "best", "Basic", "basic:1", "qtable:", "no/such/file.txt"),
        *("chart", "chart:", "actions", "actions:"),
        *("threshold", "threshold:", "threshold:23", "threshold:-1", "threshold:1.5", "threshold:100"),
    ],
)
def test_any_other_name_is_refused_in_a_sentence_that_lists_the_names(text: str) -> None:
    with pytest.raises(PolicyNameError) as refusal:
        parse(text)
    assert str(refusal.value) == (
        f"there is no policy {text!r}: expected basic, total-only, random-play-limit, mimic, never-bust,"
        " random, threshold:N (N from 0 to 22), chart:FILE, actions:FILE or qtable:FILE (or just the file)"
    )


def test_a_policy_that_cannot_be_used_here_is_not_called_unknown() -> None:
    with pytest.raises(PolicyNameError, match=r"^the policy 'human' cannot be used here: expected basic, "):
        parse("human")


def test_a_name_from_the_wire_names_no_file(tmp_path: Path) -> None:
    save(numbered(), tmp_path / "q.txt")
    assert parse("qtable", BOTS, files=False).file is None
    for text in (str(tmp_path / "q.txt"), f"qtable:{tmp_path / 'q.txt'}", "mimic", "human"):
        with pytest.raises(PolicyNameError, match=r"expected basic, threshold:N .*, random or qtable$"):
            parse(text, BOTS, files=False)


def test_the_help_describes_every_kind_by_the_name_that_is_parsed() -> None:
    for kind, text in names.DESCRIPTIONS.items():
        given = text.split()[0].replace(":N", ":12").replace(":FILE", ":some.txt")
        assert parse(given).kind == kind
    assert names.descriptions().endswith(f" or {names.DESCRIPTIONS['qtable']}")


@pytest.mark.parametrize("name", ["random", "threshold:15", "basic", "mimic"])
def test_a_policy_decides_as_its_table_says(name: str) -> None:
    rules = PRESETS["devs"]
    table = table_of(parse(name), rules, MAKERS).hit
    policy = policy_of(parse(name), rules, MAKERS, seeded(1, "x"))
    for total in range(4, 22):
        hits = sum(policy(Observation(total, False, 10)).name == "HIT" for _ in range(200))
        chance = table[total, 10]
        assert hits == 200 * chance if chance in (0, 1) else 60 < hits < 140


def test_the_kinds_that_are_computed_are_those_that_have_a_maker() -> None:
    assert set(names.COMPUTED) == set(MAKERS)
