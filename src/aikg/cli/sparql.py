"""Commands that ask in SPARQL."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Any

import click

from aikg.cli.options import format_option, open_graph, output_option, store_option


@click.command()
@click.argument("text", required=False)
@click.option(
    "-f",
    "--file",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Read the query from FILE.",
)
@format_option("table", "csv", "tsv", "json", "xml", "ttl", "trig", "nt", "nq", "rdfxml", "jsonld")
@output_option
@store_option
def query(
    text: str | None, file: Path | None, form: str | None, output: Path, store: Path | None
) -> None:
    """Answer the SPARQL query TEXT: rows, true or false, or triples.

    The query comes as TEXT, from a file with -f, or from standard input. The prefixes ai:, aikg:,
    src:, schema:, rdfs: and the like need no declaration. Plain patterns ask the merged view of all
    sources; GRAPH ?source { … } asks who says it. Without --format, a terminal shows a table;
    elsewhere rows are CSV, triples Turtle.

    Example: aikg query 'SELECT ?who { ?who aikg:uses ai:amazon-trainium }'
    """
    from aikg.answers import answer_format

    if text is not None and file is not None:
        raise click.UsageError("Give the query as TEXT or with -f, not both.")
    asked = text if text is not None else _query_text(file)
    answer = open_graph(store).query(asked)
    suffix = "" if str(output) == "-" else output.suffix
    form = answer_format(answer, form, suffix, sys.stdout.isatty())
    _write_answer(answer, form, output)


def _query_text(file: Path | None) -> str:
    from aikg.queries import read_query

    if file is not None and str(file) != "-":
        return read_query(file)
    if sys.stdin.isatty():
        raise click.UsageError("No query is given. Write it as TEXT, or name a file with -f.")
    return sys.stdin.buffer.read().decode("utf-8-sig")


def _write_answer(answer: Any, form: str, output: Path) -> None:
    from aikg.answers import write_answer
    from aikg.files import replacing

    if str(output) == "-":
        stream: IO[bytes] = sys.stdout.buffer
        write_answer(answer, form, stream)
        stream.flush()
    else:
        with replacing(output) as file:
            write_answer(answer, form, file)
