"""Reading data sets, and saying what is wrong with them."""

from pathlib import Path

import pytest

from karte.bench.datasets import DataSets, MissingData, UnreadableData
from tests.unit.bench.writing import packed, write_yago


def test_the_split_names_the_file(tmp_path: Path) -> None:
    packed(tmp_path, "a/b_dev.json.gz", {"part": "dev"})
    packed(tmp_path, "a/b_test.json.gz", {"part": "test"})
    assert DataSets(tmp_path, "test").packed("a/b_{split}.json.gz") == {"part": "test"}


def test_a_file_that_is_not_there_is_named_and_counts_as_not_found(tmp_path: Path) -> None:
    with pytest.raises(MissingData) as raised:
        DataSets(tmp_path).packed("a/b_{split}.json.gz")
    assert (raised.value.message, raised.value.category) == (
        f"There is no {tmp_path / 'a/b_dev.json.gz'}.",
        "not_found",
    )


@pytest.mark.parametrize("content", [b"plain text", b"\x1f\x8bbroken", b""])
def test_a_file_that_is_no_gzipped_json_is_incorrect(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json.gz").write_bytes(content)
    with pytest.raises(UnreadableData) as raised:
        DataSets(tmp_path).packed("x.json.gz")
    assert raised.value.category == "incorrect"


def test_lines_that_are_no_json_are_incorrect(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a": 1}\nnot json\n', encoding="utf-8")
    with pytest.raises(UnreadableData):
        DataSets(tmp_path).lines("x.jsonl")


def test_quotes_in_a_table_are_ordinary_characters(tmp_path: Path) -> None:
    write_yago(tmp_path)
    rows = DataSets(tmp_path).table("yago_intervals/yago_spo_intervals.tsv")
    assert [row["object"] for row in rows] == ["Harbour FC", "National team", "Tainan", 'The "Blue" Shop']
