"""The cards as pictures: the faces and the back of the browser page, drawn by Pillow.

The outlines, places and colours are those of `dealer/web/shared/cards.js` and `cards.css`; a card is 100 wide
and 140 high there. They are drawn larger, and then made smaller, so that edges are smooth.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

from cards import Card, Rank, Suit
from twentyone.environments.outlines import outlines

WIDTH: Final = 100
HEIGHT: Final = 140

LARGER: Final = 6
"""Pixels for each unit of a card while it is drawn."""

INK: Final = {
    Suit.CLUBS: "#17181c",
    Suit.SPADES: "#17181c",
    Suit.DIAMONDS: "#b5122b",
    Suit.HEARTS: "#b5122b",
}
PAPER, EDGE = "#fffdf6", "#8a8778"
FRAME, FRAME_EDGE = "#f7efda", "#b99a55"
GOLD, GOLD_EDGE = "#e0b13e", "#7d5c12"
SKIN, SKIN_EDGE = "#f3d9bd", "#7a5a3c"
HAIR_COLOUR, EYES = "#6b4526", "#2b1c10"
BACK, LATTICE = "#7d1528", "#e6c27a"

SUITS: Final = {
    Suit.CLUBS: (
        "M0-9a4.1 4.1 0 0 1 3.2 6.6A4.1 4.1 0 1 1 1 3.8C1.2 6 2 8 3.4 9h-6.8C-2 8-1.2 6-1 3.8"
        "A4.1 4.1 0 1 1-3.2-2.4 4.1 4.1 0 0 1 0-9z"
    ),
    Suit.DIAMONDS: "M0-9.5Q3-4 7 0 3 4 0 9.5-3 4-7 0-3-4 0-9.5z",
    Suit.HEARTS: "M0 9C-11 1-10-8-4.8-8-2.2-8 0-6.2 0-4 0-6.2 2.2-8 4.8-8 10-8 11 1 0 9z",
    Suit.SPADES: (
        "M0-9.5C11-1 9.6 6 5 6 3 6 1.4 5 .8 3.4 1 6 1.9 8 3.4 9h-6.8C-1.9 8-1 6-.8 3.4-1.4 5-3 6-5 6"
        "-9.6 6-11-1 0-9.5z"
    ),
}
"""Each suit, centred on (0, 0) and reaching 9 up and 9 down."""

HEADDRESS: Final = {
    Rank.KING: "M41 34 39 21l6 6 5-8 5 8 6-6-2 13z",
    Rank.QUEEN: "M41 34q-3-7-2-12 3 4 5 5 2-6 6-9 4 3 6 9 2-1 5-5 1 5-2 12z",
    Rank.JACK: "M40 35q-2-10 8-12 10-2 15 3l-3 9z",
}
HAIR: Final = {
    Rank.KING: "M41 44q-1 14 9 16 10-2 9-16-4 5-9 5t-9-5z",
    Rank.QUEEN: "M39 36q-4 12-1 20h24q3-8-1-20z",
    Rank.JACK: "M40 36q-2 8 0 13h20q2-5 0-13z",
}
BODY: Final = "M26.5 70c0-10 10-14.5 23.5-14.5S73.5 60 73.5 70z"
COLLAR: Final = "M40 56l10 5 10-5-4 14H44z"
GAZE: Final = "M46 40.5v2M54 40.5v2"

INDEX: Final = {
    Rank.ACE: "A",
    Rank.TEN: "10",
    Rank.JACK: "J",
    Rank.QUEEN: "Q",
    Rank.KING: "K",
}

CORNERS: Final = ((34, 30), (66, 30), (34, 110), (66, 110))
SIX: Final = (*CORNERS, (34, 70), (66, 70))
EIGHT: Final = (*CORNERS, (34, 56.7), (66, 56.7), (34, 83.3), (66, 83.3))
PIPS: Final[dict[Rank, Sequence[tuple[float, float]]]] = {
    Rank.TWO: ((50, 30), (50, 110)),
    Rank.THREE: ((50, 30), (50, 70), (50, 110)),
    Rank.FOUR: CORNERS,
    Rank.FIVE: (*CORNERS, (50, 70)),
    Rank.SIX: SIX,
    Rank.SEVEN: (*SIX, (50, 50)),
    Rank.EIGHT: (*SIX, (50, 50), (50, 90)),
    Rank.NINE: (*EIGHT, (50, 70)),
    Rank.TEN: (*EIGHT, (50, 43.3), (50, 96.7)),
}


@cache
def face(card: Card | None, width: int, is_compact: bool = False) -> Image.Image:
    """A card, RGBA, with nothing outside its round corners.

    Args:
        card: the card; None for one that lies face down.
        width: in pixels; it is 1.4 times as high.
        is_compact: whether only the index and the suit are drawn, large enough for small cards.
    """
    canvas = Canvas()
    canvas.box(1, 1, 98, 138, 9, PAPER, EDGE)
    if card is None:
        _draw_back(canvas)
    elif is_compact:
        canvas.index(card, 25, 43, 44)
        canvas.pip(card.suit, 25, 66, 1.6)
        canvas.pip(card.suit, 66, 102, 3)
    else:
        _draw_face(canvas, card)
    size = (width, round(width * HEIGHT / WIDTH))
    return canvas.image.resize(size, Image.Resampling.LANCZOS)


def _draw_face(canvas: Canvas, card: Card) -> None:
    if card.rank in HEADDRESS:
        canvas.box(25, 16, 50, 108, 3, FRAME, FRAME_EDGE)
    half = Canvas()
    half.index(card, 13, 25, 22)
    half.pip(card.suit, 13, 38, 0.85)
    if card.rank in HEADDRESS:
        _draw_court(half, card)
    canvas.image.alpha_composite(half.image)
    canvas.image.alpha_composite(half.image.rotate(180))
    if card.rank is Rank.ACE:
        canvas.pip(card.suit, 50, 70, 3.2)
    for x, y in PIPS.get(card.rank, ()):
        canvas.pip(card.suit, x, y, -1 if y > 70 else 1)


def _draw_court(canvas: Canvas, card: Card) -> None:
    """The upper half of a king, a queen or a jack; a king's beard lies in front of the face."""
    canvas.pip(card.suit, 33, 29, 0.8)
    canvas.fill(BODY, INK[card.suit])
    if card.rank is not Rank.KING:
        canvas.fill(HAIR[card.rank], HAIR_COLOUR)
    canvas.disc(50, 42, 9.5, SKIN, SKIN_EDGE, 0.6)
    if card.rank is Rank.KING:
        canvas.fill(HAIR[card.rank], HAIR_COLOUR)
    canvas.fill(COLLAR, GOLD, GOLD_EDGE, 0.7)
    canvas.fill(HEADDRESS[card.rank], GOLD, GOLD_EDGE, 0.7)
    canvas.stroke(GAZE, EYES, 1.6)
    canvas.pip(card.suit, 50, 65, 0.36, PAPER)


