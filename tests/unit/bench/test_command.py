"""`karte bench` as a command."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from karte.bench.command import app
from karte.bench.datasets import MissingData
from karte.errors import InvalidValue
from tests.unit.bench.writing import (
    write_beam,
    write_cjk,
    write_locomo,
    write_longmemeval,
    write_precision,
    write_restraint,
    write_yago,
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    writers = (write_locomo, write_longmemeval, write_beam, write_precision, write_restraint, write_cjk, write_yago)
    for write in writers:
        write(folder)
    return folder


def run(*arguments: object) -> str:
    return CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False).output


def check(shape: dict[str, Any], bench: str, command: str, seed: int | None) -> None:
    assert (shape["bench"], shape["command"], shape["seed"]) == (bench, command, seed)
    assert sorted(shape["machine"]) == ["apsw", "cores", "cpu", "numpy", "platform", "python", "sqlite"]
    assert all(shape[name] for name in ("commit", "measured_at", "parameters", "figures"))


@pytest.mark.parametrize("bench", ["locomo", "longmemeval", "beam", "precision", "restraint", "cjk"])
def test_a_bench_of_recall_says_what_it_measured_how_and_where(data: Path, bench: str) -> None:
    shape = json.loads(run(bench, "--data", data, "--mode", "keyword", "--json"))
    check(shape, bench, f"karte bench {bench} --data DIR --split dev --mode keyword", None)
    assert shape["parameters"]["mode"] == "keyword"


def test_a_bench_with_chance_names_its_seed(data: Path) -> None:
    check(
        json.loads(run("asof", "--data", data, "--json")), "asof", "karte bench asof --data DIR --split dev --seed 7", 7
    )


def test_without_json_a_table_says_what_is_met(data: Path) -> None:
    lines = [line.split() for line in run("asof", "--data", data).splitlines()]
    assert ["all", "exact", "sets", "1", ">=", "1", "met"] in lines


def test_the_result_and_its_picture_are_written_to_files(data: Path, tmp_path: Path) -> None:
    out, plot = tmp_path / "cjk.json", tmp_path / "cjk.svg"
    run("cjk", "--data", data, "--mode", "keyword", "--out", out, "--plot", plot)
    assert (json.loads(out.read_text(encoding="utf-8"))["bench"], plot.read_text(encoding="utf-8")[:4]) == (
        "cjk",
        "<svg",
    )


def test_a_report_is_made_of_the_results_in_a_folder(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "asof.json"
    run("asof", "--data", data, "--out", out)
    page = tmp_path / "page.md"
    run("report", tmp_path, "--before", tmp_path, "--out", page)
    assert page.read_text(encoding="utf-8") == run("report", tmp_path, "--before", tmp_path)
    assert "## What got worse" in page.read_text(encoding="utf-8")


def test_missing_data_and_missing_results_are_errors_of_ours(tmp_path: Path) -> None:
    for arguments in (("locomo", "--data", tmp_path), ("report", tmp_path)):
        with pytest.raises(MissingData):
            run(*arguments)


@pytest.mark.parametrize("namespaces", ["100", "x5", "0x5", "axb"])
def test_what_names_no_namespaces_is_refused(namespaces: str) -> None:
    with pytest.raises(InvalidValue):
        run("speed", "--namespaces", namespaces)


def test_as_a_module_an_error_ends_as_a_sentence_and_the_exit_code_of_its_category(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "karte.bench", "locomo", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr.splitlines()[0]) == (
        4,
        f"There is no {tmp_path / 'locomo' / 'locomo_dev.json.gz'}.",
    )


def test_help_does_not_load_what_measures() -> None:
    check = "import sys, karte.bench.command; sys.exit('numpy' in sys.modules or 'karte.workspace' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
