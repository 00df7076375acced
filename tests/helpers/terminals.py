"""What is left on a terminal by what was written to it."""

from __future__ import annotations

import re


def on_screen(text: str) -> list[str]:
    """The lines that are left on a terminal, by the few codes that are written to it."""
    lines, row = [""], 0
    for code, piece in re.findall(r"(\x1b\[[?0-9]*[a-zA-Z]|\r|\n)|([^\x1b\r\n]+)", text):
        if code == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif code == "\x1b[1A":
            row -= 1
        elif code == "\x1b[2K":
            lines[row] = ""
        elif piece:
            lines[row] += piece
    return lines
