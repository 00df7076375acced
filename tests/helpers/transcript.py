r"""Transcripts: conversations that are written down, for a peer to follow from either end.

A transcript is a text file: a sentence after `#`, settings as `key: value`, then what is said.

    > JOIN ada 1        what a player says
    >! join ada         the same, where this project's own client would not say it
    < BEGIN             what the dealer says; `*` stands for any text
    -- FIN              the player closes its side
    -- clock            the time for the decision is over
    -- closed           the dealer has closed the connection

Bytes that cannot be seen are written as in Python, such as `\x00`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cards import Card, Rules, parse_card, rules_from
from tests.helpers.peer import WIRE_FORMATS, AsyncPeer, WebSocket

FOLDER: Final = Path(__file__).parents[1] / "transcripts"


@dataclass(frozen=True)
class Transcript:
    """A conversation, and what it needs to take place.

    Attributes:
        settings: `cards` (in the order in which they are dealt), `rounds` (of the dealer), `rules`,
            `connections` (the most at once), `formats` (the wire formats, where not all three), and `client`
            where it is one that asks for the rules.
        steps: the mark and the text of each line.
    """

    settings: Mapping[str, str]
    steps: Sequence[tuple[str, str]]

    @property
    def cards(self) -> list[Card]:
        """The cards that the dealer deals."""
        listed = self.settings.get("cards")
        return [parse_card(text) for text in listed.split(", ")] if listed else []

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return rules_from(dict(word.split("=", 1) for word in self.settings.get("rules", "").split()))

    @property
    def wire_formats(self) -> Sequence[str]:
        """The wire formats in which it can be spoken."""
        return self.settings["formats"].split() if "formats" in self.settings else WIRE_FORMATS

    @property
    def is_for_a_client(self) -> bool:
        """Whether this project's own client says all that the player says."""
        return not any(mark == ">!" or (mark, text) == ("--", "FIN") for mark, text in self.steps)

    def said(self, mark: str, verbs: str = "") -> list[str]:
        """What one side says that begins with one of the verbs."""
        return [text for has, text in self.steps if has == mark and re.match(verbs, text)]


def read_transcript(path: Path) -> Transcript:
    """Read a transcript from its file."""
    return parse_transcript(path.read_text(encoding="ascii"))


def parse_transcript(text: str) -> Transcript:
    """Read a transcript."""
    settings: dict[str, str] = {}
    steps: list[tuple[str, str]] = []
    for line in text.splitlines():
        if found := re.fullmatch(r"(>!?|<|--)(?: (.*))?", line):
            steps.append((found[1], found[2] or ""))
        elif line and not line.startswith("#"):
            key, value = line.split(": ", 1)
            # A key may come more than once, as the cards of several rounds do.
            settings[key] = f"{settings[key]}, {value}" if key in settings else value
    return Transcript(settings, steps)


def bytes_of(text: str) -> bytes:
    """The bytes of what a transcript writes down."""
    return text.encode("ascii").decode("unicode_escape").encode("latin-1")


async def follow(
    peer: AsyncPeer, transcript: Transcript, own: str, let_the_clock_run_out: Callable[[], None] | None = None
) -> None:
    """Say what one side says, `>` or `<`, and expect what the other one does."""
    peer.hears_keep = True
    for mark, text in transcript.steps:
        if (mark, text) == ("--", "clock"):
            assert let_the_clock_run_out is not None
            let_the_clock_run_out()
        elif mark == "--":
            await _follow_end(peer, text, own)
        elif mark[0] == own:
            await peer.say(bytes_of(text))
        else:
            _compare(await peer.hear(), text)
            if text == "QUIT" and own == "<":
                return  # a player that leaves does not wait for the dealer's answer


async def _follow_end(peer: AsyncPeer, text: str, own: str) -> None:
    if text == "FIN":
        peer.close_side()
    elif own == ">":
        assert await peer.hear() == ""
        if isinstance(peer.format, WebSocket):
            assert peer.format.protocol.close_rcvd is not None
    else:
        await peer.close()


def _compare(heard: str, text: str) -> None:
    assert heard, f"closed, and expected {text}"
    if text.startswith("KEEP "):  # under a token of its own
        text = "KEEP *"
    # Shown as the two strings unless a `*` is in the way.
    pattern = ".*".join(map(re.escape, text.split("*")))
    assert heard == text or re.fullmatch(pattern, heard), (heard, text)
