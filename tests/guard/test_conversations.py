"""Ordinary conversations, heard at once from a source that nobody trusts, are no burst; six claims about one thing are."""

import json
from pathlib import Path
from typing import Final

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.importers.chat import read_chat
from karte.stores.memory import MemoryStore
from karte.testing.parts import CountedIds, GivenClock
from karte.testing.programs import TOLD
from karte.workspace import Workspace

CONVERSATIONS: Final = (
    *(f"everos_chats/{name}.json" for name in ("solo_chat_en", "solo_chat_zh", "team_chat_en", "team_chat_zh")),
    *(f"memorybank/{name}.json" for name in ("cn/memory_bank_cn", "en/memory_bank_en")),
)


@pytest.mark.parametrize("path", CONVERSATIONS)
def test_a_conversation_heard_at_one_instant_is_no_burst_and_six_claims_about_one_thing_in_it_are(
    data_dir: Path, path: str
) -> None:
    chat = read_chat(data_dir / path)
    workspace = open_workspace(":memory:", parts=Parts(store=MemoryStore(), clock=GivenClock(TOLD), ids=CountedIds()))
    dudu = workspace.agent("dudu")
    told = dudu.ingest_chat(chat, origin_kind="channel")
    assert (told.stored, told.turns) == (len(chat.turns), len(chat.turns))
    assert waiting(workspace) == []
    source = f"channel:chat:{chat.conversation}"
    for value in ("茶", "咖啡", "お茶", "コーヒー", "차", "커피"):
        dudu.store(f"Mei likes {value}", subject="Mei", predicate="likes", object=value, origin=f"{source}:{value}")
    assert waiting(workspace) == [{"burst": 6}] * 6


def waiting(workspace: Workspace) -> list[object]:
    """Why each waits of what waits, or waited, for a person."""
    return [json.loads(shown.review.why) for shown in workspace.waiting(1_000, decided=True)]
