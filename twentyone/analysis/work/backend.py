"""The choice of where the shards of a piece of work run, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LOCAL: Final = "local"
"""In place of a cluster's address: a cluster that is started on this machine for this work."""


@dataclass(frozen=True, slots=True)
class Backend:
    """The place where the shards run; their results do not depend on it.

    Attributes:
        workers: how many run at once: 1 in this process, N in N processes, None for one process on each core
            that this process may use. A cluster that is running already has its own workers.
        dask: the address of a Dask cluster's scheduler, or LOCAL; None for no cluster.
    """

    workers: int | None = None
    dask: str | None = None


ALONE: Final = Backend(workers=1)
"""In this process."""
