"""Commands that look up what the graph holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aikg.cli.options import (
    chosen_form,
    format_option,
    lang_option,
    open_graph,
    output_option,
    store_option,
    write_text,
)

if TYPE_CHECKING:
    from aikg.model import Result

TABLE_ROWS = 40
"""Rows that a table of an answer has unless more are asked for."""


@click.command()
@click.argument("entity")
@format_option("text", "json")
@output_option
@lang_option
@store_option
def show(entity: str, form: str | None, output: Path, lang: str, store: Path | None) -> None:
    """Print all that the graph holds on ENTITY, every line with its source.

    Example: aikg show Trainium3
    """
    from aikg import render

    described = open_graph(store, lang).show(entity)
    if chosen_form(form, output, render.TEXT_FORMATS) == "json":
        write_text(render.to_json(described), output)
    else:
        write_text(render.description_text(described, lang), output)


@click.command()
@click.argument("text")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Most rows.")
@format_option("table", "csv", "json")
@output_option
@lang_option
@store_option
def search(
    text: str, limit: int, form: str | None, output: Path, lang: str, store: Path | None
) -> None:
    """List the entities whose names contain TEXT, the closest matches first.

    Example: aikg search trainium
    """
    from aikg import render
    from aikg.names import shorten

    hits = open_graph(store, lang).search(text, limit)
    rows = [
        (shorten(h.entity.iri), h.entity.label, h.matched, " ".join(map(shorten, h.classes)))
        for h in hits
    ]
    headers = ("entity", "label", "matched", "classes")
    form = chosen_form(form, output, render.ROW_FORMATS)
    write_text(render.write_rows(headers, rows, form, hits), output)


@click.command(add_help_option=False)
@click.argument("name", required=False)
@click.argument("values", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-h", "--help", "helped", is_flag=True, help="Tell what the command, or NAME, takes.")
@click.option(
    "--limit", type=click.IntRange(1), help="Most rows; by default 40 in a table, else all."
)
@format_option("table", "csv", "json")
@output_option
@lang_option
@store_option
def ask(
    name: str | None,
    values: tuple[str, ...],
    helped: bool,
    limit: int | None,
    form: str | None,
    output: Path,
    lang: str,
    store: Path | None,
) -> None:
    """Answer the saved question NAME, every row with its sources; without NAME, list them all.

    KEY=VALUE sets what a question takes: an entity by any of its names, a term of the ontology, or
    a date. A KEY given twice asks for both values, the value any for every one.
    `aikg ask NAME --help` tells what NAME takes and gives. The questions are ordinary SPARQL files:
    their answers as raw RDF terms come from `aikg query -f`.

    Example: aikg ask acquisitions acquirer=Amazon
    """
    from aikg import questions, render, results

    form = chosen_form(form, output, render.ROW_FORMATS)
    if name is None:
        text = click.get_current_context().get_help() + "\n" if helped else _questions(form)
    elif helped:
        text = results.question_text(questions.find_question(name))
    else:
        found = open_graph(store, lang).ask(name, _pairs(values))
        text = results.write_result(_first(found, limit, form), form, lang=lang)
    write_text(text, output)


def _questions(form: str) -> str:
    """Return the list of saved questions."""
    from aikg import questions, render, results

    found = questions.questions()
    if form == "table":
        return results.questions_text(found)
    rows = [(question.group, question.name, question.title) for question in found]
    return render.write_rows(("group", "name", "question"), rows, form, found)


def _first(result: Result, limit: int | None, form: str) -> Result:
    """Return the first rows of an answer, and say where that leaves some out."""
    most = limit or (TABLE_ROWS if form == "table" else len(result.rows))
    if len(result.rows) > most:
        total = len(result.rows)
        click.echo(f"{most} of {total} rows; --limit {total} prints them all.", err=True)
    return replace(result, rows=result.rows[:most])


def _pairs(values: tuple[str, ...]) -> dict[str, list[str]]:
    """Return what KEY=VALUE arguments say: for each key its values."""
    found: dict[str, list[str]] = {}
    for text in values:
        key, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f'"{text}" is no KEY=VALUE.')
        found.setdefault(key, []).append(value)
    return found


@click.command()
@click.option(
    "--coverage", is_flag=True, help="Tell how much of each class is well told, and confirmed."
)
@format_option("table", "csv", "json")
@output_option
@lang_option
@store_option
def stats(coverage: bool, form: str | None, output: Path, lang: str, store: Path | None) -> None:
    """Print the counts of the graph: triples, sources, entities by class, facts by certainty.

    With --coverage, each class tells how many members it has; how many count, which takes two
    cited facts, and of an event two parties, a date and a figure (or that it is undisclosed); how
    many two sources, and two independent publishers, speak of; and the newest source.

    Example: aikg stats --coverage
    """
    from aikg import render
    from aikg.coverage import HEADERS

    graph = open_graph(store, lang)
    form = chosen_form(form, output, render.ROW_FORMATS)
    if coverage:
        covered = graph.coverage()
        text = render.write_rows(HEADERS, [row.row() for row in covered], form, covered)
    else:
        counted = graph.stats()
        text = render.write_rows(("what", "count"), counted.rows(), form, counted)
    write_text(text, output)
