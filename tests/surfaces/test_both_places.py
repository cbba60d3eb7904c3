"""Every test of a surface runs on a file and on PostgreSQL, but for those that are listed here, each with its reason."""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.stores import FILE, POSTGRES

ROOT = Path(__file__).parents[2]
ROOMS = ("tests/surfaces/cli", "tests/surfaces/mcp", "tests/acceptance/mcp")

_MOVES = "about a file that is written or read; agreement/test_moving.py moves between all stores"

_RESTORES = "about what is said and asked; durability/test_restore.py restores in both places"

ON_ONE: dict[str, str] = {
    "surfaces/cli/test_backing_up.py::test_a_backup_is_an_export": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_a_file_that_is_there_is_replaced_by_force_only": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_what_was_forgotten_since_does_not_come_back": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_people_are_told_what_stays_out": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_a_place_that_is_not_there_is_made_and_knows_no_blocks": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_what_is_no_backup_changes_nothing": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_the_backup_of_another_workspace_is_refused_where_blocks_would_be_lost": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_without_a_terminal_nothing_is_replaced_unless_told_to": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_a_backup_that_is_not_there_is_told_before_anybody_is_asked": _RESTORES,
    "surfaces/cli/test_backing_up.py::test_on_a_terminal_it_asks_first": _RESTORES,
    "surfaces/cli/test_boundary.py": "what is raised comes from the test; no workspace is opened",
    "surfaces/cli/test_damage.py": "about the bytes of a file; a server looks after its own",
    "surfaces/cli/test_database.py": "about URLs of databases; the same of files is in test_workspaces.py",
    "surfaces/cli/test_database_troubles.py": "about servers; the same of files is in test_workspaces.py",
    "surfaces/cli/test_drawing.py::TestDifferences": "draws what the test gives it; no workspace is opened",
    "surfaces/cli/test_drawing.py::TestLanes": "draws what the test gives it; no workspace is opened",
    "surfaces/cli/test_explaining.py::TestAround": "draws what the test gives it; no workspace is opened",
    "surfaces/cli/test_explaining.py::TestReasons": "draws what the test gives it; no workspace is opened",
    "surfaces/cli/test_explaining.py::TestTheQuery": "draws what the test gives it; no workspace is opened",
    "surfaces/cli/test_explaining.py::test_a_bar_is_as_long_as_its_portion_of_20": "draws a number",
    "surfaces/cli/test_moving.py::TestCopy::test_a_copy_is_compared_in_the_end": _MOVES,
    "surfaces/cli/test_moving.py::TestCopy::test_a_terminal_sees_how_far_it_is": _MOVES,
    "surfaces/cli/test_moving.py::TestCopy::test_people_are_told_what_was_compared": _MOVES,
    "surfaces/cli/test_moving.py::TestCopy::test_what_cannot_be_copied_is_said_in_a_sentence": _MOVES,
    "surfaces/cli/test_moving.py::TestExport::test_a_file_that_is_there_is_replaced_by_force_only": _MOVES,
    "surfaces/cli/test_moving.py::TestExport::test_a_workspace_that_is_missing_is_not_made": _MOVES,
    "surfaces/cli/test_moving.py::TestExport::test_everything_is_written_into_one_file": _MOVES,
    "surfaces/cli/test_moving.py::TestExport::test_people_are_told_what_was_written": _MOVES,
    "surfaces/cli/test_moving.py::TestImport::test_a_newer_format_is_refused": _MOVES,
    "surfaces/cli/test_moving.py::TestImport::test_a_workspace_that_is_not_empty_is_left_as_it_is": _MOVES,
    "surfaces/cli/test_moving.py::TestImport::test_what_is_no_export_is_refused_before_anything_is_made": _MOVES,
    "surfaces/cli/test_moving.py::TestImport::test_what_is_no_name_of_a_file_is_refused": _MOVES,
    "surfaces/cli/test_moving.py::TestImport::test_what_was_exported_is_there_again": _MOVES,
    "surfaces/cli/test_moving.py::TestImport::test_without_a_name_it_goes_where_the_other_commands_look": _MOVES,
    "surfaces/cli/test_neighbours.py::TestServing::test_every_entry_of_the_table_leads_to_a_function": "reads a table",
    "surfaces/cli/test_neighbours.py::TestTour": "the tour keeps a file of its own; test_database.py takes it elsewhere",
    "surfaces/cli/test_preparing.py": "a file needs no preparing",
    "surfaces/cli/test_reference.py": "compares pages with the code; no workspace is opened",
    "surfaces/cli/test_startup.py": "about imports, help and completion",
    "surfaces/cli/test_workspaces.py::TestChoosing": "about which file is used; test_database.py is about URLs",
    "surfaces/cli/test_workspaces.py::TestFiles": "about files that are damaged, locked, too new or none of ours",
    "surfaces/cli/test_workspaces.py::TestReadOnly": "about permissions of files",
    "surfaces/mcp/test_behaviours.py": "compares the manifest with the tests; no workspace is opened",
    "surfaces/mcp/test_reference.py": "compares a page with the tools; no workspace is opened",
    "surfaces/mcp/test_refusals.py::test_the_text_of_a_result_is_the_json_in_every_script": "about a shape alone",
    "surfaces/mcp/test_refusals.py::test_what_only_a_person_can_mend_is_passed_on_to_one": "about a sentence alone",
    "surfaces/mcp/test_tools.py::test_the_core_profile_is_a_list_of_ten_tools_and_at_most_12000_characters": (
        "measures definitions"
    ),
    "surfaces/mcp/test_trust.py::TestEcho::test_every_tool_that_gives_memories_is_among_them": "reads definitions",
    "surfaces/mcp/test_trust.py::TestPending::test_no_tool_decides": "reads definitions",
}
"""Tests, classes and modules that do not run on both, and why."""

