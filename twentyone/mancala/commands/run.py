"""`mancala run`: instances of predicates, drawn."""

from __future__ import annotations

import json as text_of
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from twentyone.mancala.commands.app import app
from twentyone.mancala.commands.options import BitwidthOption, HolesOption, MarblesOption
from twentyone.mancala.commands.z3_thread import is_z3_installed, run_with_z3
from twentyone.mancala.core.board import HOLES, MARBLES, Board, to_line, to_picture
from twentyone.support.command import FAILED, OK, USAGE, CommandError, describe
from twentyone.support.options import JsonOption
from twentyone.support.progress import Progress

if TYPE_CHECKING:
    from twentyone.mancala.model.questions import Answer, Question

MOST_BOARDS: Final = 64
"""More than the longest game of the original needs, which has 43 moves."""

MOST_INSTANCES: Final = 100_000


class Engine(Enum):
    """The search for instances."""

    EXPLICIT = "explicit"
    Z3 = "z3"


@describe(app, example="mancala run init --holes 3")
def run(
    predicate: Annotated[
        list[str] | None,
        typer.Argument(metavar="PREDICATE", help="The predicates that must hold.", show_default=False),
    ] = None,
    *,
    boards: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_BOARDS,
            help="Boards in an instance. Default: 5 for game_trace, otherwise as many as needed.",
            show_default=False,
        ),
    ] = None,
    below: Annotated[int | None, typer.Option(min=1, help="Every cell has fewer marbles than this.")] = None,
    next: Annotated[
        int, typer.Option(min=0, max=MOST_INSTANCES, help="Instances to show after the first one.")
    ] = 0,
    engine: Annotated[
        Engine | None,
        typer.Option(
            help="explicit: search the boards that a game can reach. z3: search all boards, even if no"
            " game reaches them. Default: explicit, then z3 if nothing was found.",
            show_default=False,
        ),
    ] = None,
    holes: HolesOption = HOLES,
    marbles: MarblesOption = MARBLES,
    bitwidth: BitwidthOption = None,
    names: Annotated[bool, typer.Option("--list", help="Only list the predicates.")] = False,
    json: JsonOption = False,
) -> int:
    """Find boards for which predicates of the original model hold, and draw them.

    The predicates are wellformed, init, end_game, player1_win and player2_win, about the first board;
    check_turn, update_marbles, move and do_nothing, about each board and the next; and game_trace, about all.
    The original runs five: `run wellformed init`, `run init move`, `run move --below 7`, `run do_nothing` and
    `run game_trace`. The status is 1 if there is no instance.

    The keys of --json: `predicates`, `boards`, `holes`, `marbles`, `below`, `bitwidth`, `engine`, `coverage`
    (what was searched), `instances` (each a list of boards in one-line notation), `is_all` (whether these are
    all instances) and `core` (if z3 finds no instance: predicates that contradict each other). With --list:
    `predicates`, each with its `name`, `kind` and `sentence`.
    """
    from twentyone.mancala.model.questions import ImpossibleError, Question, default_boards

    if names:
        print(_list_document() if json else _list())
        return OK
    wanted = tuple(dict.fromkeys(predicate or ()))
    length = default_boards(wanted) if boards is None else boards
    try:
        question = Question(wanted, length, holes, marbles, below, bitwidth)
    except ImpossibleError as error:
        raise CommandError(str(error), USAGE) from None
    used, answer = _find_instances(question, next + 1, engine)
    print(_document(question, used, answer) if json else _text(question, used, answer))
    return OK if answer.instances else FAILED


def _find_instances(question: Question, wanted: int, engine: Engine | None) -> tuple[Engine, Answer]:
    """The engine that gave the answer, and the answer."""
    from twentyone.mancala.model.search import TooManyError

    if engine is Engine.Z3:
        return Engine.Z3, _ask_z3(question, wanted)
    try:
        answer = _search(question, wanted)
    except TooManyError as error:
        if engine is None:
            return Engine.Z3, _ask_z3(question, wanted)
        raise CommandError(f"{error}: --engine z3 may find an instance") from None
    if engine is None and not answer.instances and is_z3_installed():
        return Engine.Z3, _ask_z3(question, wanted)
    return Engine.EXPLICIT, answer


def _search(question: Question, wanted: int) -> Answer:
    from twentyone.mancala.model.search import find_instances

    with Progress("search", None, "boards") as progress:
        return find_instances(question, wanted, progress.show)


def _ask_z3(question: Question, wanted: int) -> Answer:
    return run_with_z3("searches by z3", lambda: _solve(question, wanted))


def _solve(question: Question, wanted: int) -> Answer:
    from twentyone.mancala.proofs.instances import find_instances
    from twentyone.mancala.proofs.terms import UndecidedError

    try:
        with Progress("search", wanted, "instances") as progress:
            return find_instances(question, wanted, progress.show)
    except UndecidedError as error:
        raise CommandError(str(error)) from None


def _list() -> str:
    from twentyone.mancala.model.predicates import PREDICATES

    width = max(map(len, PREDICATES))
    return "\n".join(f"{name.ljust(width)}  {each.sentence}" for name, each in PREDICATES.items())


def _list_document() -> str:
    from twentyone.mancala.model.predicates import PREDICATES

    each = [
        {"name": name, "kind": predicate.kind.value, "sentence": predicate.sentence}
        for name, predicate in PREDICATES.items()
    ]
    return text_of.dumps({"predicates": each})


def _text(question: Question, engine: Engine, answer: Answer) -> str:
    by = f"{engine.value} engine: {answer.coverage.text}"
    wanted = " and ".join([*question.predicates, *_limits(question)])
    if not answer.instances:
        why = f"\nthese contradict each other: {', '.join(answer.core)}" if answer.core else ""
        return f"no instance of {wanted} ({by}){why}"
    drawn = [
        f"instance {number} of {wanted}\n\n{_drawn(boards, question.bits)}\n"
        for number, boards in enumerate(answer.instances, 1)
    ]
    rest = "there are no others" if answer.is_all else "there are more: --next K shows K of them"
    return "\n".join([*drawn, f"{rest} ({by})"])


def _limits(question: Question) -> list[str]:
    return [] if question.below is None else [f"all cells below {question.below}"]


def _drawn(boards: Sequence[Board], bits: int | None) -> str:
    """The boards, and between them the step that leads from one to the next."""
    drawn = [to_picture(boards[0])]
    for before, after in pairwise(boards):
        drawn += [_step(before, after, bits), to_picture(after)]
    return "\n\n".join(drawn)


def _step(before: Board, after: Board, bits: int | None) -> str:
    from twentyone.mancala.model.predicates import do_nothing, move

    if do_nothing(before, after):
        return "  do_nothing"
    played = [hole for hole in range(len(before.cells)) if move(before, after, hole, bits)]
    return f"  move of hole {played[0]}" if played else "  then"


def _document(question: Question, engine: Engine, answer: Answer) -> str:
    document: dict[str, Any] = {
        "predicates": list(question.predicates),
        "boards": question.boards,
        "holes": question.holes,
        "marbles": question.marbles,
        "below": question.below,
        "bitwidth": question.bits,
        "engine": engine.value,
        "coverage": answer.coverage.text,
        "instances": [[to_line(board) for board in boards] for boards in answer.instances],
        "is_all": answer.is_all,
        "core": list(answer.core),
    }
    return text_of.dumps(document)
