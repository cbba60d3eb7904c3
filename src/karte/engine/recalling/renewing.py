"""Renewing: where a question is after how things stand now, the newer of two tellings of one matter comes first.

No factor of age can do that, for a newer word on a matter is seldom much younger than the older one. So among the best
hits a newer one that speaks of the same, told by the query terms they share, is lifted just above the older one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from karte.core.ranking.fusion import ordered
from karte.engine.recalling.voices.lexical import LexicalVoice
from karte.engine.recalling.weighing import Weighed

FACTOR: Final = "newer"
_BEST: Final = 20
_OLDER: Final = 2
"""Only the best hits are overtaken."""

_LEAST_SCORE: Final = 0.6
"""The newer one must score so much of the older one's score."""

_LEAST_SHARED: Final = 0.3
"""So much of what the two have of the query's terms they must have in common."""

_STEP: Final = 1e-9


def renew(lexical: LexicalVoice, weighed: Mapping[int, Weighed]) -> dict[int, Weighed]:
    """Lift newer hits above older ones on the same matter; the lift is a standing factor."""
    scores = {number: found.score for number, found in weighed.items()}
    best = ordered(scores)[:_BEST]
    shared = lexical.shared(best)
    lifted: dict[int, float] = {}
    for place, old in enumerate(best[:_OLDER]):
        for new in best[place + 1 :]:
            newer = _time(weighed[new]) > _time(weighed[old])
            if newer and scores[new] >= _LEAST_SCORE * scores[old] and shared(old, new) >= _LEAST_SHARED:
                lifted[new] = max(lifted.get(new, 0.0), scores[old])
    newest_last = sorted(lifted, key=lambda number: (_time(weighed[number]), number))
    return dict(weighed) | {
        number: _lifted(weighed[number], lifted[number] * (1 + _STEP * place))
        for place, number in enumerate(newest_last, 1)
    }


def _lifted(weighed: Weighed, score: float) -> Weighed:
    factor = score / weighed.score
    return replace(weighed, standing={**weighed.standing, FACTOR: factor}, score=weighed.score * factor)


def _time(weighed: Weighed) -> int:
    start = weighed.item.validity.start
    return weighed.item.learned_at if start is None else start
