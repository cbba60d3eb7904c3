"""The examples of docs/explanation/text-analysis.md, read from the page."""

import re
from pathlib import Path

import pytest

from karte.core.text import contains_phrase, fold_content, fold_name, parse_query, terms

PAGE = Path(__file__).resolve().parents[3] / "docs" / "explanation" / "text-analysis.md"


def rows(*heads: str) -> list[list[str]]:
    """The rows of every table with these heads, as their cells."""
    found: list[list[str]] = []
    inside = False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        inside = bool(cells) and (inside or tuple(cells) == heads)
        if inside and tuple(cells) != heads and not set("".join(cells)) <= set("-:"):
            found.append(cells)
    return found


def code(cell: str) -> list[str]:
    """What stands in backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)


TERMS = rows("Text", "Terms")
QUERIES = rows("Query", "Finds", "Does not find")
FOLDS = rows("Written", "Same name", "Same statement")


def test_the_page_has_its_tables() -> None:
    assert (len(TERMS) >= 40, len(QUERIES) >= 6, len(FOLDS) >= 5) == (True, True, True)


@pytest.mark.parametrize(("text", "expected"), TERMS, ids=[row[0] for row in TERMS])
def test_a_text_has_the_terms_that_the_page_gives(text: str, expected: str) -> None:
    assert code(expected) == terms(code(text)[0])


@pytest.mark.parametrize(("query", "found", "missed"), QUERIES, ids=[row[0] for row in QUERIES])
def test_a_quoted_query_finds_what_the_page_says_and_nothing_else(query: str, found: str, missed: str) -> None:
    (phrase,) = parse_query(code(query)[0]).phrases
    assert [contains_phrase(code(text)[0], phrase) for text in (found, missed)] == [True, False]


@pytest.mark.parametrize(("written", "name", "statement"), FOLDS, ids=[row[0] for row in FOLDS])
def test_two_spellings_are_one_name_or_statement_as_the_page_says(written: str, name: str, statement: str) -> None:
    one, other = code(written)
    same = [fold(one) == fold(other) for fold in (fold_name, fold_content)]
    assert [{"yes": True, "no": False}[cell] for cell in (name, statement)] == same
