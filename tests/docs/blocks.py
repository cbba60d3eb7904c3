"""The code blocks of a Markdown page, and what their readers do with them.

A fence names its language, and the language says what is done: `python`, `sh`, `bash` and `console` are run, `json`,
`jsonl` and `toml` are parsed, `text` and `mermaid` are only read by people. A fence without a language is a mistake.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from markdown_it import MarkdownIt

PROSE = frozenset({"mermaid", "text"})


class BrokenBlock(AssertionError):
    """A code block does not do what its page says."""


@dataclass(frozen=True)
class Block:
    """One fenced block: the page it stands on, its first line of code there, its language and its text."""

    page: str
    line: int
    language: str
    text: str

    def broken(self, why: str, line: int = 1) -> BrokenBlock:
        """What to raise when the given line of the block (from 1) is not as the page says."""
        return BrokenBlock(f"{self.page}:{self.line + line - 1}: {why}")


def blocks(page: str, markdown: str) -> list[Block]:
    """All fenced blocks of a page, in order; those inside a list or a quotation too."""
    return [
        Block(page, token.map[0] + 2, token.info.partition(" ")[0].strip(), token.content)
        for token in MarkdownIt().parse(markdown)
        if token.type == "fence" and token.map is not None
    ]


def matches(expected: str, actual: str) -> bool:
    """Whether a text is as expected: `...` stands for anything on its line, and alone on a line for any lines."""
    pattern = "".join(_line_pattern(line.rstrip()) for line in expected.strip("\n").splitlines())
    lines = "".join(f"{line.rstrip()}\n" for line in actual.strip("\n").splitlines())
    return re.fullmatch(pattern, lines) is not None


def _line_pattern(line: str) -> str:
    if line.strip() == "...":
        return r"(?:.*\n)*?"
    return ".*".join(re.escape(part) for part in line.split("...")) + r"\n"


def parse(block: Block) -> None:
    """Parse a block of data; raises BrokenBlock where it is not what its fence says."""
    try:
        _PARSERS[block.language](block.text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise block.broken(f"not {block.language}: {error}", getattr(error, "lineno", 1)) from None


def _parse_lines(text: str) -> None:
    for line in text.splitlines():
        json.loads(line)


_PARSERS: Mapping[str, Callable[[str], object]] = {"json": json.loads, "jsonl": _parse_lines, "toml": tomllib.loads}
DATA = frozenset(_PARSERS)
