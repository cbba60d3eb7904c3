"""Renewing: where a question is after how things stand now, the newer of two tellings of one matter comes first.

No factor of age can do that, for a newer word on a matter is seldom much younger than the older one. So among the best
hits a newer one that answers nearly as well and speaks of the same, told by the query terms they share, is lifted just
above the older one. Who said it and about whom does not count there: all that a user said has that in common.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from karte.core.ranking.fusion import ordered
from karte.core.ranking.standing import stand
from karte.engine.recalling.voices.lexical import LexicalVoice
from karte.engine.recalling.weighing import Weighed

FACTOR: Final = "newer"
_BEST: Final = 20
_OLDER: Final = 2
"""Only the best hits are overtaken."""

_LEAST_SCORE: Final = 0.6
"""The newer one must have so much of what the older one scores by answering."""

_LEAST_SHARED: Final = 0.3
"""So much of what the two have of the query's terms they must have in common."""

_STEP: Final = 1e-9


def renew(lexical: LexicalVoice, weighed: Mapping[int, Weighed], answers: Callable[[int], float]) -> dict[int, Weighed]:
    """Lift newer hits above older ones on the same matter; the lift is a standing factor.

    `answers` gives the base score of a hit without what it has for its speaker and its subject.
    """
    scores = {number: found.score for number, found in weighed.items()}
    best = ordered(scores)[:_BEST]
    own = {number: stand(answers(number), weighed[number].standing) for number in best}
    shared = lexical.shared(best)
    lifted: dict[int, float] = {}
    for place, old in enumerate(best[:_OLDER]):
        for new in best[place + 1 :]:
            newer = _time(weighed[new]) > _time(weighed[old])
            if newer and own[new] >= _LEAST_SCORE * own[old] and shared(old, new) >= _LEAST_SHARED:
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