def _draw_back(canvas: Canvas) -> None:
    canvas.box(7, 7, 86, 126, 5, BACK)
    for x in range(20, 81, 20):
        for y in range(10, 111, 20):
            canvas.stroke(f"M{x} {y}l10 10-10 10-10-10z", LATTICE, 1.4)


class Canvas:
    """A card while it is drawn, in the units of the page: 100 x 140, from the upper left corner."""

    def __init__(self) -> None:
        self.image = Image.new("RGBA", (WIDTH * LARGER, HEIGHT * LARGER))
        self._draw = ImageDraw.Draw(self.image)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        radius: float,
        fill: str,
        edge: str | None = None,
    ) -> None:
        """A rectangle with round corners."""
        corners = [value * LARGER for value in (x, y, x + width, y + height)]
        self._draw.rounded_rectangle(corners, radius * LARGER, fill, edge, LARGER)

    def disc(self, x: float, y: float, radius: float, fill: str, edge: str, line: float) -> None:
        """A circle."""
        self._draw.circle((x * LARGER, y * LARGER), radius * LARGER, fill, edge, round(line * LARGER))

    def fill(self, path: str, colour: str, edge: str | None = None, line: float = 0) -> None:
        """The area within a path."""
        for outline in outlines(path):
            self._draw.polygon(_points(outline), colour)
        if edge is not None:
            self.stroke(path, edge, line)

    def stroke(self, path: str, colour: str, line: float) -> None:
        """The line along a path."""
        for outline in outlines(path):
            closed = outline if len(outline) == 2 else (*outline, *outline[:2])
            self._draw.line(_points(closed), colour, round(line * LARGER), joint="curve")

    def pip(self, suit: Suit, x: float, y: float, scale: float, colour: str | None = None) -> None:
        """The sign of a suit; upside down with a negative scale."""
        for outline in outlines(SUITS[suit]):
            moved = [complex(x, y) + scale * point for point in outline]
            self._draw.polygon(_points(moved), colour or INK[suit])

    def index(self, card: Card, x: float, y: float, size: float) -> None:
        """The rank as it stands in the corner, around x and above y; 10 is made as narrow as the others."""
        written, ink = INDEX.get(card.rank, str(card.points)), INK[card.suit]
        font = ImageFont.load_default(size * LARGER)
        left, top, right, bottom = font.getbbox(written, anchor="ls", stroke_width=STROKE)
        text = Image.new("RGBA", (int(right - left) + 2, int(bottom - top) + 2))
        ImageDraw.Draw(text).text(
            (-left, -top), written, ink, font, "ls", stroke_width=STROKE, stroke_fill=ink
        )
        widest = round(0.72 * size * LARGER)
        if text.width > widest:
            text = text.resize((widest, text.height), Image.Resampling.LANCZOS)
        place = (round(x * LARGER - text.width / 2), round(y * LARGER + top))
        self.image.alpha_composite(text, (max(0, place[0]), max(0, place[1])))


STROKE: Final = LARGER // 2
"""The thickening of the font, which has no bold letters, for an index."""


def _points(outline: Sequence[complex]) -> list[Any]:
    return [(point.real * LARGER, point.imag * LARGER) for point in outline]
