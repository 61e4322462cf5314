"""Commands that look up what the graph holds."""

from __future__ import annotations

from pathlib import Path

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
