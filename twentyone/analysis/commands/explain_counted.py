"""The part of `analysis explain` that is about a table which was learned with a layer for each true count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cards import Rules
from twentyone.analysis.commands.shared import notice
from twentyone.support.command import USAGE, CommandError

if TYPE_CHECKING:
    from twentyone.exact.grading import Read
    from twentyone.exact.values.shoe import Shoe
    from twentyone.policies.action_values import ActionValues

TrueCountOption = Annotated[
    int | None,
    typer.Option(
        "--true-count",
        min=-10,
        max=10,
        show_default=False,
        help="The layer of a table by true count, for the shoe that is expected there. Default: 0.",
    ),
]


def read_policy(text: str, true_count: int | None) -> tuple[Read, ActionValues | None]:
    """The policy of a name; of a table by true count, its layer and the whole table.

    Raises:
        CommandError: if there is no such policy, or a true count is given for one that does not count.
    """
    from twentyone.exact.grading import Read
    from twentyone.exact.named import parsed
    from twentyone.policies.loading import load_counted
    from twentyone.policies.makers import source_of
    from twentyone.policies.names import COUNTED, GRADED

    name = parsed(text, (*GRADED, COUNTED))
    if name.kind != COUNTED:
        if true_count is not None:
            raise CommandError(f"{text} does not count cards: expected no --true-count with it", USAGE)
        return Read(name, source_of(name)), None
    assert name.file is not None, "a table of true counts has a file"
    table = load_counted(name.file)
    return Read(name, table.layer(true_count or 0)), table


def shoe_at(rules: Rules, table: ActionValues, true_count: int) -> Shoe:
    """The shoe that is expected at a true count, in the middle of what is dealt; it says so.

    Raises:
        CommandError: for an infinite deck, and for a true count that hardly ever comes there.
    """
    from twentyone.analysis.studies.counting.compositions import expected_shoe, middle, true_counts_for
    from twentyone.exact.values.shoe import Shoe

    if rules.decks is None:
        raise CommandError("an infinite deck has no true count: expected rules with decks", USAGE)
    full = Shoe.of(rules)
    comes = true_counts_for(table.system, full, abs(true_count))
    if true_count not in comes:
        raise CommandError(
            f"a true count of {true_count:+d} does not come with {table.system.name}:"
            f" expected {comes[0]} to {comes[-1]}, or --shoe",
            USAGE,
        )
    shoe = expected_shoe(table.system, full, middle(rules), true_count).shoe
    count = f"{true_count:+d}" if true_count else "0"
    notice(
        f"this is the layer of the true count {count}, for the {shoe.size} cards that are expected there in"
        " the middle of what is dealt"
    )
    return shoe
