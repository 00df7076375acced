"""An explained policy as a page in a browser: its picture, and the cells that differ."""

from __future__ import annotations

import tempfile
import webbrowser
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cards import Rules
from cards.words import table_in_words
from twentyone.learning.explaining import Explanation
from twentyone.learning.explanation_text import explanation_text, summary
from twentyone.support.command import FAILED, CommandError, os_reason
from twentyone.support.pictures import drawn
from twentyone.support.sheets import header, rules_part, shared_style, with_minus

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
{style}
.page {{ width: min(100%, 64rem); }}
img {{ max-width: 100%; border-radius: var(--round-2); background: var(--paper); }}
pre {{ margin: 0; overflow-x: auto; }}
</style>
</head>
<body>
{header}
<main class="page">
<section class="panel">
<h1>{name}</h1>
{rules}
<p>{summary}</p>
<img alt="Where the policy differs from the best chart, what that costs, its visits and the exact margins"
 src="data:image/png;base64,{picture}">
</section>
<section class="panel" aria-labelledby="cells">
<h2 id="cells">Cells that differ</h2>
<pre tabindex="0">{cells}</pre>
</section>
</main>
</body>
</html>
"""


def page_of(found: Explanation, rules: Rules, figure: Figure) -> str:
    """The page, which needs no other file and no network."""
    return PAGE.format(
        name=escape(found.grade.name),
        style=shared_style(),
        header=header("An explained policy"),
        rules=rules_part(table_in_words(rules), str(rules)),
        summary=with_minus(escape(summary(found))),
        picture=b64encode(drawn(figure, ".png")).decode("ascii"),
        cells=with_minus(escape(explanation_text(found, found.mistakes))),
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
