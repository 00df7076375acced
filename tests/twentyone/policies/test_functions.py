"""Python objects as policies: what they may answer, and what is said of those that cannot be asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from cards import PRESETS, Ace, Decision, Rules
from twentyone.policies.action_values import ActionValues
from twentyone.policies.chances import Chances
from twentyone.policies.decisions import threshold
from twentyone.policies.functions import Question, function_of
from twentyone.policies.loading import load_object
from twentyone.policies.names import GRADED, PolicyNameError, parse
from twentyone.policies.policy import Observation
from twentyone.policies.user_modules import object_named
from twentyone.support.command import CommandError

HIT, STAND, DOUBLE, SPLIT = Decision.HIT, Decision.STAND, Decision.DOUBLE, Decision.SPLIT

SIXTEEN: Final = Observation(16, False, 10, 8, (HIT, STAND, DOUBLE, SPLIT))
"""Two eights against a ten."""


TURNS: Final = cycle((0, 1))


def answer(call: Callable[..., Any], seen: Observation = SIXTEEN, hands: int = 1) -> Chances:
    (found,) = function_of(call, "mine").answers([Question(seen, hands)], PRESETS["vegas"])
    return found


class Model:
    """What a model of other libraries looks like: an action and a state, at random unless told otherwise."""

    def predict(self, observation: Any, state: None = None, deterministic: bool = False) -> tuple[Any, None]:
        assert isinstance(observation, np.ndarray)
        action = 0 if observation[0] < 16 and deterministic else 1
        return np.array(action), state


def sums(observations: Any) -> Any:
    return np.stack([observations[:, 0] < 16, observations[:, 0] >= 16], axis=1).astype(np.float32)


@pytest.mark.parametrize(
    "policy",
    [
        lambda observation: 0 if observation[0] < 16 else 1,
        lambda observation: np.int64(0) if observation[0] < 16 else np.array([1]),
        lambda observation: HIT if observation[0] < 16 else STAND,
        lambda observation: [1, 0] if observation[0] < 16 else (0.0, 1.0),
        lambda observation, mask: 0 if observation[0] < 16 else int(mask[1]),
        lambda observations: np.where(observations[:, 0] < 16, 0, 1),
        lambda observations: [[0] if total < 16 else [1] for total in observations[:, 0]],
        lambda observations, masks: masks[:, 0] * (observations[:, 0] >= 16),
        sums,
        Model(),
    ],
)
def test_all_forms_of_a_threshold_are_the_same_policy(policy: Callable[..., Any]) -> None:
    rules = Rules()
    found = function_of(policy, "mine").table(rules).hit
    expected = threshold(16).hit
    assert (found[4:, 2:12] == expected[4:, 2:12]).all() and (found[12:, 12:] == expected[12:, 12:]).all()
    assert found[:4].sum() == 0, "no such hand comes"


def test_a_function_is_asked_about_hands_that_can_come_alone() -> None:
    asked: list[tuple[int, ...]] = []

    def note(observation: tuple[int, ...]) -> int:
        asked.append(observation)
        return 1

    for ace in Ace:
        asked.clear()
        function_of(note, "mine").table(Rules(ace=ace))
        totals = {(total, soft) for total, _, soft in asked}
        least = 2 if ace is Ace.ONE else 4
        soft = {(total, 1) for total in range(12, 22)} if ace is Ace.EITHER else set()
        assert totals == {(total, 0) for total in range(least, 22)} | soft


def test_what_is_seen_where_one_may_split_and_what_is_allowed() -> None:
    told: list[tuple[tuple[int, ...], list[int]]] = []

    def note(observation: tuple[int, ...], mask: Any) -> int:
        told.append((observation, mask.tolist()))
        return 1

    insurance = Observation(21, True, 11, 0, (Decision.INSURE, Decision.DECLINE))
    early = Observation(16, False, 10, 8, (Decision.SURRENDER, Decision.DECLINE))
    assert answer(note, hands=3) == {STAND: 1}
    assert answer(note, insurance) == answer(note, early) == {Decision.DECLINE: 1}
    assert told[::2] == told[1::2]  # each is asked twice
    assert told[::2] == [
        ((16, 10, 0, 8, 3, 0), [1, 1, 1, 1, 0, 0]),
        ((21, 11, 1, 0, 1, 1), [0, 1, 0, 0, 0, 1]),
        ((16, 10, 0, 8, 1, 2), [0, 1, 0, 0, 1, 0]),
    ]


def test_chances_are_kept_and_add_up_to_one() -> None:
    third = np.array([1, 1, 1, 0, 0, 0], dtype=np.float32) / np.float32(3)
    found = answer(lambda observation: third)
    assert found == {each: pytest.approx(1 / 3, abs=1e-15) for each in (HIT, STAND, DOUBLE)}
    assert sum(found.values()) == pytest.approx(1, abs=1e-15)


def refusal(call: Callable[..., Any]) -> str:
    with pytest.raises(CommandError) as refused:
        answer(call)
    assert refused.value.status == 1
    return str(refused.value)


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (7, "7: expected 0 (hit), 1 (stand), 2 (double), 3 (split), 4 (surrender) or 5 (insure), or the"),
        (0.5, "0.5: expected 0 (hit)"),
        (None, "None: expected 0 (hit)"),
        ("hit", "'hit': expected 0 (hit)"),
        (float("nan"), "nan: expected 0 (hit)"),
        ([0.5, 0.5], "[0.5, 0.5]: expected 0 (hit)"),
        ([0.5, 0.4, 0, 0, 0, 0], "[0.5, 0.4, 0, 0, 0, 0]: expected the chances of 6 actions, which add up"),
        ([1.5, -0.5, 0, 0, 0, 0], "[1.5, -0.5, 0, 0, 0, 0]: expected the chances of 6 actions"),
        (True, "True: expected a number, such as int(...) makes of it"),
        (np.False_, "False: expected a number, such as int(...)"),
        ([np.nan, 1, 0, 0, 0, 0], "[nan, 1, 0, 0, 0, 0]: expected the chances of 6 actions"),
        (4, "4 (surrender), which is not allowed there: expected 0 (hit), 1 (stand), 2 (double) or 3"),
        ([0.5, 0, 0, 0, 0, 0.5], "5 (insure), which is not allowed there: expected"),
    ],
)
def test_answers_that_are_no_decisions(returned: object, said: str) -> None:
    prefix = "mine with the observation (16, 10, 0, 8, 1, 0) returned "
    assert refusal(lambda observation: returned).startswith(f"{prefix}{said}")


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (1, "the shape (): expected 1 action, or as many rows of chances"),
        ([1, 1], "the shape (2,): expected 1 action"),
        ("hit", "no array of numbers: expected 1 action"),
    ],
)
def test_batches_of_another_form(returned: object, said: str) -> None:
    assert refusal(lambda observations: returned).startswith(f"mine with 1 observation returned {said}")


@pytest.mark.parametrize(
    "draw",
    [
        lambda observation: next(TURNS),
        lambda observation: [1, 0, 0, 0, 0, 0] if next(TURNS) else [0.5, 0.5, 0, 0, 0, 0],
        lambda observations: [next(TURNS) for _ in observations],
    ],
)
def test_a_function_that_draws_is_refused(draw: Callable[..., Any]) -> None:
    assert refusal(draw) == (
        "mine answered differently to the same observation (16, 10, 0, 8, 1, 0): expected the chances of the"
        " 6 actions, such as [0.5, 0.5, 0, 0, 0, 0]"
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory, whose modules, and what was found in them, are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    path, known = [*sys.path], {*sys.modules}
    yield tmp_path
    sys.path[:] = path
    for name in {*sys.modules} - known:
        del sys.modules[name]
    object_named.cache_clear()


def test_an_array_of_a_module_is_a_table(folder: Path) -> None:
    text = "import numpy as np\nvalues = np.zeros((22, 22, 2))\nvalues[:16, :, 0] = 1\nflat = values[0]\n"
    (folder / "an_array.py").write_text(text, encoding="utf-8")
    table = load_object("an_array:values")
    assert isinstance(table, ActionValues)
    assert table.is_by_total
    assert (table.values[:16, :, 0] == 1).all()
    with pytest.raises(CommandError, match="an_array:flat has the shape 22 x 2: expected"):
        load_object("an_array:flat")


@pytest.mark.parametrize(
    ("source", "name", "status", "said"),
    [
        ("def policy(:\n", "policy", 1, r"the import of a_fault failed: SyntaxError: .*\(a_fault\.py:1\)"),
        ("x = 1\n1 / 0\n", "x", 1, r"the import of a_fault failed: ZeroDivisionError: .*\(a_fault\.py:2\)"),
        ("raise SystemExit\n", "x", 1, r"the import of a_fault failed: SystemExit \(a_fault\.py:1\)"),
        ("import no_such_one\n", "x", 1, r"the import of a_fault failed: ModuleNotFoundError: .*no_such_one"),
        ("x = 'text'\n", "x", 2, r"a_fault:x is of the type str: expected a function from an observation to"),
        ("class X:\n    pass\n", "X", 2, r"a_fault:X is the class X: expected a function"),
        ("x = 1\n", "y", 2, r"there is no 'y' in a_fault: expected what this module defines"),
    ],
)
def test_what_cannot_be_loaded(folder: Path, source: str, name: str, status: int, said: str) -> None:
    (folder / "a_fault.py").write_text(source, encoding="utf-8")
    with pytest.raises(CommandError, match=said) as refused:
        load_object(f"a_fault:{name}")
    assert refused.value.status == status


@pytest.mark.parametrize(
    ("parameter", "begins", "ends"),
    [
        # The place is that of the user's own code, not of the library's.
        ("observation", " with the observation (4, 2, 0) failed: ValueError: cannot resh", "(a_place.py:5)"),
        ("", "", "policy() takes 0 positional arguments but 1 was given"),
    ],
)
def test_the_fault_of_a_function_is_told_with_its_place(
    folder: Path, parameter: str, begins: str, ends: str
) -> None:
    source = f"import numpy as np\n\n\ndef policy({parameter}):\n    return np.zeros(3).reshape(2, 2)\n"
    (folder / "a_place.py").write_text(source, encoding="utf-8")
    function = load_object("a_place.py:policy")
    assert not isinstance(function, ActionValues)
    with pytest.raises(CommandError) as refused:
        function.table(Rules())
    said = str(refused.value)
    assert said.startswith(f"a_place.py:policy{begins}")
    assert said.endswith(ends)


def test_a_file_with_the_name_of_another_module_is_hinted_at(folder: Path) -> None:
    (folder / "cards.py").write_text("def mine(observation):\n    return 1\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"there is no 'mine' in cards: .* is cards\.py:mine$"):
        load_object("cards:mine")


def test_a_file_of_python_needs_a_name_of_what_is_in_it(folder: Path) -> None:
    (folder / "a_policy.py").write_text("", encoding="utf-8")
    with pytest.raises(PolicyNameError, match=r"is a file of Python: expected a_policy\.py:NAME"):
        parse("a_policy.py", GRADED)


def test_a_function_needs_a_dealer() -> None:
    with pytest.raises(CommandError, match="and showdown has no dealer"):
        function_of(lambda observation: 1, "mine").table(PRESETS["showdown"])


@pytest.mark.parametrize("text", ["os:getcwd", "agent.py:policy", "a.b:c.d", "/else where/x y.py:f"])
def test_a_module_is_named_only_where_it_may_be(text: str) -> None:
    assert parse(text, GRADED).kind == "function"
    with pytest.raises(PolicyNameError):
        parse(text)
    with pytest.raises(PolicyNameError):
        parse(text, GRADED, files=False)


@pytest.mark.parametrize(
    "text", ["threshold:x", "chart:", "a:", ":b", "a:b:c", "a b:c", "1a:b", "a:1", "human:x"]
)
def test_names_that_are_no_modules(text: str) -> None:
    try:
        assert parse(text, GRADED).kind != "function"
    except PolicyNameError as error:
        assert "MODULE:NAME" in str(error)
