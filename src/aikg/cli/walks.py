"""Commands that walk from entity to entity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aikg.cli.options import (
    chosen_form,
    filter_options,
    format_option,
    lang_option,
    open_graph,
    output_option,
    store_option,
    write_text,
)


@click.command()
@click.argument("start")
@click.argument("end")
@click.option("--k", type=click.IntRange(1), default=1, show_default=True, help="Number of paths.")
@click.option("--all", "every", is_flag=True, help="Print all paths of at most --max-hops.")
@click.option(
    "--max-hops", type=click.IntRange(1), default=6, show_default=True, help="Longest path."
)
@click.option(
    "--weight",
    type=click.Choice(["hops", "certainty"]),
    default="hops",
    show_default=True,
    help="Prefer fewer hops, or the path whose weakest hop is surest.",
)
@click.option("--directed", is_flag=True, help="Walk only from subject to object.")
@click.option("--follow", type=click.Choice(["money"]), help="Walk only along money, from payer.")
@filter_options
@format_option("text", "json")
@output_option
@lang_option
@store_option
def path(
    start: str,
    end: str,
    k: int,
    every: bool,
    follow: str | None,
    form: str | None,
    output: Path,
    lang: str,
    store: Path | None,
    **options: Any,
) -> None:
    """Print the shortest connection from START to END, every hop cited.

    Entities are named as people name them, or by CURIE or IRI. Facts between the same two entities
    are one hop, which is as sure as its surest fact; a path is as sure as its weakest hop. Events
    that no source settles (planned, presumed, lapsed …) are walked and say so. Exits 1 where there
    is no path.

    Example: aikg path OpenAI "Annapurna Labs" --k 3
    """
    from aikg import render

    graph = open_graph(store, lang)
    found = graph.paths(start, end, k=None if every else k, **_followed(follow, options))
    if chosen_form(form, output, render.TEXT_FORMATS) == "json":
        write_text(render.to_json(found), output)
    elif found:
        write_text(render.paths_text(found, lang), output)
    if not found:
        click.echo(f"No path from {start} to {end} within {options['max_hops']} hops.", err=True)
        click.get_current_context().exit(1)


def _followed(follow: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a walk; to follow money is to walk its family in its direction."""
    return options | {"via": ("moneyFlow",), "directed": True} if follow else options
