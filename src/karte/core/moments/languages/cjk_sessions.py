"""Chinese, Japanese and Korean conversations by their number: 第三次對話, 前回の会話, 마지막 대화."""

from __future__ import annotations

from typing import Final

from karte.core.moments.languages.sessions import before_last, between, first, from_end, last, one
from karte.core.moments.numerals import HAN, HANGUL, han, hangul
from karte.core.moments.rules import Match, Rule, rule
from karte.core.moments.stretches import Sessions
from karte.core.moments.values import Anchor

_CHINESE: Final = r"(?:對話|会話|會話|會談|談話|聊天|對談|交談|討論|溝通|session)"
_TALKS: Final = r"(?:我們|咱們|我們的)?(?:聊|談|說|講|提|討論|對話|會談|溝通)"
_JAPANESE: Final = r"(?:会話|対話|話し合い|やりとり|やり取り|打ち合わせ|セッション|チャット|相談)"
_KOREAN: Final = r"(?:대화|세션|채팅|이야기|얘기|상담)"
_KOREAN_ORDINAL: Final = rf"(?P<number>{HANGUL}|첫)\s?번째"


def _han(match: Match, _anchor: Anchor) -> Sessions:
    return one(han(match["number"]))


def _han_range(match: Match, _anchor: Anchor) -> Sessions:
    return between(han(match["number"]), han(match["until"]))


def _han_from_end(match: Match, _anchor: Anchor) -> Sessions:
    return from_end(han(match["number"]))


def _han_last_few(match: Match, _anchor: Anchor) -> Sessions:
    return Sessions(-han(match["number"]), 0)


def _han_first_few(match: Match, _anchor: Anchor) -> Sessions:
    return between(1, han(match["number"]))


def _last_times(match: Match, _anchor: Anchor) -> Sessions:
    """上次 is the last one, 上上次 the one before."""
    return from_end(len(match["back"]))


def _hangul(match: Match, _anchor: Anchor) -> Sessions:
    return one(1 if match["number"] == "첫" else hangul(match["number"]))


def _hangul_from_end(match: Match, _anchor: Anchor) -> Sessions:
    return from_end(hangul(match["number"]))


def _hangul_last_few(match: Match, _anchor: Anchor) -> Sessions:
    return Sessions(-hangul(match["number"]), 0)


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"第\s?(?P<number>{HAN})\s?(?:[次回個場]\s?的?)?\s?(?:{_CHINESE}|{_TALKS})", _han),
    rule(rf"第\s?(?P<number>{HAN})\s?次?\s?[到至~-]\s?第?\s?(?P<until>{HAN})\s?[次個]?的?\s?{_CHINESE}", _han_range),
    rule(rf"(?P<back>[上前]+)一?次的?(?:{_CHINESE}|{_TALKS})", _last_times),
    rule(rf"(?:最後|最近)一?次的?(?:{_CHINESE}|{_TALKS})", last),
    rule(rf"倒數第\s?(?P<number>{HAN})\s?[次個]的?(?:{_CHINESE}|{_TALKS})", _han_from_end),
    rule(rf"(?P<number>{HAN})\s?[次個]{_CHINESE}[之以]?前(?!的)", _han_from_end),
    rule(rf"(?:最近|過去|最後)的?\s?(?P<number>{HAN})\s?[次個]{_CHINESE}", _han_last_few),
    rule(rf"(?:最初|開始|前)的?\s?(?P<number>{HAN})\s?[次個]{_CHINESE}", _han_first_few),
    rule(rf"第\s?(?P<number>{HAN})\s?回目?の?\s?{_JAPANESE}", _han),
    rule(rf"(?P<number>{HAN})\s?[回番]目の\s?{_JAPANESE}", _han),
    rule(rf"(?P<number>{HAN})\s?回目に(?:私たちが)?話", _han),
    rule(
        rf"第?(?P<number>{HAN})\s?回目?(?:から|[~〜-])第?\s?(?P<until>{HAN})\s?回目?(?:まで)?の\s?{_JAPANESE}",
        _han_range,
    ),
    rule(rf"(?:セッション|session)\s?(?P<number>{HAN})(?![0-9.])", _han),
    rule(
        rf"(?:セッション|session)\s?(?P<number>{HAN})\s?(?:から|[~〜-])\s?(?:セッション)?(?P<until>{HAN})(?:まで)?",
        _han_range,
    ),
    rule(rf"(?:前回|最後|この前)[のに]?(?:{_JAPANESE}|話)", last),
    rule(rf"前々回[のに]?(?:{_JAPANESE}|話)", before_last),
    rule(rf"(?:最初|初回|初めて)[のに]?(?:{_JAPANESE}|話)", first),
    rule(rf"(?P<number>{HAN})\s?回前の\s?{_JAPANESE}", _han_from_end),
    rule(rf"(?:最近|直近|過去)の?\s?(?P<number>{HAN})\s?回の\s?{_JAPANESE}", _han_last_few),
    rule(rf"{_KOREAN_ORDINAL}\s?{_KOREAN}", _hangul),
    rule(rf"(?:{_KOREAN})\s?(?P<number>[0-9]{{1,4}})(?![0-9.])", _hangul),
    rule(rf"첫\s?{_KOREAN}|처음\s?(?:{_KOREAN}|나눈)", first),
    rule(rf"(?:마지막|지난번?|저번)에?\s?(?:우리가?\s?)?(?:{_KOREAN}|말한|말했)", last),
    rule(rf"(?:지지난번?|저저번)에?\s?(?:{_KOREAN})", before_last),
    rule(rf"(?P<number>{HANGUL})\s?(?:번|회)\s?전\s?{_KOREAN}", _hangul_from_end),
    rule(rf"(?:최근|지난|마지막)\s?(?P<number>{HANGUL})\s?(?:번|회)의?\s?{_KOREAN}", _hangul_last_few),
)
