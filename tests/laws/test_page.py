"""The page about the laws lists every mutant, with the law that catches it."""

import re
from pathlib import Path

from tests.laws import forgetting_mutants, mutants, trust_mutants, workspace_mutants

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "laws.md"
SHORT = {"searched": "search", "nothing_lost": "nothing lost", "inserted": "insert"}


def test_the_page_names_every_mutant_and_what_catches_it() -> None:
    _, _, tables = PAGE.read_text(encoding="utf-8").partition("## What each mutant breaks")
    listed = re.findall(r"^\| ([^|`]+) \| `([a-z ]+)` \|$", tables, flags=re.MULTILINE)
    fold = [(m.name, SHORT.get(m.law, m.law)) for m in (*mutants.MUTANTS, *forgetting_mutants.MUTANTS)]
    engine = [(m.name, m.law.split()[0]) for m in (*workspace_mutants.MUTANTS, *trust_mutants.MUTANTS)]
    assert sorted(listed) == sorted(fold + engine)
