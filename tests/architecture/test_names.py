"""Names that say nothing are not used for modules, classes or functions."""

import pytest

from tests.architecture.rules import vague_names
from tests.architecture.source import Source, read_package


def test_no_name_is_vague_or_counts_versions() -> None:
    assert [found for source in read_package() for found in vague_names(source)] == []


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("engine/utils.py", "", ["engine/utils.py"]),
        ("helpers/text.py", "", ["helpers/text.py"]),
        ("engine/utils2.py", "", ["engine/utils2.py"]),
        ("stores/sqlite_v2.py", "", ["stores/sqlite_v2.py"]),
        ("a.py", "class StoreManager: ...", ["a.py:1 StoreManager"]),
        ("a.py", "class BaseStore: ...", ["a.py:1 BaseStore"]),
        ("a.py", "class FoldV2: ...", ["a.py:1 FoldV2"]),
        ("a.py", "class C:\n    def _merge_helper(self): ...", ["a.py:2 C._merge_helper"]),
        ("a.py", "async def fold_v3(): ...", ["a.py:1 fold_v3"]),
    ],
)
def test_a_vague_name_is_seen(path: str, text: str, found: list[str]) -> None:
    assert vague_names(Source(path, text)) == found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("core/database.py", "def rebase(): ..."),
        ("a.py", "class Baseline: ..."),
        ("a.py", "def utility_of(rank): ..."),
        ("core/uuid7.py", "def uuid7(): ..."),
        ("a.py", "base_url = 'http://localhost'"),
    ],
)
def test_a_name_that_only_contains_such_letters_passes(path: str, text: str) -> None:
    assert vague_names(Source(path, text)) == []
