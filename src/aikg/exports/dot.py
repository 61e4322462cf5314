"""A graph as Graphviz DOT: classes are boxes around their nodes, and a dashed line is a hedge."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from aikg.exports.rows import Cell, Edge, Node, Rows, cell_text

DRAWN_BY_DOT = 500
"""The number of edges up to which the layered layout ends in seconds."""

LEGENDS = {
    "en": "solid line: settled\ndashed line: not settled",
    "es": "línea continua: firme\nlínea discontinua: no firme",
}

_WEB = re.compile(r"https?://[^\s<>\"{}|\\^`]+")
_ENTITY = re.compile(r"&(?=#?\w+;)")


def dot_lines(rows: Rows) -> Iterator[str]:
    r"""Yield the lines of a DOT file.

    Every cell is an attribute too, led by `aikg_`, where no attribute of Graphviz can be meant.

    >>> node = Node("https://example.org/x", "", {"label": 'the "X"'})
    >>> print(*dot_lines(Rows((node,), (), "en")), sep="\n")
    digraph "aikg" {
    graph [charset="UTF-8", label="solid line: settled\ndashed line: not settled", rankdir="LR"]
    node [shape="box"]
    "https://example.org/x" [label="the \"X\"", URL="https://example.org/x"]
    }
    """
    frame = {"charset": "UTF-8", "label": _shown(LEGENDS[rows.lang]), "rankdir": "LR"}
    if len(rows.edges) > DRAWN_BY_DOT:
        frame |= {"layout": "sfdp", "overlap": "prism"}
    yield 'digraph "aikg" {'
    yield f"graph {_list(frame)}"
    yield 'node [shape="box"]'
    for group, nodes in groupby(sorted(rows.nodes, key=_class), key=_class):
        yield from _cluster(group, list(nodes))
    for edge in rows.edges:
        yield f"{_quoted(edge.source)} -> {_quoted(edge.target)} {_list(_edge(edge))}"
    yield "}"


def _class(node: Node) -> str:
    """Return the class of a node, or nothing where it has none."""
    return str(node.cells.get("class", ""))


def _cluster(group: str, nodes: list[Node]) -> Iterator[str]:
    """Yield the nodes of one class in a box of their own, those without a class in none."""
    if group:
        yield f"subgraph {_quoted('cluster_' + group)} {{"
        yield f"graph {_list({'label': _shown(nodes[0].group)})}"
    for node in nodes:
        yield f"{_quoted(node.id)} {_list(_node(node))}"
    if group:
        yield "}"


def _node(node: Node) -> dict[str, str]:
    """Return the attributes of a node."""
    return {"label": _shown(node.cells["label"])} | _link(node.id) | _cells(node.cells)


def _edge(edge: Edge) -> dict[str, str]:
    """Return the attributes of an edge; it links to its source and names it on hovering."""
    cells = edge.cells
    drawn = {
        "id": edge.id,
        "label": _shown(cells["label"]),
        "style": "solid" if cells["settled"] else "dashed",
    }
    if "source_title" in cells:
        drawn["tooltip"] = _shown(cells["source_title"])
    return drawn | _link(cell_text(cells.get("source_url", ""))) | _cells(cells)


def _cells(cells: dict[str, Cell]) -> dict[str, str]:
    """Return the cells of a row, save its label, under names that Graphviz does not use."""
    return {f"aikg_{name}": cell_text(cell) for name, cell in cells.items() if name != "label"}


def _link(url: str) -> dict[str, str]:
    """Return a link to a page of the web; any other address, a script above all, makes none.

    Graphviz copies links into SVG as they are, so an ampersand must be an entity already.
    """
    return {"URL": url.replace("&", "&amp;")} if _WEB.fullmatch(url) else {}


def _shown(cell: Cell) -> str:
    """Return a text that Graphviz shows as it stands, though it takes `&lt;` for a bracket."""
    return _ENTITY.sub("&amp;", cell_text(cell))


def _list(attributes: Mapping[str, str]) -> str:
    """Return a list of attributes."""
    return f"[{', '.join(f'{_name(key)}={_quoted(text)}' for key, text in attributes.items())}]"


def _name(key: str) -> str:
    """Return the name of an attribute, quoted if it must be."""
    return key if key.isidentifier() and key.isascii() else _quoted(key)


def _quoted(text: str) -> str:
    r"""Return a text as a quoted string of DOT, in which `\N` and its like mean nothing.

    >>> print(_quoted('C:\\Name "x"'))
    "C:\\Name \"x\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
