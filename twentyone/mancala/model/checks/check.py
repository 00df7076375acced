"""A check: a question about named statements, in a form that any engine can answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from twentyone.mancala.model.statements import Roles


class Kind(Enum):
    """The claim of a check."""

    NECESSARY = "necessary"
    """Wherever the predicate holds, the condition holds."""
    SUFFICIENT = "sufficient"
    """Wherever the condition holds, the predicate, or its negation, holds."""
    SATISFIABLE = "satisfiable"
    """There is an instance."""
    UNSATISFIABLE = "unsatisfiable"
    """There is no instance."""

    @property
    def is_assert(self) -> bool:
        """Whether it is a claim about all instances. The original calls the others expectations."""
        return self in (Kind.NECESSARY, Kind.SUFFICIENT)


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the original.

    An assertion holds if, for none of the roles, there is an instance in which all of `given` holds and
    `then` does not (or does, if it is negated). An expectation has no `then`: it asks for an instance of
    `given`.

    Attributes:
        group: the predicate that it is about.
        name: its name within the group.
        sentence: what it says, in words.
        kind: what it claims.
        given: the names of the statements that are assumed.
        then: the name of the statement that follows; "" for an expectation.
        is_negated: whether the negation of that statement follows.
        roles: the holes and stores to try, each separately.
        expected: the right verdict. In the original, every check holds.
        remark: what its wording hides; "" if nothing.
    """

    group: str
    name: str
    sentence: str
    kind: Kind
    given: tuple[str, ...]
    then: str = ""
    is_negated: bool = False
    roles: tuple[Roles, ...] = (Roles(),)
    expected: bool = True
    remark: str = ""

    @property
    def full_name(self) -> str:
        """Its name among all checks, such as `init.stores`."""
        return f"{self.group}.{self.name}"

    @property
    def is_about_traces(self) -> bool:
        """Whether it is about whole games, and not only about a board or a step."""
        return "game_trace" in self.given


def necessary(
    group: str, name: str, sentence: str, condition: str, roles: tuple[Roles, ...] = (Roles(),)
) -> Check:
    """Wherever the predicate named by the group holds, the condition holds."""
    return Check(group, name, sentence, Kind.NECESSARY, (group,), condition, roles=roles)


def sufficient(
    group: str, name: str, sentence: str, condition: str, roles: tuple[Roles, ...] = (Roles(),)
) -> Check:
    """Wherever the condition holds, the predicate named by the group holds; for `not_X`, X does not hold."""
    predicate = group.removeprefix("not_")
    return Check(
        group, name, sentence, Kind.SUFFICIENT, (condition,), predicate, predicate != group, roles=roles
    )


def satisfiable(
    group: str, name: str, sentence: str, *given: str, roles: tuple[Roles, ...] = (Roles(),)
) -> Check:
    """There is an instance of all these statements together."""
    return Check(group, name, sentence, Kind.SATISFIABLE, given, roles=roles)


def unsatisfiable(
    group: str, name: str, sentence: str, *given: str, roles: tuple[Roles, ...] = (Roles(),)
) -> Check:
    """There is no instance of all these statements together."""
    return Check(group, name, sentence, Kind.UNSATISFIABLE, given, roles=roles)
