"""SHACL shapes, run on each source graph alone."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from aikg.checks.findings import Finding, Severity
from aikg.checks.source import SourceGraph, to_node, to_term
from aikg.errors import BadFile
from aikg.files import read
from aikg.names import SHACL, local_name, shorten

if TYPE_CHECKING:
    import rdflib
    from rdflib.term import Node

    Pattern = tuple[Node | None, Node | None, Node | None]

_RESULT = ("focusNode", "resultPath", "value", "sourceShape", "resultSeverity")


class Shapes:
    """The shapes of one file.

    Args:
        path: a file of SHACL shapes.

    Raises:
        BadFile: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        import rdflib

        self.path = path
        self.applied = False
        """Whether a shape has found anything to look at so far."""
        self._excerpts: dict[frozenset[Node], rdflib.Graph] = {}
        self.graph = rdflib.Graph()
        for quad in read(path):
            subject, predicate, object = map(to_node, quad.triple)
            self.graph.add((subject, predicate, object))

    def findings(self, source: SourceGraph) -> Iterator[Finding]:
        """Yield what does not fit in a graph.

        Raises:
            BadFile: the shapes make no sense.
        """
        with _quiet():
            graph = source.to_rdflib()
            shapes = frozenset(
                shape
                for shape, patterns in self._targets.items()
                if any(pattern in graph for pattern in patterns)
            )
            if not shapes:
                return
            self.applied = True
            report = self._report(graph, self._excerpt(shapes))
        for result in report.objects(None, _sh("result")):
            yield self._finding(source, report, result)

    def unused(self) -> Finding:
        """Return the warning that is due where no shape has found anything to look at."""
        return Finding(
            "shapes",
            "warning",
            "",
            "",
            "No shape applied: nothing in the data is what a shape aims at.",
            "Check the prefix sh: and the targets of the shapes, and the classes of the data.",
            str(self.path),
        )

    @cached_property
    def _targets(self) -> dict[Node, set[Pattern]]:
        """For each shape with a target, the patterns one of which must be in a graph."""
        from rdflib import RDF, RDFS

        found: dict[Node, set[Pattern]] = defaultdict(set)
        for shape, _, name in self.graph.triples((None, _sh("targetClass"), None)):
            found[shape].add((None, RDF.type, name))
        for shape in self.graph.subjects(RDF.type, RDFS.Class):
            found[shape].add((None, RDF.type, shape))
        for target in ("targetSubjectsOf", "targetObjectsOf"):
            for shape, _, property in self.graph.triples((None, _sh(target), None)):
                found[shape].add((None, property, None))
        for shape in self.graph.subjects(_sh("targetNode"), None):
            found[shape].add((None, None, None))
        return found

    def _excerpt(self, shapes: frozenset[Node]) -> rdflib.Graph:
        """Return the shapes without those that have nothing to look at: these take most time."""
        import rdflib

        if shapes not in self._excerpts:
            idle = self._parts(self._targets.keys() - shapes) - self._parts(shapes)
            excerpt = rdflib.Graph()
            for triple in self.graph:
                if triple[0] not in idle:
                    excerpt.add(triple)
            self._excerpts[shapes] = excerpt
        return self._excerpts[shapes]

    def _parts(self, shapes: AbstractSet[Node]) -> set[Node]:
        """Return shapes with all that they are made of."""
        found: set[Node] = set()
        todo = list(shapes)
        while todo:
            node = todo.pop()
            if node not in found:
                found.add(node)
                todo += self.graph.objects(node, None)
        return found

    def _report(self, graph: rdflib.Graph, shapes: rdflib.Graph) -> rdflib.Graph:
        import rdflib
        from pyshacl import validate
        from pyshacl.errors import ReportableRuntimeError

        try:
            _, report, text = validate(graph, shacl_graph=shapes, inplace=True)
        except ReportableRuntimeError as error:
            report, text = None, str(error)
        if not isinstance(report, rdflib.Graph):
            raise BadFile(
                f"The shapes cannot be used: {' '.join(text.split())}",
                where=str(self.path),
                fix="Mend the shape, as https://www.w3.org/TR/shacl/ says.",
            )
        return report

    def _finding(self, source: SourceGraph, report: rdflib.Graph, result: Node) -> Finding:
        told = {name: report.value(result, _sh(name)) for name in _RESULT}
        shape = self._named(told["sourceShape"])
        messages = sorted(report.objects(result, _sh("resultMessage")), key=_english_first)
        what, _, fix = str(messages[0]).partition(". ")
        node, path, value = told["focusNode"], told["resultPath"], told["value"]
        assert node is not None
        entity, way = source.place(
            to_term(node),
            _iri(path),
            None if value is None or value == node else to_term(value),
        )
        severity: Severity = (
            "violation" if told["resultSeverity"] == _sh("Violation") else "warning"
        )
        return Finding(
            _rule(shape),
            severity,
            source.name.value,
            entity,
            f"{way}: {what.rstrip('.')}." if way else f"{what.rstrip('.')}.",
            fix or f"Change the data so that it fits the shape {shorten(shape)}.",
            shape=shape,
        )

    def _named(self, shape: Node | None) -> str:
        """Return the IRI of a shape, or of the nearest shape around it that has one."""
        import rdflib

        while shape is not None and not isinstance(shape, rdflib.URIRef):
            shape = next(self.graph.subjects(None, shape), None)
        return str(shape or "")


def _rule(shape: str) -> str:
    """Return the name of a rule, from that of its shape.

    >>> _rule("https://w3id.org/aikg/ontology#QuantityHedgeShape")
    'quantity-hedge'
    """
    name = local_name(shape).removesuffix("Shape") or "shapes"
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def _iri(node: Node | None) -> str:
    """Return an IRI as text; nothing for a path of several steps."""
    import rdflib

    return str(node) if isinstance(node, rdflib.URIRef) else ""


def _english_first(message: Node) -> tuple[bool, str]:
    return getattr(message, "language", None) not in (None, "en"), str(message)


def _sh(name: str) -> rdflib.URIRef:
    import rdflib

    return rdflib.URIRef(SHACL + name)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep rdflib from logging ill-formed literals, which the shapes tell better."""
    logger = logging.getLogger("rdflib.term")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before
