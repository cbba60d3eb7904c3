"""Forgetting a source down to the bytes: nothing that it wrote is left in any file that Karte wrote."""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import karte
from karte.core.origins import Origin
from karte.engine.forgetting import applying
from karte.stores.sqlite import SQLiteStore, connecting
from karte.stores.sqlite.connecting import Durability
from tests.durability.canaries import found, remains
from tests.durability.forgetful import everything_read, forget
from tests.durability.planting import FRIEND, in_exports, plant, planting

FILE = "forgetful.karte"
UNHARDENED = Durability(secure_delete=False)


@pytest.fixture(autouse=True)
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temporary files and logs go below the folder that is searched."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[Path]:
    """A file with all that is logged, in the folder that is searched."""
    file = tmp_path / "everything.log"
    handler = logging.FileHandler(file, encoding="utf-8")
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield file
    root.setLevel(before)
    root.removeHandler(handler)
    handler.close()


def test_no_canary_is_left_in_any_file(tmp_path: Path, logged: Path) -> None:
    with planting(str(tmp_path / FILE)) as workspace:
        planted = plant(workspace)
        needles = planted.needles(workspace)
        assert len(planted.cage.made) >= 1_000
        assert found(needles, remains(tmp_path)) == len(needles)
        receipt = forget(workspace, planted.source)
        assert (receipt.state, receipt.scrubbed, receipt.traces) == ("done", True, 0)
        assert found(needles, remains(tmp_path)) == 0
        workspace.export(tmp_path / "after.zip")
        told = everything_read(workspace)
        assert [canary for canary in planted.cage.made if canary in told] == []
        assert workspace.doctor().differences == ()
    assert found(needles, remains(tmp_path)) == 0
    assert found(needles, in_exports(tmp_path)) == 0
    assert logged.exists()


def test_control_without_the_purge_the_canaries_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "scrub_files", lambda _: False)
    store = SQLiteStore(tmp_path / FILE, durability=UNHARDENED)
    with planting(":memory:", store) as workspace:
        planted = plant(workspace)
        needles = planted.needles(workspace)
        receipt = forget(workspace, planted.source)
        assert (receipt.state, receipt.scrubbed, receipt.traces) == ("applied", False, None)
        assert found(needles, remains(tmp_path)) >= 0.99 * len(needles)


def test_what_the_store_still_holds_is_found_by_looking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The receipt does not take the scrub's word for it."""
    monkeypatch.setattr(applying, "scrub_files", lambda _: True)
    store = SQLiteStore(tmp_path / FILE, durability=UNHARDENED)
    with planting(":memory:", store) as workspace:
        planted = plant(workspace, 5)
        assert (forget(workspace, planted.source).traces or 0) > len(planted.cage.made) / 2


def test_words_that_somebody_else_wrote_too_are_no_traces(tmp_path: Path) -> None:
    evil = Origin("channel", "evil", "m1")
    with karte.open(str(tmp_path / FILE)) as workspace:
        shared: dict[str, Any] = {
            "subject": "northern warehouse",
            "predicate": "gate code",
            "tags": ["harbour-side"],
            "topic": "物流倉庫",
        }
        workspace.store("The gate code is 4711", object="4711", origin=evil, **shared)
        workspace.store("The gate code was four", object="four", origin=FRIEND, **shared)
        assert forget(workspace, "channel:evil").traces == 0
        assert [item.content for item in workspace.list().memories] == ["The gate code was four"]


def test_a_forgetting_that_cannot_scrub_yet_is_finished_by_resuming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "BUSY_MILLISECONDS", 1)
    with planting(str(tmp_path / FILE)) as workspace:
        planted = plant(workspace, 5)
        needles = planted.needles(workspace)
        other = SQLiteStore(tmp_path / FILE)
        with other.reading() as unit:
            unit.last_learned()
            receipt = forget(workspace, planted.source)
            assert (receipt.state, receipt.scrubbed) == ("applied", False)
            assert found(needles, remains(tmp_path)) > 0
            told = everything_read(workspace)
            assert [canary for canary in planted.cage.made if canary in told] == []
            assert [each.scrubbed for each in workspace.resume_forgetting()] == [False]
        other.close()
        assert [(each.state, each.scrubbed) for each in workspace.resume_forgetting()] == [("done", True)]
        assert workspace.resume_forgetting() == []
        assert found(needles, remains(tmp_path)) == 0


def test_restoring_leaves_none_of_what_the_backup_still_held(tmp_path: Path) -> None:
    file, backups = tmp_path / FILE, tmp_path / "elsewhere"
    backups.mkdir()
    with planting(str(file)) as workspace:
        planted = plant(workspace)
        needles = planted.needles(workspace)
        workspace.backup(backups / "before.zip")
        forget(workspace, planted.source)
    restored = karte.restore_workspace(backups / "before.zip", file)
    assert (restored.forgotten, restored.scrubbed) == (1, True)
    (backups / "before.zip").unlink()
    assert found(needles, remains(tmp_path)) == 0
