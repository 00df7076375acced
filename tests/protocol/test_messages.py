"""The messages: frozen, and valid once constructed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError

import pytest

from cards import CARDS, Decision, Outcome
from protocol import FORMS
from protocol import messages as m
from tests.protocol.sides import TOKEN

HIT, STAND = Decision.HIT, Decision.STAND
CARD = CARDS[:1]

Cases = Sequence[tuple[object, ...]]
VALID: list[tuple[Callable[..., object], Cases, Cases, str]] = [
    (
        m.Join,
        [("a", 1), ("a", 10**12), ("a", None)],
        [("a", 0), ("a", -1), ("a", 10**12 + 1)],
        "the number of rounds after the name is 1 to 1000000000000",
    ),
    (
        m.Join,
        [("ada", None, token) for token in ("!", "~" * 64, "token=a", "s3cret")],
        [("ada", None, token) for token in ("", "a" * 65, "a b", "a\n", "\x7f", "é")],
        "the token of a name is 1 to 64 printable ASCII characters without blanks",
    ),
    (m.Bet, [(1,), (10**12,)], [(0,), (10**12 + 1,)], "a bet is 1 to 1000000000000 chips"),
    (m.Watch, [(None,), (1,), (10**9,)], [(0,), (-1,), (10**9 + 1,)], "the number of a table is 1 to"),
    (m.HistoryRequest, [(1,), (1000,)], [(0,), (1001,)], "a round of the history is 1, the last one, to"),
    (
        m.HistoryReply,
        [(1, 1, "{}"), (1000, 1000, "{}")],
        [(0, 1, "{}"), (2, 1, "{}"), (1, 1001, "{}")],
        "a round of the history is 1 to 1000, and one of those that there are",
    ),
    (m.ChartRequest, [(2,), (11,)], [(1,), (12,)], "an upcard is 2 to 11, an ace being 11"),
    (m.ChartReply, [(2, "{}"), (11, "{}")], [(1, "{}"), (12, "{}")], "an upcard is 2 to 11, an ace being 11"),
    *(
        (
            kind,
            [("a" * 22,), ("Z" * 64,), (TOKEN,), ("-" * 22,)],
            [(text,) for text in ("a" * 21, "a" * 65, "a" * 21 + "+", "a" * 22 + "\n", "é" * 22, "٣" * 22)],
            "a token is 22 to 64 letters, digits, - and _",
        )
        for kind in (m.Keep, m.Resume)
    ),
    (
        m.DecisionRequest,
        [((),), ((HIT, STAND),), ((STAND, Decision.SPLIT),)],
        [((STAND, HIT),), ((HIT, HIT),), ((Decision.INSURE,),)],
        "the options of a decision are some of HIT, STAND, DOUBLE, SPLIT and SURRENDER",
    ),
    (
        m.SideRequest,
        [((Decision.INSURE, Decision.DECLINE),), ((Decision.SURRENDER, Decision.DECLINE),)],
        [((),), ((HIT, STAND),), ((Decision.DECLINE, Decision.INSURE),)],
        "what is offered before the hands are played is INSURE or SURRENDER, or DECLINE",
    ),
    (m.BetRequest, [(1, 1, 1)], [(0, 1, 1), (2, 1, 2), (1, 2, 1)], "a bet is asked from 1 chip up to what"),
    (m.HandTurn, [(0, 1), (98, 99)], [(-1, 1), (1, 1), (0, 100)], "there is no hand "),
    (m.HandResult, [(0, 1, Outcome.WIN, 1)], [(1, 1, Outcome.WIN, 1)], "there is no hand 2 of 1"),
    (
        m.OtherHand,
        [(0, "bob", CARD), (8, "bob", CARD)],
        [(-1, "bob", CARD), (9, "bob", CARD), (0, "", CARD), (0, "bob", ())],
        "a hand that is shown has a seat of 9, a name and cards",
    ),
    (m.Refused, [("no-seat", "")], [("", ""), ("No", ""), ("a-", "")], "the word of a refusal is lower-case"),
]


@pytest.mark.parametrize(("kind", "valid", "invalid", "fault"), VALID)
def test_a_message_is_valid_once_constructed(
    kind: Callable[..., object], valid: Cases, invalid: Cases, fault: str
) -> None:
    for arguments in valid:
        kind(*arguments)
    for arguments in invalid:
        with pytest.raises(ValueError, match=f"^{fault}"):
            kind(*arguments)
            pytest.fail(f"{arguments} are valid")


def test_a_token_of_a_name_is_shown_nowhere() -> None:
    assert "s3cret" not in repr(m.Join("ada", token="s3cret"))


def test_messages_are_frozen_and_compare_by_what_they_say() -> None:
    with pytest.raises(FrozenInstanceError):
        m.Join("ada").name = "bob"  # type: ignore[misc]
    assert m.Join("ada", 1) == m.Join("ada", 1) != m.Join("ada")
    assert m.Open((("seats", "2"),)) == m.Open((("seats", "2"),)) != m.Open()
    assert m.HintReply(HIT, 0.5) == m.HintReply(HIT, 0.5) != m.HintReply(STAND, 0.5)
    assert m.Hit() == m.Hit()
    card = CARDS[0]
    different: list[object] = [m.CardMessage(card), m.DealerCard(card), m.Keep(TOKEN), m.Resume(TOKEN)]
    assert len({*different, m.CardMessage(card)}) == len(different)


def test_every_message_has_a_form() -> None:
    bases = (m.Message, m.PlayerMessage, m.DealerMessage, m.Answer)
    subclasses = {kind for base in bases for kind in base.__subclasses__()}
    # A dataclass with slots takes the place of the class that was written, which may be still there.
    kinds = {kind for kind in subclasses if getattr(m, kind.__name__) is kind} - set(bases)
    assert set(FORMS) == kinds == {*m.PLAYER_KINDS, *m.DEALER_KINDS}
