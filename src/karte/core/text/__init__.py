"""Text analysis: one for index and query, for duplicates, conflicts, mistakes and the wiki."""

from typing import Final

from karte.core.text.analysis import terms
from karte.core.text.folding import fold_content, fold_name
from karte.core.text.query import Query, contains_phrase, parse_query
from karte.core.text.snippet import Snippet, highlight

VERSION: Final = 1
"""Raised with every change of what becomes a term, so that a workspace is indexed anew."""

__all__ = [
    "VERSION",
    "Query",
    "Snippet",
    "contains_phrase",
    "fold_content",
    "fold_name",
    "highlight",
    "parse_query",
    "terms",
]
