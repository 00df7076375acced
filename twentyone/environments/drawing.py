"""The table as a picture, in the colours of the browser page: the dealer above, the player's hands below.

It is drawn by Pillow in twice its size, and then made smaller. A picture depends on the cards only, and on no
font or other file of the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from cards import Card, Outcome, Payoff
from twentyone.environments.faces import HEIGHT as FACE_HEIGHT
from twentyone.environments.faces import WIDTH as FACE_WIDTH
from twentyone.environments.faces import face
from twentyone.environments.shown import Shown, ShownHand

WIDTH: Final = 900
HEIGHT: Final = 620
"""The size of the picture in pixels."""

TWICE: Final = 2

NIGHT, RIM, RING, OVAL = "#0c1711", "#4b2e18", "#c79f5566", "#f3deb02e"
FELT: Final = ((0.0, "#1c6b42"), (0.6, "#12512f"), (1.0, "#0c3f24"))
"""The colours of the felt, from its middle outwards, as parts of the way to a corner."""

CREAM, TEXT, QUIET, GOLD = "#f3deb0", "#f6f3e7", "#dbe8dd", "#f0cf7a"
DARK, TURN_BOX = "#062414", "#06241466"


class Pill(NamedTuple):
    """A text on a coloured ground with round ends."""

    text: str
    ground: str = DARK
    ink: str = TEXT


RESULTS: Final = {
    Outcome.WIN: ("Win", "#f0cf7a", "#1d1503"),
    Outcome.PUSH: ("Push", "#dfe7e2", "#16241c"),
    Outcome.LOSE: ("Lose", "#4d0f16", "#ffdcdc"),
    Outcome.BUST: ("Bust", "#4d0f16", "#ffdcdc"),
    Outcome.SURRENDER: ("Surrender", "#4d0f16", "#ffdcdc"),
}
"""The word of each outcome, the colour of its ground, and that of the word."""

DEALER_CARD, DEALER_TOP = 92, 34
QUESTION_LINE = 254
HANDS_TOP, HANDS_WIDTH = 300, 780
ONE_HAND, SPLIT_HAND, ROOM = 128, 104, 320
"""Places and widths of cards in pixels."""


def frame(shown: Shown) -> NDArray[np.uint8]:
    """The table as uint8 of shape (`HEIGHT`, `WIDTH`, 3): rows from the top, red, green and blue."""
    return np.array(picture(shown))


def picture(shown: Shown) -> Image.Image:
    """The table as a picture, RGB, `WIDTH` by `HEIGHT` pixels."""
    sheet = Sheet(_empty_table().copy())
    _draw_dealer(sheet, shown)
    if shown.outcome is not None and shown.payoff is not None:
        parts = [_result(shown.outcome, shown.payoff), *([Pill("insured")] if shown.insured else [])]
        sheet.pills(parts, WIDTH / 2, QUESTION_LINE, 26)
    else:
        sheet.text(shown.question, WIDTH / 2, QUESTION_LINE, 22, CREAM)
    places = _places(len(shown.hands))
    for number, (hand, (left, width)) in enumerate(zip(shown.hands, places, strict=True)):
        _draw_hand(sheet, shown, hand, number == shown.turn, left, width)
    return sheet.image.convert("RGB").reduce(TWICE)


def _draw_dealer(sheet: Sheet, shown: Shown) -> None:
    """The dealer's cards; one that lies face down, if only the upcard can be seen."""
    cards: list[Card | None] = [*shown.dealer.cards]
    is_hidden = len(cards) == 1
    sheet.cards(cards + [None] * is_hidden, WIDTH / 2, DEALER_TOP, DEALER_CARD, WIDTH / 2, False)
    said = [Pill("Dealer", "", TEXT)]
    if not is_hidden:
        said += [Pill(str(shown.dealer.total)), *_state("bust" if shown.dealer.is_bust else "")]
    sheet.pills(said, WIDTH / 2, DEALER_TOP + _high(DEALER_CARD) + 18, 18)


