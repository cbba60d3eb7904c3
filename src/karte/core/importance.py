"""How important something is where nobody says: stated rules, so that what was merely heard can fade."""

from __future__ import annotations

import re
from typing import Final

from karte.core.assertions import MemoryType
from karte.core.memories import Layer
from karte.core.origins import OriginKind
from karte.core.text import fold_name

COURTESY: Final = 1.0
"""Of a greeting or an acknowledgement and nothing else."""

TURN: Final = 2.0
"""Of any other raw turn of a conversation."""

NOTICED: Final = 2.5
"""Of what a tool or an import noticed by the way."""

ORDINARY: Final = 5.0

_NOTICES: Final = frozenset({MemoryType.OBSERVATION, MemoryType.CONTEXT, MemoryType.ARTIFACT})
_NOTICING: Final = frozenset({OriginKind.TOOL_ECHO, OriginKind.IMPORT})

_LONGEST_COURTESY: Final = 60
_WORDS: Final = (
    *("hi", "hello", "hey", "bye", "goodbye", "good morning", "good afternoon", "good evening", "good night"),
    *("ok", "okay", "k", "sure", "got it", "i see", "alright", "all right", "great", "cool", "nice", "perfect"),
    *("sounds good", "no problem", "np", "you're welcome", "welcome", "thanks", "thank you", "thx", "ty"),
    *("thanks a lot", "many thanks", "so much", "very much", "cheers", "lol", "haha"),
    *("你好", "您好", "大家好", "早安", "早", "午安", "晚安", "再見", "再见", "掰掰", "拜拜"),
    *(
        "好",
        "好的",
        "好喔",
        "好啊",
        "好吧",
        "嗯",
        "嗯嗯",
        "沒問題",
        "没问题",
        "收到",
        "了解",
        "知道了",
        "明白",
        "明白了",
    ),
    *("謝謝", "谢谢", "謝謝你", "谢谢你", "謝謝您", "谢谢您", "謝啦", "谢啦", "多謝", "多谢", "感謝", "感谢"),
    *("不客氣", "不客气", "哈哈", "哈哈哈", "辛苦了"),
    *("はい", "うん", "ええ", "了解です", "了解しました", "承知しました", "わかりました", "分かりました", "なるほど"),
    *("ありがとう", "ありがとうございます", "どうも", "どういたしまして", "おはよう", "おはようございます"),
    *("こんにちは", "こんばんは", "おやすみ", "おやすみなさい", "お疲れ様", "お疲れ様です", "お疲れ様でした", "笑"),
    *("네", "예", "응", "넵", "네네", "알겠습니다", "알겠어요", "알겠어", "그래", "그래요", "좋아", "좋아요"),
    *("고마워", "고마워요", "고맙습니다", "감사합니다", "감사해요", "천만에요"),
    *("안녕", "안녕하세요", "안녕히 계세요", "안녕히 가세요", "잘 자", "ㅋㅋ", "ㅋㅋㅋ", "ㅎㅎ"),
)
_WORD: Final = "|".join(re.escape(fold_name(word)) for word in sorted(_WORDS, key=len, reverse=True))
_COURTESY: Final = re.compile(rf"[\W_]*(?:(?:{_WORD})(?![a-z0-9])[\W_]*)+")
"""Courtesies with nothing but signs between; a Latin one ends where its word ends."""


def is_courtesy(text: str) -> bool:
    """Tell whether a text greets or acknowledges and says nothing else; in English, Chinese, Japanese and Korean."""
    return len(text) <= _LONGEST_COURTESY and _COURTESY.fullmatch(fold_name(text)) is not None


def of_turn(text: str) -> float:
    """The importance (0..10) of a raw turn of a conversation, from what was said in it."""
    return COURTESY if is_courtesy(text) else TURN


def ordinary(layer: Layer, memory_type: MemoryType, kind: OriginKind, text: str) -> float:
    """The importance (0..10) of a memory whose source does not state one."""
    if layer is not Layer.EPISODIC:
        return ORDINARY
    if is_courtesy(text):
        return COURTESY
    return NOTICED if memory_type in _NOTICES and kind in _NOTICING else ORDINARY
