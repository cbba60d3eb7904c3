"""The stem of a word, by the script it is written in (Snowball)."""

import re
from functools import cache

from Stemmer import Stemmer

_LANGUAGES = (
    (re.compile("[a-z']+"), "english"),
    (re.compile("[\u0400-\u052f]+"), "russian"),
    (re.compile("[\u0370-\u03ff]+"), "greek"),
    (re.compile("[\u0620-\u064a]+"), "arabic"),
)


def stem(word: str) -> str:
    """Return the stem of a folded word, or the word itself where it mixes scripts or has no stemmer.

    The script picks the language: Latin is stemmed as English, Cyrillic as Russian. Both a query and
    a text meet the same stemmer, so a Spanish word is still found by itself.
    """
    for script, language in _LANGUAGES:
        if script.fullmatch(word):
            return str(_stemmer(language).stemWord(word))
    return word


@cache
def _stemmer(language: str) -> Stemmer:
    return Stemmer(language, maxCacheSize=0)  # `word_tokens` remembers; a stemmer without a cache keeps no state
