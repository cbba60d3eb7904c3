"""What a query is after, by rules in English, Chinese (both scripts), Japanese and Korean.

A rule is a list of cues with a weight: 3 asks for the thing itself (`when`, 什麼時候), 2 speaks of it (`last week`),
1 hints at it (`after`). The intent with the greatest sum wins; of equal sums the one that stands first in `Aim`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.text.folding import clean, fold_run


class Aim(StrEnum):
    """What can be asked for, the more special first; `general` is everything else."""

    TEMPORAL = "temporal"
    PROCEDURAL = "procedural"
    PREFERENCE = "preference"
    ENTITY = "entity"
    FACTUAL = "factual"
    GENERAL = "general"


@dataclass(frozen=True)
class Intent:
    """What a query is after.

    `confidence` (0..1) is the weight of its cues over that of all cues plus 1, so that a lone hint gives 0.5 and
    cues for something else lower it; `cues` are the words that spoke for it, as written, in text order.
    """

    name: Aim
    confidence: float = 0.0
    cues: tuple[str, ...] = ()


_MONTHS = "january|february|march|april|june|july|august|september|october|november|december"
_DAYS = "mon|tues|wednes|thurs|fri|satur|sun"
_LATIN: Final = {
    Aim.TEMPORAL: {
        3: "^when|when (?:exactly|is|are|was|were|did|do|does|has|have|had|will|can|should)|(?:what|which) (?:time|date|day|weekday|week|month|year)|how long|how recently|since when"
        "|until when|how many (?:days|weeks|months|years|hours|minutes)",
        2: f"(?:last|next|this|past) (?:night|morning|week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|(?:{_DAYS})day)"
        "|yesterday|today|tonight|tomorrow|the day (?:before|after) \\w+|(?:days?|weeks?|months?|years?|hours?) ago"
        rf"|\d{{4}}-\d\d(?:-\d\d)?|(?:in|on|since|until|before|after|during|by) (?:{_MONTHS}|may|(?:{_DAYS})day|\d{{4}})"
        "|(?:most )?recent|latest|newest|timeline",
        1: f"before|after|since|until|during|ago|currently|these days|{_MONTHS}|(?:{_DAYS})day|deadline|schedule",
    },
    Aim.PROCEDURAL: {
        3: "how (?:to|do|does|can|could|should|would) (?:i|we|you|one|they)|how to|what are the steps|steps? (?:to|for)"
        "|instructions? (?:for|to|on)|what is the (?:procedure|process|command)",
        2: "procedure|instructions|walk (?:me|us) through|step by step|runbook|tutorial|set ?up|the way to|recipe for",
        1: "how|install|configure|deploy|fix|steps?|command",
    },
    Aim.PREFERENCE: {
        3: "prefer(?:s|red|ence|ences)?|favou?rites?|(?:do|does|did|would) \\w+ (?:\\w+ )?(?:like|love|hate|enjoy|dislike|mind|want)"
        "|would rather|likes? (?:best|most|to)",
        2: "likes|loves|hates|enjoys|dislikes|fond of|allergic|can't stand|taste in|fan of",
        1: "like|love|hate|enjoy|dislike|want|recommend|suggest|usual(?:ly)?",
    },
    Aim.ENTITY: {
        3: "who|whom|whose|(?:tell me|what (?:do|does) \\w+ know|everything|anything) about|which (?:person|people|team|company)",
        2: "about|profile of|describe|introduce|known as|related to|works? (?:with|for)",
        1: "person|people|team|colleagues?|friends?|customers?",
    },
    Aim.FACTUAL: {
        3: "how (?:many|much|old|big|tall|far|large|high|often)|what(?: i|')s (?:the|our|my|his|her|their|its|your) (?:\\w+ )?(?:name|number|"
        "address|port|version|password|email|price|size)",
        2: "what|where|which|why",
        1: r"^(?:is|are|was|were|do|does|did|has|have|can)|name|number|address|version|port",
    },
}
_UNSPACED: Final = {
    Aim.TEMPORAL: {
        3: "什麼時候|甚麼時候|啥時候|何時|幾時|多久|多長時間|幾點|幾月|幾號|哪一?[天年月]|哪個月|星期幾|禮拜幾|週幾|"
        "いつ(?!も|か|の間)|何月|何日|何年|何曜日|どのくらいの(?:期間|時間)|どれくらいの(?:期間|時間)|何[時分]間?|"
        "언제(?![나든])|몇 ?시|며칠|몇 ?월|몇 ?년|무슨 요일|얼마나 (?:오래|걸)|몇 ?[주달]",
        2: "昨天|今天|明天|前天|後天|昨晚|今晚|今早|上個?[週月]|下個?[週月]|這個?[週月]|本[週月]|上個?(?:星期|禮拜)|下個?(?:星期|禮拜)|去年|今年|明年|前年|最近|近期|最新"
        "|[\\d一二兩三四五六七八九十幾]+(?:個?月|天|週|年|個?小時|個?星期)(?:前|後|以來|內)|\\d+年|\\d+月|\\d+[日號]|剛才|剛剛"
        "|昨日|今日|明日|一昨日|先[週月]|来[週月]|今[週月]|来年|昨年|この間|さっき"
        "|[\\d一二三四五六七八九十]+(?:日|週間|か月|ヶ月|時間)(?:前|後)"
        "|어제|오늘|내일|그제|모레|지난 ?(?:주|달|해|번|봄|여름|가을|겨울)|다음 ?(?:주|달)|이번 ?(?:주|달)|작년|올해|내년|최근|요즘|방금|\\d+ ?[년월일]|(?:일|주|달|개월|년|시간) ?전",
        1: "之前|以前|以後|之後|期間|當時|時候|目前|日期|時間表|前に|後に|以来|までに|から何|日程|締め切り|이전|이후|동안|당시|현재|날짜|마감|일정",
    },
    Aim.PROCEDURAL: {
        3: "怎麼(?![樣了會啦])|怎樣|如何|要怎|該怎|(?:有)?哪些步驟|どうやって|どうすれば|どのように|やり方|方法は|手順|어떻게(?! ?[돼되])|하는 ?법|절차|방법",
        2: "步驟|方法|教程|教學|流程|操作說明|使い方|作り方|設定方法|仕方|단계|순서|사용법|설치법|만드는 법",
        1: "安裝|部署|設定|設置|修復|指令|命令|インストール|デプロイ|コマンド|설치|배포|설정|명령어",
    },
    Aim.PREFERENCE: {
        3: "(?:最|比較|更)?喜歡|偏好|最愛|愛吃|愛喝|愛看|愛聽|討厭|不愛|寧願|好き(?!嫌い)|好き嫌い|嫌い|苦手|好み|お気に入り|좋아하|좋아해|좋아한|싫어하|싫어해|선호|취향|즐겨",
        2: "習慣|口味|過敏|感興趣|愛好|想要|がいい|アレルギー|趣味|興味|알레르기|취미|입맛|좋아|싫어|마음에 들",
        1: "推薦|建議|通常|おすすめ|普段|いつも|추천|보통|원하",
    },
    Aim.ENTITY: {
        3: "誰|哪位|哪個人|什麼人|甚麼人|何方|介紹(?:一下)?|だれ|どなた|どんな人|何者|누구|누가|누굴|어떤 사람|어느 분",
        2: "關於|有關|的資料|について|に関して|に関する|を紹介|에 ?대해|에 ?대한|에 ?관해|소개",
        1: "同事|朋友|客戶|團隊|同僚|友人|チーム|お客様|동료|친구|고객|팀",
    },
    Aim.FACTUAL: {
        3: "多少|幾[個台次歲本人位臺隻件名]|多大|多高|多遠|いくら|いくつ|何[人個台回歳本枚件番]|얼마(?!나)|몇 ?[개명번대살]|몇이",
        2: "什麼|甚麼|哪[裡裏兒個些種]|何處|哪一[個台種]|在哪|為何|是啥|何[がをのはでと]|何です|なに|なん(?:です|の|で)|どこ|どれ|どの|どちら|なぜ|무엇|뭐|뭘|무슨|어디|어느|왜|몇",
        1: "嗎|是不是|有沒有|電話|地址|號碼|密碼|版本|ですか|ますか|住所|番号|バージョン|인가요|입니까|나요|주소|번호|버전",
    },
}


def intent_of(query: str) -> Intent:
    """What a query is after; `general` with confidence 0 where no cue is found.

    Case, width, traditional and simplified characters, katakana and hiragana make no difference.
    """
    text = clean(query)
    spans = {aim: list(_spans(aim, text)) for aim in _ALL}
    weights = {aim: sum(weight for _, _, weight in found) for aim, found in spans.items()}
    best = max(weights, key=lambda aim: weights[aim])
    if not weights[best]:
        return Intent(Aim.GENERAL)
    cues = tuple(text[start:end] for start, end, _ in sorted(spans[best]))
    return Intent(best, weights[best] / (sum(weights.values()) + 1), cues)


def asks_for_now(query: str) -> bool:
    """Whether a question is after how things stand at present.

    It has a word for now, or asks in the present tense how many, how much, how often or how long.
    """
    text = _ORDER.sub(" ", fold_run(clean(query)))
    return bool(_NOW.search(text) or (_HOW_MUCH.search(text) and _PRESENT.search(text) and not _PAST.search(text)))


def _spans(aim: Aim, text: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and weight of each cue; of cues that overlap, the weightiest alone."""
    script = _LATIN_ONLY if text.isascii() else _ALL
    folded = fold_run(text)  # keeps the length, so that spans are those of the text
    taken: set[int] = set()
    for weight, pattern in script[aim]:
        for found in pattern.finditer(folded):
            covered = range(*found.span())
            if taken.isdisjoint(covered):
                taken.update(covered)
                yield found.start(), found.end(), weight


