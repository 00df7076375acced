"""Tables of Gymnasium's Blackjack-v1, as people save them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS
from tests.twentyone.analysis.laboratory import analysis, document
from twentyone.exact import evaluate, solving
from twentyone.policies.other_formats import of_mapping, read
from twentyone.policies.qtable import dealer_column
from twentyone.policies.table_files import QTableError

TEXTBOOK = PRESETS["textbook"]


def actions() -> dict[tuple[int, int, bool], int]:
    """The best chart of the preset `textbook` in their convention: 0 sticks, 1 hits, and an ace is 1."""
    best = solving.solve(TEXTBOOK).policy
    return {
        (total, upcard, ace): int(best[total, dealer_column(11 if upcard == 1 else upcard, ace)])
        for ace, lowest in ((False, 4), (True, 12))
        for total in range(lowest, 22)
        for upcard in range(1, 11)
    }


def array() -> np.ndarray[Any, Any]:
    found = np.zeros((32, 11, 2), np.int64)
    for (total, upcard, ace), action in actions().items():
        found[total, upcard, int(ace)] = action
    return found


SPELLINGS: list[Any] = [
    {str(key): action for key, action in actions().items()},
    {str((*key[:2], int(key[2]))): [1 - action, action] for key, action in actions().items()},
    {f"(np.int64({key[0]}), {key[1]}, np.{key[2]}_)": action for key, action in actions().items()},
    np.stack([1.0 - array(), array()], axis=-1).tolist(),
]


@pytest.mark.parametrize("content", [*SPELLINGS, array(), np.stack([1.0 - array(), array()], axis=-1)])
def test_the_best_chart_in_their_convention_loses_nothing(tmp_path: Path, content: Any) -> None:
    if isinstance(content, dict | list):
        path = tmp_path / "q.json"
        path.write_text(json.dumps(content), encoding="utf-8")
    else:
        path = tmp_path / "q.npy"
        np.save(path, content)
    found = document(tmp_path, "value", path.name)
    assert found["rules"]["preset"] == "textbook"
    assert found["policies"][0]["gap"] == pytest.approx(0, abs=1e-13)


def test_what_is_not_there_sticks_and_is_told() -> None:
    cells = {key: [0.0, 1.0] for key in actions() if key[0] < 20}
    table, said = of_mapping("agent:Q", cells)
    assert said.endswith("; cells that it does not have, which stand: 40 of 280")
    assert table.values[20, 10].tolist() == [0.0, 0.0]
    assert table.values[19, 10].tolist() == [1.0, 0.0]


def test_no_pickle_is_loaded_and_what_is_no_table_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "q.npy", np.array([{(13, 2, False): 1}], dtype=object), allow_pickle=True)
    with pytest.raises(QTableError, match="without Python objects"):
        read(tmp_path / "q.npy")
    (tmp_path / "q.pkl").write_bytes(pickle.dumps({(13, 2, False): 1}))
    with pytest.raises(QTableError, match="is a pickle, which is not loaded"):
        read(tmp_path / "q.pkl")
    for text, said in (
        ("{", "begins as JSON, but is none"),
        ("{}", "has no cell"),
        ('{"16, 10": 1}', "expected \\(total, upcard, usable ace\\)"),
        ('{"(16, 11, False)": 1}', "an upcard from 1 to 10"),
        ('{"(16, 10, False)": 2}', "expected 0 \\(stick\\), 1 \\(hit\\)"),
        ('{"(16, 10, False)": ["a", "b"]}', "expected 0 \\(stick\\), 1 \\(hit\\)"),
        ('{"(16, 10, False)": [0, NaN]}', "expected 0 \\(stick\\), 1 \\(hit\\)"),
        (f'{{"(16, 10, False)": 1{"0" * 400}}}', "expected 0 \\(stick\\), 1 \\(hit\\)"),
        (f'{{"(1{"0" * 5000}, 10, False)": 1}}', "expected \\(total, upcard, usable ace\\)"),
        ("[[1], [2, 3]]", "different lengths"),
        ("[[1, 2]]", "has the shape 1 x 2"),
    ):
        (tmp_path / "q.json").write_text(text, encoding="utf-8")
        with pytest.raises(QTableError, match=said):
            read(tmp_path / "q.json")


CHART = actions()


@pytest.mark.parametrize(
    ("rules", "policy", "value", "exchanged"),
    [
        ("course", lambda seen: int(seen[0] < 17), -0.6068, "-0.0800918"),
        ("textbook", lambda seen: CHART.get((seen[0], seen[1], bool(seen[2])), 0), -0.7314, "-0.0583113"),
    ],
)
def test_the_figures_of_the_guide(
    rules: str, policy: Callable[[tuple[int, int, int]], int], value: float, exchanged: str
) -> None:
    """Functions in their convention: one that draws below 17, and the best chart, which has no upcard 11."""
    with pytest.warns(UserWarning, match=f"would be worth {exchanged} with hit and stand exchanged"):
        found = evaluate(rules, policy)
    assert found.value == pytest.approx(value, abs=5e-5)


def test_a_policy_with_hit_and_stand_exchanged_is_told_so(tmp_path: Path) -> None:
    """As a function that takes an ace for 11 but 1 for a hit: -0.718 in place of -0.043."""
    code = [
        "import json, pathlib",
        "Q = json.loads(pathlib.Path('q.json').read_text())",
        "def policy(seen):",
        "    total, upcard, ace = map(int, seen)",
        "    return Q[str((total, 1 if upcard == 11 else upcard, bool(ace)))]",
    ]
    (tmp_path / "q.json").write_text(json.dumps(SPELLINGS[0]), encoding="utf-8")
    (tmp_path / "theirs.py").write_text("\n".join(code), encoding="utf-8")
    for command in ("value", "explain"):
        done = analysis(tmp_path, command, "theirs.py:policy", "--rules", "textbook")
        assert done.status == 0
        assert "theirs.py:policy would be worth -0.0431131 with hit and stand exchanged" in done.err
        assert "exchanged" not in analysis(tmp_path, command, "never-bust", "--rules", "textbook").err
