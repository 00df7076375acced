"""The file of the finished shards: read back exactly, always complete, and refused for other work."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twentyone.analysis.work import checkpoint
from twentyone.analysis.work.backend import Backend
from twentyone.analysis.work.checkpoint import Checkpoint
from twentyone.analysis.work.shards import run_shards
from twentyone.support.command import FAILED, CommandError

WORK = {"rules": "course", "seed": "7"}
HERE = Backend(workers=1)

RESULTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoint"


def square(number: int) -> int:
    return number * number


def keep(path: Path, texts: dict[int, str]) -> None:
    """Keep results of ten shards in a file."""
    with Checkpoint(path, WORK, 10) as results:
        results.texts.update(texts)


def refused(path: Path, work: dict[str, str], shards: int = 10) -> str:
    """The reason why a file is refused; the file is unchanged."""
    before = path.read_bytes()
    with pytest.raises(CommandError) as caught:
        run_shards(square, range(shards), HERE, work=work, checkpoint=path)
    assert caught.value.status == FAILED
    assert path.read_bytes() == before
    return str(caught.value)


@settings(deadline=None, max_examples=30)  # a disk may be slow
@given(st.lists(RESULTS, max_size=10))
def test_results_read_back_exactly(results: list[Any]) -> None:
    texts = {index: json.dumps(result) for index, result in enumerate(results)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "checkpoint")
        keep(path, texts)
        assert Checkpoint(path, WORK, 10).texts == texts


def test_it_is_one_json_document(path: Path) -> None:
    keep(path, {3: "[0.1, -0.0]", 0: json.dumps({"♠": 1})})
    assert json.loads(path.read_text()) == {
        "format": checkpoint.FORMAT,
        "work": WORK | {"shards": "10"},
        "finished": {"0": {"♠": 1}, "3": [0.1, -0.0]},
    }


def test_without_a_file_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_shards(square, range(5), HERE, work=WORK) == [0, 1, 4, 9, 16]
    assert list(tmp_path.iterdir()) == []


def test_one_of_other_work_is_refused_and_what_differs_is_named(path: Path) -> None:
    keep(path, {0: "0"})
    for work, shards, difference in (
        (WORK | {"seed": "8"}, 10, "its seed is 7, and here it is 8"),
        (WORK, 11, "its shards is 10, and here it is 11"),
        ({"rules": "course"}, 10, "its seed is 7, and here it is not given"),
        (WORK | {"policy": "basic"}, 10, "its policy is not given, and here it is basic"),
    ):
        said = refused(path, work, shards)
        assert said.startswith(f"{path} is the checkpoint of other work: {difference};")


HEAD = b'{"format": "twentyone checkpoint 1", "work": {"shards": "10"}, "finished": '


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[]", b"null", b"{}", b"# 968 rows\n", b"[" * 100_000, b"\0", b"\xff\xfe"),
        b'{"format": "twentyone checkpoint 2", "work": {}, "finished": {}}',
        b'{"format": ["twentyone checkpoint 1"], "work": {}, "finished": {}}',
        *(HEAD + each for each in (b"[]}", b'{"10": 0}}', b'{"-1": 0}}', b'{"\xd9\xa3": 0}}', b'{"00": 1}}')),
        HEAD + b'{"0": 0}',
    ],
)
def test_a_file_that_is_not_a_checkpoint_is_refused(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    assert refused(path, {}).startswith(f"{path} is not a checkpoint: expected ")


@pytest.mark.parametrize(("name", "reason"), [("file/checkpoint", "file exists"), (".", "is a directory")])
def test_where_nothing_can_be_written_is_known_before_the_work(
    name: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    finished: list[int] = []
    with pytest.raises(CommandError) as caught:
        run_shards(square, range(5), HERE, work={}, checkpoint=tmp_path / name, done=finished.append)
    assert str(caught.value) == f"the checkpoint {tmp_path / name} cannot be written: {reason}"
    assert finished == []


def test_work_goes_on_when_its_checkpoint_can_no_longer_be_written(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def replace_by_a_folder(index: int) -> None:
        if index == 0:
            path.mkdir()

    results = run_shards(square, range(3), HERE, work={}, checkpoint=path, done=replace_by_a_folder)
    assert results == [0, 1, 4]
    lines = set(capsys.readouterr().err.splitlines())
    assert lines == {f"analysis: the checkpoint {path} cannot be written: is a directory"}


def test_it_is_saved_about_once_a_second_and_at_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(checkpoint, "time", SimpleNamespace(monotonic=lambda: now))
    saved = []
    with Checkpoint(path, WORK, 100) as results:
        for index in range(100):
            results.texts[index] = "0"
            results.save_if_due()
            saved.append(len(Checkpoint(path, WORK, 100).texts))
            now += 0.3
    assert [saved.count(number) for number in sorted(set(saved))] == [4] * 25
    assert len(Checkpoint(path, WORK, 100).texts) == 100


def test_saving_what_is_large_takes_a_small_part_of_the_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, saves = 0.0, 0

    def write(path: Path, text: str) -> None:
        nonlocal now, saves
        now, saves = now + 2, saves + 1

    monkeypatch.setattr(checkpoint, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(checkpoint, "write_atomically", write)
    with Checkpoint(path, WORK, 1000) as results:
        for index in range(1000):
            results.texts[index] = "0"
            results.save_if_due()
            now += 1
    assert saves * 2 <= now / checkpoint.PAUSE + 4  # the first and the last save are always made
