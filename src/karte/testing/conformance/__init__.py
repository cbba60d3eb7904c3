"""The conformance suite: what every store must do, as tests that a store takes over in a few lines.

    class TestMyStore(StoreConformance):
        @pytest.fixture
        def store(self, tmp_path):
            return MyStore(tmp_path / "workspace")

Each test gets a new and empty store. A store passes in full or it is no store: nothing is skipped, nothing replaced.
"""

from karte.testing.conformance.archive import ArchiveConformance
from karte.testing.conformance.episodes import EpisodesConformance
from karte.testing.conformance.facts import FactsConformance
from karte.testing.conformance.knowing import KnowingConformance
from karte.testing.conformance.lexicon import LexiconConformance
from karte.testing.conformance.memories import MemoriesConformance
from karte.testing.conformance.notes import NotesConformance
from karte.testing.conformance.records import RecordsConformance
from karte.testing.conformance.restoring import RestoringConformance
from karte.testing.conformance.timelines import TimelinesConformance
from karte.testing.conformance.transactions import TransactionsConformance
from karte.testing.conformance.trusting import TrustingConformance
from karte.testing.conformance.vectors import VectorsConformance

__all__ = ["StoreConformance"]


class StoreConformance(
    MemoriesConformance,
    RecordsConformance,
    TimelinesConformance,
    LexiconConformance,
    EpisodesConformance,
    FactsConformance,
    NotesConformance,
    ArchiveConformance,
    VectorsConformance,
    TrustingConformance,
    KnowingConformance,
    RestoringConformance,
    TransactionsConformance,
):
    """All of the contract. A subclass gives the fixture `store`: a new and empty store."""