def _draw_hand(
    sheet: Sheet, shown: Shown, hand: ShownHand, has_turn: bool, left: float, width: float
) -> None:
    """One of the player's hands, with its total, what is staked on it and how it ended."""
    is_split = len(shown.hands) > 1
    card = SPLIT_HAND if is_split else ONE_HAND
    if len(shown.hands) > 2:
        card = round(card * 0.85)
    middle, line = left + width / 2, HANDS_TOP + _high(card) + 34
    if has_turn and shown.options:
        sheet.box(left, HANDS_TOP - 14, width, line + (54 if is_split else 24) - HANDS_TOP + 14)
    sheet.cards(hand.hand.cards, middle, HANDS_TOP, card, width - 24, is_split)
    total = f"soft {hand.hand.total}" if hand.hand.is_soft else str(hand.hand.total)
    state = "bust" if hand.hand.is_bust else "natural" if shown.is_natural else ""
    staked = f"bet {hand.stake}" if hand.stake != 1 or is_split else ""
    insured = "insured" if shown.insured and shown.outcome is None and not is_split else ""
    sheet.pills([Pill(total), *_state(state), *_state(staked), *_state(insured)], middle, line, 22)
    if is_split and hand.outcome is not None and hand.payoff is not None:
        sheet.pills([_result(hand.outcome, hand.payoff)], middle, line + 38, 20)


def _state(word: str) -> list[Pill]:
    return [Pill(word, "", QUIET)] if word else []


def _result(outcome: Outcome, payoff: Payoff) -> Pill:
    word, ground, ink = RESULTS[outcome]
    return Pill(f"{word} {float(payoff):+g}" if payoff else f"{word} 0", ground, ink)


def _places(hands: int) -> list[tuple[float, float]]:
    """The left edge and the width of the place of each hand."""
    width = min(ROOM, HANDS_WIDTH / max(1, hands))
    first = (WIDTH - hands * width) / 2
    return [(first + number * width + 4, width - 8) for number in range(hands)]


def _high(width: float) -> float:
    return width * FACE_HEIGHT / FACE_WIDTH


class Sheet:
    """A picture while it is drawn; all places and sizes are pixels of what it will be."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image

    def cards(
        self,
        cards: Sequence[Card | None],
        middle: float,
        top: float,
        width: int,
        room: float,
        is_compact: bool,
    ) -> None:
        """Cards side by side; they overlap where there is no room, and then show their small indices."""
        step = min(1.06 * width, (room - width) / max(1, len(cards) - 1))
        left = middle - (step * (len(cards) - 1) + width) / 2
        shadow, is_large = _shadow(width), is_compact and step > 0.45 * width
        for number, card in enumerate(cards):
            at = round(TWICE * (left + number * step)), round(TWICE * top)
            self.image.alpha_composite(shadow, (at[0] - SHADOW, at[1] - SHADOW + TWICE))
            self.image.alpha_composite(face(card, TWICE * width, is_large), at)

    def text(self, text: str, middle: float, line: float, size: float, ink: str) -> None:
        """A line of text around a point."""
        draw = ImageDraw.Draw(self.image)
        draw.text(
            (TWICE * middle, TWICE * line), text, ink, _font(size), "mm", stroke_width=THICK, stroke_fill=ink
        )

    def pills(self, pills: Sequence[Pill], middle: float, line: float, size: float) -> None:
        """Texts side by side around a point, each on its ground if it has one."""
        draw, font = ImageDraw.Draw(self.image), _font(size)
        widths = [font.getlength(pill.text) / TWICE + 0.9 * size for pill in pills]
        left = middle - (sum(widths) + 6 * (len(pills) - 1)) / 2
        for pill, width in zip(pills, widths, strict=True):
            if pill.ground:
                corners = (left, line - 0.68 * size, left + width, line + 0.68 * size)
                draw.rounded_rectangle([TWICE * value for value in corners], TWICE * 0.6 * size, pill.ground)
            self.text(pill.text, left + width / 2, line, size, pill.ink)
            left += width + 6

    def box(self, left: float, top: float, width: float, height: float) -> None:
        """The box around the hand that is asked about."""
        box = _box(round(width), round(height))
        self.image.alpha_composite(box, (round(TWICE * (left - GLOW)), round(TWICE * (top - GLOW))))


THICK: Final = 0.5
"""The thickening of text, in pixels of the sheet: the font has no bold letters."""

SHADOW: Final = 6 * TWICE
"""The reach of a card's shadow."""

