"""Outlines as SVG writes them, as polygons: what the page's cards are drawn from.

The commands are those of SVG 1.1, section 8.3, https://www.w3.org/TR/SVG11/paths.html; its arcs are of
circles only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import atan2, ceil, cos, pi, radians, sin, sqrt
from typing import Final

Point = complex
Outline = tuple[Point, ...]

STEPS: Final = 12
"""Straight pieces for each curve: enough for cards of a few hundred pixels."""

_PART: Final = re.compile(r"([A-Za-z])|([-+]?(?:\d+\.?\d*|\.\d+))")
_NUMBERS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


@cache
def outlines(path: str) -> tuple[Outline, ...]:
    """The polygons, or open lines, of a path, each as points x + yj.

    Args:
        path: the attribute `d` of a path: a capital letter for absolute coordinates, a small
            one for relative ones.

    Raises:
        ValueError: for a command that is not known.
    """
    found: list[Outline] = []
    points: list[Point] = []
    at = start = control = 0j  # a control point is that of the last curve, or the point after other commands
    for command, numbers in _commands(path):
        origin = at if command.islower() else 0j
        match command.upper():
            case "M":
                found += [tuple(points)] * (len(points) > 1)
                at = start = control = origin + complex(*numbers)
                points = [at]
                continue
            case "Z":
                found.append(tuple(points))
                at = control = start
                points = [start]
                continue
            case "H":
                more = [complex(numbers[0] + origin.real, at.imag)]
            case "V":
                more = [complex(at.real, numbers[0] + origin.imag)]
            case "A":
                more = list(_arc(at, numbers, origin + complex(*numbers[5:])))
            case "L":
                more = [origin + complex(*numbers)]
            case curve:  # of Bézier; S and T begin as smoothly as the last one ended
                ends = [origin + complex(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
                ends = [at, *([2 * at - control] if curve in "ST" else []), *ends]
                more, control = list(_curve(ends)), ends[-2]
        points += more
        at = points[-1]
        if command.upper() not in "CSQT":
            control = at
    return tuple(found + [tuple(points)] * (len(points) > 1))


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its numbers; a command that is followed by more numbers is repeated."""
    command, numbers = "", list[float]()
    for letter, number in _PART.findall(path):
        if letter:
            if letter.upper() not in _NUMBERS:
                raise ValueError(f"the path has the command {letter!r}: expected {', '.join(_NUMBERS)}")
            command, numbers = letter, []
        else:
            numbers.append(float(number))
        if len(numbers) == _NUMBERS[command.upper()]:
            yield command, numbers
            command, numbers = {"M": "L", "m": "l"}.get(command, command), []


def _curve(ends: Sequence[Point]) -> Iterator[Point]:
    """A curve of Bézier, by de Casteljau's construction, without its first point."""
    for step in range(1, STEPS + 1):
        points, part = list(ends), step / STEPS
        while len(points) > 1:
            points = [one + (other - one) * part for one, other in pairwise(points)]
        yield points[0]


def _arc(start: Point, numbers: Sequence[float], end: Point) -> Iterator[Point]:
    """An arc of a circle, without its first point.

    By SVG 1.1, appendix F.6.5, https://www.w3.org/TR/SVG11/implnote.html, for two equal radii.
    """
    radius, is_large, is_clockwise = numbers[0], bool(numbers[3]), bool(numbers[4])
    half = (end - start) / 2
    radius = max(radius, abs(half))
    aside = sqrt(max(0.0, radius**2 / abs(half) ** 2 - 1)) * half * 1j
    centre = start + half + (aside if is_large != is_clockwise else -aside)
    first, last = start - centre, end - centre
    turned = atan2(last.imag, last.real) - atan2(first.imag, first.real)
    if is_clockwise and turned < 0:
        turned += 2 * pi
    elif not is_clockwise and turned > 0:
        turned -= 2 * pi
    steps = max(2, ceil(abs(turned) / radians(180 / STEPS)))
    for step in range(1, steps + 1):
        angle = turned * step / steps
        yield centre + first * complex(cos(angle), sin(angle))
