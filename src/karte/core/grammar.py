"""Words of grammar in five languages, and what a text falls into: words, names in code, characters, runs of kana.

All are closed classes: articles, prepositions, auxiliaries, particles, negations. Han characters are simplified ones.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final


class Before(IntEnum):
    """What stands directly before an item; of several words the strongest."""

    NOTHING = 0
    ARTICLE = 1
    PREPOSITION = 2
    COPULA = 3


class After(IntEnum):
    """What a particle after an item makes of it: `A の B`, `A を`, `A に`, `A は`."""

    NOTHING = 0
    TIE = 1
    OBJECT = 2
    OBLIQUE = 3
    TOPIC = 4


_ARTICLES: Final = (
    *("the", "a", "an", "this", "that", "these", "those"),
    *("my", "your", "our", "his", "her", "its", "their"),
)
_DETERMINERS: Final = ("each", "every", "这", "那", "该")
_PREPOSITIONS: Final = (
    *("of", "in", "on", "at", "for", "from", "to", "with", "by", "into", "onto", "under", "over", "within", "after"),
    *("before", "since", "until", "during", "per", "through", "as", "via"),
    *("在", "于", "由", "从", "以", "用", "给", "对", "和", "与", "及"),
)
_AUXILIARIES: Final = (
    *("is", "are", "was", "were", "be", "been", "being", "am", "has", "have", "had", "do", "does", "did"),
    *("will", "would", "can", "could", "may", "might", "must", "shall", "should"),
    *("是", "为", "即", "已"),
)
_OTHERS: Final = (
    *("and", "or", "but", "so", "than", "then", "also", "just", "only", "now", "currently", "there", "here"),
    *("it", "they", "we", "you", "i", "he", "she", "us", "them", "which", "who", "when", "where", "what"),
    *("about", "roughly", "approximately", "around", "exactly", "longer", "anymore"),
    *"了也都就被把吗呢吧着们之共约再还我你他她",
)
CLOSED: Final = {
    **dict.fromkeys(_OTHERS, Before.NOTHING),
    **dict.fromkeys((*_ARTICLES, *_DETERMINERS), Before.ARTICLE),
    **dict.fromkeys(_PREPOSITIONS, Before.PREPOSITION),
    **dict.fromkeys(_AUXILIARIES, Before.COPULA),
}
MODALS: Final = frozenset({"can", "could", "may", "might", "must", "should"})
"""Auxiliaries that say whether something is possible, allowed or due."""

BEARINGS: Final = frozenset(
    [
        *("from", "to", "after", "before", "since", "until", "under", "over", "only", "or", "than"),
        *("从", "被", "把", "만", "부터", "까지"),
        *MODALS,
    ]
)
KANA_BEARINGS: Final = re.compile("から|まで|より|だけ|しか|のみ")
DEFINITE: Final = re.compile("(?:the|this|that|my|our|your|his|her|its|their)\\b", re.IGNORECASE)
MANY: Final = re.compile(r"\b(?:are|were|one of|some)\b|之一|うちの|중 (?:하나|한)", re.IGNORECASE)
TIES: Final = frozenset("的の")
DENYING: Final = frozenset({"not", "no", "never", "none", "without", "cannot", "neither", "nor"})
DENIED: Final = "n't"
HAN_DENYING: Final = frozenset("不没无未")
HAN_DENIALS: Final = re.compile(
    "没有?|(?<!非)不(?!同(?!意)|错(?!过)|久|断|仅|但|如)(?!(?<=[，。,;；]不)过)|无(?![线论])|未(?!来)|非(?!常)|(?:^|[，。,;；请] ?)别"
)
KANA_DENIALS: Final = re.compile(
    "(?<![少危])な(?:い|く(?!な)|けれ|かっ)|ません|(?<!必)(?<!かなら)ずに?(?![つっ])|なし|ぬ"
)
HANGUL_DENIALS: Final = re.compile("않|없|못|아니|(?<![가-힣])안(?= )|지 ?마")
HANGUL_GRAMMAR: Final = re.compile("(?:있|없|않|아니)[가-힣]{0,4}|(?:한|된|합니|됩니|이)다|안|못|하지|되지")

ENDINGS: Final = re.compile(
    "(?:(?P<topic>은|는|이|가)|(?P<object>을|를)|(?P<tie>의)|(?P<oblique>에서|에게|에는|에|으로|로)"
    "|하지|되지|하면|해도|와|과|도|만|부터|까지|입니다|이었다|이다|합니다|한다|했다|됩니다|된다|되었다|있다|있습니다|하는|하다|해|였다)$"
)
PARTICLES: Final = {
    **dict.fromkeys("のと", After.TIE),
    **dict.fromkeys("を", After.OBJECT),
    **dict.fromkeys("にでへ", After.OBLIQUE),
    **dict.fromkeys("はが", After.TOPIC),
}
HANGUL_PARTS: Final = {
    "topic": After.TOPIC,
    "object": After.OBJECT,
    "tie": After.TIE,
    "oblique": After.OBLIQUE,
}
LAST_PARTICLES: Final = "".join(PARTICLES)
HONORIFIC: Final = "さん"
COPULAS: Final = ("です", "でし", "であ", "でき")
AFTER_HAN: Final = re.compile(
    "(?:[はがをにでともへやのか]|です|でし|ます|まし|ませ|まで|から|より|する|して|した|され|なる|なり|なっ|でき|いる|ある"
    "|おり|あり|いま|こと|もの|ため|[いうくすつぬふむるただてりきしちみびえけせれめべわっんなねろまさらば])*"
)
"""What may follow a Han character and be an ending of its word."""

AUXILIARY_KANA: Final = re.compile(
    "(?:です|でし|だっ|だ|であ|ます|まし|ませ|まで|から|より|する|すれ|して|した|しな|しま|され|なる|なら|なり|なっ|なけ|れば"
    "|でき|いる|いた|いて|いな|おり|ある|あり|あっ|いま|こと|もの|ため|ない|なく|なか|とし|つい|よう|そう|のみ|だけ|しか"
    "|[はがをにでともへやのかたてっるりいんよねう])*"
)
"""What follows a particle and has no meaning of its own: verbs such as to be and to do, copulas, particles."""

_KATAKANA: Final = "ァ-ヺー"
HIRAGANA: Final = "ぁ-ゖ"
_HAN: Final = "々〇\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_HANGUL: Final = "가-힣"
_LETTER: Final = rf"[^\W{_KATAKANA}{HIRAGANA}{_HAN}{_HANGUL}]"
WORD: Final = re.compile(
    r"[\"“「『`](?P<quoted>[^\"”」』`\s]{1,60})[\"”」』`]"
    rf"|(?P<aspect>已[经經]|正在|目前|[现現]在)|(?P<hiragana>[{HIRAGANA}][{HIRAGANA}ー]*)|(?P<katakana>[{_KATAKANA}]+)|(?P<han>[{_HAN}])|(?P<hangul>[{_HANGUL}]+)"
    rf"|(?P<latin>[#@]?{_LETTER}(?:{_LETTER}|[.\-/@:+#&](?=[A-Za-z0-9])|['’](?=[A-Za-z])|\+\+)*)"
    r"|(?P<colon>[:：=→]|->)|(?P<stop>[。.!?！？;；\n])"
)
CODE: Final = re.compile(r"[\d_./@#+]|:\w|[a-z][A-Z]")
PARTS: Final = re.compile(r"-|(?='s$)|(?=n't$)")
