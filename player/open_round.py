"""The round that is open, as far as a player has seen it over one connection after the other. Pure."""

from __future__ import annotations

from cards import Rules
from player.recovery import Replay, explains, is_same
from protocol import Answer, BetRequest, Event, Question


class OpenRound:
    """The state of a round over lost connections: what was told of it, and what will be told again.

    Attributes:
        is_open: whether a round is open.
        told: how many of its cards and hands were told so far; -1 while its bet is asked.
        heard: these messages, in order.
        answered_at: `told` at the answer to its last question; None before.
        repeats: whether the next question has been answered already.
        is_in_doubt: whether it may have gone on in a way that was not seen.
        known: how many messages to come are known, since they are told again.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.told = 0
        self.heard: list[Event] = []
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
        self.told, self.heard, self.answered_at = 0, [], None
        self.is_in_doubt, self._is_next_in_doubt = self._is_next_in_doubt, False

    def hear(self, message: Event) -> None:
        """A card or a hand of it is told, for the first time."""
        self.told += 1
        self.heard.append(message)

    def miss(self, question: Event) -> None:
        """A question was taken by the clock unanswered: for the next bet, or in this round."""
        self.repeats = False
        if type(question) is BetRequest:
            self._is_next_in_doubt = True
        else:
            self.is_in_doubt = True

    def settle(self) -> None:
        """It is over, in a way that was not seen; or it is void."""
        self.is_open = self.is_in_doubt = False
        self.told, self.heard, self.answered_at = 0, [], None

    # The connection is lost, and is there again.

    def lose(self) -> None:
        """Nothing to come is known."""
        self.known, self.repeats = 0, False

    def is_other(self, replay: Replay) -> bool:
        """Whether another round is open now: the replay does not begin with what was told of this one."""
        if not self.is_open or isinstance(replay.question, BetRequest):
            return self.is_open
        return replay.has_begun and [*replay.told[: self.told]] != self.heard

    def pass_on(self, replay: Replay, rules: Rules) -> None:
        """Go on with another round than this one, whose beginning and whose bet were not seen."""
        is_sure = rules.bets is None and replay.is_of_first_question(rules)
        self._is_next_in_doubt = replay.has_begun and not is_sure

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
