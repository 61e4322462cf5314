"""Write entities and facts as a graph file that other tools draw: one fact, one edge."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from aikg.errors import BadOption
from aikg.exports.dot import dot_lines
from aikg.exports.gexf import gexf_lines
from aikg.exports.graphml import graphml_lines
from aikg.exports.nodelink import nodelink_lines
from aikg.exports.rows import graph_rows
from aikg.model import Entity, Fact

_WRITERS = {
    "graphml": graphml_lines,
    "gexf": gexf_lines,
    "dot": dot_lines,
    "json": nodelink_lines,
}
_SUFFIXES = {f".{form}": form for form in _WRITERS} | {".gv": "dot"}

FORMATS = tuple(_WRITERS)


def write_graph(
    entities: Iterable[Entity],
    facts: Iterable[Fact],
    form: str,
    output: TextIO,
    *,
    lang: str = "en",
) -> None:
    """Write a directed graph whose nodes are entities and whose edges are facts.

    Nodes stand in the order of their IRIs, edges in that of their ends, and nothing in the file
    depends on the time: the same graph always gives the same text. What is not known is left
    out, never written as an empty value.

    Args:
        entities: the nodes. An end of a fact that is not among them becomes a node as well.
        facts: the edges, from subject to object; several facts on one pair stay several edges.
        form: one of `FORMATS`.
        output: a text file, opened as UTF-8.
        lang: the language of labels and quantities, `en` or `es`.

    Raises:
        BadOption: no such format.

    Source:
        GraphML (graphml.graphdrawing.org), GEXF 1.3 (gexf.net), the DOT language (graphviz.org),
        and the node-link JSON of networkx and D3.

    >>> import sys
    >>> amd = Entity("https://w3id.org/aikg/id/amd", "AMD")
    >>> write_graph([amd], [], "json", sys.stdout)
    {"directed": true, "multigraph": true, "graph": {}, "nodes": [
    {"id": "https://w3id.org/aikg/id/amd", "label": "AMD"}
    ], "edges": [
    ]}
    """
    if form not in _WRITERS:
        raise BadOption(
            f'"{form}" is not a graph format.',
            where="--format",
            fix=f"Known: {', '.join(FORMATS)}.",
        )
    output.writelines(f"{line}\n" for line in _WRITERS[form](graph_rows(entities, facts, lang)))


def format_of(path: Path) -> str:
    """Return the graph format that the suffix of a file names.

    Raises:
        BadOption: no format has that suffix.

    >>> format_of(Path("deals.gexf")), format_of(Path("deals.gv"))
    ('gexf', 'dot')
    """
    form = _SUFFIXES.get(path.suffix.lower())
    if form is None:
        raise BadOption(
            f'No graph format has the suffix "{path.suffix}".',
            where=str(path),
            fix=f"Use one of {', '.join(_SUFFIXES)}, or give --format {'|'.join(FORMATS)}.",
        )
    return form
