"""Texts in columns of a terminal, where some letters are two columns wide and combining marks none."""

from __future__ import annotations


def width(text: str) -> int:
    """The columns of a text on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def left(text: str, columns: int) -> str:
    """A text at the left of its columns."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """A text at the right of its columns."""
    return " " * (columns - width(text)) + text


def shortened(text: str, columns: int, end: int) -> str:
    """A text that fits into columns; of a longer one the beginning and the end, with `…` between them.

    Args:
        text: the text.
        columns: the most it may take.
        end: the most that its end may take.
    """
    if width(text) <= columns:
        return text
    back = len(text)
    while width(text[back - 1 :]) <= end:
        back -= 1
    while not width(text[back]):  # a mark goes with the letter before it
        back += 1
    front = 0
    while width(text[: front + 1]) + 1 + width(text[back:]) <= columns:
        front += 1
    return f"{text[:front]}…{text[back:]}"
