"""The base of values: frozen dataclasses."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


class Value:
    """A frozen dataclass that is copied and pickled by its fields, which builds it again and checks it again.

    What a dataclass has for this itself sets attributes,
    and a frozen one that is compiled lets nobody do that.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """The class, and its arguments."""
        kind: Any = type(self)
        return kind, tuple(getattr(self, each.name) for each in fields(kind) if each.init)
