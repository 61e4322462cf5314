"""Check data: shapes on each source graph alone, check queries on the whole store."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyoxigraph
from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat

from aikg.checks.findings import FORMATS, Finding, Severity, in_order, summary, written
from aikg.checks.rules import Rule, rules
from aikg.checks.shapes import Shapes
from aikg.checks.source import SourceGraph
from aikg.files import read, shipped
from aikg.load import add, derive
from aikg.names import FRAME, ONTOLOGY_GRAPH, SOURCE, shorten
from aikg.ontology import Ontology
from aikg.store import Store

__all__ = [
    "FORMATS",
    "Finding",
    "Rule",
    "Severity",
    "rules",
    "shipped_files",
    "summary",
    "validate",
    "validate_files",
    "written",
]

Sourced = tuple[Iterable[Quad], str]
"""Quads, and the IRI of the graph for those that are in none."""

_NAMELESS = "urn:aikg:nameless"


def validate(
    store: Store,
    *,
    shapes: Path | None = None,
    files: Mapping[str, Path] | None = None,
    graphs: Collection[str] | None = None,
) -> list[Finding]:
    """Return what is wrong in a store, in a fixed order; nothing where all is well.

    Args:
        store: the store. Where it holds no ontology, a passing copy that has the ontology and the
            merged view is checked.
        shapes: a file of SHACL shapes to use instead of the rules that come with aikg, shapes and
            check queries alike.
        files: the file that holds each graph, by the IRI of the graph; lines are read from it.
        graphs: IRIs of the graphs to report on; by default all.

    Raises:
        BadFile: the shapes cannot be read or used.
    """
    fitting = Shapes(shapes or shipped("ontology") / "shapes.ttl")
    whole = _whole(store)
    found = list(_misfits(whole, fitting, graphs))
    if shapes is None:
        found += _faults(whole, graphs)
    places = _Places({**_addresses(whole), **(files or {})})
    if not fitting.applied:
        found.append(fitting.unused())
    return in_order(places.placed(finding) for finding in found)


def validate_files(
    paths: Iterable[Path], *, form: RdfFormat | None = None, shapes: Path | None = None
) -> list[Finding]:
    """Return what is wrong in files, read beside the data that comes with aikg.

    A graph that a file names takes the place of the graph of that name, so that a file of the
    shipped data can be checked while it is edited.

    Args:
        paths: RDF files.
        form: their format; by default their suffixes tell.
        shapes: a file of SHACL shapes to use instead of the rules that come with aikg.

    Raises:
        BadFile: a file is missing or broken.
    """
    files: dict[str, Path] = {}
    sources: list[Sourced] = []
    for path in paths:
        home = path.resolve().as_uri()
        quads = list(read(path, form))
        sources.append((quads, home))
        names = {quad.graph_name for quad in quads}
        files |= {home if isinstance(n, DefaultGraph) else n.value: path for n in names}
    beside = [(read(path), path.as_uri()) for path in shipped_files().values()]
    store = _built(beside, sources)
    return validate(store, shapes=shapes, files=files, graphs=files.keys())


def shipped_files() -> dict[str, Path]:
    """Return the data files that come with aikg, by the IRI of the graph that each holds.

    >>> shipped_files()["https://w3id.org/aikg/source/registry"].name
    'registry.trig'
    """
    return {SOURCE + path.stem: path for path in sorted(shipped("data/triples").glob("*.trig"))}


def _whole(store: Store) -> Store:
    """Return a store with ontology and merged view: itself, or a copy that has them."""
    if next(store.match(None, None, None, ONTOLOGY_GRAPH), None) is not None:
        return store
    quads = list(store.match(None, None, None))
    named = [quad for quad in quads if not isinstance(quad.graph_name, DefaultGraph)]
    return _built([(named or quads, _NAMELESS)])


def _built(*parts: Sequence[Sourced]) -> Store:
    """Return a store of quads with all that follows from them; a later part replaces graphs."""
    inner = pyoxigraph.Store()
    for part in parts:
        add(inner, part)
    derive(inner)
    return Store(inner)


def _misfits(store: Store, shapes: Shapes, graphs: Collection[str] | None) -> Iterator[Finding]:
    """Yield what does not fit the shapes, graph by graph."""
    ontology = Ontology.of(store.match)
    for name in _names(store):
        if graphs is None or name.value in graphs:
            yield from shapes.findings(SourceGraph(store, name, ontology))


def _faults(store: Store, graphs: Collection[str] | None) -> Iterator[Finding]:
    """Yield what the check queries find."""
    for rule in rules():
        for finding in rule.findings(store):
            if graphs is None or finding.graph in graphs:
                yield finding


def _names(store: Store) -> list[NamedNode]:
    """Return the names of the graphs that hold data, in a fixed order."""
    found = (name for name in store.inner.named_graphs() if isinstance(name, NamedNode))
    return sorted((name for name in found if name not in FRAME), key=lambda name: name.value)


def _addresses(store: Store) -> dict[str, Path]:
    """Return the files of graphs that are named by the address of a file that is still there."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    found = {}
    for name in _names(store):
        if name.value.startswith("file:"):
            path = Path(url2pathname(urlsplit(name.value).path))
            if path.is_file():
                found[name.value] = path
    return found


class _Places:
    """Where in which file an entity starts."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self.files = files
        self.lines: dict[Path, dict[str, int]] = {}

    def placed(self, finding: Finding) -> Finding:
        """Return a finding with file and line, as far as they are known."""
        path = self.files.get(finding.graph)
        if path is None:
            return finding
        if path not in self.lines:
            self.lines[path] = _lines(path)
        lines = self.lines[path]
        line = lines.get(shorten(finding.entity)) or lines.get(f"<{finding.entity}>") or 0
        return replace(finding, file=_near(path), line=line)


def _lines(path: Path) -> dict[str, int]:
    """Return the line on which each IRI starts as a subject, else that which first names it.

    This reads Turtle as it is usually laid out; a prefix of another name is not found.
    """
    subjects: dict[str, int] = {}
    mentions: dict[str, int] = {}
    ended = True
    for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1):
        names = re.findall(r"[\w-]+:[^\s;,()\[\]\"]+|<[^>\s]*>", line)
        text = line.strip()
        if names and ended and text.startswith(names[0]):
            subjects.setdefault(names[0], number)
        for name in names:
            mentions.setdefault(name, number)
        if text:
            ended = text.endswith((".", "{", "}")) or text.startswith(("#", "PREFIX", "prefix"))
    return mentions | subjects


def _near(path: Path) -> str:
    """Return a path as seen from the current folder, where it lies below it."""
    here = Path.cwd()
    full = path.resolve()
    return str(full.relative_to(here)) if full.is_relative_to(here) else str(path)
