"""Whether a question asks for a time and for nothing else: `What did we talk about last Monday?`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from karte.core.moments.values import Moment
from karte.core.text.folding import clean, fold_run

_ENGLISH: Final = re.compile(
    r"\b(?:what|which|who|tell|show|give|list|remind|recap|summari[sz]e|summary|do|did|does|was|were|is|are|have|had|has|been|be"
    r"|i|me|my|we|us|our|you|your|they|he|she|it|say|said|saying|talk|talked|talking|discuss|discussed|discussing|discussion"
    r"|chat|chatted|chatting|speak|spoke|spoken|mention|mentioned|tell|told|conversations?|sessions?|things?|topics?|everything|anything"
    r"|something|all|happen|happened|up|to|about|on|in|at|of|for|over|during|from|through|between|and|or|back|the|a|an|please|can|could"
    r"|with|each|other|again|that|this|there|any|around|so|far|s|ve|d)\b",
    re.IGNORECASE,
)
_UNSPACED: Final = re.compile(
    "|".join(
        map(
            fold_run,
            map(
                clean,
                ["我們", "咱們", "我", "你們", "你", "您", "他們", "她", "他", "談論", "談過", "談到", "談", "討論", "聊過", "聊到", "聊天", "聊", "說過", "說", "講過", "講", "提到", "提過", "提", "對話", "會話", "話題", "什麼", "甚麼", "哪些", "有哪些", "告訴", "請", "時候", "的", "了", "過", "在", "於", "是", "有", "些", "都", "吧", "呢", "嗎", "事情", "事", "內容", "私たち", "私", "僕", "あなた", "話しました", "話した", "話し", "話", "会話", "言いました", "言った", "何を", "何", "について", "の", "は", "が", "を", "に", "で", "と", "も", "ました", "した", "か", "우리", "나는", "내가", "당신", "이야기했나요", "이야기했", "이야기", "얘기했", "얘기", "말했", "말", "대화", "무엇을", "무엇", "뭐", "무슨", "에서", "에", "를", "을", "는", "은", "가", "이", "했나요", "했어", "했지", "나눴"],
            ),
        )
    )
)
_LETTER: Final = re.compile(r"\w")


def asks_only_when(text: str, moments: Sequence[Moment]) -> bool:
    """Whether nothing is left of a question without its times and the words that one asks with about talk.

    Only such a question is answered by whatever is of the asked time; in any other the time is one hint among others.
    """
    if not moments:
        return False
    rest = clean(text)
    for written in sorted({clean(moment.text) for moment in moments}, key=len, reverse=True):
        rest = rest.replace(written, " ")
    rest = _ENGLISH.sub(" ", rest)
    return not _LETTER.search(rest if rest.isascii() else _UNSPACED.sub(" ", fold_run(rest)))
