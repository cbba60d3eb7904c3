"""Reading a chat from a file: encodings, and every file that is none."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.errors import Incorrect, UnreadableChat
from karte.importers import chat as reader
from karte.importers.chat import parse_chat, read_chat
from tests.unit.importers.reading import said

TRANSCRIPT = "[2024-03-15 18:37] 小美: 你好\n[2024-03-15 18:38] Bob: hey\n"


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_a_file_in_unicode(self, tmp_path: Path, encoding: str, end: str) -> None:
        file = tmp_path / "chat.txt"
        file.write_bytes(TRANSCRIPT.replace("\n", end).encode(encoding))
        assert said(read_chat(file)) == [("小美", "你好"), ("Bob", "hey")]

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
    def test_either_order_of_bytes(self, encoding: str) -> None:
        assert said(parse_chat(("\ufeff" + TRANSCRIPT).encode(encoding), "chat.txt"))[0] == ("小美", "你好")

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (TRANSCRIPT.encode() + "三：".encode("big5"), "a.txt, line 3: this is not UTF-8 text"),
            (b"\r\rx\xff", "a.txt, line 3: this is not UTF-8 text"),
            (b"\xff\xfeab\x00", "a.txt, line 1: this is not UTF-16 text"),
            (bytes(range(128, 256)), "a.txt, line 1: this is not UTF-8 text"),
        ],
    )
    def test_any_other_bytes_are_refused_by_their_line(self, data: bytes, reason: str) -> None:
        with pytest.raises(UnreadableChat) as caught:
            parse_chat(data, "a.txt")
        assert caught.value.message == f"{reason}; save the file as UTF-8."


class TestFiles:
    def test_a_path_may_be_text(self, tmp_path: Path) -> None:
        file = tmp_path / "chat.txt"
        file.write_text(TRANSCRIPT, encoding="utf-8")
        assert read_chat(str(file)).conversation == "chat.txt"

    @pytest.mark.parametrize("name", ["nothing.txt", "", "bad\0name"])
    def test_a_file_that_is_not_there(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(UnreadableChat):
            read_chat(f"{tmp_path}/{name}")

    def test_a_path_that_the_system_refuses(self) -> None:
        with pytest.raises(UnreadableChat, match=r"^x+ cannot be read: .*File name too long"):
            read_chat("x" * 300)

    def test_a_pipe_is_no_file(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(UnreadableChat, match="There is no file"):
            read_chat(tmp_path / "pipe")

    def test_a_file_that_is_too_large(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reader, "LARGEST", 1 << 20)
        file = tmp_path / "chat.txt"
        file.write_bytes(b"x" * ((1 << 20) + 1))
        with pytest.raises(UnreadableChat, match=r"chat\.txt is larger than 1 MiB; split it"):
            read_chat(file)

    @pytest.mark.parametrize("data", [b"", b" \n\r\n\t", "\ufeff".encode()])
    def test_an_empty_file(self, data: bytes) -> None:
        with pytest.raises(UnreadableChat, match=r"^chat\.txt is empty\.$"):
            parse_chat(data, "chat.txt")

    def test_a_name_that_is_no_text_is_shown_as_far_as_it_is(self) -> None:
        assert parse_chat(TRANSCRIPT.encode(), "caf\udce9.txt").conversation == "caf?.txt"

    def test_the_error_says_what_a_chat_is(self) -> None:
        with pytest.raises(UnreadableChat) as caught:
            parse_chat(b"hello", "chat.txt")
        assert {"JSON", "UTF-16"} <= set((caught.value.hint or "").replace(".", " ").split())

    def test_a_huge_line_is_a_line(self) -> None:
        chat = parse_chat(b'{"role": "user", "content": "' + b"x" * 5_000_000 + b'"}', "chat.jsonl")
        assert len(chat.turns[0].text) == 5_000_000

    @given(st.binary(max_size=80), st.sampled_from(["a.txt", "a.json", "a.jsonl"]))
    def test_any_bytes_are_a_chat_or_are_refused(self, data: bytes, name: str) -> None:
        try:
            chat = parse_chat(data, name)
        except Incorrect:
            return
        assert any(turn.text.strip() for turn in chat.turns)
