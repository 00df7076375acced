"""The round that is open, as far as a player has seen it over one connection after the other. Pure."""

from __future__ import annotations

from cards import Rules
from player.recovery import Replay, explains, is_same
from protocol import Answer, BetRequest, Event, Question


class OpenRound:
    """The state of a round over lost connections: what was told of it, and what will be told again.

    Attributes:
        is_open: whether a round is open.
        told: its cards and hands so far; -1 while its bet is asked.
        answered_at: `told` at the answer to its last question; None before.
        repeats: whether the next question has been answered already.
        is_in_doubt: whether it may have gone on in a way that was not seen.
        known: how many messages to come are known, since they are told again.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.told = 0
        self.answered_at: int | None = None
        self.repeats = False
        self.is_in_doubt = False
        self.known = 0
        self._is_next_in_doubt = False

    @property
    def is_betting(self) -> bool:
        """Whether its bet is asked, or was when the connection was lost."""
        return self.told < 0

    # Its messages.

    def ask_bet(self) -> None:
        """The bet for it is asked."""
        self.told, self.answered_at = -1, None

    def begin(self) -> None:
        """It begins."""
        self.is_open = True
        self.told, self.answered_at = 0, None
        self.is_in_doubt, self._is_next_in_doubt = self._is_next_in_doubt, False

    def miss(self, question: Event) -> None:
        """A question was taken by the clock unanswered: for the next bet, or in this round."""
        self.repeats = False
        if type(question) is BetRequest:
            self._is_next_in_doubt = True
        else:
            self.is_in_doubt = True

    def settle(self) -> None:
        """It is over, in a way that was not seen."""
        self.is_open = self.is_in_doubt = False
        self.answered_at, self.told = None, 0

    # The connection is lost, and is there again.

    def lose(self) -> None:
        """Nothing to come is known."""
        self.known, self.repeats = 0, False

    def is_before(self, replay: Replay) -> bool:
        """Whether this round is over, since less was told again than was told of it."""
        return self.is_open and len(replay.told) < self.told

    def pass_on(self, replay: Replay, rules: Rules) -> None:
        """Go on with the round after this one, whose beginning was not seen."""
        self._is_next_in_doubt = replay.has_begun and not replay.is_of_first_question(rules)

    def go_on_to_bet(self, replay: Replay, rules: Rules, asked: Question | None, *, is_least: bool) -> None:
        """Go on after the question for the bet.

        Args:
            replay: what was told again.
            rules: the rules.
            asked: the question that was answered, if it was.
            is_least: whether the least bet was made, or none: that is what the dealer takes.
        """
        self.repeats = is_same(asked, replay.question)
        is_sure = is_least and (replay.is_of_first_question(rules) or not replay.has_begun)
        self._is_next_in_doubt = not (is_sure or isinstance(replay.question, BetRequest))

    def go_on(
        self, replay: Replay, rules: Rules, answered: tuple[Question, Answer] | None, *, was_asked: bool
    ) -> None:
        """Go on with the same round.

        Args:
            replay: what was told again.
            rules: the rules.
            answered: its last question with an answer, if nothing was told since then.
            was_asked: whether it would be known if another question had been asked before.
        """
        asked, answer = answered or (None, None)
        news = replay.told[self.told :]
        self.known = 1 + self.told if replay.has_begun else 0
        self.repeats = is_same(asked, replay.question) and not news
        if answer is not None:
            is_sure = self.repeats or explains(answer, news)
        else:
            is_sure = replay.is_of_first_question(rules) or (not news and was_asked)
        self.is_in_doubt = self.is_in_doubt or not is_sure or replay.question is None
