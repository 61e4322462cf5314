"""The options that commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from aikg.graph import Graph

F = TypeVar("F", bound=Callable[..., Any])


def store_option(command: F) -> F:
    """Add `--store`: the folder that the command answers from."""
    return click.option(
        "--store",
        type=click.Path(path_type=Path, file_okay=False),
        envvar="AIKG_STORE",
        metavar="DIR",
        help="Answer from the store in DIR instead of the bundled graph.  [env: AIKG_STORE]",
    )(command)


def lang_option(command: F) -> F:
    """Add `--lang`: the language of labels."""
    return click.option(
        "--lang",
        type=click.Choice(["en", "es"]),
        default="en",
        show_default=True,
        help="Language of names and labels.",
    )(command)


def output_option(command: F) -> F:
    """Add `-o`: the file to write to."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
        default="-",
        metavar="FILE",
        help="Write to FILE; the format follows its suffix unless given. - is standard output.",
    )(command)


def format_option(*forms: str) -> Callable[[F], F]:
    """Add `--format` with the formats of a command."""
    return click.option("--format", "form", type=click.Choice(forms), help="Output format.")


def filter_options(command: F) -> F:
    """Add the options that say which facts may be walked."""
    options = (
        click.option(
            "--via",
            multiple=True,
            metavar="RELATION",
            help="Walk only this family (funding, compute, …) or relation; may be repeated.",
        ),
        click.option(
            "--not-via",
            multiple=True,
            metavar="RELATION",
            help="Do not walk this family or relation; may be repeated.",
        ),
        click.option(
            "--avoid", multiple=True, metavar="ENTITY", help="Do not pass ENTITY; may be repeated."
        ),
        click.option(
            "--min-certainty",
            metavar="CERTAINTY",
            help="Walk only what a source holds at least as certain: confirmed, asserted, …",
        ),
        click.option(
            "--source",
            "sources",
            multiple=True,
            metavar="SOURCE",
            help="Read only this document; may be repeated.",
        ),
        click.option(
            "--as-of",
            metavar="DATE",
            help="Walk only what was in force on a day, or in a month or year.",
        ),
        click.option(
            "--known-by",
            metavar="DATE",
            help="Read only documents that were published by the end of a day, month or year.",
        ),
        click.option(
            "--dated-only",
            is_flag=True,
            help="Leave out what the dates cannot decide, instead of marking it undated.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def open_graph(store: Path | None, lang: str = "en") -> Graph:
    """Open the store that is told, else the bundled graph."""
    from aikg.graph import open

    return open(store, lang=lang)


def write_text(text: str, output: Path) -> None:
    """Write text to a file in one step, or to standard output."""
    if str(output) == "-":
        click.echo(text, nl=False)
        return
    from aikg.files import replacing

    with replacing(output) as file:
        file.write(text.encode())


def chosen_form(form: str | None, output: Path, known: tuple[str, ...]) -> str:
    """Return the format that is told, else the one that the file's suffix names, else the first."""
    suffix = output.suffix.removeprefix(".").lower()
    return form or (suffix if suffix in known else known[0])
