"""What is derived, at a terminal and from files: its time is that of its parents unless one is given."""

import json
from pathlib import Path

import pytest

from tests.surfaces.cli.running import answer

pytestmark = pytest.mark.usefixtures("workspace")


def times(memory_id: str) -> tuple[str, str]:
    shape = answer("read", memory_id, "-a", "dudu")
    return shape["valid_from"][:10], shape["origins"][0]["observed_at"][:10]


def parent() -> str:
    begun = ("--valid-from", "2026-02-01", "--observed-at", "2026-02-03")
    kept: str = answer("store", "小雨在東京上班", "-a", "dudu", *begun)["memory_id"]
    return kept


def test_a_statement_is_of_the_time_of_what_it_was_derived_from() -> None:
    one = parent()
    derived = answer("store", "小雨大概住在東京", "-a", "dudu", "--derived-from", one)["memory_id"]
    given = answer("store", "소우는 도쿄에 산다", "-a", "dudu", "--derived-from", one, "--observed-at", "2026-05-01")
    assert times(derived) == ("2026-02-01", "2026-02-03")
    assert times(given["memory_id"]) == ("2026-05-01", "2026-05-01")


def test_so_are_many_statements_of_a_file(tmp_path: Path) -> None:
    line = {"content": "小雨大概住在東京", "derived_from": [parent()]}
    file = tmp_path / "told.jsonl"
    file.write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
    (receipt,) = answer("store-many", str(file), "-a", "dudu")["receipts"]
    assert times(receipt["memory_id"]) == ("2026-02-01", "2026-02-03")
