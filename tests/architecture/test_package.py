"""What `pip install` brings: every file of the package, its licence, and nothing else."""

import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.architecture.source import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in a wheel built from the tree as it is."""
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("dist")), versions=["standard"])
    with zipfile.ZipFile(built) as archive:
        return set(archive.namelist())


def package_files(source: Path) -> set[str]:
    """Every file below `source`, without what the interpreter leaves there."""
    found = (path for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(source).as_posix() for path in found}


def test_the_wheel_holds_every_file_of_the_package_and_no_other(wheel: set[str]) -> None:
    assert {name for name in wheel if ".dist-info/" not in name} == package_files(ROOT / "src")


def test_the_wheel_holds_the_licence_and_the_notice(wheel: set[str]) -> None:
    assert {name.rpartition("/")[2] for name in wheel if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def test_data_files_are_counted_as_files_of_the_package(tmp_path: Path) -> None:
    for name in ("a.sql", "b.txt", "c.jsonl", "py.typed", "d.pyc"):
        (tmp_path / name).touch()
    assert package_files(tmp_path) == {"a.sql", "b.txt", "c.jsonl", "py.typed"}