GLOW: Final = 20
"""The reach of a box's glow."""


@cache
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(TWICE * size)


@cache
def _shadow(width: int) -> Image.Image:
    """The shadow of a card, with `SHADOW` around it."""
    card = face(None, TWICE * width)
    alpha = Image.new("L", (card.width + 2 * SHADOW, card.height + 2 * SHADOW))
    alpha.paste(card.getchannel("A").point(lambda value: value * 0.6), (SHADOW, SHADOW))
    shadow = Image.new("RGBA", alpha.size, "#000000")
    shadow.putalpha(alpha.filter(ImageFilter.GaussianBlur(TWICE * 1.5)))
    return shadow


@cache
def _box(width: int, height: int) -> Image.Image:
    """A box that is shaded within, with a golden line that glows, with `GLOW` around it."""
    size = TWICE * (width + 2 * GLOW), TWICE * (height + 2 * GLOW)
    corners = [TWICE * value for value in (GLOW, GLOW, GLOW + width, GLOW + height)]
    glow, box = Image.new("RGBA", size, f"{GOLD}00"), Image.new("RGBA", size)
    ImageDraw.Draw(glow).rounded_rectangle(corners, TWICE * 12, None, f"{GOLD}88", TWICE * 4)
    glow = glow.filter(ImageFilter.GaussianBlur(TWICE * 7))
    ImageDraw.Draw(box).rounded_rectangle(corners, TWICE * 12, TURN_BOX, GOLD, TWICE * 2)
    glow.alpha_composite(box)
    return glow


@cache
def _empty_table() -> Image.Image:
    """The table without cards, RGBA, in twice its size."""
    size = TWICE * WIDTH, TWICE * HEIGHT
    edge, rim, radius = 12 * TWICE, 13 * TWICE, 170 * TWICE
    outer = [edge, edge, size[0] - edge, size[1] - edge]
    inner = [outer[0] + rim, outer[1] + rim, outer[2] - rim, outer[3] - rim]
    image = Image.new("RGBA", size, NIGHT)
    ImageDraw.Draw(image).rounded_rectangle(outer, radius, RIM)
    within = Image.new("L", size)
    ImageDraw.Draw(within).rounded_rectangle(inner, radius - rim, 255)
    image.paste(_felt(size, within), mask=within)
    lines = Image.new("RGBA", size)
    draw = ImageDraw.Draw(lines)
    draw.rounded_rectangle(inner, radius - rim, None, RING, 2 * TWICE)
    draw.ellipse([0.15 * size[0], 0.17 * size[1], 0.85 * size[0], 0.83 * size[1]], None, OVAL, 2 * TWICE)
    image.alpha_composite(lines)
    return image


def _felt(size: tuple[int, int], within: Image.Image) -> Image.Image:
    """The felt: lighter in its middle, and darker where the rim shades it."""
    width, height = size
    x = (np.arange(width) / width - 0.5) / 0.5
    y = (np.arange(height) / height - 0.4) / 0.6
    away = np.hypot(x, y[:, np.newaxis]) / np.sqrt(2)
    stops = [stop for stop, _ in FELT]
    parts = np.array([[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for _, colour in FELT])
    shaded = np.array(within.filter(ImageFilter.GaussianBlur(22 * TWICE))) / 255
    light = (0.5 + 0.5 * np.clip(2 * shaded - 1, 0, 1))[..., np.newaxis]
    felt = np.stack([np.interp(away, stops, channel) for channel in parts.T], axis=-1) * light
    return Image.fromarray(felt.round().astype(np.uint8))
