"""How important something is where nobody says."""

import pytest

from karte.core.assertions import MemoryType
from karte.core.importance import is_courtesy, of_turn, ordinary
from karte.core.memories import Layer
from karte.core.origins import OriginKind


@pytest.mark.parametrize(
    "text",
    [
        *("ok", "OK, thanks!", "Okay", "Thank you so much", "hi", "good morning ☀️", "👍 got it", "you're welcome :)"),
        *("好的", "好的，謝謝！", "谢谢", "收到", "早安", "你好！", "嗯嗯"),
        *("はい", "はい、わかりました。", "ありがとうございます！", "お疲れ様です"),
        *("네", "네, 알겠습니다", "감사합니다!", "안녕하세요"),
        "ｏｋ",
    ],
)
def test_a_greeting_or_an_acknowledgement_alone_is_a_courtesy(text: str) -> None:
    assert (is_courtesy(text), of_turn(text)) == (True, 1.0)


@pytest.mark.parametrize(
    "text",
    [
        *("", "👍", "!?", "ok, deploy it to Vercel", "Thanksgiving", "hit", "tyre", "no", "okra", "nice 2"),
        *("好的，我們改用 pnpm", "謝謝你幫我訂了東京的票", "はい、東京に住んでいます", "네, 서울로 갑니다", "好人"),
        "thanks " * 20,
    ],
)
def test_what_says_anything_else_is_not(text: str) -> None:
    assert (is_courtesy(text), of_turn(text)) == (False, 2.0)


@pytest.mark.parametrize(
    ("layer", "memory_type", "kind", "text", "expected"),
    [
        (Layer.EPISODIC, MemoryType.OBSERVATION, OriginKind.TOOL_ECHO, "the build took 3 minutes", 2.5),
        (Layer.EPISODIC, MemoryType.CONTEXT, OriginKind.IMPORT, "目前在分支 main", 2.5),
        (Layer.EPISODIC, MemoryType.ARTIFACT, OriginKind.IMPORT, "report.pdf", 2.5),
        (Layer.EPISODIC, MemoryType.OBSERVATION, OriginKind.USER_DIRECT, "it rains", 5.0),
        (Layer.EPISODIC, MemoryType.DECISION, OriginKind.IMPORT, "we use pnpm", 5.0),
        (Layer.SEMANTIC, MemoryType.OBSERVATION, OriginKind.TOOL_ECHO, "the build takes 3 minutes", 5.0),
        (Layer.EPISODIC, MemoryType.UNKNOWN, OriginKind.USER_DIRECT, "好的", 1.0),
        (Layer.SEMANTIC, MemoryType.UNKNOWN, OriginKind.USER_DIRECT, "好的", 5.0),
    ],
)
def test_the_importance_of_what_states_none(
    layer: Layer, memory_type: MemoryType, kind: OriginKind, text: str, expected: float
) -> None:
    assert ordinary(layer, memory_type, kind, text) == expected
