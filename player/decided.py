"""The decisions of a round, question by question, also where the dealer's clock has decided."""

from __future__ import annotations

from cards import Decision
from twentyone.policies.policy import Situation


class Decided:
    """The questions of a round with their answers.

    Attributes:
        answers: each question that has an answer, with it.
    """

    __slots__ = ("_open", "answers")

    def __init__(self) -> None:
        self.answers: list[tuple[Situation, Decision]] = []
        self._open: Situation | None = None

    @property
    def is_open(self) -> bool:
        """Whether a question has no answer yet."""
        return self._open is not None

    def begin(self) -> None:
        """Begin a round."""
        self.answers, self._open = [], None

    def ask(self, question: Situation) -> None:
        """Note a question; the clock has decided the one before, if it has no answer."""
        self.settle()
        self._open = question

    def answer(self, decision: Decision) -> None:
        """Note the answer to the question, if one was noted."""
        if self._open is not None:
            self.answers.append((self._open, decision))
            self._open = None

    def take_back(self) -> None:
        """Take the last answer back: its question is open again."""
        if self._open is None and self.answers:
            self._open = self.answers.pop()[0]

    def settle(self) -> None:
        """Note what the dealer's clock has decided, if the question has no answer."""
        if self._open is not None:
            declines = Decision.DECLINE in self._open.options
            self.answer(Decision.DECLINE if declines else Decision.STAND)

    def forget(self) -> None:
        """Forget the question, which is asked again, or was not seen to its end."""
        self._open = None
