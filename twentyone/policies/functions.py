"""Policies that are Python objects of the user's own: functions, and what has `predict(observation)`.

The observation is that of the environments, whole numbers all: (total, upcard, soft) or, where more than HIT
and STAND is asked, (total, upcard, soft, pair, hands, question). The answer is the number of an action, a
`cards.Decision`, or the chances of all actions. A function whose first parameter is called `observations` is
asked about all of them at once: it gets an array of n rows, and gives n actions, or n rows of chances. One
that has a parameter `mask`, `masks` or `action_masks` is also told which actions are allowed, as 1 or 0 for
each.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import HIT_OR_STAND, Ace, Decision, Rules, asking
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.chances import Chances, allowed
from twentyone.policies.decisions import DecisionTable
from twentyone.policies.observation_tuples import ObservationTuple, as_full_tuple, is_allowed
from twentyone.policies.policy import Observation
from twentyone.policies.qtable import dealer_column
from twentyone.policies.user_modules import failed, users_code
from twentyone.support.command import USAGE, CommandError
from twentyone.support.counts import counted, one_of

MASKS: Final = ("mask", "masks", "action_masks")
"""The names of a parameter that is told what is allowed."""

MANY: Final = "observations"
"""The name of the first parameter of a function that is asked about many observations at once."""

TOLERANCE: Final = 1e-5
"""Chances may add up to 1 with so much error: many are worked out in single precision."""

EXPECTED: Final = (
    "expected a function from an observation to an action, an object with predict(observation), or an array"
    " of 22 x 22 x 2 action values"
)


class Question(NamedTuple):
    """A question to a policy.

    Attributes:
        seen: what is seen.
        hands: how many hands the player has.
    """

    seen: Observation
    hands: int = 1


class Function(NamedTuple):
    """A policy that is a Python object.

    Attributes:
        name: what it is called.
        call: from an observation, or many, to what it does.
        is_batch: whether it is asked about many at once.
        mask: the name of its parameter for what is allowed; "" if it has none.
    """

    name: str
    call: Callable[..., Any]
    is_batch: bool
    mask: str

    @property
    def rules(self) -> None:
        """A function does not say for which rules it was made."""
        return

    def table(self, rules: Rules) -> DecisionTable:
        """Its chances of HIT in a game of HIT and STAND against a dealer.

        Raises:
            CommandError: if there is no dealer, and if it fails or answers what is not an action.
        """
        if not rules.has_dealer:
            raise CommandError(
                f"{self.name} is asked what to do against an upcard, and {rules.preset} has no dealer", USAGE
            )
        questions = [Question(seen) for seen in _hands_of(rules)]
        hit = np.zeros((22, 22))
        for (seen, _), chances in zip(questions, self._answers(questions, HIT_OR_STAND), strict=True):
            cell = seen.total, dealer_column(seen.upcard, seen.is_soft)
            hit[cell] = chances.get(Decision.HIT, 0.0)
        return DecisionTable(self.name, hit)

    def answers(self, questions: Sequence[Question], rules: Rules) -> list[Chances]:
        """The chances of its decisions for each question under some rules.

        It is asked everything twice: an exact value needs the chances of a function that draws, and not one
        sample of it.

        Raises:
            CommandError: if it fails, answers what is not an action or not allowed, or answers differently
                the second time.
        """
        return self._answers(questions, ACTIONS if asking.asks_more(rules) else HIT_OR_STAND)

    def _answers(self, questions: Sequence[Question], actions: Sequence[Decision]) -> list[Chances]:
        observed = [_observation(each, len(actions)) for each in questions]
        masks = [[int(is_allowed(each, asked.seen.options)) for each in actions] for asked in questions]
        ask = self._asked_at_once if self.is_batch else self._one_by_one

        def answered() -> list[Chances]:
            return [
                self._chances(answer, asked.seen, observation, actions)
                for answer, asked, observation in zip(ask(observed, masks), questions, observed, strict=True)
            ]

        first = answered()
        for one, other, observation in zip(first, answered(), observed, strict=True):
            if not _is_same(one, other):
                even = [0.5, 0.5, *[0] * (len(actions) - 2)]
                raise CommandError(
                    f"{self.name} answered differently to the same observation {observation}: expected the"
                    f" chances of the {len(actions)} actions, such as {even}"
                )
        return first

    def _one_by_one(self, observed: Sequence[tuple[int, ...]], masks: Sequence[list[int]]) -> list[Any]:
        return [
            self._called(
                f"{self.name} with the observation {observation}", observation, np.array(mask, dtype=np.int8)
            )
            for observation, mask in zip(observed, masks, strict=True)
        ]

    def _asked_at_once(self, observed: Sequence[tuple[int, ...]], masks: Sequence[list[int]]) -> list[Any]:
        what = f"{self.name} with {counted(len(observed), 'observation')}"
        given = self._called(what, np.array(observed, dtype=np.int64), np.array(masks, dtype=np.int8))
        rows = _array(given)
        if rows is None or rows.ndim not in (1, 2) or len(rows) != len(observed):
            shape = "no array of numbers" if rows is None else f"the shape {rows.shape}"
            raise CommandError(
                f"{what} returned {shape}: expected {counted(len(observed), 'action')},"
                " or as many rows of chances"
            )
        return [*rows]

    def _called(self, what: str, observation: object, mask: NDArray[np.int8]) -> Any:
        more = {self.mask: mask} if self.mask else {}
        try:
            with users_code():
                return self.call(observation, **more)
        except (Exception, SystemExit) as error:
            raise failed(what, error) from None

    def _chances(
        self, answer: Any, seen: Observation, observation: tuple[int, ...], actions: Sequence[Decision]
    ) -> Chances:
        """The chances in an answer, of decisions as the game has them."""
        found = _read(answer, actions)
        problem = found if isinstance(found, str) else self._forbidden(found, seen, actions)
        if isinstance(found, str) or problem:
            raise CommandError(f"{self.name} with the observation {observation} returned {problem}")
        return {allowed(decision, seen): chance for decision, chance in found.items()}

    def _forbidden(
        self, chances: Mapping[Decision, float], seen: Observation, actions: Sequence[Decision]
    ) -> str:
        """The fault of the decisions, if they are not all allowed."""
        for decision in chances:
            if not is_allowed(decision, seen.options):
                told = "" if self.mask else "; a parameter `mask` would tell it what is allowed"
                return (
                    f"{_named(decision, actions)}, which is not allowed there: expected"
                    f" {_listed([each for each in actions if is_allowed(each, seen.options)], actions)}{told}"
                )
        return ""


def function_of(found: Any, name: str) -> Function:
    """A Python object as a policy.

    Raises:
        CommandError: if it is neither a function nor has `predict`.
    """
    predict = getattr(found, "predict", None)
    if isinstance(found, type) or not (callable(found) or callable(predict)):
        raise CommandError(f"{name} is {_kind(found)}: {EXPECTED}", USAGE)
    if not callable(predict):
        return Function(name, found, *_parameters(found))
    names = _names(predict)
    more = {"deterministic": True} if "deterministic" in names else {}

    def predicted(observation: object, **mask: object) -> object:
        answer = predict(np.asarray(observation), **mask, **more)
        return answer[0] if isinstance(answer, tuple) else answer

    return Function(name, predicted, *_parameters(predict))


def _parameters(function: Callable[..., Any]) -> tuple[bool, str]:
    """Whether it is asked about many observations at once, and the name of its parameter for a mask."""
    names = _names(function)
    return names[:1] == [MANY], next((name for name in MASKS if name in names), "")


def _names(function: Callable[..., Any]) -> list[str]:
    try:
        return [*inspect.signature(function).parameters]
    except (TypeError, ValueError):  # some functions that are written in C do not tell
        return []


def _kind(found: object) -> str:
    return f"the class {found.__name__}" if isinstance(found, type) else f"of the type {type(found).__name__}"


def _hands_of(rules: Rules) -> list[Observation]:
    """Everything that can be seen in a game of HIT and STAND when a hand is asked about."""
    hard = [(total, False) for total in range(2 if rules.ace is Ace.ONE else 4, 22)]
    soft = [(total, True) for total in range(12, 22)] if rules.ace is Ace.EITHER else []
    return [Observation(*hand, upcard) for upcard in range(2, 12) for hand in (*hard, *soft)]


def _observation(asked: Question, actions: int) -> ObservationTuple:
    """An observation as the environments give it."""
    total, is_soft, upcard, *_ = asked.seen
    assert upcard is not None, "functions play against a dealer"
    return as_full_tuple(*asked) if actions > len(HIT_OR_STAND) else (total, upcard, int(is_soft))


def _read(answer: Any, actions: Sequence[Decision]) -> dict[Decision, float] | str:
    """The decisions of an answer and their chances; or what was returned, if it is neither."""
    if isinstance(answer, Decision):
        if answer is Decision.DECLINE:
            return {Decision.STAND: 1.0}
        if answer in actions:
            return {answer: 1.0}
    if isinstance(answer, bool | np.bool_):
        return f"{answer}: expected a number, such as int(...) makes of it"
    numbers = _array(answer)
    if numbers is not None and numbers.size == 1:
        action = float(numbers.reshape(()))
        if action in range(len(actions)):
            return {actions[int(action)]: 1.0}
    elif numbers is not None and numbers.shape == (len(actions),):
        if (numbers < 0).any() or not abs(numbers.sum() - 1) <= TOLERANCE:
            return f"{_short(answer)}: expected the chances of {len(actions)} actions, which add up to 1"
        chances = (numbers / numbers.sum()).tolist()
        return {decision: chance for decision, chance in zip(actions, chances, strict=True) if chance}
    expected = f"expected {_listed(actions, actions)}, or the chances of these {len(actions)} actions"
    return f"{_short(answer)}: {expected}"


def _is_same(one: Chances, other: Chances) -> bool:
    return all(abs(one.get(each, 0.0) - other.get(each, 0.0)) <= TOLERANCE for each in {*one, *other})


def _array(answer: Any) -> NDArray[np.float64] | None:
    """An answer as numbers, if it is one."""
    try:
        found = np.asarray(answer)
    except Exception:  # an object may refuse to be an array in any way that it likes
        return None
    return found.astype(np.float64) if found.dtype.kind in "iuf" else None


def _short(answer: Any) -> str:
    text = " ".join(repr(answer).split())
    return text if len(text) <= 60 else f"{text[:60]}..."


def _listed(decisions: Sequence[Decision], actions: Sequence[Decision]) -> str:
    return one_of(_named(each, actions) for each in decisions)


def _named(decision: Decision, actions: Sequence[Decision]) -> str:
    return f"{actions.index(decision)} ({decision.value.lower()})"