def _compiled(*tables: Mapping[Aim, Mapping[int, str]]) -> dict[Aim, list[tuple[int, re.Pattern[str]]]]:
    return {
        aim: [(weight, re.compile("|".join(table[aim][weight] for table in tables), re.IGNORECASE)) for weight in rules]
        for aim, rules in tables[0].items()
    }


_WORDS: Final = {aim: {w: rf"\b(?:{cues})\b" for w, cues in rules.items()} for aim, rules in _LATIN.items()}
_RUNS: Final = {aim: {w: fold_run(clean(cues)) for w, cues in rules.items()} for aim, rules in _UNSPACED.items()}
_LATIN_ONLY: Final = _compiled(_WORDS)
_ALL: Final = _compiled(_WORDS, _RUNS)

_PAST_SYLLABLES: Final = "".join(sorted({chr(code) for code in range(ord("갔"), ord("힣"), 28)} - {"있", "겠"}))
"""Syllables of Hangul that end in ㅆ, every 28th: but for two of them they are verbs in the past."""

_NOW: Final = re.compile(
    r"\b(?:current(?:ly)?|presently|at present|now|nowadays|right now|at the moment|so far|to date|still|lately|latest|newest"
    r"|(?:most )?recent(?:ly)?|these days|up to date|as of today)\b|"
    + fold_run(
        clean(
            "現在|目前|當前|眼下|如今|至今|迄今|最近|近來|最新|仍|依然|依舊|還(?:在|住|用|做|喜歡|愛|沒)"
            "|今(?=[はもの、でまど何誰])|いま(?![すしせ])|現時点|現状|まだ|これまで|近頃|このごろ"
            "|지금|현재|요즘|요새|최근|최신|아직|여전히|이제"
        )
    ),
    re.IGNORECASE,
)
_FIRST, _LAST = "(?:earliest|oldest|first)", "(?:latest|newest|most recent)"
_ORDER: Final = re.compile(
    rf"\b(?:{_FIRST} to (?:the )?{_LAST}|{_LAST} to (?:the )?{_FIRST})\b|"
    + fold_run(
        clean(
            "從?最(?:早|舊|先|遠)的?[到至]最(?:新|近|晚)|從?最(?:新|近|晚)的?[到至]最(?:早|舊|先|遠)"
            "|(?:最新|最近)(?:から|まで)|(?:최신|최근)(?:부터|까지|순)"
        )
    ),
    re.IGNORECASE,
)
"""A question for an order speaks of the latest without being after it."""

