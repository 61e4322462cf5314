"""Files into a store, all or nothing, with the merged view and all that follows from it."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, RdfFormat

from aikg.files import Resource, Term, read, read_bytes, shipped
from aikg.names import (
    DERIVED,
    HAS_QUANTITY,
    HIGH,
    LOW,
    ONTOLOGY_GRAPH,
    REPLACES,
    RULES_GRAPH,
    SCHEMA,
    SETTLED_BY,
    SETTLED_EVENT,
    TYPE,
)
from aikg.store import Folder, Store, sparql

_VALUE = NamedNode(SCHEMA + "value")
_MINIMUM = NamedNode(SCHEMA + "minValue")
_MAXIMUM = NamedNode(SCHEMA + "maxValue")
if TYPE_CHECKING:
    from aikg.ontology import Ontology

MERGED = DefaultGraph()
"""The graph that holds every stated and derived triple once."""

Derived = tuple[Resource, NamedNode, Term]
"""A triple that follows from others."""

DAY = 86400.0
"""Seconds for which a cache that is no longer current is kept."""


def load(
    paths: Iterable[Path],
    folder: Path,
    *,
    form: RdfFormat | None = None,
    graph: str | None = None,
    text: bytes | None = None,
) -> int:
    """Load files into the store of a folder and rebuild its merged view: all of it or nothing.

    Each graph that a file names is replaced. Triples outside any named graph go to `graph`, else to
    a graph named by the file's own address.

    Args:
        paths: RDF files.
        folder: the store; made if it does not exist.
        form: the files' format; by default their suffixes tell.
        graph: IRI of the graph for triples that have none.
        text: content of one more document, as from standard input; needs `form` and `graph`.

    Returns:
        The number of quads that were read.

    Raises:
        BadFile: a file is missing or broken; the store is as it was.
        BadStore: the folder cannot be written or is in use; the store is as it was.
    """
    paths = list(paths)
    sources = [(read(path, form), graph or _address(path)) for path in paths]
    if text is not None and form is not None and graph is not None:
        sources.append((read_bytes(text, form), graph))
    with Folder(folder).writing() as inner:
        count = add(inner, sources)
        derive(inner)
    return count


def add(inner: pyoxigraph.Store, sources: Iterable[tuple[Iterable[Quad], str]]) -> int:
    """Put quads into a store, replacing each graph that they name, and return their number.

    Args:
        inner: the store.
        sources: quads, each with the IRI of the graph for those that are in none.
    """
    homed = [(quad, _home(quad, graph)) for quads, graph in sources for quad in quads]
    for graph in {graph for _, graph in homed}:
        inner.remove_graph(graph)
    inner.bulk_extend(Quad(q.subject, q.predicate, q.object, graph) for q, graph in homed)
    return len(homed)


def _home(quad: Quad, graph: str) -> NamedNode | BlankNode:
    """Return the graph of a quad, or the given one where it is in none."""
    return NamedNode(graph) if isinstance(quad.graph_name, DefaultGraph) else quad.graph_name


def derive(inner: pyoxigraph.Store) -> None:
    """Rebuild the merged view and the derived triples of a store from its source graphs.

    The order is that of docs/modelling.md: merge, settle, apply the rules, close under
    subproperty, symmetry and subclass, and give every quantity its low and high end.
    The ontology that comes with aikg is put into the store, so that its terms can be asked for.
    """
    from aikg.ontology import Ontology

    folder = shipped("ontology")
    add(
        inner,
        [
            (read(folder / "aikg.ttl"), ONTOLOGY_GRAPH.value),
            (read(folder / "rules.ttl"), RULES_GRAPH.value),
        ],
    )
    inner.clear_graph(MERGED)
    inner.remove_graph(DERIVED)
    _merge(inner)
    store = Store(inner)
    ontology = Ontology.of(inner.quads_for_pattern)
    _conclude(inner, _settled(store))
    _conclude(inner, _relations(store))
    _conclude(inner, _superproperties(store, ontology))
    _conclude(inner, _superclasses(store, ontology))
    _conclude(inner, _bounds(store, ontology))


def bundled() -> Store:
    """Return the graph that comes with aikg, from the cache or, where none can be, from memory.

    The cache is keyed by what the files say, so an edited file is seen at the next call.
    """
    from platformdirs import user_cache_path

    paths = sorted([*shipped("data/triples").glob("*.trig"), *shipped("ontology").glob("*.ttl")])
    cache = user_cache_path("aikg", appauthor=False)
    place = cache / f"graph-{_key(paths)}"
    with suppress(OSError):
        return Store(pyoxigraph.Store.read_only(str(place)))
    data = [path for path in paths if path.suffix == ".trig"]
    with suppress(OSError):
        _build_cache(data, cache, place)
        return Store(pyoxigraph.Store.read_only(str(place)))
    inner = pyoxigraph.Store()
    _build(inner, data)
    return Store(inner)


def _build(inner: pyoxigraph.Store, paths: list[Path]) -> None:
    add(inner, [(read(path), _address(path)) for path in paths])
    derive(inner)


def _build_cache(paths: list[Path], cache: Path, place: Path) -> None:
    """Build the graph beside its place, then move it there in one step."""
    import shutil
    import tempfile

    cache.mkdir(parents=True, exist_ok=True)
    for stale in cache.glob("graph-*"):
        if time.time() - stale.stat().st_mtime > DAY:
            shutil.rmtree(stale, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(prefix="new-", dir=cache))
    try:
        inner = pyoxigraph.Store(str(fresh / "graph"))
        _build(inner, paths)
        inner.flush()
        del inner
        with suppress(OSError):
            (fresh / "graph").rename(place)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _key(paths: Iterable[Path]) -> str:
    """Return a checksum of the files, the code that derives, and the engine."""
    code = Path(__file__).parent
    deriving = [code / "load.py", code / "ontology.py", *sorted(code.glob("sparql/*.rq"))]
    first, second, length = 0, 1, 0
    for path in (*paths, *deriving):
        content = path.name.encode() + b" " + path.read_bytes()
        first, second = zlib.crc32(content, first), zlib.adler32(content, second)
        length += len(content)
    return f"{pyoxigraph.__version__}-{first:08x}{second:08x}-{length}"


def _address(path: Path) -> str:
    """Return the graph name of a file that names none: its own address.

    >>> _address(Path("/tmp/my deals.ttl"))
    'file:///tmp/my%20deals.ttl'
    """
    return path.resolve().as_uri()


def _merge(inner: pyoxigraph.Store) -> None:
    """Put every triple of the source graphs into the default graph once."""
    replaced = {quad.object for quad in inner.quads_for_pattern(None, REPLACES, None, None)}
    merged = (
        Quad(quad.subject, quad.predicate, quad.object)
        for graph in list(inner.named_graphs())
        if graph not in replaced
        for quad in inner.quads_for_pattern(None, None, None, graph)
    )
    inner.bulk_extend(merged)


def _conclude(inner: pyoxigraph.Store, triples: Iterable[Derived]) -> None:
    """Put derived triples into the merged view and the graph of derived triples."""
    found = set(triples)
    inner.bulk_extend(Quad(s, p, o, graph) for s, p, o in found for graph in (MERGED, DERIVED))


def _settled(store: Store) -> Iterator[Derived]:
    for row in store.rows(sparql("settled")):
        yield row["event"], TYPE, SETTLED_EVENT
        yield row["event"], SETTLED_BY, row["graph"]


def _relations(store: Store) -> Iterator[Derived]:
    for row in store.rows(sparql("relations")):
        yield row["x"], row["relation"], row["y"]


def _superproperties(store: Store, ontology: Ontology) -> Iterator[Derived]:
    for property in sorted(ontology.symmetric):
        for quad in store.match(None, NamedNode(property), None, MERGED):
            if not isinstance(quad.object, Literal):
                for above in ontology.above(property):
                    yield quad.object, NamedNode(above), quad.subject
    for property, above_all in sorted(ontology.superproperties.items()):
        for quad in store.match(None, NamedNode(property), None, MERGED):
            for above in above_all:
                yield quad.subject, NamedNode(above), quad.object


def _superclasses(store: Store, ontology: Ontology) -> Iterator[Derived]:
    for name, above_all in sorted(ontology.superclasses.items()):
        for quad in store.match(None, TYPE, NamedNode(name), MERGED):
            for above in above_all:
                yield quad.subject, TYPE, NamedNode(above)


def _bounds(store: Store, ontology: Ontology) -> Iterator[Derived]:
    """Yield the low and high end of every quantity: its value, else its minimum and maximum."""
    for property in sorted(ontology.below(HAS_QUANTITY.value)):
        for quad in store.match(None, NamedNode(property), None, MERGED):
            node = quad.object
            if isinstance(node, Literal):
                continue
            for end, bound in ((LOW, _MINIMUM), (HIGH, _MAXIMUM)):
                for stated in (_VALUE, bound):
                    found = [q.object for q in store.match(node, stated, None, MERGED)]
                    if found:
                        yield from ((node, end, value) for value in found)
                        break
