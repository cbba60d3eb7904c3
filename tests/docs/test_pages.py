"""Every code block of README.md and of docs/ does what its page says."""

from pathlib import Path

import pytest

from tests.docs.pages import follow

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_every_code_block_of_the_page_does_what_the_page_says(page: str, tmp_path: Path) -> None:
    follow(page, (ROOT / page).read_text(encoding="utf-8"), tmp_path)
