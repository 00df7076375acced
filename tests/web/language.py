"""A language that the tests make of the table of texts, and what a page shows that is not in it.

Each text is 40 % longer, without what comes in its places, and has an accent on every letter: `Hit` is
`[Ĥîţ~]`. So a word of plain letters has escaped from the table of texts, wherever it stands in a sentence.
"""

from __future__ import annotations

import calendar
import json
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from dealer.web.invitation import PATH, qr_page
from dealer.web.pages import TEXTS, served, sources
from protocol.public_url import PublicUrl
from protocol.site import Site
from tests.helpers.browser import Page

_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED: Final = "åƀçđéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻⱮÑÖÞɊŔŠŢÛṼŴẊÝŽ"
_TABLE: Final = re.compile(r"(?<=^export const TEXTS = )\{\n.*?^\}(?=;$)", re.MULTILINE | re.DOTALL)
_PLACE: Final = re.compile(r"(\{\w+\})")

NAMES: Final = ("ada", "bob", "carl", "guest", "bot")
"""Names of players, which no language changes."""

MONTHS: Final = tuple(calendar.month_name[1:])
"""The browser names them, in its own languages."""


def translated(text: str) -> str:
    """A text in the language of the tests; its places stay as they are."""
    parts = _PLACE.split(text)
    longer = 2 * sum(len(part) for part in parts[::2]) // 5
    accented = [part if at % 2 else part.translate(_accents()) for at, part in enumerate(parts)]
    return f"[{''.join(accented)}{'~' * longer}]" if text else ""


def site_in_test_language(
    names: AbstractSet[str], public_urls: Sequence[PublicUrl] = (), name: str | None = None
) -> Site:
    """The pages with every text translated."""
    found = sources()
    script = found[TEXTS]
    table = _TABLE.search(script)
    assert table is not None
    texts = {key: _all_forms(value) for key, value in json.loads(table[0]).items()}
    longer = script.replace(table[0], json.dumps(texts, ensure_ascii=False, indent=2), 1)
    return Site(served(found | {TEXTS: longer}), names, {PATH: qr_page}, public_urls, name)


def escaped(page: Page) -> list[str]:
    """Every visible text, label, title and placeholder of a page that has plain words, with where it is."""
    known = [word.lower() for word in NAMES + MONTHS]
    found: list[str] = page.ask(f"({_ESCAPED})(...arguments)", known)
    return found


def _all_forms(value: Any) -> Any:
    if isinstance(value, str):
        return translated(value)
    return {form: translated(text) for form, text in value.items()}


def _accents() -> dict[int, int]:
    return str.maketrans(_PLAIN, _ACCENTED)


_ESCAPED: Final = """(known) => {
  const own = String(JSON.parse(localStorage.getItem("twentyone.name") ?? '""')).toLowerCase().split(" ");
  const names = [...known, ...own];
  // What programs write stays as it is, as do keys, names, addresses, and what is drawn.
  const apart = "script, style, noscript, code, kbd, pre, .name, a.product, svg *";
  const hasPlain = (text) => (text.replace(/https?:\\S+|\\S+\\.jsonl/g, "").match(/[A-Za-z]{2,}/g) ?? [])
    .some((word) => !names.includes(word.toLowerCase()));
  const where = (element) => {
    const named = element.closest("[id]");
    const place = named === element || named === null ? "" : ` in #${named.id}`;
    const kind = element.getAttribute("class");
    const own = element.id ? `#${element.id}` : kind ? `.${kind}` : "";
    return `${element.localName}${own}${place}`;
  };
  return all("body, body *").flatMap((element) => {
    if (element.closest(apart) !== null) return [];
    const isShown = element.checkVisibility();
    const texts = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE && isShown)
      .map((node) => ["text", node.data]);
    const labels = ["aria-label", "title", "placeholder", "alt"]
      .filter((name) => isShown && element.hasAttribute(name))
      .map((name) => [name, element.getAttribute(name)]);
    return [...texts, ...labels]
      .filter(([, text]) => hasPlain(text))
      .map(([kind, text]) => `${where(element)} ${kind}: ${text.trim().replace(/\\s+/g, " ").slice(0, 90)}`);
  });
}"""
