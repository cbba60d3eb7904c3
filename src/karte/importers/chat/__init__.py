"""Reading a chat from a file: JSON, JSON lines, or a plain transcript.

Nothing here knows a program by its name: a message is found by what its keys say, a line of a transcript by where
its time and its speaker stand. What a file leaves open stays open: a time without a zone is naive, a turn without a
time has None.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from karte.engine.remembering.turns import Chat, Turn
from karte.errors import UnreadableChat
from karte.importers.chat.dating import Source
from karte.importers.chat.decoding import decode
from karte.importers.chat.documents import is_document, is_lines, read_document, read_lines
from karte.importers.chat.transcripts import read_transcript

__all__ = ["LARGEST", "Chat", "Turn", "parse_chat", "read_chat"]

LARGEST: Final = 256 * 1024 * 1024
"""The largest file that is read, in bytes."""

_DOCUMENT: Final = frozenset({".json"})
_LINES: Final = frozenset({".jsonl", ".ndjson"})


def read_chat(path: str | Path, *, day_first: bool | None = None) -> Chat:
    """Read a chat from a file of at most `LARGEST` bytes.

    The conversation is the id that the file gives it, else the name of the file. `day_first` says how to read dates
    such as 3/4/26; None: as the other dates of the file tell, else with the month first beside a 12-hour clock.
    Raises `UnreadableChat` for a file that is missing, no text or no chat, and a subclass of `Incorrect` that names
    the line or the message for a time that cannot be read.
    """
    file = Path(path)
    try:
        if not file.is_file():
            raise UnreadableChat(f"There is no file {file}.")
        if file.stat().st_size > LARGEST:
            raise UnreadableChat(f"{file.name} is larger than {LARGEST >> 20} MiB; split it.")
        data = file.read_bytes()
    except OSError as error:
        raise UnreadableChat(f"{file} cannot be read: {error}.") from None
    return parse_chat(data, file.name, day_first=day_first)


def parse_chat(data: bytes, name: str, *, day_first: bool | None = None) -> Chat:
    """Read a chat from the bytes of a file and its name; raises what `read_chat` raises."""
    name = name.encode(errors="replace").decode()
    try:
        chat = _parse(decode(data, name), Source(name, day_first))
    except RecursionError:
        raise UnreadableChat(f"{name} is nested too deeply.") from None
    if not any(turn.text.strip() for turn in chat.turns):
        raise UnreadableChat(f"{name} holds no messages.")
    return chat


def _parse(text: str, source: Source) -> Chat:
    if not text.strip():
        raise UnreadableChat(f"{source.name} is empty.")
    suffix = Path(source.name).suffix.lower()
    if suffix in _LINES or is_lines(text):
        return read_lines(text, source)
    if suffix in _DOCUMENT or is_document(text):
        return read_document(text, source)
    return read_transcript(text, source)
