"""State trajectories: the states of each model over time, recorded and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from twentyone.devs.clock import TICKS
from twentyone.devs.frame import SourceState
from twentyone.devs.kernel import Change, Simulator
from twentyone.devs.values import text_of
from twentyone.support.pictures import BLUE, WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Value = int | str
Trajectory = list[tuple[int, Value]]
"""Times in ticks, each with the value from then on."""

HIDDEN: Final = frozenset({"answers", "shuffles", "has_started", "is_pending"})
"""Fields that only number random draws, or repeat what other fields show."""


class Recorder:
    """Records every variable of every model except sources, as an observer of a simulation at its start.

    Attributes:
        variables: the trajectories by name, such as `hand.value`.
    """

    def __init__(self, simulator: Simulator) -> None:
        self.variables: dict[str, Trajectory] = {}
        for node, state in zip(simulator.nodes, simulator.states, strict=True):
            self._record(0, node.path, state)
        simulator.observers.append(self._step)

    def _step(self, time: int, changes: Sequence[Change]) -> None:
        for node, _, state in changes:
            self._record(time, node.path, state)

    def _record(self, time: int, path: Sequence[str], state: Any) -> None:
        if isinstance(state, SourceState):
            return
        for name, value in _variables(state).items():
            trajectory = self.variables.setdefault(".".join([*path[1:][-2:], name]), [])
            if not trajectory or trajectory[-1][1] != value:
                trajectory.append((time, value))


def _variables(state: Any) -> Mapping[str, Value]:
    """The fields of a state as numbers and words. Tuples of cards are represented by their length."""
    found: dict[str, Value] = {}
    for name, value in state._asdict().items():
        if name in HIDDEN:
            continue
        if isinstance(value, tuple):
            found[name] = len(value)
        elif isinstance(value, Enum):
            found[name] = text_of(value)
        else:
            found[name] = int(value)
    return found


def trajectory_figure(variables: Mapping[str, Trajectory], end: int, title: str) -> Figure:
    """A figure with a panel for each variable that changes, over time in seconds.

    Args:
        variables: what a `Recorder` recorded.
        end: the time of the last event, in ticks.
        title: the title of the figure.
    """
    changing = {name: found for name, found in variables.items() if len(found) > 1} or dict(variables)
    heights = [0.65 + 0.11 * len(_words(trajectory)) for trajectory in changing.values()]
    figure = new_figure(WIDTH, 0.8 + sum(heights))
    figure.suptitle(title)
    grid = figure.subplots(len(changing), 1, sharex=True, squeeze=False, height_ratios=heights)
    panels: list[Axes] = grid[:, 0].tolist()
    for axes, (name, trajectory) in zip(panels, changing.items(), strict=True):
        _panel(axes, name, trajectory, end)
    panels[-1].set_xlabel("simulated time (s)")
    return figure


def _panel(axes: Axes, name: str, trajectory: Trajectory, end: int) -> None:
    words = _words(trajectory)
    times = [time / TICKS for time, _ in trajectory] + [end / TICKS]
    heights = [words.index(value) if isinstance(value, str) else value for _, value in trajectory]
    axes.step(times, [*heights, heights[-1]], where="post", color=BLUE, linestyle="-")
    axes.set_title(name, fontsize=8)
    if words:
        axes.set_yticks(range(len(words)), words)
    else:
        axes.locator_params(axis="y", integer=True, nbins=4)
    axes.margins(y=0.2)


def _words(trajectory: Trajectory) -> list[str]:
    """The values that are words, in the order of their first appearance."""
    return list(dict.fromkeys(value for _, value in trajectory if isinstance(value, str)))