_COLLECT = """
import json, sys
import pytest

class Collected:
    def pytest_collection_finish(self, session):
        found = [(each.nodeid, getattr(each, "callspec", None)) for each in session.items]
        told = [(name.partition("[")[0], spec and spec.params.get("kept_in")) for name, spec in found]
        with open(sys.argv[1], "w") as file:
            json.dump(told, file)

sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", *sys.argv[2:]], plugins=[Collected()]))
"""

Places = Mapping[str, set[str | None]]


def collected(folder: Path, *rooms: str) -> Places:
    """The tests in these rooms, each with the places where it keeps its workspace; None stands for no such place."""
    told = folder / "collected.json"
    command = [sys.executable, "-c", _COLLECT, str(told), *rooms]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found: dict[str, set[str | None]] = defaultdict(set)
    for name, place in json.loads(told.read_text(encoding="utf-8")):
        found[name.removeprefix("tests/")].add(place)
    return found


def below(name: str, entries: Mapping[str, str]) -> list[str]:
    """The entries that stand for a test: its own, its class's, its module's."""
    return [entry for entry in entries if f"{name}::".startswith(f"{entry}::")]


def left_out(tests: Places, entries: Mapping[str, str]) -> list[str]:
    """The tests that neither run on both nor are listed."""
    return [name for name, places in tests.items() if places != {FILE, POSTGRES} and not below(name, entries)]


def in_vain(tests: Places, entries: Mapping[str, str]) -> list[str]:
    """The entries that stand for no test, or for one that runs on both all the same, or that give no reason."""
    needed = {entry for name, places in tests.items() if places != {FILE, POSTGRES} for entry in below(name, entries)}
    both = {entry for name, places in tests.items() if places == {FILE, POSTGRES} for entry in below(name, entries)}
    return [entry for entry, why in entries.items() if entry not in needed or entry in both or not why]


@pytest.fixture(scope="module")
def tests(tmp_path_factory: pytest.TempPathFactory) -> Places:
    return collected(tmp_path_factory.mktemp("collected"), *ROOMS)


def test_every_test_runs_on_a_file_and_on_postgresql_or_is_listed(tests: Places) -> None:
    assert left_out(tests, ON_ONE) == []


def test_every_entry_of_the_list_is_needed(tests: Places) -> None:
    assert in_vain(tests, ON_ONE) == []


def test_most_tests_run_on_both(tests: Places) -> None:
    """A control: the collection is not empty, and the list is not the rule."""
    assert sum(places == {FILE, POSTGRES} for places in tests.values()) > 200


class TestControls:
    """Each check bites on a collection made to break it."""

    BOTH: Final[set[str | None]] = {FILE, POSTGRES}
    ONE: Final[set[str | None]] = {FILE}
    NONE: Final[set[str | None]] = {None}

    def test_a_test_on_a_file_alone_and_one_on_neither_are_seen(self) -> None:
        tests = {"a.py::test_a": self.BOTH, "a.py::test_b": self.ONE, "a.py::C::test_c": self.NONE}
        assert left_out(tests, {}) == ["a.py::test_b", "a.py::C::test_c"]

    def test_a_test_is_listed_by_itself_its_class_or_its_module(self) -> None:
        tests = {"a.py::test_a": self.ONE, "b.py::C::test_b": self.NONE, "c.py::C::test_c": self.ONE}
        assert left_out(tests, {"a.py": "why", "b.py::C": "why", "c.py::C::test_c": "why"}) == []
        assert left_out(tests, {"a.py::test": "why", "b.py::test_b": "why", "c": "why"}) == list(tests)

    def test_entries_without_a_test_a_need_or_a_reason_are_seen(self) -> None:
        tests = {"a.py::test_a": self.BOTH, "b.py::test_b": self.ONE, "c.py::test_c": self.NONE}
        entries = {"a.py": "why", "b.py": "why", "c.py": "", "d.py": "why"}
        assert in_vain(tests, entries) == ["a.py", "c.py", "d.py"]
