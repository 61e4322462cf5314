"""Commands that read and write files of facts."""

from __future__ import annotations

import sys
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


@click.command()
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
        found = open_graph(store).validate(shapes=shapes, files=places)
    write_text(checks.written(found, chosen_form(form, output, checks.FORMATS)), output)
    click.echo(checks.summary(found), err=True)
    if any(finding.severity == "violation" for finding in found):
        click.get_current_context().exit(1)


@click.command()
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
    open_graph(store, lang).export(output, form)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; list the files that would change.")
@click.option("--drop-comments", is_flag=True, help="Rewrite files whose comments will be lost.")
def fmt(files: tuple[Path, ...], check: bool, drop_comments: bool) -> None:
    """Put Turtle and TriG FILES into one canonical order, so that a diff shows meaning alone.

    Equal facts give equal text: terms are sorted, one statement stands on a line, and the prefixes
    are those of aikg; other names are written out. RDF holds no comments, so a file that has one is
    refused. Lists the files that change; with --check, exits 1 if there are any.

    Example: aikg fmt --check my-deals.trig
    """
    from aikg import formatting

    if check:
        changed = formatting.unformatted(files)
    else:
        changed = formatting.format_files(files, drop_comments=drop_comments)
    write_text("".join(f"{path}\n" for path in changed), Path("-"))
    if check and changed:
        click.get_current_context().exit(1)


@click.command()
@click.argument("old", metavar="A", type=click.Path(path_type=Path))
@click.argument("new", metavar="B", type=click.Path(path_type=Path))
@format_option("text", "json")
@output_option
@lang_option
def diff(old: Path, new: Path, form: str | None, output: Path, lang: str) -> None:
    """Tell what facts changed from A to B, by entity: added (+), removed (-), other values (~).

    A and B are files of RDF in any format, or folders of them. Figures and other nodes without a
    name are compared by what they hold, so that order, layout and blank node labels do not matter.
    Exits 0 where both state the same, 1 where they differ.

    Example: aikg diff old-deals.trig new-deals.trig
    """
    from aikg import render
    from aikg.diff import differences

    changes = differences(old, new, lang=lang)
    is_json = chosen_form(form, output, render.TEXT_FORMATS) == "json"
    write_text(render.to_json(changes) if is_json else render.changes_text(changes), output)
    if changes:
        click.get_current_context().exit(1)


@click.command("import")
@click.argument("table", type=click.Path(path_type=Path))
@click.option(
    "--map",
    "mapping",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="What the columns mean, as TOML; docs/import.md describes it.",
)
@click.option(
    "--review",
    "listed",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="List what is in doubt in FILE too, as CSV.",
)
@output_option
@store_option
def import_(
    table: Path, mapping: Path, listed: Path | None, output: Path, store: Path | None
) -> None:
    """Turn a TABLE of facts, CSV or TSV, into cited TriG in canonical form.

    Names are matched exactly, by label, alias, ticker, Wikidata item or IRI. What is not sure, be
    it a name, a figure, a date or whether a deal is known already, is never guessed: the row is
    left out and listed on standard error, with what to do. Exits 1 if rows were left out.

    Example: aikg import deals.csv --map mapping.toml -o deals.trig
    """
    from aikg import tables

    graph = open_graph(store)
    done = tables.import_table(table, mapping, graph.store, graph.ontology)
    if done.rows:
        write_text(done.text, output)
    if listed is not None:
        write_text(tables.review(done.doubts), listed)
    for doubt in done.doubts:
        click.echo(tables.message(table, doubt), err=True)
    click.echo(f"{done.rows} rows written, {done.left_out} left out.", err=True)
    if done.left_out:
        click.get_current_context().exit(1)
