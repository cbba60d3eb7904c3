"""Who is a user, an assistant or a system, by the word that a file uses for it."""

from __future__ import annotations

import re
from typing import Final

from karte.engine.remembering.turns import ASSISTANT, USER

SYSTEM: Final = "system"

_WORDS: Final = {
    USER: (
        "user",
        "human",
        "you",
        "me",
        "使用者",
        "用戶",
        "用户",
        "我",
        "你",
        "您",
        "ユーザー",
        "あなた",
        "사용자",
        "나",
    ),
    ASSISTANT: (
        *("assistant", "ai", "ai assistant", "model", "bot", "chatbot", "agent", "llm"),
        *("chatgpt", "gpt", "claude", "gemini", "copilot"),
        *("助手", "助理", "ai助手", "ai助理", "ai 助手", "ai 助理", "機器人", "机器人", "アシスタント", "어시스턴트"),
    ),
    SYSTEM: ("system", "系統", "系统", "システム", "시스템"),
}
ROLE_WORDS: Final = {word: role for role, words in _WORDS.items() for word in words}
"""Words that name a role, in lower case, with the role."""

_BOT: Final = re.compile(r"\bbot\b|\U0001f916", re.IGNORECASE)


def role_of(named: str | None, speaker: str | None, *, bot: bool = False) -> str:
    """The role that a file names, in lower case; else that of the speaker's name; a user where nothing tells."""
    if named and named.strip():
        word = named.strip().lower()
        return ROLE_WORDS.get(word, word)
    if bot or _BOT.search(speaker or ""):
        return ASSISTANT
    return ROLE_WORDS.get((speaker or "").strip().lower(), USER)
