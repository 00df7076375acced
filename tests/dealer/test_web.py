"""The page of the dealer's port, without a browser: what is served, and what its files may hold."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from collections.abc import AsyncIterator, Iterable, Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import pytest

from cards import CARDS
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from dealer.web import site_for
from dealer.web.pages import TEXTS, served, sources, texts_of
from protocol.public_url import parse_public_url
from protocol.site import compressed as compressed_page
from tests.helpers.house import serving
from tests.helpers.patience import PATIENCE

SITE: Final = site_for(frozenset())
ICON: Final = "favicon.svg"
V: Final = next(path[: -len(ICON)] for path in SITE.pages if path.endswith(ICON))
"""The folder of all files that may be kept for ever, such as `/v/0123456789ab/`."""
ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = Path(str(files("dealer.web")))
CONTENTS: Final = {path: page.body.decode() for path, page in SITE.pages.items()}
SCRIPTS: Final = {path: text for path, text in CONTENTS.items() if path.endswith(".js")}
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
WHOLE: Final = 100_000
"""Compressed bytes, as a browser gets them, of a page with all that is loaded when it is needed."""
LATER: Final = 16_000
"""Compressed bytes that a module brings along which is loaded when it is first needed."""
BUTTONS: Final = (
    *("hit", "stand", "double", "split", "surrender", "insure", "decline"),
    *("next", "hint", "reveal", "new-game", "log-toggle", "help"),
)

SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"


class Elements(HTMLParser):
    """Every element of a page: its name and its attributes; and the text inside scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.script = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] in ("script", "style"):
            self.script += data.strip()

    @property
    def ids(self) -> list[str]:
        return [name for _, attributes in self.found if (name := attributes.get("id"))]


PAGES: Final = {
    path: Elements(text) for path, text in CONTENTS.items() if path == "/" or path.endswith(".html")
}

PAGE: Final = PAGES["/"]


def imports_of(path: str, pattern: str) -> Iterator[str]:
    """The paths that a script names so, in quotation marks behind the pattern."""
    for name in re.findall(rf'{pattern}"([^"]+)"', SCRIPTS[path]):
        yield urljoin(path, name)


def with_imports(paths: Iterable[str], *, later: bool = False) -> set[str]:
    """These files and all that their scripts import; if asked, also what is only imported when needed."""
    patterns = (r"\bfrom ", r"\bimport\(") if later else (r"\bfrom ",)
    found: set[str] = set()
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [one for each in patterns if path in SCRIPTS for one in imports_of(path, each)]
    return found


def linked_by(path: str) -> set[str]:
    """A page and the files of this site that its elements name."""
    values = [value for _, one in PAGES[path].found for key in ("src", "href") if (value := one.get(key))]
    return {path} | {urljoin(path, value) for value in values if value.startswith("v/")}


def compressed(paths: Iterable[str]) -> int:
    return sum(len(compressed_page(SITE.pages[path].body)) for path in paths)


@pytest.fixture
async def server() -> AsyncIterator[DealerServer]:
    async with serving(Config(port=0, rounds=0)) as running:
        yield running


def source_of(path: str) -> Path:
    """The file that is served at a path."""
    return FOLDER / (path.removeprefix(V).removeprefix("/") or "index.html")


async def get(server: DealerServer, path: str) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body of the answer to a GET."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        request = f"GET {path} HTTP/1.1\r\nHost: localhost:{server.port}\r\nConnection: close\r\n\r\n"
        writer.write(request.encode())
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in lines), body


async def test_every_file_is_served_as_what_it_is(server: DealerServer) -> None:
    for path in SITE.pages:
        file = source_of(path)
        status, headers, body = await get(server, path)
        assert (status, headers["Content-Type"]) == (200, TYPES[file.suffix]), path
        assert body == SITE.pages[path].body, path
        assert file.suffix in (".css", ".html", ".js") or body == file.read_bytes(), path
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert ("immutable" in headers["Cache-Control"]) == path.startswith(V), path
        assert int(headers["Content-Length"]) == len(body), path


