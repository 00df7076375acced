"""An explained policy as a page in a browser: its picture, and the cells that differ."""

from __future__ import annotations

import tempfile
import webbrowser
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cards import Rules
from twentyone.exact.report.letters import rules_in_short
from twentyone.learning.explaining import Explanation
from twentyone.learning.explanation_text import explanation_text, summary
from twentyone.support.command import FAILED, CommandError, os_reason
from twentyone.support.pictures import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{name}</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }}
img {{ max-width: 100%; background: white; }}
pre {{ overflow-x: auto; }}
</style>
</head>
<body>
<main>
<h1>{name}</h1>
<p>{rules}</p>
<p>{summary}</p>
<img alt="Where the policy differs from the best chart, what that costs, its visits and the exact margins"
 src="data:image/png;base64,{picture}">
<h2>Cells that differ</h2>
<pre tabindex="0">{cells}</pre>
</main>
</body>
</html>
"""


def page_of(found: Explanation, rules: Rules, figure: Figure) -> str:
    """The page, which needs no other file and no network."""
    return PAGE.format(
        name=escape(found.grade.name),
        rules=escape(rules_in_short(rules)),
        summary=escape(summary(found)),
        picture=b64encode(drawn(figure, ".png")).decode("ascii"),
        cells=escape(explanation_text(found, found.mistakes)),
    )


def open_page(found: Explanation, rules: Rules, figure: Figure) -> str:
    """Write the page to a file of its own, open it in a browser, and return its address.

    Raises:
        CommandError: if it cannot be written.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="twentyone-"))
        path = folder / "explained.html"
        path.write_text(page_of(found, rules, figure), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"the page cannot be written: {os_reason(error)}", FAILED) from None
    address = path.as_uri()
    webbrowser.open(address)
    return address
