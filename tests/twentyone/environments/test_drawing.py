"""The table as a picture: the page's own outlines and colours, and what can be seen of a round."""

from __future__ import annotations

import copy
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from cards import CARDS, Ace, Decision, Hand, Outcome, Suit, parse_card
from twentyone import environments
from twentyone.environments import drawing, faces
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.environments.faces import face
from twentyone.environments.outlines import outlines
from twentyone.environments.shown import Shown, ShownHand
from twentyone.support.sheets import sheet

gymnasium.register_envs(environments)

PAGE = Path(__file__).parents[3] / "dealer" / "web"
CARDS_OF_PAGE = (PAGE / "shared" / "cards.js").read_text(encoding="utf-8")
STYLE_OF_PAGE = sheet("tokens.css") + (PAGE / "shared" / "cards.css").read_text(encoding="utf-8")
STAND, SPLIT = 1, 3
PLAY = (Decision.HIT, Decision.STAND)


def hand(cards: str) -> Hand:
    return Hand(Ace.EITHER, [parse_card(card) for card in cards.split(", ")])


def same(one: Shown, other: Shown) -> bool:
    return bool((drawing.frame(one) == drawing.frame(other)).all())


def has(picture: Any, colour: str) -> bool:
    """Whether some pixel has exactly this colour."""
    rgb = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return bool((np.asarray(picture)[..., :3] == rgb).all(axis=-1).any())


def test_the_outlines_are_those_of_the_page() -> None:
    paths = [*faces.SUITS.values(), *faces.HEADDRESS.values(), *faces.HAIR.values()]
    for path in (*paths, faces.BODY, faces.COLLAR, faces.GAZE):
        assert f'"{path}"' in CARDS_OF_PAGE, path


def test_the_pips_lie_where_the_page_has_them() -> None:
    lists: dict[str, Any] = {}
    for name, points in re.findall(r"const (CORNERS|SIX|EIGHT) = (\[.*\]);", CARDS_OF_PAGE):
        lists[name] = eval(points.replace("...", "*"), lists)
    block = re.search(r"const PIPS = \{(.*?)\n\};", CARDS_OF_PAGE, re.DOTALL)
    assert block is not None
    pips = {rank.title: [list(at) for at in places] for rank, places in faces.PIPS.items()}
    rows = re.findall(r"(\w+): (\S.*),\n", block[1] + "\n")
    assert pips == {title: eval(row.replace("...", "*"), lists) for title, row in rows}


def test_the_colours_are_those_of_the_page() -> None:
    for colour in (
        *faces.INK.values(),
        *(faces.PAPER, faces.EDGE, faces.FRAME, faces.FRAME_EDGE, faces.GOLD, faces.GOLD_EDGE),
        *(faces.SKIN, faces.SKIN_EDGE, faces.HAIR_COLOUR, faces.EYES, faces.BACK, faces.LATTICE),
        *(drawing.NIGHT, drawing.RIM, drawing.RING, drawing.OVAL, drawing.CREAM, drawing.TEXT, drawing.QUIET),
        *(drawing.GOLD, drawing.DARK, drawing.TURN_BOX, *(colour for _, colour in drawing.FELT)),
        *(colour for _, *colours in drawing.RESULTS.values() for colour in colours),
    ):
        assert colour[:7] in STYLE_OF_PAGE, colour  # the page says otherwise how much of it shines through


def test_a_square_a_circle_and_a_curve_are_as_svg_has_them() -> None:
    assert outlines("M1 2h2v2H1z") == ((1 + 2j, 3 + 2j, 3 + 4j, 1 + 4j),)
    assert outlines("m1 1 2 0 0 2M5 5l1 0") == ((1 + 1j, 3 + 1j, 3 + 3j), (5 + 5j, 6 + 5j))
    (circle,) = outlines("M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0z")
    assert [abs(point) for point in circle] == pytest.approx([1] * len(circle))
    assert circle[1].imag > 0  # clockwise, where y grows downwards
    (other,) = outlines("M1 0A1 1 0 0 0 -1 0")
    assert min(point.imag for point in other) == pytest.approx(-1)
    (curve,) = outlines("M0 0Q1 2 2 0T4 0")
    assert max(point.imag for point in curve) == pytest.approx(1)
    assert min(point.imag for point in curve) == pytest.approx(-1)  # T goes on as smoothly as Q ended
    (cubic,) = outlines("M0 0C0 1 1 1 1 0S2-1 2 0")
    assert cubic[6] == pytest.approx(0.5 + 0.75j)
    assert min(point.imag for point in cubic) == pytest.approx(-0.75)
    with pytest.raises(ValueError, match="the path has the command 'R': expected M, L"):
        outlines("M0 0R1 1")


def test_all_52_cards_and_the_back_look_different() -> None:
    for is_compact in (False, True):
        drawn = {face(card, 60, is_compact).tobytes() for card in [*CARDS, None]}
        assert len(drawn) == 53
    assert face(None, 50).size == (50, 70)


