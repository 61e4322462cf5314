"""A graph as node-link JSON, for D3, networkx and pandas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from aikg.exports.rows import Cell, Rows


def nodelink_lines(rows: Rows) -> Iterator[str]:
    r"""Yield the lines of a node-link file, one node or edge each.

    An edge has its id twice: `key` is where networkx looks for it.

    >>> print(*nodelink_lines(Rows((), (), "en")), sep="\n")
    {"directed": true, "multigraph": true, "graph": {}, "nodes": [
    ], "edges": [
    ]}
    """
    yield '{"directed": true, "multigraph": true, "graph": {}, "nodes": ['
    yield from _objects({"id": node.id, **node.cells} for node in rows.nodes)
    yield '], "edges": ['
    yield from _objects(
        {"id": edge.id, "key": edge.id, "source": edge.source, "target": edge.target, **edge.cells}
        for edge in rows.edges
    )
    yield "]}"


def _objects(objects: Iterable[dict[str, Cell]]) -> Iterator[str]:
    """Yield objects of strict JSON, parted by commas."""
    last = ""
    for number, item in enumerate(objects):
        if number:
            yield f"{last},"
        last = json.dumps(item, ensure_ascii=False, allow_nan=False)
    if last:
        yield last
