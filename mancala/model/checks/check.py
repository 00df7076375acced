"""A check: a question about named statements, in a form that any engine can answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mancala.model.statements import Roles


class Kind(Enum):
    """What a check claims."""

    NECESSARY = "necessary"
    """Wherever the predicate holds, so does the condition."""
    SUFFICIENT = "sufficient"
    """Wherever the condition holds, so does the predicate, or its negation."""
    SATISFIABLE = "satisfiable"
    """There is an instance."""
    UNSATISFIABLE = "unsatisfiable"
    """There is none."""

    @property
    def is_assert(self) -> bool:
        """Whether it is claimed of all instances; the original calls the others expectations."""
        return self in (Kind.NECESSARY, Kind.SUFFICIENT)


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the original.

    The question is whether there are roles and an instance for which all of `given` holds and `then` does not
    (or does, if it is negated): there is none if an assertion holds. An expectation has no `then`, and asks
    for an instance of `given`.

    Attributes:
        group: the predicate that it is about.
        name: its name within the group.
        sentence: what it says, in words.
        kind: what it claims.
        given: the names of the statements that are taken for granted.
        then: the name of the statement that follows; "" for an expectation.
        is_negated: whether it is the negation of that statement that follows.
        roles: the holes and stores that are tried, each on its own.
        expected: the verdict that is known to be right; the original's own is always that it holds.
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
        """Its name among all checks, as in `init.stores`."""
        return f"{self.group}.{self.name}"

    @property
    def is_about_traces(self) -> bool:
        """Whether it speaks of whole games, and not only of a board or a step in them."""
        return "game_trace" in self.given


def necessary(
    group: str, name: str, sentence: str, condition: str, roles: tuple[Roles, ...] = (Roles(),)
) -> Check:
    """Wherever the predicate that the group is named for holds, so does the condition."""
    return Check(group, name, sentence, Kind.NECESSARY, (group,), condition, roles=roles)


def sufficient(
    group: str, name: str, sentence: str, condition: str, roles: tuple[Roles, ...] = (Roles(),)
) -> Check:
    """Wherever the condition holds, so does the predicate; for a group `not X`, the predicate X does not."""
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
