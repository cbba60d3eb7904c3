"""Reading data sets from a folder that the caller names: gzipped JSON, JSON lines, tab-separated tables."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karte.errors import Incorrect, NotFound


class MissingData(NotFound):
    """The data that this bench needs is not there."""


class UnreadableData(Incorrect):
    """The data is not of the shape that this bench reads."""


@dataclass(frozen=True)
class DataSets:
    """A folder of data sets, and which split of each is read."""

    folder: Path
    split: str = "dev"

    def packed(self, place: str) -> Any:
        """A gzipped JSON document; `{split}` in the place becomes the split."""
        path = self._path(place)
        try:
            return json.loads(gzip.decompress(path.read_bytes()))
        except (OSError, EOFError, ValueError) as error:
            raise UnreadableData(f"{path} is no gzipped JSON: {error}.") from None

    def document(self, place: str) -> Any:
        """A JSON document."""
        path = self._path(place)
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise UnreadableData(f"{path} is no JSON: {error}.") from None

    def lines(self, place: str) -> list[Any]:
        """One JSON document a line."""
        path = self._path(place)
        try:
            return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        except ValueError as error:
            raise UnreadableData(f"{path} is not one JSON document a line: {error}.") from None

    def table(self, place: str) -> list[dict[str, str]]:
        """The rows of a tab-separated table with a header."""
        path = self._path(place)
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))

    def _path(self, place: str) -> Path:
        path = self.folder / place.format(split=self.split)
        if not path.is_file():
            raise MissingData(
                f"There is no {path}.",
                hint="--data names the folder that holds the data sets, --split the part that is read.",
            )
        return path
