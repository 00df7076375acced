"""Pictures: real files of the right kind and size, labelled with units, complete or absent."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.helpers.tiers import first_of
from twentyone.exact.report import plots
from twentyone.policies.decisions import threshold
from twentyone.support import pictures
from twentyone.support.command import FAILED, USAGE, CommandError

SIGNATURES = {".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-1.", ".svg": b"<?xml"}


def margins(soft: bool, lowest: int) -> NDArray[np.float64]:
    """Margins of a realistic size, for the totals from `lowest` and from soft 12."""
    found = np.full((22, 22), np.nan)
    found[lowest:22, 2:12] = (16.5 - np.arange(lowest, 22))[:, np.newaxis] / 10
    if soft:
        found[max(lowest, 12) : 22, 12:22] = (17.5 - np.arange(max(lowest, 12), 22))[:, np.newaxis] / 10
    return found


def picture(title: str = "a policy", soft: bool = True, lowest: int = 4) -> Any:
    return plots.policy_figure(threshold(17).hit, margins(soft, lowest), title)


def labels_of(axes: Any) -> list[str]:
    return [label.get_text() for label in axes.get_xticklabels()]


@pytest.mark.parametrize("kind", first_of([".svg", ".png", ".pdf"]))
def test_a_picture_is_of_the_kind_that_its_name_says_and_the_same_bytes_every_time(
    tmp_path: Path, kind: str
) -> None:
    for name in "ab":
        pictures.save(picture(soft=False, lowest=17), tmp_path / f"{name}{kind}")
    first, second = ((tmp_path / f"{name}{kind}").read_bytes() for name in "ab")
    assert first == second and first.startswith(SIGNATURES[kind])
    assert b"CreationDate" not in first and b"<dc:date>" not in first
    assert len([*tmp_path.iterdir()]) == 2, "no temporary file is left"


def test_a_png_has_200_dots_an_inch(tmp_path: Path) -> None:
    pictures.save(pictures.new_figure(5.0, 3.0), tmp_path / "empty.PNG")
    width, height = struct.unpack(">II", (tmp_path / "empty.PNG").read_bytes()[16:24])
    assert (width, height) == (1000, 600)


def test_a_picture_of_a_policy_says_what_its_axes_and_colours_are() -> None:
    figure = picture(title="course\nexpected value")
    hard, soft = figure.axes[:2]
    assert figure.get_suptitle() == "course\nexpected value"
    assert (hard.get_title(loc="left"), soft.get_title(loc="left")) == ("hard hands", "soft hands")
    assert hard.get_ylabel() == "player's total"
    assert hard.get_xlabel() == soft.get_xlabel() == "dealer's upcard"
    assert labels_of(hard) == labels_of(soft) == [*"23456789", "10", "A"]
    (bar,) = soft.child_axes
    assert "initial bets" in bar.get_xlabel() and "H hit, S stand" in bar.get_xlabel()
    hard, bar = picture(soft=False).axes
    assert hard.get_title(loc="left") == "hard hands" and "initial bets" in bar.get_xlabel()


def test_every_cell_has_its_letter_and_its_margin() -> None:
    hard, soft = picture().axes[:2]
    assert len(hard.texts) == 2 * 18 * 10
    assert len(soft.texts) == 2 * 10 * 10
    letters = {(text.get_position()[1], text.get_text()) for text in hard.texts if text.get_text() in "HS"}
    assert letters == {(total, "H" if total < 17 else "S") for total in range(4, 22)}
    assert {text.get_text() for text in hard.texts} >= {"+.050", "\u2212.050", "+1.25"}


@pytest.mark.check
def test_nothing_of_a_picture_is_cut_off_and_no_panel_lies_upon_another() -> None:
    figure = picture(
        "course decks=inf ace=11 dealer-stands=hard17 naturals=beat reshuffle=round: best policy"
    )
    figure.get_layout_engine().execute(figure)
    whole = figure.get_tightbbox()
    assert whole.x0 >= 0 and whole.y0 >= 0
    assert whole.x1 <= figure.get_figwidth() and whole.y1 <= figure.get_figheight()
    first, second = (axes.get_tightbbox() for axes in figure.axes[:2])
    assert not first.overlaps(second)


def test_lines_can_be_seen_on_white_and_differ_in_their_dashes_too() -> None:
    for colour in pictures.COLOURS:
        red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
        assert 0.299 * red + 0.587 * green + 0.114 * blue < 0.75, colour
    axes = pictures.new_figure().subplots()
    lines = [axes.plot([0, 1], [0, 1])[0] for _ in pictures.COLOURS]
    assert [line.get_color() for line in lines] == list(pictures.COLOURS)
    assert len({str(line._dash_pattern) for line in lines}) == len(lines)  # type: ignore[attr-defined]


def test_what_is_written_on_a_colour_can_be_read() -> None:
    assert (plots.ink((1, 1, 1)), plots.ink((0, 0, 0))) == ("black", "white")


def test_other_kinds_of_picture_are_refused(tmp_path: Path) -> None:
    for name in ("policy.jpg", "policy", "png", "policy.png.txt"):
        with pytest.raises(
            CommandError, match=r"expected a name that ends in \.png, \.pdf or \.svg"
        ) as caught:
            pictures.check_picture(tmp_path / name)
        assert caught.value.status == USAGE


def test_a_place_that_cannot_be_written_is_said_before_anything_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written: ") as caught:
        pictures.check_picture(tmp_path / "file" / "policy.png")
    assert caught.value.status == FAILED


def test_a_picture_that_is_there_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "policy.png"
    pictures.check_picture(path)
    assert not path.exists(), "checking leaves nothing behind"
    path.write_text("old")
    pictures.save(pictures.new_figure(), path)
    assert path.read_bytes().startswith(SIGNATURES[".png"])
