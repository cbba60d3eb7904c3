"""What of a question is looked for in texts: not the words that say how much or which time it asks for.

An answer has the number in place of `how many weeks ago`. And a time that is counted from now, such as `three days ago`,
means another day in every text that has these words; the temporal voice looks for the day itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from karte.core.moments import Kind, Moment
from karte.core.text import Query, parse_query
from karte.core.text.folding import clean, fold_run


def keywords(whole: Query, text: str, moments: Sequence[Moment]) -> Query:
    """A query without the terms of the measures and the relative times that it asks for.

    `whole` is what `parse_query` makes of `text`, `moments` are the times found there. Names of days, months and seasons
    stay, what stands in quotes does, and so does everything where nothing else would be left.
    """
    rest = folded = fold_run(clean(text))
    for moment in moments:
        if moment.relative and moment.kind is not Kind.SESSION:
            written = fold_run(clean(moment.text))
            rest = rest.replace(written, f" {' '.join(_NAME.findall(written))} ")
    rest = _MEASURE.sub(" ", rest)
    if rest == folded:
        return whole
    left = {*parse_query(rest).terms, *(term for phrase in whole.phrases for term in phrase)}
    terms = tuple(term for term in whole.terms if term in left)
    return Query(terms, whole.phrases) if terms else whole


_NAME: Final = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|spring|summer|autumn|fall|winter)s?\b|"
    + fold_run(
        clean(
            "(?:星期|禮拜|週)[一二三四五六日天]|[日月火水木金土]曜日?|[월화수목금토일]요일|[春夏秋冬][天季]?|봄|여름|가을|겨울"
        )
    ),
    re.IGNORECASE,
)
_MEASURE: Final = re.compile(
    r"\bhow (?:many|much|long|often|old|far|recently)(?: (?:minute|hour|day|week|month|year|time)s?)?(?: ago)?\b|"
    + fold_run(
        clean(
            "(?:多久|多長時間|多少(?:分鐘|小時|天|週|個月|年|次)?|幾(?:分鐘|個?小時|天|週|個?星期|個?月|年|次))(?:以?前)?"
            "|(?:何(?:分|時間|日|日間|週間|[かヶ]月|年|年間|回)|ど(?:の|れ)[くぐ]らい|どれだけ)(?:前)?"
            "|(?:몇 ?(?:분|시간|일|주|달|개월|년|번)|며칠|얼마나(?: ?자주| ?오래)?)(?: ?전)?"
        )
    ),
    re.IGNORECASE,
)
