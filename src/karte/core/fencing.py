"""Fencing: text that was recalled is handed to a model as data, which nothing in it can end."""

from __future__ import annotations

import re
from typing import Final

from karte.core.echo import WATERMARK

_TICKS: Final = re.compile("`+")
_LEAST: Final = 3


def fenced(text: str) -> str:
    """A text as a block of data under the watermark; the fence is longer than any run of its sign in the text."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(_LEAST, longest + 1)
    return f"{fence}text\n{WATERMARK}\n{text}\n{fence}"


def on_one_line(text: str) -> str:
    """A text without line ends and other control characters: a blank stands for each run of them."""
    words = " ".join(text.split())
    if words.isprintable():
        return words
    return " ".join("".join(char if char.isprintable() else " " for char in words).split())
