"""Each entrant's errors as tables of hand against upcard, for the page."""

from __future__ import annotations

from html import escape
from typing import Final

from tournament.results.errors import Errors, Heatmap
from tournament.results.statistics import Standing
from twentyone.policies.hands import HANDS, UPCARDS
from twentyone.support.counts import counted

THOUSANDTHS: Final = 1000
LEVELS: Final = (0.05, 0.2, 0.5, 1.5, 5.0)
"""Thousandths of an initial bet per round from which on a cell has its first to its fifth colour."""


def of(errors: Errors | None, standing: Standing) -> str:
    """The heatmaps of all entrants, folded, in the order of the ranking."""
    if errors is None:
        return '<p class="quiet">Exact values do not hold for these rules, so errors are not known.</p>'
    intro = (
        '<p class="quiet">What the decisions with a hand against an upcard cost, in thousandths of an initial'
        " bet per round: H is a hard total, S a soft one, P a pair. The stronger a colour, the more. Hands"
        " without errors are left out, and an empty cell has cost nothing.</p>"
    )
    return intro + "".join(
        _folded(standing.rows[number].name, errors.heatmaps[number]) for number in standing.order
    )


def _folded(name: str, heatmap: Heatmap) -> str:
    total = THOUSANDTHS * (sum(heatmap.costs.values()) + heatmap.forfeits)
    return (
        f"<details><summary><b>{escape(name)}</b>: {total:z.2f} thousandths in all</summary>"
        f"{_table(name, heatmap)}{_note(heatmap)}</details>"
    )


def _table(name: str, heatmap: Heatmap) -> str:
    hands = [
        hand for hand in HANDS if any(_is_shown(heatmap.costs.get((hand, upcard))) for upcard in UPCARDS)
    ]
    if not hands:
        return '<p class="quiet">No decision cost anything.</p>'
    heads = "".join(f'<th scope="col">{"A" if upcard == 11 else upcard}</th>' for upcard in UPCARDS)
    rows = "".join(
        f'<tr><th scope="row">{hand}</th>'
        f"{''.join(_cell(heatmap.costs.get((hand, upcard))) for upcard in UPCARDS)}</tr>"
        for hand in hands
    )
    said = escape(f"What {name} lost, by hand and upcard")
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{said}"><table class="heat">'
        f'<caption class="unseen">{said}</caption><thead><tr><th scope="col">hand</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _is_shown(cost: float | None) -> bool:
    return cost is not None and abs(cost) * THOUSANDTHS >= 0.005


def _cell(cost: float | None) -> str:
    if cost is None or not _is_shown(cost):
        return "<td></td>"
    told = cost * THOUSANDTHS
    level = sum(told >= least for least in LEVELS)
    colour = f' class="heat-{level}"' if level else ""
    return f"<td{colour}>{told:z.2f}</td>" if abs(told) < 10 else f"<td{colour}>{told:z.1f}</td>"


def _note(heatmap: Heatmap) -> str:
    said = []
    if heatmap.forfeits > 0:
        said.append(f"Forfeits cost {THOUSANDTHS * heatmap.forfeits:z.2f} thousandths of it.")
    if heatmap.replayed < heatmap.costly:
        said.append(
            f"Estimated from {heatmap.replayed:,} of the {counted(heatmap.costly, 'round')} that cost"
            " something."
        )
    return f'<p class="quiet">{" ".join(said)}</p>' if said else ""
