"""Whether a question asks for a time and for nothing else: `What did we talk about last Monday?`.

What is left of a question without its times must be words that one asks with about talk and doings. In Chinese they are
told by themselves; in Japanese and Korean with their endings, so that no noun is taken for a row of particles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from karte.core.moments.values import Moment
from karte.core.text.folding import clean, fold_run

_TIME: Final = "\0"
"""Stands where a time stood: particles may follow it."""

_LETTER: Final = re.compile(r"\w")
_KANA: Final = re.compile("[ぁ-ゖァ-ヺ]")
_KATAKANA: Final = re.compile("([ァ-ヺー]+)")

_ENGLISH: Final = (
    "what which who whom where when how tell show give list remind remember recall recap summari[sz]e summary review "
    "do did does done doing was were is are am have had has having been be being will would shall should can could "
    "i me my we us our you your they them their he him his she her it its s ve d re ll m t "
    "say says said saying talk talks talked talking discuss discussed discussing discussions? "
    "chat chats chatted chatting speak spoke spoken speaking mention mentioned told conversations? sessions? messages? "
    "memory memories records? entry entries notes? things? stuff topics? subjects? everything anything something all events? "
    "happen happens happened happening occur occurred go goes going went gone news? updates? "
    "plans? planned scheduled? agenda up to about on in at of for over during from through between since until and or back the a an "
    "please with each other again that this there any around so far some ever also took take place let know kinds? sorts? types?"
)
_CHINESE: Final = (
    "我們 咱們 你們 妳們 他們 她們 大家 彼此 互相 一起 之間 我 你 妳 您 咱 他 她 它 "
    "談論 談話 交談 談 討論 聊天 聊 說話 說 講話 講 提到 提及 提過 對話 會話 溝通 話題 主題 內容 紀錄 記錄 記憶 訊息 消息 "
    "總結 摘要 回顧 整理 概括 列出 顯示 告訴 知道 記得 回想 想起 看看 給 發生 進行 經歷 做 幹 忙 去 "
    "什麼 甚麼 啥 哪些 哪裡 哪裏 哪兒 哪 誰 如何 怎麼樣 怎樣 怎麼 請 幫 把 讓 可以 能 一下 時候 時 那天 當天 期間 "
    "的 了 過 到 在 於 是 有 都 也 又 全部 所有 吧 呢 嗎 啊 呀 些 事情 事件 大事 事 件 東西 新 跟 和 與 對 從 裡 中 內 "
    "會 要 打算 計畫 計劃 安排 行程"
)
_JAPANESE_NOUNS: Final = (
    "私たち 私達 私 わたしたち わたし 僕たち 僕ら 僕 ぼく 俺たち 俺 あなた 君 彼女たち 彼女 彼ら 彼 みんな 皆 お互い 一緒 二人 "
    "話し合い 話題 話 会話 対話 内容 記録 記憶 メッセージ チャット セッション トピック リスト ニュース イベント まとめ 要約 一覧 "
    "出来事 こと 事 もの 件 予定 計画 何 なに なん どんな どういう どう どこ 誰 だれ いつ すべて 全て 全部 新しい 他 ほか "
    "頃 ごろ 間 あいだ うち 中"
)
_JAPANESE_VERBS: Final = (
    "話し合っ 話し合い 話し 話 言っ 言い 言わ 述べ 語り 語っ しゃべっ しゃべり 喋っ 喋り 伝え 聞い 聞き 教え 見せ まとめ 要約し "
    "起き 起こっ 起こり 行っ 行き 行い 行われ 行わ 過ごし やっ やり 覚え 思い出し し"
)
_JAPANESE_WHOLE: Final = (
    "あったのですか あったんですか あったのか あったっけ あったか あったの あった ありましたか ありました ありますか あります "
    "あるか ある する なりました なった ください 下さい くれますか くれる ほしい"
)
_JAPANESE_ENDINGS: Final = (
    "ていましたか ていました ていますか ています ていたのか ていたの ていたか ていた ている てました てた てる てください て下さい "
    "てくれますか てくれる てほしい てきた て たのですか たんですか たのか たんだっけ たっけ たか たの た ましたか ましたっけ ました "
    "ますか ます る う た だ"
)
_JAPANESE_PARTICLES: Final = (
    "について に関して に関する に対して には では とは からは までは での からの までの との だったっけ だったか だった ですか です "
    "でしたか でしたっけ でした っけ って など とか から まで より は が を に で と も へ の や か ね よ だ"
)
_KOREAN_NOUNS: Final = (
    "우리 저희 당신 그녀 그들 이야기 얘기 말씀 말 대화 내용 채팅 세션 메시지 메세지 무엇 무슨 뭐 뭘 뭔 어떤 어떻게 누구 누가 어디 "
    "것 거 걸 일들 일 사건 주제 화제 토픽 모두 전부 모든 함께 같이 서로 기억 기록 요약 정리 목록 논의 의논 토론 언급 소식 새로운 "
    "계획 일정 때 동안 사이"
)
_KOREAN_WHOLE: Final = (
    "나 나는 나도 나랑 난 내 내가 나의 저는 저의 제 제가 너 너는 네가 넌 너랑 그 그가 그는 다 좀 새 중 중에 또 및 와 과"
)
_KOREAN_PARTICLES: Final = (
    "에서는 에서 에게 에는 에도 에 에요 한테 이라고 라고 부터 까지 들 은 는 이 가 을 를 의 와 과 랑 도 만 로 으로 야 이야 지 니 "
    "예요 이에요 인가요 입니까 인지 더라 였더라 였나요 였어 였지 이었나요 이었어 하고 간"
)
_KOREAN_VERBS: Final = (
    "(?:했|됐|갔|나눴|나누었|있었|되었|일어났|벌어졌|생겼|지냈)[가-힣]{0,4} "
    "있(?:나요|어요|습니까|는지|는|을까|을까요|어|니|지)? 하(?:는|던|고|나요|니|지|는지|여|였[가-힣]{0,3}|려고) "
    "한 할 된 될 나눈 나누(?:는|던|고) (?:알려|보여|들려|가르쳐|말해|해)(?:요|서|줘|줘요|주세요|주시겠어요|주십시오|줄래|줄래요)? "
    "주세요 주시겠어요 주십시오 줘 줘요 줄래 줄래요"
)


def asks_only_when(text: str, moments: Sequence[Moment]) -> bool:
    """Whether nothing is left of a question without its times and the words that one asks with about talk.

    Only such a question is answered by whatever is of the asked time; in any other the time is one hint among others.
    """
    if not moments:
        return False
    rest = clean(text)
    for written in sorted({clean(moment.text) for moment in moments}, key=len, reverse=True):
        rest = rest.replace(written, _TIME)
    rest = _english().sub(" ", rest)
    if not rest.isascii():
        rest = _korean().sub(" ", _folded(rest))
        rest = (_japanese() if _KANA.search(rest) else _chinese()).sub(" ", rest)
    return not _LETTER.search(rest)


@cache
def _english() -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])(?:work(?:ed|ing)? on|{_any(_ENGLISH)})(?![a-z])", re.IGNORECASE)


@cache
def _chinese() -> re.Pattern[str]:
    return re.compile(_any(_CHINESE))


@cache
def _japanese() -> re.Pattern[str]:
    particles = f"{_any(_JAPANESE_PARTICLES)}{{0,2}}"
    verbs = f"{_any(_JAPANESE_VERBS)}{_any(_JAPANESE_ENDINGS)}"
    return re.compile(f"(?:{verbs}|{_any(_JAPANESE_WHOLE)}|{_any(_JAPANESE_NOUNS)}|{_TIME}){particles}")


@cache
def _korean() -> re.Pattern[str]:
    particle, verb = _any(_KOREAN_PARTICLES), _any(_KOREAN_VERBS)
    nouns = f"{_any(_KOREAN_NOUNS)}{{1,3}}{particle}{{0,3}}{verb}?"
    word = f"{_any(_KOREAN_WHOLE)}|{nouns}|{verb}|{_TIME}{particle}{{1,3}}"
    return re.compile(f"(?<![가-힣{_TIME}])(?:{word})(?![가-힣])")


def _any(words: str) -> str:
    """One of these words, the longest that fits."""
    each = sorted(_folded(clean(words)).split(), key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(each)})"


def _folded(text: str) -> str:
    """Han in one form, kana as they are: katakana spells what is spoken of, hiragana the words between."""
    return "".join(part if place % 2 else fold_run(part) for place, part in enumerate(_KATAKANA.split(text)))