_HOW_MUCH: Final = re.compile(
    r"\bhow (?:many|much|often|long|old|far|big|tall|high)\b|"
    + fold_run(
        clean(
            "(?<![好這那十前近後數期週拜])幾(?![點月號日時])|(?<![最更很許好太這那])多(?:少|久|常|大|遠|高|長|重)"
            "|いくつ|いくら|何(?:[回人歳冊個台匹杯本枚件軒]|時間|日間|年間|[かヶ]月|キロ)|ど(?:の|れ)[くぐ]らい|どれだけ"
            "|얼마(?! ?전)|몇(?! ?(?:시(?!간)|월|번째|년도))"
        )
    ),
    re.IGNORECASE,
)
_PRESENT: Final = re.compile(r"\b(?:is|are|am|do|does|have|has|'ve|'s)\b|[^\x00-\x7f]", re.IGNORECASE)
_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|first|before|used to|ago|yesterday|last(?! ?(?:[?.!,]|$|for\b)))\b|"
    + fold_run(
        clean(
            "以前|之前|從前|過去|曾經|當時|當年|那(?:時|次|天|年)|昨[天晚日夜]|前[天年]|去年|上(?:個|一)?(?:週|月|星期|禮拜|次)"
            "|了(?=多|幾)|一昨|先[週月]|昔|かつて|その[時頃]|あの[時頃]|ました|でした"
            "|(?:[っいしちりきぎじにびみえけせてねべめれ]た|[\u4e00-\u9fff]んだ)(?=か|の|ん|っけ|で|[?!、。 ]|$)"
        )
    )
    + f"|[{_PAST_SYLLABLES}]|어제|그제|그저께|지난|작년|그때|당시|예전|옛날",
    re.IGNORECASE,
)
