"""Files into a store, all or nothing, with the merged view and all that follows from it."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat

from aikg import __version__
from aikg.files import Resource, Term, format_of, read, read_bytes, shipped
from aikg.names import (
    DERIVED,
    FRAME,
    HAS_QUANTITY,
    HIGH,
    LOW,
    MERGED,
    ONTOLOGY_FILES,
    REPLACES,
    SCHEMA,
    SETTLED_BY,
    SETTLED_EVENT,
    TYPE,
)
from aikg.store import Folder, Store, opened, remove, remove_unread, sparql

_VALUE = NamedNode(SCHEMA + "value")
_MINIMUM = NamedNode(SCHEMA + "minValue")
_MAXIMUM = NamedNode(SCHEMA + "maxValue")

if TYPE_CHECKING:
    from aikg.ontology import Ontology


Derived = tuple[Resource, NamedNode, Term]
"""A triple that follows from others."""

Document = tuple[Callable[[], Iterable[Quad]], str]
"""How to read quads, as often as wanted, and the graph of those that are in none."""

BATCH = 100_000
"""Quads that are handed to the engine at once; more take more memory and no less time."""

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

    Each graph that a file names is replaced. Triples outside any graph that an IRI names go to
    `graph`, else to a graph named by the file's own address; that graph is replaced too, so loading
    an emptied file withdraws what it stated.

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
    once = {path.resolve(): path for path in paths}.values()
    documents = [(_reading(path, form), graph or _address(path)) for path in once]
    if text is not None and form is not None and graph is not None:
        documents.append((partial(read_bytes, text, form), graph))
    place = Folder(folder)
    with place.writing() as inner:
        return _build(inner, documents, place.open() if place.exists() else None)


def add(inner: pyoxigraph.Store, sources: Iterable[tuple[Iterable[Quad], str]]) -> int:
    """Put quads into a store, replacing each graph that they name, and return their number.

    This holds all quads in memory, and leaves the merged view to `derive`.

    Args:
        inner: the store.
        sources: quads, each with the IRI of the graph for those that are in none.
    """
    documents = [(list(quads), home) for quads, home in sources]
    quads = [quad for document in documents for quad in _homed(*document)]
    for graph in {NamedNode(home) for _, home in documents} | {q.graph_name for q in quads}:
        inner.remove_graph(graph)
    inner.bulk_extend(quads)
    return len(quads)


def derive(inner: pyoxigraph.Store) -> None:
    """Rebuild the merged view and the derived triples of a store from its source graphs.

    This holds all quads in memory; see `_fill`.
    """
    found = inner.quads_for_pattern(None, None, None)
    stated = [quad for quad in found if quad.graph_name not in (MERGED, DERIVED)]
    inner.clear()
    _fill(inner, stated, {quad.object for quad in stated if quad.predicate == REPLACES})


def bundled() -> Store:
    """Return the graph that comes with aikg, from the cache or, where none can be, from memory.

    The cache is keyed by the files' sizes and times of change, so an edited file is seen at the
    next call, and a start reads none of them.
    """
    from platformdirs import user_cache_path

    cache = user_cache_path("aikg", appauthor=False)
    place = cache / f"graph-{_key()}"
    with suppress(OSError):
        return opened(place)
    remove_unread(place)
    sources = sorted(shipped("data/triples").glob("*.trig"))
    data = [(partial(read, path), _address(path)) for path in sources]
    with suppress(OSError):
        _build_cache(data, cache, place)
        return opened(place)
    inner = pyoxigraph.Store()
    _build(inner, data)
    return Store(inner)


def _build_cache(documents: Sequence[Document], cache: Path, place: Path) -> None:
    """Build the graph beside its place, then move it there in one step."""
    import tempfile

    cache.mkdir(parents=True, exist_ok=True)
    for stale in (*cache.glob("graph-*"), *cache.glob("new-*")):
        with suppress(FileNotFoundError):
            if time.time() - stale.stat().st_mtime > DAY:
                remove_unread(stale)
    fresh = Path(tempfile.mkdtemp(prefix="new-", dir=cache))
    try:
        inner = pyoxigraph.Store(str(fresh / "graph"))
        _build(inner, documents)
        inner.flush()
        del inner
        with suppress(OSError):
            (fresh / "graph").rename(place)
    finally:
        remove(fresh)


def _key() -> str:
    """Return a checksum of names, sizes and times of change: of files, deriving code and engine."""
    code = Path(__file__).parent
    deriving = [code / f"{name}.py" for name in ("load", "ontology", "names", "files")]
    told = [*_changes(shipped("data/triples"), ".trig"), *_changes(code / "sparql", ".rq")]
    told += _changes(shipped("ontology"), ".ttl")
    told += [_change(path, path.stat()) for path in deriving]
    text = "\n".join(told).encode()
    checksums = f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}"
    return f"{__version__}-{pyoxigraph.__version__}-{checksums}"


def _changes(folder: Path, suffix: str) -> list[str]:
    with os.scandir(folder) as entries:
        return sorted(_change(e.path, e.stat()) for e in entries if e.name.endswith(suffix))


def _change(path: object, told: os.stat_result) -> str:
    return f"{path} {told.st_size} {told.st_mtime_ns}"


def _address(path: Path) -> str:
    """Return the graph name of a file that names none: its own address.

    >>> _address(Path("/tmp/my deals.ttl"))
    'file:///tmp/my%20deals.ttl'
    """
    return path.resolve().as_uri()


def _reading(path: Path, form: RdfFormat | None) -> Callable[[], Iterable[Quad]]:
    """Return how to read a file; of a pipe, which can be read only once, the text is kept."""
    if path.is_fifo() or path.is_char_device():
        return partial(read_bytes, path.read_bytes(), form or format_of(path), str(path))
    return partial(read, path, form)


def _homed(quads: Iterable[Quad], home: str) -> Iterator[Quad]:
    """Yield quads, those outside any graph that an IRI names in the graph `home`."""
    graph = NamedNode(home)
    for quad in quads:
        if isinstance(quad.graph_name, NamedNode):
            yield quad
        else:
            yield Quad(quad.subject, quad.predicate, quad.object, graph)


def _build(inner: pyoxigraph.Store, documents: Sequence[Document], old: Store | None = None) -> int:
    """Fill an empty store with documents, and with those graphs of an old one that they leave.

    The documents are read twice: a fault is found, and what they replace known, before anything is
    written. Building anew takes less time than removing quads from a copy of the old store.

    Returns:
        The number of quads that the documents hold.
    """

    def stated() -> Iterator[Quad]:
        return chain.from_iterable(_homed(quads(), home) for quads, home in documents)

    count = 0
    named: set[object] = {DERIVED, *(NamedNode(home) for _, home in documents)}
    replaced: set[object] = set()
    for quad in chain.from_iterable(quads() for quads, _ in documents):
        count += 1
        named.add(quad.graph_name)
        if quad.predicate == REPLACES:
            replaced.add(quad.object)
    kept: Iterable[Quad] = ()
    if old is not None:
        graphs = [g for g in old.inner.named_graphs() if isinstance(g, NamedNode)]
        left = [graph for graph in graphs if graph not in named]
        kept = (quad for graph in left for quad in old.match(None, None, None, graph))
        replaced |= {q.object for graph in left for q in old.match(None, REPLACES, None, graph)}
    _fill(inner, chain(kept, stated()), replaced)
    return count


def _fill(inner: pyoxigraph.Store, stated: Iterable[Quad], replaced: set[object]) -> None:
    """Put quads of sources into an empty store, with the merged view and what follows from it.

    The order is that of docs/modelling.md: merge, settle, apply the rules, close under
    subproperty, symmetry and subclass, and give every quantity its low and high end.
    The ontology that comes with aikg is put into the store, so that its terms can be asked for.

    Args:
        inner: the store.
        stated: quads in named graphs; what they say in the graphs of the ontology is passed over.
        replaced: the graphs that another source replaces, and that the merged view leaves out.
    """
    from aikg.ontology import Ontology

    folder = shipped("ontology")
    frame = chain.from_iterable(
        _homed(read(folder / name), graph.value) for name, graph in ONTOLOGY_FILES.items()
    )
    foreign = (quad for quad in stated if quad.graph_name not in FRAME)
    merged = _merged(chain(frame, foreign), replaced)
    while batch := list(islice(merged, BATCH)):
        inner.bulk_extend(batch)
    store = Store(inner)
    ontology = Ontology.of(lambda s, p, o: inner.quads_for_pattern(s, p, o, MERGED))
    _conclude(inner, _settled(store))
    _conclude(inner, _relations(store))
    _conclude(inner, _superproperties(store, ontology))
    _conclude(inner, _superclasses(store, ontology))
    _conclude(inner, _bounds(store, ontology))


def _merged(quads: Iterable[Quad], replaced: set[object]) -> Iterator[Quad]:
    """Yield each quad in its graph and, unless that is replaced, in the merged view."""
    for quad in quads:
        yield quad
        if quad.graph_name not in replaced:
            yield Quad(quad.subject, quad.predicate, quad.object)


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
