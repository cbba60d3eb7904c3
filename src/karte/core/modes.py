"""The modes of recall."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """Which voices are asked."""

    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"
