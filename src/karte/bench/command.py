"""`karte bench`: one command a bench, and `report` for the page of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from karte.bench.options import SEED, Beside, Data, Output, Recalling, Seed, Split, flat

app = typer.Typer(
    name="bench", help="Measure how well memories are found, and how fast.", rich_markup_mode=None, add_completion=False
)

Sizes = Annotated[str, typer.Option(help="How many memories; several with commas.", metavar="10k,100k,1M")]
Size = Annotated[str, typer.Option(help="How many memories.", metavar="100k")]
Namespaces = Annotated[str, typer.Option(help="How many agents with how many memories each.", metavar="100x1k")]
Languages = Annotated[str, typer.Option(help="en, zh or both.", metavar="LIST")]
Own = Annotated[
    Path | None, typer.Option(help="A folder with attacks, benign texts and false facts of your own.", metavar="DIR")
]
Batch = Annotated[int, typer.Option(help="How many memories one store_many takes.", metavar="N", min=1)]


def _ranking(bench: str, data: Path, split: str, recalling: Recalling, output: Output) -> None:
    from karte.bench import running  # noqa: PLC0415 - help answers without loading numpy and the engine
    from karte.bench.datasets import DataSets  # noqa: PLC0415 - as above

    running.run_ranking(bench, DataSets(data, split), recalling, output)


@app.command()
@flat
def locomo(data: Data, recalling: Recalling, output: Output, split: Split = "dev") -> None:
    """LoCoMo: are the turns found that hold the evidence for a question?"""
    _ranking("locomo", data, split, recalling, output)


@app.command()
@flat
def longmemeval(data: Data, recalling: Recalling, output: Output, split: Split = "dev") -> None:
    """LongMemEval: are the sessions found that hold the evidence, and the newest of them first?"""
    _ranking("longmemeval", data, split, recalling, output)


@app.command()
@flat
def beam(data: Data, recalling: Recalling, output: Output, split: Split = "dev") -> None:
    """BEAM-100K: are the turns found that a question needs, ability by ability?"""
    _ranking("beam", data, split, recalling, output)


@app.command()
@flat
def multihop(data: Data, recalling: Recalling, output: Output, split: Split = "dev") -> None:
    """MuSiQue: are all passages found that a chain of facts runs through?"""
    _ranking("multihop", data, split, recalling, output)


@app.command()
@flat
def precision(data: Data, recalling: Recalling, output: Output, split: Split = "dev") -> None:
    """PrecisionMemBench: does the right belief surface, and only that one?"""
    _ranking("precision", data, split, recalling, output)


@app.command()
@flat
def restraint(data: Data, recalling: Recalling, output: Output, split: Split = "dev") -> None:
    """PersistBench: are memories of another domain kept back, and those of the same given?"""
    _ranking("restraint", data, split, recalling, output)


@app.command()
@flat
def poison(data: Data, recalling: Recalling, output: Output, own: Own = None, split: Split = "dev") -> None:
    """RealtimeQA, PoisonedRAG and attacks on the write gate: are false texts kept down, and true ones kept?"""
    from karte.bench import running  # noqa: PLC0415 - as above
    from karte.bench.datasets import DataSets  # noqa: PLC0415 - as above

    running.run_poison(DataSets(data, split), recalling, own, output)


@app.command()
@flat
def temporal(data: Data, recalling: Recalling, output: Output, split: Split = "dev") -> None:
    """Dated LoCoMo: is exactly what was said at the time returned that a question asks for?"""
    _ranking("temporal", data, split, recalling, output)


@app.command()
@flat
def cjk(data: Data, recalling: Recalling, output: Output, split: Split = "dev") -> None:
    """DRCD and JSQuAD: are Chinese and Japanese passages found by questions, and literals by themselves?"""
    _ranking("cjk", data, split, recalling, output)


@app.command()
@flat
def asof(data: Data, output: Output, split: Split = "dev", seed: Seed = SEED) -> None:
    """YAGO: what held in a given year, exactly, whatever the order in which facts arrived?"""
    from karte.bench import running  # noqa: PLC0415 - as above

    running.run_asof(data, split, seed, output)


@app.command()
@flat
def speed(
    output: Output,
    beside: Beside,
    size: Sizes = "10k,100k",
    namespaces: Namespaces = "100x1k",
    languages: Languages = "en,zh",
    batch: Batch = 1_000,
    seed: Seed = SEED,
) -> None:
    """Synthetic English and Chinese: how fast is storing, finding and opening?"""
    from karte.bench import running  # noqa: PLC0415 - as above

    running.run_speed(running.Scale(size, namespaces, languages, batch, seed, beside), output)


@app.command()
@flat
def context(
    output: Output,
    size: Size = "100k",
    policies: Annotated[int, typer.Option(help="How many policies there are.", metavar="N", min=1)] = 200,
    facts: Annotated[int, typer.Option(help="How many facts are shared.", metavar="N", min=1)] = 200,
    tasks: Annotated[int, typer.Option(help="How many tasks are asked about.", metavar="N", min=2)] = 100,
    seed: Seed = SEED,
) -> None:
    """Synthetic English and Chinese: how fast is the context of a task put together?"""
    from karte.bench import running  # noqa: PLC0415 - as above

    running.run_context(running.Telling(size, policies, facts, tasks, seed), output)


@app.command()
@flat
def upkeep(
    output: Output,
    size: Size = "20k",
    agents: Annotated[int, typer.Option(help="How many agents have them.", metavar="N", min=2)] = 4,
    seed: Seed = SEED,
) -> None:
    """Synthetic English and Chinese: how long do consolidating and harmonising take, and does a second run change nothing?"""
    from karte.bench import running  # noqa: PLC0415 - as above

    running.run_upkeep(running.Keeping(size, agents, seed), output)


@app.command()
def report(
    results: Annotated[Path, typer.Argument(help="The folder with the results of benches.", metavar="DIR")],
    before: Annotated[
        Path | None, typer.Option(help="A folder with earlier results, to compare with.", metavar="DIR")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The page to write (default: standard output).", metavar="FILE.md")
    ] = None,
) -> None:
    """Write the page of results, with what got worse as plainly as what got better."""
    from karte.bench import running  # noqa: PLC0415 - as above

    running.run_report(results, before, out)
