"""The system's limits for a process."""

from __future__ import annotations

import os


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def raise_open_files(wanted: int) -> int:
    """Raise the limit on open files towards a number, as far as the system allows; return the limit now.

    Every connection is an open file, and the usual limit of 1,024 is less than a dealer may need.
    """
    try:
        import resource
    except ImportError:  # this system has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft if soft != resource.RLIM_INFINITY else wanted
