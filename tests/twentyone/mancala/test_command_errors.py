"""What `mancala` refuses, each in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.twentyone.mancala.commands import mancala
from twentyone.mancala.proofs.mutants import MUTANTS

USAGE = {
    "check castling": "there is no check 'castling': expected a check, such as init.stores, or one of the",
    "check init.stores init.colour": "there is no check 'init.colour':",
    "check --boards 1": "--boards is '",
    "facts --holes 13": "--holes is '13': expected a whole number from 1 to 12",
    "facts --rules chess": "there are no rules 'chess': expected one of model, text, kalah, standard",
    "facts --wrap round": "--wrap: 'round' is not one of ",
    "facts --plot x.txt": "the picture x.txt has no known format: expected a name that ends in .png, .pdf",
    "play --against nobody": "there is no policy 'nobody'",
    "play --board 1,-1:0/1,1:0/1": "a cell of 1,-1:0/1,1:0/1 has -1 marble: expected 0 or more",
    "prove magic": "there is no theorem 'magic': expected one of wellformed, conservation, ",
    "prove ends --mutant x": f"there is no mutant 'x': expected one of {', '.join(MUTANTS)}",
    "prove --holes 13": "--holes is '13': expected a whole number from 1 to 12",
    "prove --mutants --holes 3": "--mutants tries all mutants on any size: leave out --mutant and --holes",
    "run": "no predicate is given: expected one or more of wellformed, init, ",
    "run won": "there is no predicate 'won': expected one of wellformed, init, end_game, player1_win, ",
    "run move --boards 1": "move is about 2 boards: expected --boards 2 or more",
    "run init --bitwidth 3 --marbles 4": "4 marbles do not fit in a count of 3 bits: expected at most 3",
    "run init --engine forge": "--engine: 'forge' is not one of ",
    "solve --rules chess": "there are no rules 'chess'",
    "solve --board 2,2": "'2,2' is not a board: expected the form 2,2,2:0/2,2,2:0/1",
    "solve --board 1,999:0/1,1:0/1": "the board has 2 holes a side and 1,002 marbles: expected at most 12"
    " holes and 288 marbles",
    "trace --policy clever": "there is no policy 'clever': expected random, perfect, greedy or hoard",
    "trace --seed -1": "the seed is -1: expected 0 or more",
    "trace --moves 0,0": "move 2: 0 is not a hole of player 2: expected 4 to 6",
    "trace --moves one": "the moves 'one' are invalid: expected numbers of holes",
}

FAILED = {
    "trace --html no/page.html": "the page no/page.html cannot be written: ",
    "solve --holes 12 --marbles 6": "12 holes a side and 144 marbles are too many for perfect play",
}


@pytest.mark.parametrize(("refused", "status"), [(USAGE, 2), (FAILED, 1)], ids=["usage", "failed"])
def test_errors_are_one_sentence(refused: dict[str, str], status: int, tmp_path: Path) -> None:
    (tmp_path / "no").write_text("a file, no folder")
    for words, sentence in refused.items():
        done = mancala(tmp_path, words)
        assert (done.status, done.out, done.err.count("\n")) == (status, "", 1), words
        assert done.err.removeprefix("mancala: ").startswith(sentence), words
