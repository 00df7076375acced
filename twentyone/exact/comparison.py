"""The best chart beside published ones, as text and as a document."""

from __future__ import annotations

from textwrap import fill
from typing import Any, Final

from cards import Rules
from twentyone.exact.published import Difference, Published, differences, published_for
from twentyone.exact.report.grades import cell_name
from twentyone.exact.report.worth import WIDTH
from twentyone.policies.chart import Chart

TITLE: Final = "Published charts, and the entries that differ from this one"


def comparison_text(best: Chart, rules: Rules) -> str:
    """The entries that differ from published charts, and the reasons, in lines of a terminal.

    Args:
        best: the best chart.
        rules: what is played; "" is returned if no chart is published for them.
    """
    found = _found(best, rules)
    lines = [fill(f"  {_said(*each)}", WIDTH, subsequent_indent="    ") for each in found]
    reasons = [fill(reason, WIDTH) for reason in _reasons(found)]
    return "\n".join([f"{TITLE}:", *lines, *reasons]) if found else ""


def comparison_prose(best: Chart, rules: Rules) -> str:
    """The same as one paragraph."""
    found = _found(best, rules)
    charts = "; ".join(_said(*each) for each in found)
    return " ".join([f"{TITLE}: {charts}.", *_reasons(found)]) if found else ""


def comparison_json(best: Chart, rules: Rules) -> list[dict[str, Any]] | None:
    """The same as a document; None without published charts. The help of `analysis solve` lists its keys."""
    found = [
        {
            "source": chart.source,
            "rules": chart.rules,
            "otherwise": chart.otherwise,
            "differences": [each._asdict() for each in entries],
        }
        for chart, entries in _found(best, rules)
    ]
    return found or None


def _found(best: Chart, rules: Rules) -> list[tuple[Published, list[Difference]]]:
    return [(each, differences(best, each.chart, rules)) for each in published_for(rules)]


def _said(chart: Published, entries: list[Difference]) -> str:
    """A chart and its entries: `Wizard of Odds (4 to 8 decks): Rh for hard 16 against 10`."""
    rules = "; ".join(filter(None, (chart.rules, chart.otherwise)))
    differ = [f"{each.published} for {cell_name(each.hand, each.upcard)}" for each in entries]
    return f"{chart.source} ({rules}): {', '.join(differ) or 'none'}"


def _reasons(found: list[tuple[Published, list[Difference]]]) -> list[str]:
    """The reason for each entry, once."""
    reasons = {cell_name(each.hand, each.upcard): each.reason for _, entries in found for each in entries}
    return [f"{cell.capitalize()}: {reason}" for cell, reason in reasons.items()]