async def test_nothing_else_is_served(server: DealerServer) -> None:
    for path in (
        *("/__init__.py", "/index.htm", "/favicon.ico", "/cards", "/CARDS.js", "/cards.js"),
        *("/web/shared/cards.js", "//shared/cards.js", "/shared/./cards.js", "/shared/cards.js/"),
        *("/shared/cards.js%00", "/../server.py", "/%2e%2e/server.py"),
    ):
        assert (await get(server, path))[0] == 404, path


async def test_a_question_mark_leads_to_the_same_page(server: DealerServer) -> None:
    assert (await get(server, "/?from=elsewhere"))[2] == SITE.pages["/"].body


async def test_the_policy_lets_nothing_in_from_elsewhere(server: DealerServer) -> None:
    policy = (await get(server, "/"))[1]["Content-Security-Policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == directives["style-src"] == directives["connect-src"] == "'self'"
    assert directives["base-uri"] == directives["form-action"] == directives["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy


def test_the_package_takes_them_all_along() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["dealer.web"]
    for file in FOLDER.rglob("*.*"):
        if file.suffix in TYPES:
            assert any(file.relative_to(FOLDER).match(one) for one in patterns), file


def test_a_page_is_small_and_so_is_what_is_loaded_later() -> None:
    for path in PAGES:
        assert compressed(with_imports(linked_by(path), later=True)) < WHOLE, path
        first = with_imports(linked_by(path))
        for one in {each for script in first & SCRIPTS.keys() for each in imports_of(script, r"\bimport\(")}:
            assert compressed(with_imports([one]) - first) < LATER, one


def test_every_address_is_relative_to_the_page() -> None:
    """So a proxy may put the dealer under a path of a host that has other services."""
    for path in CONTENTS:
        assert re.findall(r"""(?:href|src|url)[=(] *["'`]?/|["'`]/[a-z]""", CONTENTS[path]) == [], path


def test_pages_that_make_links_for_others_are_told_the_public_addresses() -> None:
    urls = [parse_public_url(url) for url in ("https://example.org/cards/", "http://cards.example:8088")]
    told = site_for(frozenset(), urls).pages
    assert site_for(frozenset()).pages == SITE.pages  # another dealer's pages do not change
    assert told.keys() == SITE.pages.keys()
    changed = {path for path, page in told.items() if page != SITE.pages[path]}
    assert changed == {"/", "/trainer.html"}
    for path in changed:
        metas = [each for tag, each in Elements(told[path].body.decode()).found if tag == "meta"]
        (content,) = (each["content"] for each in metas if each.get("name") == "public-urls")
        assert content == "https://example.org/cards/ http://cards.example:8088/"
        assert not told[path].is_immutable


def test_the_folder_has_another_name_when_a_file_is_another() -> None:
    """RFC 8246: what is immutable is never anything else."""
    html = "".join(f'<link rel="stylesheet" href="{name}.css">\n' for name in "ba")
    html += '</head><a href="a.html">'
    found = {"index.html": html, "a.css": "a", "b.css": "b", TEXTS: sources()[TEXTS]}
    before, after = served(found), served({**found, "a.css": "p {}"})
    for pages, sheet in ((before, b"b\na"), (after, b"b\np {}")):
        (style,) = (path for path in pages if path.endswith(".css"))
        assert pages[style].body == sheet
        link = b'<link rel="stylesheet" href="%s">\n</head><a href="a.html">' % style[1:].encode()
        assert pages["/"].body == link
    assert before.keys() & after.keys() == {"/"}


def test_few_files_are_needed_until_a_seat_can_be_taken() -> None:
    """The page, what sets its colours, its styles, its scripts, its icon and its manifest."""
    for path in PAGES:
        assert with_imports(linked_by(path)) == linked_by(path), path
        assert len(linked_by(path)) == 6, path


def test_no_file_refers_to_another_host() -> None:
    for path in CONTENTS:
        text = CONTENTS[path].replace(SVG_NAMESPACE, "")
        assert re.findall(r"\b(?:https?|wss?|ftp)://|@import|url\(|[\"'(]//", text) == [], path


def test_every_file_that_is_referred_to_is_served_and_no_other() -> None:
    assert {one for path in PAGES for one in with_imports(linked_by(path), later=True)} == set(SITE.pages)


def test_without_scripts_a_page_says_what_else_there_is() -> None:
    for path in PAGES:
        (sentence,) = re.findall(r"<noscript>(.*?)</noscript>", CONTENTS[path])
        assert "nc with the host" in sentence, path


def test_every_text_of_the_table_is_shown_somewhere() -> None:
    """By its key, or by a key that is made of its beginning and a word of messages."""
    table = texts_of(sources()[TEXTS])
    texts = {name: text for name, text in sources().items() if name != TEXTS}
    code = "".join(texts.values()) + (FOLDER / "shared/header.fragment").read_text(encoding="utf-8")
    beginnings = (
        *re.findall(r"`([\w-]+\.(?:[\w.-]+[.-])?)\$\{", code),
        *(f"{area}." for area in re.findall(r'\bnamed\("([\w.-]+)"', code)),
    )
    unseen = [key for key in table if f'"{key}"' not in code and f"{{{{{key}}}}}" not in code]
    assert [key for key in unseen if not key.startswith(beginnings)] == []


async def test_the_manifest_leads_to_the_first_page_and_to_an_icon(server: DealerServer) -> None:
    (path,) = (one for one in SITE.pages if one.endswith(".webmanifest"))
    manifest = json.loads((await get(server, path))[2])
    assert urljoin(path, manifest["start_url"]) == urljoin(path, manifest["scope"]) == "/"
    assert [urljoin(path, icon["src"]) in SITE.pages for icon in manifest["icons"]] == [True]
    assert "manifest-src 'self'" in (await get(server, "/"))[1]["Content-Security-Policy"]


def test_every_page_can_be_reached() -> None:
    for path in PAGES:
        named = "".join(text for each, text in CONTENTS.items() if each != path)
        assert path == "/" or re.search(rf"[\"`]{re.escape(path[1:])}[?\"`#]", named), path


def test_scripts_and_styles_are_files_of_their_own() -> None:
    for path, page in PAGES.items():
        assert page.script == "", path
        for tag, attributes in page.found:
            assert tag != "style"
            assert tag != "script" or attributes["src"]
            # What is no module holds up the page until it has run, so that no other colours flash up.
            assert (
                tag != "script"
                or "type" in attributes
                or urljoin("/", attributes["src"] or "") == f"{V}shared/theme.js"
            )
            assert not any(name == "style" or name.startswith("on") for name in attributes), (tag, attributes)


def test_texts_never_become_markup() -> None:
    """Names and log lines are other people's words: they are only ever set as text."""
    for path in SCRIPTS:
        markup = r"innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|document\.write"
        code = r"\beval\b|\bFunction\(|setAttribute\(\"(?:style|on)"
        assert re.findall(f"{markup}|{code}", SCRIPTS[path]) == [], path


def test_every_part_has_its_name_once() -> None:
    for path, page in PAGES.items():
        assert len(page.ids) == len(set(page.ids)), path


def test_scripts_look_for_what_is_there() -> None:
    for path, page in PAGES.items():
        keys = ("aria-labelledby", "aria-controls")
        wanted = [name for _, one in page.found for key in keys if (name := one.get(key))]
        made: list[str] = []
        for script in with_imports(linked_by(path), later=True) & SCRIPTS.keys():
            made += re.findall(r'\bid: "([a-z-]+)"', SCRIPTS[script])
            code = re.sub(r"^ *(\*|//|/\*\*).*", "", SCRIPTS[script], flags=re.MULTILINE)
            wanted += re.findall(r'(?<![.\w])(?:byId|onClick|write|input|select)\("([a-z-]+)"', code)
        assert [name for name in wanted if name not in [*page.ids, *made]] == [], path


def test_the_parts_are_what_they_say() -> None:
    kinds = {attributes["id"]: (tag, attributes) for tag, attributes in PAGE.found if "id" in attributes}
    assert kinds["menu"][0] == kinds["new-table"][0] == "dialog"
    for name in BUTTONS:
        assert kinds[name][0] == "button", name


def test_every_card_has_a_face() -> None:
    """The page knows a card by the words of the protocol."""
    text = sources()["shared/cards.js"]
    for name in map(str, CARDS):
        rank, suit = name.split(" of ")
        assert re.search(rf'"{rank}"|\b{rank}:', text), name
        assert re.search(rf"^  {suit}:", text, re.MULTILINE), name
