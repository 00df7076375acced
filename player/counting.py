"""The count of the cards that a player has seen, and play by a table that has a layer for each true count."""

from __future__ import annotations

from cards import Card, Decision, EveryRound, Rules
from cards.rules import DECK
from twentyone.policies.action_values import FURTHEST, TRUE_COUNTS, ActionValues
from twentyone.policies.counting import System
from twentyone.policies.policy import Observation
from twentyone.support.command import USAGE, CommandError


class CardCount:
    """Counts the cards that are seen at a table, round after round.

    A shoe that runs out within a round is filled again with all cards that are not on the table. No message
    says so, but then more cards are out than there were. A shoe of which that cannot be known, since not all
    cards are seen, is known to be fresh after a SHUFFLE.

    Args:
        system: how cards are counted.
        rules: what is played.
        is_kept: whether the dealer keeps the shoe, and says when it is fresh; otherwise only cards of a round
            are counted.

    Attributes:
        running: the running count.
        seen: the cards that were seen since the shoe was fresh.
    """

    def __init__(self, system: System, rules: Rules, *, is_kept: bool) -> None:
        self.running = 0
        self.seen = 0
        self._system = system
        self._cards = DECK * (rules.decks or 0)
        self._is_kept = is_kept
        self._before = 0, 0  # the running count and the cards seen when the round began
        self._has_hole_card = False  # whether it is on the table, and hidden

    def shuffled(self) -> None:
        """Begin to count again."""
        self.running = self.seen = 0

    def began(self) -> None:
        """A round begins."""
        if not self._is_kept:
            self.shuffled()
        self._before = self.running, self.seen
        self._has_hole_card = False

    def saw(self, card: Card) -> None:
        """Count a card of a hand."""
        self.seen += 1
        self.running += self._system.tag(card)
        self._look_for_refill()

    def saw_upcard(self, card: Card) -> None:
        """Count the upcard; the hole card is dealt after it."""
        self._has_hole_card = True
        self.saw(card)

    def saw_dealer(self, card: Card) -> None:
        """Count the hole card or one that the dealer has drawn."""
        self._has_hole_card = False
        self.saw(card)

    @property
    def true_count(self) -> int:
        """The true count, of the cards that were seen; 0 where there is an infinite deck."""
        return self._system.true_count(self.running, self.seen, self._cards - self.seen)

    def _look_for_refill(self) -> None:
        """Leave out the cards before the round, if they are in the shoe again."""
        if self._cards and self.seen + self._has_hole_card > self._cards:
            running, seen = self._before
            self.running -= running
            self.seen -= seen
            self._before = 0, 0


class CountedPlay(CardCount):
    """Decides by the layer of the true count at the moment of each decision, and counts the cards for it.

    Args:
        table: the values.
        rules: what is played.
        is_told: whether the dealer has told these rules.

    Raises:
        CommandError: if there is no dealer's upcard to play against.
    """

    def __init__(self, table: ActionValues, rules: Rules, *, is_told: bool) -> None:
        if not rules.has_dealer:
            raise CommandError(
                f"a table by true count says what to do against an upcard, and {rules.preset} has no dealer",
                USAGE,
            )
        super().__init__(table.system, rules, is_kept=is_told and rules.says_shuffle)
        self._policies = [table.policy(true_count) for true_count in TRUE_COUNTS]

    def decide(self, seen: Observation) -> Decision:
        """The best action now."""
        true_count = min(max(self.true_count, -FURTHEST), FURTHEST)
        return self._policies[true_count + FURTHEST](seen)


def has_count(rules: Rules) -> bool:
    """Whether cards that were seen tell anything about the next round."""
    return not isinstance(rules.reshuffle, EveryRound)


def about_count(rules: Rules, *, is_told: bool) -> str | None:
    """The notice where a table by true count is played without a count from round to round."""
    if not has_count(rules):
        return "the shoe is fresh for every round, so only the cards of the round are counted"
    if not (is_told and rules.says_shuffle):
        return "the dealer does not tell when its shoe is fresh, so only the cards of the round are counted"
    return None
