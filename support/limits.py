"""What the system lets a process have."""

from __future__ import annotations


def raise_open_files(wanted: int) -> int:
    """Raise the number of files that this process may have open, as far as it may; return what it has now.

    A connection is an open file, and the usual first limit of 1,024 is less than a dealer's.
    """
    try:
        import resource
    except ImportError:  # no such limit on this system
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft if soft != resource.RLIM_INFINITY else wanted
