"""The watermark of text that was handed out, so that it is not learned again as if somebody had said it."""

from __future__ import annotations

import html
import re
from typing import Final

WATERMARK: Final = "[recalled from Karte, not said by anyone]"
"""A line that stands in what is handed to a model; a text with it is an echo."""

_SIGNS: Final = re.compile(r"[^\w\[\]]+")
"""Blanks, line ends, the signs by which Markdown quotes or stresses: what does not tell one writing from another."""

_MARK: Final = re.compile(r"\[ ?recalled from karte not said by anyone ?\]")


def marked(text: str) -> str:
    """A text under the line that marks it as recalled."""
    return f"{WATERMARK}\n{text}"


def is_echo(text: str) -> bool:
    r"""Whether a text holds what was handed out.

    The line is known again where it was broken or quoted (`> [recalled ...]`), where Markdown or JSON escaped its
    brackets (`\[`), where HTML wrote its signs otherwise (`&#91;`), and in whatever case.
    """
    folded = text.casefold()
    if "recalled" not in folded:
        return False
    plain = folded.replace("\\n", "\n")
    return any(_MARK.search(_SIGNS.sub(" ", form)) for form in (plain, html.unescape(html.unescape(plain))))
