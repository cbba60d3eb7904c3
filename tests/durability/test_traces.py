"""Looking for texts in the files of a workspace, as they are on the disk."""

import subprocess
import sys
from pathlib import Path

import pytest

from karte.stores.sqlite import SQLiteStore, traces
from karte.stores.sqlite.traces import texts_found

TEXTS = ["the marmot whistles", "旱獺吹哨", "マーモット", "마멋이 휘파람을", "4711-0815"]
_LEAVE_WAL = "import apsw, sys; apsw.Connection(sys.argv[1]).execute('PRAGMA journal_mode=DELETE').fetchall()"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_text_is_found_wherever_it_lies_and_in_each_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "some"
    for text in TEXTS:
        for before in range(9):
            file = tmp_path / f"{text}{before}"
            file.write_bytes(b"\0" * before + text.encode(encoding) + b"\xff" * before)
            assert texts_found([file], TEXTS) == {text}


def test_a_text_that_lies_across_two_pieces_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "_CHUNK", 64)
    file = tmp_path / "some"
    for place in range(0, 200, 7):
        file.write_bytes(b"y" * place + TEXTS[0].encode() + b"z" * (200 - place))
        assert texts_found([file], TEXTS) == {TEXTS[0]}


def test_what_is_alike_is_not_found(tmp_path: Path) -> None:
    file = tmp_path / "some"
    file.write_bytes("The marmot whistles, the marmot whistle, 旱獺吹口哨 4711 0815".encode())
    assert texts_found([file], TEXTS) == set()


def test_a_file_that_is_not_there_and_an_empty_one_hold_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert texts_found([tmp_path / "none", tmp_path / "empty"], TEXTS) == set()


def test_a_text_too_short_to_tell_anything_is_not_looked_for(tmp_path: Path) -> None:
    file = tmp_path / "some"
    file.write_bytes(b"abcdefghijkl")
    assert texts_found([file], ["abc", "", "abcdefg", "abcdefgh"]) == {"abcdefgh"}


def left_by_another_process(file: Path) -> bool:
    """Whether another process may take the log away, which it may only where nobody has the file open."""
    ended = subprocess.run([sys.executable, "-c", _LEAVE_WAL, str(file)], capture_output=True, check=False)
    return ended.returncode == 0


def test_looking_does_not_take_away_the_locks_of_who_has_it_open(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "team.karte")
    with store.reading() as unit:
        unit.last_learned()
        assert store.traces(TEXTS) == frozenset()
        assert not left_by_another_process(store.path)
    store.close()


def test_control_closing_the_file_does(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "team.karte")
    with store.reading() as unit:
        unit.last_learned()
        for path in tmp_path.iterdir():
            path.open("rb").close()
        assert left_by_another_process(store.path)
    store.close()
