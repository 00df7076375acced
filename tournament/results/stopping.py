"""The decision to stop: it is looked after fixed numbers of rounds, whatever has been played beyond."""

from __future__ import annotations

from tournament.results.sequential import is_certain, looks
from tournament.results.store import Store
from tournament.results.unranked import unranked


class Stopping:
    """Says whether the order of a tournament is certain, and has the store keep after how many rounds.

    The looks do not depend on when it is asked, so a tournament that was stopped and went on, or was played
    by more processes, ends with the same rounds. Where an entrant has come later, the first look is after as
    many rounds as the others had then.

    Args:
        store: the results, which are written here.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._left = [look for look in looks(store.settings) if look >= store.floor]

    def is_sure(self, rounds: int) -> bool:
        """Whether it was certain after a number of rounds that all matches have, or before."""
        while self._left and self._left[0] <= rounds:
            look = self._left.pop(0)
            results = self._store.results(look)
            if is_certain(results.settings, results.payoffs, results.lost, unranked=unranked(results)):
                self._store.sure_after = look
                return True
        return False
