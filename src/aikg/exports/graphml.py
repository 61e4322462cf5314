"""A graph as GraphML, for Cytoscape, yEd, Gephi, igraph and networkx."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.sax.saxutils import escape, quoteattr

from aikg.exports.rows import Cell, Edge, Node, Rows, cell_text, columns


def graphml_lines(rows: Rows) -> Iterator[str]:
    r"""Yield the lines of a GraphML file; every key has one type.

    >>> print(*graphml_lines(Rows((), (), "en")), sep="\n")
    <?xml version="1.0" encoding="UTF-8"?>
    <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
    <graph edgedefault="directed">
    </graph>
    </graphml>
    """
    nodes = [_known_node(node) for node in rows.nodes]
    edges = [_known_edge(edge) for edge in rows.edges]
    node_types, edge_types = columns(nodes), columns(edges)
    node_keys, edge_keys = _keys("node", node_types), _keys("edge", edge_types)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    yield from _declarations(node_types, node_keys, "node")
    yield from _declarations(edge_types, edge_keys, "edge")
    yield '<graph edgedefault="directed">'
    for node in nodes:
        yield f"<node id={quoteattr(node.id)}>"
        yield from _data(node.cells, node_keys)
        yield "</node>"
    for edge in edges:
        ends = f"source={quoteattr(edge.source)} target={quoteattr(edge.target)}"
        yield f"<edge id={quoteattr(edge.id)} {ends}>"
        yield from _data(edge.cells, edge_keys)
        yield "</edge>"
    yield "</graph>"
    yield "</graphml>"


def _known_node(node: Node) -> Node:
    """Return a node with its label where Cytoscape looks for it, and its IRI as a cell.

    Ids are repeated among the cells because some readers change or drop those of XML.
    """
    return replace(node, cells=node.cells | {"name": node.cells["label"], "iri": node.id})


def _known_edge(edge: Edge) -> Edge:
    """Return an edge with its relation where Cytoscape looks for it, and its id as a cell."""
    doubles = {"interaction": edge.cells["relation"], "fact": edge.id}
    return replace(edge, cells=edge.cells | doubles)


def _keys(part: str, types: dict[str, str]) -> dict[str, str]:
    """Return the XML id of each column of nodes or edges."""
    return {name: f"{part}{number}" for number, name in enumerate(types)}


def _declarations(types: dict[str, str], keys: dict[str, str], part: str) -> Iterator[str]:
    """Yield the declarations of the columns of nodes or edges."""
    for name, kind in types.items():
        title = f"attr.name={quoteattr(name)}"
        yield f'<key id="{keys[name]}" for="{part}" {title} attr.type="{kind}"/>'


def _data(cells: dict[str, Cell], keys: dict[str, str]) -> Iterator[str]:
    """Yield the cells of one row."""
    for name, cell in cells.items():
        yield f'<data key="{keys[name]}">{escape(cell_text(cell))}</data>'
