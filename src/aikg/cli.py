"""The `aikg` command: parse options, call one function, hand the result to `render`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from aikg import __version__

if TYPE_CHECKING:
    from aikg.graph import Graph

F = TypeVar("F", bound=Callable[..., Any])

BUG = 70
INTERRUPTED = 130


class Main(click.Group):
    """The group that turns errors into messages and exit codes."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; see `click.Group.main`."""
        from aikg.errors import AikgError

        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
            sys.stdout.flush()
        except AikgError as error:
            click.echo(f"Error: {error}", err=True)
            code = error.exit_code
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            click.echo("Interrupted.", err=True)
            code = INTERRUPTED
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = 0
        except Exception as error:
            code = _bug(error)
        sys.exit(code if isinstance(code, int) else 0)


def _bug(error: Exception) -> int:
    """Say that aikg itself is at fault, and show where under --debug."""
    if "--debug" in sys.argv:
        import traceback

        traceback.print_exception(error)
    from aikg.errors import harmless

    kind = type(error).__name__
    click.echo(f"Error: This is a fault of aikg ({kind}: {harmless(str(error))}).", err=True)
    click.echo("Run it again with --debug before the command, and report what it shows.", err=True)
    return BUG


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


def _open(store: Path | None, lang: str = "en") -> Graph:
    from aikg.graph import open

    return open(store, lang=lang)


def _write(text: str, output: Path) -> None:
    """Write text to a file in one step, or to standard output."""
    if str(output) == "-":
        click.echo(text, nl=False)
        return
    from aikg.files import replacing

    with replacing(output) as file:
        file.write(text.encode())


def _form(form: str | None, output: Path, known: tuple[str, ...]) -> str:
    """Return the format that is told, else the one that the file's suffix names, else the first."""
    suffix = output.suffix.removeprefix(".").lower()
    return form or (suffix if suffix in known else known[0])


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="aikg")
@click.option("--debug", is_flag=True, help="Show where aikg itself failed.")
def main(debug: bool) -> None:
    """Ask who supplies, funds and owns the chips behind AI, by whose word, and how surely.

    Without --store, commands answer from the graph that comes with aikg.

    Example: aikg path Apple "Annapurna Labs"
    """


@main.command()
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
    answer = _open(store).query(asked)
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


@main.command()
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

    graph = _open(store, lang)
    found = graph.paths(start, end, k=None if every else k, **_followed(follow, options))
    if _form(form, output, render.TEXT_FORMATS) == "json":
        _write(render.to_json(found), output)
    elif found:
        _write(render.paths_text(found, lang), output)
    if not found:
        click.echo(f"No path from {start} to {end} within {options['max_hops']} hops.", err=True)
        click.get_current_context().exit(1)


def _followed(follow: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a walk; to follow money is to walk its family in its direction."""
    return options | {"via": ("moneyFlow",), "directed": True} if follow else options


@main.command()
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

    described = _open(store, lang).show(entity)
    if _form(form, output, render.TEXT_FORMATS) == "json":
        _write(render.to_json(described), output)
    else:
        _write(render.description_text(described, lang), output)


@main.command()
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

    hits = _open(store, lang).search(text, limit)
    rows = [
        (shorten(h.entity.iri), h.entity.label, h.matched, " ".join(map(shorten, h.classes)))
        for h in hits
    ]
    headers = ("entity", "label", "matched", "classes")
    form = _form(form, output, render.ROW_FORMATS)
    _write(render.write_rows(headers, rows, form, hits), output)


@main.command()
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

    graph = _open(store, lang)
    form = _form(form, output, render.ROW_FORMATS)
    if coverage:
        covered = graph.coverage()
        text = render.write_rows(HEADERS, [row.row() for row in covered], form, covered)
    else:
        counted = graph.stats()
        text = render.write_rows(("what", "count"), counted.rows(), form, counted)
    _write(text, output)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="AIKG_STORE",
    required=True,
    metavar="DIR",
    help="The store to load into; made if it does not exist.  [env: AIKG_STORE]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["ttl", "trig", "nt", "nq", "rdfxml", "jsonld"]),
    help="Format of the files; by default their suffixes tell. Needed for standard input.",
)
@click.option(
    "--graph",
    metavar="IRI",
    help="Graph for triples that are in none; by default the file's address.",
)
def load(files: tuple[Path, ...], store: Path, form: str | None, graph: str | None) -> None:
    """Load RDF FILES into a store, all or nothing, and derive what follows from them.

    Reads Turtle (.ttl), TriG (.trig), N-Triples (.nt), N-Quads (.nq), RDF/XML (.rdf, .owl, .xml)
    and JSON-LD (.jsonld, .json); - is standard input, with --format and --graph. Each graph that a
    file names is replaced, so loading a file again changes nothing.

    Example: aikg load deals.trig --store my-store
    """
    from aikg import load as loading
    from aikg.files import named_format

    text = None
    if Path("-") in files:
        if form is None or graph is None:
            raise click.UsageError("Standard input needs --format and --graph.")
        text = sys.stdin.buffer.read()
    count = loading.load(
        [file for file in files if file != Path("-")],
        store,
        form=named_format(form) if form else None,
        graph=graph,
        text=text,
    )
    click.echo(f"{count} triples read into {store}.", err=True)


@main.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--shapes",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Check by these SHACL shapes instead of the rules that come with aikg.",
)
@format_option("text", "json", "ttl", "github")
@output_option
@store_option
def validate(
    files: tuple[Path, ...], shapes: Path | None, form: str | None, output: Path, store: Path | None
) -> None:
    """Check FILES, or the whole graph: each fault with its place, and how to mend it.

    SHACL shapes look at each source graph alone, check queries at all of them together. FILES are
    read beside the graph that comes with aikg, and only their own faults are told. Exits 1 where
    anything violates a rule; a warning alone does not.

    Example: aikg validate my-deals.trig
    """
    from aikg import checks

    if files and store:
        raise click.UsageError("Give FILES or --store, not both.")
    if files:
        found = checks.validate_files(files, shapes=shapes)
    else:
        places = None if store else checks.shipped_files()
        found = _open(store).validate(shapes=shapes, files=places)
    _write(checks.written(found, _form(form, output, checks.FORMATS)), output)
    click.echo(checks.summary(found), err=True)
    if any(finding.severity == "violation" for finding in found):
        click.get_current_context().exit(1)


@main.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="The file to write; its suffix names the format unless given.",
)
@format_option("graphml", "gexf", "dot", "json")
@lang_option
@store_option
def export(output: Path, form: str | None, lang: str, store: Path | None) -> None:
    """Write the graph for other tools: entities as nodes, dated and sourced facts as edges.

    Formats: GraphML (.graphml), GEXF 1.3 (.gexf), Graphviz (.dot, .gv), node-link JSON (.json).

    Example: aikg export -o graph.graphml
    """
    _open(store, lang).export(output, form)
