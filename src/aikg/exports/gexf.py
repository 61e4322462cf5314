"""A graph as GEXF 1.3, for Gephi, Gephi Lite and graphology."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from aikg.exports.rows import Cell, Edge, Node, Rows, cell_text, columns

NATIVE = ("label", "start", "end")
"""The columns for which GEXF has a place of its own."""

NOTE = (
    "One edge is what one source states of one relation. "
    'To keep parallel edges apart on import into Gephi, set "Edges merge strategy" '
    'to "Don\'t merge".'
)


def gexf_lines(rows: Rows) -> Iterator[str]:
    r"""Yield the lines of a GEXF file, dynamic where any fact has a date.

    >>> lines = list(gexf_lines(Rows((), (), "en")))
    >>> print(lines[1], lines[5], lines[-1], sep="\n")
    <gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">
    <graph defaultedgetype="directed" idtype="string" mode="static">
    </gexf>
    """
    node_columns, edge_columns = columns(rows.nodes), columns(rows.edges)
    mode = 'mode="static"'
    if "start" in edge_columns or "end" in edge_columns:
        mode = 'mode="dynamic" timeformat="date" timerepresentation="interval"'
    colours = _colours(rows.nodes)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield ('<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">')
    yield "<meta>"
    yield f"<creator>aikg</creator><description>{escape(NOTE)}</description>"
    yield "</meta>"
    yield f'<graph defaultedgetype="directed" idtype="string" {mode}>'
    yield from _attributes("node", node_columns)
    yield from _attributes("edge", edge_columns)
    yield "<nodes>"
    for node in rows.nodes:
        yield f"<node id={quoteattr(node.id)}{_native(node.cells)}>"
        yield from _values(node.cells)
        yield colours[node.cells.get("class")]
        yield "</node>"
    yield "</nodes>"
    yield "<edges>"
    for edge in rows.edges:
        yield f"<edge {_ends(edge)}{_native(edge.cells)}>"
        yield from _values(edge.cells)
        yield "</edge>"
    yield "</edges>"
    yield "</graph>"
    yield "</gexf>"


def _attributes(part: str, types: dict[str, str]) -> Iterator[str]:
    """Yield the declarations of the columns of nodes or edges."""
    declared = {name: kind for name, kind in types.items() if name not in NATIVE}
    if not declared:
        return
    yield f'<attributes class="{part}">'
    for name, kind in declared.items():
        yield f'<attribute id={quoteattr(name)} title={quoteattr(name)} type="{kind}"/>'
    yield "</attributes>"


def _ends(edge: Edge) -> str:
    """Return what every edge has; its kind keeps two relations between the same ends apart."""
    kind = cell_text(edge.cells["relation"])
    values = {"id": edge.id, "source": edge.source, "target": edge.target, "kind": kind}
    return " ".join(f"{name}={quoteattr(value)}" for name, value in values.items())


def _native(cells: dict[str, Cell]) -> str:
    """Return the cells of a row that are XML attributes of its element."""
    found = {name: cell_text(cells[name]) for name in NATIVE if name in cells}
    return "".join(f" {name}={quoteattr(value)}" for name, value in found.items())


def _values(cells: dict[str, Cell]) -> Iterator[str]:
    """Yield the other cells of a row."""
    found = {name: cell for name, cell in cells.items() if name not in NATIVE}
    if not found:
        return
    yield "<attvalues>"
    for name, cell in found.items():
        yield f"<attvalue for={quoteattr(name)} value={quoteattr(cell_text(cell))}/>"
    yield "</attvalues>"


def _colours(nodes: tuple[Node, ...]) -> dict[Cell | None, str]:
    """Return a colour element for each class: hues evenly apart, grey for no class."""
    classes = sorted({str(node.cells["class"]) for node in nodes if "class" in node.cells})
    hues = {name: number / len(classes) for number, name in enumerate(classes)}
    colours: dict[Cell | None, str] = {
        name: _colour(*colorsys.hls_to_rgb(hue, 0.5, 0.6)) for name, hue in hues.items()
    }
    return colours | {None: _colour(0.6, 0.6, 0.6)}


def _colour(red: float, green: float, blue: float) -> str:
    """Return a colour, given by parts of one, as an element of GEXF."""
    r, g, b = (round(255 * part) for part in (red, green, blue))
    return f'<viz:color r="{r}" g="{g}" b="{b}" a="1.0"/>'
