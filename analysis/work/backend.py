"""The choice of who runs the shards of a piece of work, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LOCAL: Final = "local"
"""In place of a cluster's address: one that is started on this machine for this work."""


@dataclass(frozen=True, slots=True)
class Backend:
    """Who runs the shards; their results do not depend on it.

    Attributes:
        workers: how many run at once: 1 in this process, more in as many processes, None for as many as this
            process may use cores. A cluster that is there already has its own.
        dask: the address of a Dask cluster's scheduler, or LOCAL; None for no cluster.
    """

    workers: int | None = None
    dask: str | None = None
