"""The file of transitions: numpy alone reads it, and what is no such file is refused in one sentence."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cards import PRESETS, Rules
from tests.helpers.recorded import VEGAS, gathered_at_random
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.learning.records import archive, reading
from twentyone.learning.records.archive import ArchiveError
from twentyone.learning.records.batch import learn_cells
from twentyone.learning.records.transitions import DTYPES, Transitions
from twentyone.learning.records.watching import HIT, INSURE, STAND
from twentyone.policies.hands import HANDS

SIMPLE = gathered_at_random(Rules(), 50, 1)
WHOLE = gathered_at_random(VEGAS, 400, 1)


def arrays_of(transitions: Transitions, path: Path) -> dict[str, Any]:
    archive.save(transitions, path)
    with np.load(path) as packed:
        return dict(packed)


@pytest.mark.parametrize(("transitions", "columns", "actions"), [(SIMPLE, 3, 2), (WHOLE, 6, 6)])
def test_numpy_alone_reads_it_and_it_reads_back(
    tmp_path: Path, transitions: Transitions, columns: int, actions: int
) -> None:
    arrays, size = arrays_of(transitions, tmp_path / "t.npz"), len(transitions)
    assert {
        name: (array.dtype.str[1:], array.shape) for name, array in arrays.items() if name != "rules"
    } == {
        "format": ("i8", ()),
        "observations": ("i1", (size, columns)),
        "actions": ("i1", (size,)),
        "rewards": ("f8", (size,)),
        "next_observations": ("i1", (size, columns)),
        "dones": ("b1", (size,)),
        "masks": ("i1", (size, actions)),
        "credits": ("f8", (size,)),
        "follows": ("i1", (size, 2)),
        "rule": ("i2", (size,)),
    }
    assert arrays["rules"].tolist() == [str(rules) for rules in transitions.rules]
    again = archive.load(tmp_path / "t.npz")
    assert again.rules == transitions.rules
    for name in DTYPES:
        assert np.array_equal(getattr(again, name), getattr(transitions, name)), name


def test_files_of_both_kinds_are_read_together(tmp_path: Path) -> None:
    archive.save(WHOLE, tmp_path / "whole.npz")
    archive.save(SIMPLE, tmp_path / "simple.npz")
    both, _ = reading.read([tmp_path / "whole.npz", tmp_path / "simple.npz", tmp_path / "whole.npz"])
    assert both.rules == (VEGAS, Rules())
    assert (len(both.of_rules(0)), len(both.of_rules(1))) == (2 * len(WHOLE), len(SIMPLE))


def test_what_was_recorded_from_an_environment_is_taken(tmp_path: Path) -> None:
    env = BlackjackEnv("course")
    steps = []
    for number in range(20):
        seen, _ = env.reset(seed=3 if number == 0 else None)
        done = False
        while not done:
            action = int(seen[0] >= 15)
            after, reward, done, _, _ = env.step(action)
            steps.append((seen, action, reward, after, done))
            seen = after
    names = ("observations", "actions", "rewards", "next_observations", "dones")
    arrays: dict[str, Any] = dict(zip(names, zip(*steps, strict=True), strict=True))
    np.savez(tmp_path / "env.npz", **arrays, rules=str(env.rules))
    read = archive.load(tmp_path / "env.npz")
    assert (read.episodes, read.rules) == (20, (PRESETS["course"],))
    assert np.array_equal(read.credits, read.rewards)
    assert np.array_equal(read.follows[:, 0], ~read.dones)


def test_without_masks_insurance_is_allowed_only_where_it_is_asked_for(tmp_path: Path) -> None:
    arrays = arrays_of(WHOLE, tmp_path / "t.npz")
    del arrays["masks"]
    np.savez(tmp_path / "t.npz", **arrays)
    read = archive.load(tmp_path / "t.npz")
    is_asked = read.observations[:, 5] == 1
    assert is_asked.any()
    assert np.array_equal(read.masks >> INSURE & 1, is_asked)
    assert np.all(read.masks & 0b011111 == 0b011111)
    insured, expected = (learn_cells(each).values[:, :, INSURE] for each in (read, WHOLE))
    assert np.array_equal(insured, expected)


def test_without_masks_the_value_of_a_hand_is_not_that_of_its_insurance(tmp_path: Path) -> None:
    """Both actions with 20 against an ace lose, and the insurance wins; what leads to the 20 loses too."""
    seen = [(20, 11, 0, 0, 1, 1), (20, 11, 0, 0, 1, 0), (10, 11, 0, 0, 1, 0), (20, 11, 0, 0, 1, 0)]
    np.savez(
        tmp_path / "t.npz",
        observations=seen,
        actions=[INSURE, STAND, HIT, STAND],
        rewards=[0.0, 0.0, 0.0, -1.0],
        next_observations=[*seen[1:], seen[-1]],
        dones=[False, True, False, True],
        credits=[1.0, -1.0, 0.0, -1.0],
        follows=[(0, 0), (0, 0), (1, 0), (0, 0)],
        rules=[str(VEGAS)],
    )
    values = learn_cells(archive.load(tmp_path / "t.npz")).values
    assert values[HANDS.index("H20"), 11, INSURE] == 1
    assert values[HANDS.index("H10"), 11, HIT] == -1


@pytest.mark.parametrize(
    ("name", "array", "said"),
    [
        ("actions", None, "it has no actions: expected observations, actions"),
        ("format", np.array(2), "its format is 2: expected 1"),
        ("rules", np.array(["decks=9"]), "decks is 9"),
        ("rules", np.array([1]), "its rules are no texts"),
        ("rules", np.array([str(PRESETS["showdown"])]), "without a dealer"),
        ("actions", np.full(len(WHOLE), 6), "actions has a number outside 0 to 5"),
        ("actions", np.zeros(len(WHOLE)), "actions is float64 of shape"),
        ("rewards", np.full(len(WHOLE), np.nan), "rewards has a number that is no payoff"),
        ("dones", np.zeros(len(WHOLE), np.bool_), "its last episode does not end"),
        ("dones", WHOLE.dones[1:], "dones has"),
        ("observations", np.full((len(WHOLE), 6), 33), "observations has a number outside 0 to 32"),
        ("observations", WHOLE.observations[:, :3], "expected whole numbers, n x 6"),
        ("masks", np.zeros((len(WHOLE), 6), np.int8), "an action was taken that is not allowed there"),
        ("follows", np.full((len(WHOLE), 2), 100), "follows leads out of an episode"),
        ("credits", None, "hands are split or insured: expected also the keys credits and follows"),
        ("rule", np.ones(len(WHOLE), np.int16), "rule has a number outside 0 to 0"),
    ],
)
def test_what_does_not_fit_is_one_sentence(tmp_path: Path, name: str, array: Any, said: str) -> None:
    arrays = arrays_of(WHOLE, tmp_path / "t.npz")
    arrays.pop(name) if array is None else arrays.update({name: array})
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(ArchiveError) as refused:
        archive.load(tmp_path / "t.npz")
    assert said in str(refused.value)


def test_a_file_that_unpacks_to_more_than_memory_may_hold_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = arrays_of(SIMPLE, tmp_path / "t.npz")
    arrays["anything"] = np.zeros(1 << 20, np.int8)  # a thousandth of it when packed
    np.savez_compressed(tmp_path / "t.npz", **arrays)
    assert len(archive.load(tmp_path / "t.npz")) == len(SIMPLE)
    monkeypatch.setattr(archive, "MOST_BYTES", 1 << 20)
    with pytest.raises(ArchiveError, match="too large: expected at most 1,048,576 bytes when it is unpacked"):
        archive.load(tmp_path / "t.npz")


def test_a_part_that_is_no_array_is_one_sentence(tmp_path: Path) -> None:
    arrays_of(WHOLE, tmp_path / "t.npz")
    with ZipFile(tmp_path / "t.npz") as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    with ZipFile(tmp_path / "t.npz", "w") as changed:
        for name, content in (parts | {"actions.npy": b"1 1 0"}).items():
            changed.writestr(name, content)
    with pytest.raises(ArchiveError, match=r"actions is \|S5 of shape"):
        archive.load(tmp_path / "t.npz")


PACKED = io.BytesIO()
np.savez(PACKED, **{name: getattr(SIMPLE, name)[:4] for name in DTYPES}, rules=np.array([str(Rules())]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cut=st.integers(2, len(PACKED.getvalue())),
    place=st.integers(2, len(PACKED.getvalue()) - 1),
    byte=st.integers(0, 255),
)
def test_a_damaged_file_is_refused(tmp_path: Path, cut: int, place: int, byte: int) -> None:
    content, path = PACKED.getvalue(), tmp_path / "t.npz"
    for damaged in (content[:cut], content[:place] + bytes([byte]) + content[place + 1 :]):
        path.write_bytes(damaged)
        try:
            archive.load(path)
        except ArchiveError as error:
            assert str(path) in str(error)