def test_a_card_has_the_ink_of_its_suit_on_paper_and_round_corners() -> None:
    for suit in Suit:
        ace = face(parse_card(f"Ace of {suit.title}"), 100)
        assert has(ace, faces.PAPER) and has(ace, faces.INK[suit])
        others = set(faces.INK.values()) - {faces.INK[suit]}
        assert not any(has(ace, ink) for ink in others)
        assert ace.getpixel((0, 0)) == (0, 0, 0, 0)
    half = np.array(face(parse_card("King of Hearts"), 600)).astype(int)
    assert np.abs(half - half[::-1, ::-1]).mean() < 2  # it looks the same from both ends


def test_a_picture_shows_what_can_be_seen_and_nothing_else() -> None:
    upcard, mine = hand("King of Hearts"), [ShownHand(hand("Ten of Clubs, Six of Hearts"))]
    first = Shown(mine, upcard, 0, PLAY)
    assert same(first, copy.deepcopy(first))
    others = [
        Shown(mine, hand("Queen of Hearts"), 0, PLAY),
        Shown(mine, hand("King of Hearts, Two of Clubs"), 0, PLAY),
        Shown([ShownHand(hand("Ten of Clubs, Six of Spades"))], upcard, 0, PLAY),
        Shown([ShownHand(mine[0].hand, stake=2)], upcard, 0, PLAY),
        Shown(mine * 2, upcard, 0, PLAY),
        Shown(mine * 2, upcard, 1, PLAY),
        Shown(mine, upcard),
        Shown(mine, upcard, 0, (*PLAY, Decision.DOUBLE)),
        Shown(mine, upcard, 0, (Decision.INSURE, Decision.DECLINE)),
        Shown(mine, upcard, 0, (Decision.SURRENDER, Decision.DECLINE)),
        Shown(mine, upcard, 0, PLAY, insured=True),
        Shown(mine, upcard, None, (), False, Outcome.WIN, Fraction(1)),
        Shown(mine, upcard, None, (), False, Outcome.WIN, Fraction(2)),
        Shown(mine, upcard, None, (), False, Outcome.LOSE, Fraction(-1)),
        Shown(mine, upcard, None, (), True, Outcome.LOSE, Fraction(-1)),
    ]
    frames = {drawing.frame(shown).tobytes() for shown in [first, *others]}
    assert len(frames) == 1 + len(others)
    open_ = drawing.frame(Shown(mine, upcard))
    for outcome, colour in ((Outcome.WIN, "#f0cf7a"), (Outcome.PUSH, "#dfe7e2"), (Outcome.BUST, "#4d0f16")):
        over = Shown(mine, upcard, None, (), False, outcome, Fraction(0))
        assert has(drawing.frame(over), colour) and not has(open_, colour), outcome


def test_four_hands_of_many_cards_lie_on_the_table_and_apart() -> None:
    """What is drawn of each hand stays in its own quarter: the others stay as they are."""
    few, many = hand("Eight of Clubs, Two of Hearts"), hand(", ".join(["Two of Clubs"] * 9))
    whole = Shown([ShownHand(few)] * 4, hand("Ace of Spades"))
    frame = drawing.frame(whole).astype(int)
    edges = [left - 4 for left, _ in drawing._places(4)] + [drawing.WIDTH]
    assert edges[0] > 30
    for place in range(4):
        hands = [ShownHand(many if number == place else few) for number in range(4)]
        changed = (drawing.frame(Shown(hands, hand("Ace of Spades"))) != frame).any(axis=(0, 2))
        assert edges[place] <= np.flatnonzero(changed).min()
        assert np.flatnonzero(changed).max() <= edges[place + 1]


def test_an_array_of_the_right_shape_which_is_the_callers() -> None:
    env = BlackjackEnv("vegas", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert (first.dtype, first.shape) == (np.uint8, (620, 900, 3))
    kept = first.copy()
    first[:] = 0
    assert (env.render() == kept).all()
    assert has(kept, drawing.NIGHT) and has(kept, faces.PAPER)
    env.close()


def test_the_hole_card_can_be_seen_only_when_the_round_is_over() -> None:
    """Other cards that can not be seen make no other picture."""
    env = BlackjackEnv("course", render_mode="rgb_array")
    env.reset(seed=2)
    before = env.render()
    assert has(before, faces.BACK)
    game = env._round
    assert game is not None and game.dealer is not None
    hole_card = game.dealer.cards[1]
    game.dealer.cards[1] = next(card for card in CARDS if card != hole_card)
    assert (env.render() == before).all()
    game.dealer.cards[1] = hole_card
    env.step(STAND)
    assert not has(env.render(), faces.BACK)


def test_the_hands_of_a_split_are_drawn_side_by_side() -> None:
    env = BlackjackEnv("vegas", insurance=False, render_mode="rgb_array")
    assert any(env.reset(seed=seed)[1]["action_mask"][SPLIT] for seed in range(200))
    env.step(SPLIT)
    shown = env._shown()
    assert len(shown.hands) == 2 and [one.stake for one in shown.hands] == [1, 1]
    assert (env.render() == drawing.frame(shown)).all()
