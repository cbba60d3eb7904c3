"""The manifest of behaviours is complete: nothing is claimed without a test, and no test proves nothing that is claimed."""

import ast
import tomllib
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
ROOMS = ["surfaces/mcp", "acceptance/mcp"]


def claimed(manifest: str) -> dict[str, list[str]]:
    """The behaviours, each with its tests."""
    return {entry["says"]: entry["tests"] for entry in tomllib.loads(manifest)["behaviour"]}


def written(folder: Path) -> list[str]:
    """The tests of the surface, as `room/file::name`, but for those of the manifest itself."""
    found = []
    for room in ROOMS:
        for path in sorted(folder.joinpath(room).glob("test_*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
            found += [f"{room}/{path.name}::{name}" for name in names if name.startswith("test_")]
    return [name for name in found if Path(__file__).name not in name]


def unproved(behaviours: dict[str, list[str]], tests: list[str]) -> list[str]:
    missing = [name for names in behaviours.values() for name in names if name not in tests]
    return missing + [says for says, names in behaviours.items() if not names]


def unclaimed(behaviours: dict[str, list[str]], tests: list[str]) -> list[str]:
    named = {name for names in behaviours.values() for name in names}
    return [name for name in tests if name not in named]


@pytest.fixture(scope="module")
def behaviours() -> dict[str, list[str]]:
    return claimed(Path(__file__).with_name("behaviours.toml").read_text(encoding="utf-8"))


def test_every_behaviour_has_tests_and_they_exist(behaviours: dict[str, list[str]]) -> None:
    assert unproved(behaviours, written(TESTS)) == []


def test_every_test_belongs_to_a_behaviour(behaviours: dict[str, list[str]]) -> None:
    assert unclaimed(behaviours, written(TESTS)) == []


class TestControls:
    """Each check bites on a manifest made to break it."""

    def test_a_claim_without_a_test_is_seen(self) -> None:
        behaviours = claimed('[[behaviour]]\nsays = "a"\ntests = ["x::y"]\n[[behaviour]]\nsays = "b"\ntests = []\n')
        assert unproved(behaviours, ["x::z"]) == ["x::y", "b"]

    def test_a_test_without_a_claim_is_seen(self, tmp_path: Path) -> None:
        room = tmp_path / ROOMS[0]
        room.mkdir(parents=True)
        (room / "test_a.py").write_text("class C:\n    def test_b(self): ...\ndef helper(): ...\n", encoding="utf-8")
        assert unclaimed({"a": []}, written(tmp_path)) == ["surfaces/mcp/test_a.py::test_b"]
