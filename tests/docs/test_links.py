"""Every link between the pages of this repository leads to a file or folder that is there, and to a heading in it."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "tests" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def dead_links(page: Path, root: Path) -> list[str]:
    """The links of a page that lead nowhere, or out of the repository; addresses of other sites are not asked."""
    return [target for target in _targets(page) if not _leads_somewhere(page, target, root)]


def _targets(page: Path) -> Iterator[str]:
    for token in _inline(page):
        for child in token.children or ():
            target = child.attrGet("href") or child.attrGet("src")
            if isinstance(target, str) and not re.match(r"[a-z][a-z+.-]*:", target):
                yield target


def _leads_somewhere(page: Path, target: str, root: Path) -> bool:
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.is_relative_to(root) or not file.exists():
        return False
    return not anchor or anchor in _anchors(file)


def _anchors(page: Path) -> set[str]:
    """The anchors of the headings, formed as code hosts form them."""
    words = [re.sub(r"[^\w\- ]", "", token.content.lower()) for token in _inline(page, heading=True)]
    return {title.replace(" ", "-") for title in words}


def _inline(page: Path, *, heading: bool = False) -> list[Token]:
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    return [
        token
        for opening, token in itertools.pairwise(tokens)
        if token.type == "inline" and (not heading or opening.type == "heading_open")
    ]


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_every_link_of_the_page_leads_somewhere(page: Path) -> None:
    assert dead_links(page, ROOT) == []


def test_a_dead_link_is_seen_and_a_live_one_passes(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "other.md").write_text("# Two words, `code`\n", encoding="utf-8")
    page = tmp_path / "docs" / "page.md"
    live = ["../other.md", "../other.md#two-words-code", ".", "#here", "https://example.org/nowhere"]
    dead = ["other.md", "../other.md#three-words", "#there", "../../outside.md", "missing/"]
    page.write_text("# Here\n" + " ".join(f"[x]({target})" for target in live + dead), encoding="utf-8")
    assert dead_links(page, tmp_path) == dead
