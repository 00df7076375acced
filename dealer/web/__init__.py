"""The page that a browser gets from the dealer's port, and who may ask for it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from importlib.resources import files
from typing import Final

from dealer.web.invitation import PATH, qr_page
from protocol.websocket import Page, Site

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

_FILES: Final = {
    "": ("favicon.svg", "hands.html", "index.html", "replay.html", "trainer.html"),
    "hands/": ("figures.js", "hands.css", "hands.js", "plot.js"),
    "lobby/": ("choices.js", "form.js", "invite.js", "lobby.css", "menu.js", "presets.js", "tables.js"),
    "replay/": (
        *("replay.css", "replay.js", "replay_file.js", "replay_keys.js", "replay_table.js"),
        *("replay_view.js",),
    ),
    "shared/": (
        *("archive.js", "base.css", "cards.css", "cards.js", "connection.js", "count.js"),
        *("counts.js", "elements.js", "memory.js", "names.js", "rounds.js", "settings.js"),
        *("settings_panel.js", "theme.js"),
    ),
    "table/": (
        *("betting.js", "chips.js", "count.js", "dealing.js", "game.js", "main.js", "messages.js"),
        *("refusals.js", "rules.js", "seats.js", "session.js", "sound.js", "stage.js"),
        *("statistics.js", "table.css", "view.js", "words.js"),
    ),
    "trainer/": ("charts.js", "counting.js", "drills.js", "grid.js", "main.js", "record.js", "trainer.css"),
}
"""Every file that is served, by its folder: each under its path here, and the first page as `/`."""


def site_for(names: AbstractSet[str]) -> Site:
    """The pages, for a dealer that goes by these names, of which there may be more later."""
    here = files(__name__)
    served = [folder + name for folder, each in _FILES.items() for name in each]
    pages = {_path(name): Page(_type(name), (here / name).read_bytes()) for name in served}
    return Site(pages, names, {PATH: qr_page})


def _path(name: str) -> str:
    return "/" if name == "index.html" else f"/{name}"


def _type(name: str) -> str:
    return _TYPES[name.rpartition(".")[2]]
