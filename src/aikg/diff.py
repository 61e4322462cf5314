"""Tell what facts two datasets do not share, by entity and in words.

Blank nodes are compared by what is said of them: a figure that is written again is the same figure.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pyoxigraph
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from aikg.descriptions import unit_of
from aikg.entities import labels
from aikg.files import Term, canonicalized, read_all, text_of
from aikg.load import bundled
from aikg.model import Change, Name, Quantity, Value
from aikg.names import DURATION, LABEL, MERGED, PREF_LABEL, shorten
from aikg.ontology import Ontology
from aikg.relations import Relations
from aikg.store import Store
from aikg.units import duration_text, quantity_text, value_text

_NAMELESS = NamedNode("urn:aikg:nameless")
"""Where facts that are in no graph stand while they are put in words."""

_DEEPEST = 20
"""What is nested deeper is not put in words."""

_OTHERWISE = (Value("one way"),), (Value("another"),)
"""What is told of blank nodes that are alike one by one and linked otherwise."""

Fact = tuple[str, str, str, str]
"""Entity, property, graph and language: what keeps a fact the same while its value changes."""


def differences(old: Path, new: Path, *, lang: str = "en") -> list[Change]:
    """Return what facts one file or folder holds and the other does not; nothing if none.

    Args:
        old: a file of RDF, or a folder of such files.
        new: the same.
        lang: the language of labels. A label comes from the new side, else from the old one, else
            from the graph that comes with aikg.

    Returns:
        The changes in order of entity, property, graph and language.

    Raises:
        BadFile: a file cannot be read.

    >>> from aikg.files import shipped
    >>> differences(shipped("ontology"), shipped("ontology"))
    []
    """
    sides = list(set(read_all(old))), list(set(read_all(new)))
    marks = _Marks(sides)
    before, after = (_facts(side, marks) for side in sides)
    changed = []
    for fact in sorted(before.keys() | after.keys()):
        gone = _less(before.get(fact, []), after.get(fact, []), marks)
        come = _less(after.get(fact, []), before.get(fact, []), marks)
        if gone or come:
            changed.append((gone, come))
    if changed:
        words = _Words(sides, marks, lang)
        return [words.change(gone, come) for gone, come in changed]
    if canonicalized(sides[0]) != canonicalized(sides[1]):
        return [Change("changed", Name("", "blank nodes"), Name("", "links"), *_OTHERWISE)]
    return []


def _facts(quads: Iterable[Quad], marks: _Marks) -> dict[Fact, list[Quad]]:
    """Return quads by the fact that they state; what is nested is part of its fact's value."""
    found = defaultdict(list)
    for quad in quads:
        if quad.subject not in marks.nested:
            language = quad.object.language if isinstance(quad.object, Literal) else None
            subject, graph = marks.of(quad.subject), marks.of(quad.graph_name)
            found[subject, quad.predicate.value, graph, language or ""].append(quad)
    return found


def _less(quads: Iterable[Quad], others: Iterable[Quad], marks: _Marks) -> list[Quad]:
    """Return the quads whose values the others do not have, or have fewer times."""
    left = Counter(marks.of(quad.object) for quad in others)
    found = []
    for quad in sorted(quads, key=lambda quad: marks.of(quad.object)):
        mark = marks.of(quad.object)
        if left[mark]:
            left[mark] -= 1
        else:
            found.append(quad)
    return found


class _Marks:
    """Texts by which terms of two datasets compare: blank nodes are marked by what they hold.

    `nested` are the blank nodes that stand in one place alone, as figures do.
    """

    def __init__(self, sides: Iterable[Sequence[Quad]]) -> None:
        self.held: dict[BlankNode, list[Quad]] = defaultdict(list)
        self.known: dict[BlankNode, str] = {}
        uses: Counter[BlankNode] = Counter()
        homes: dict[BlankNode, set[object]] = defaultdict(set)
        hidden: set[BlankNode] = set()
        for quad in chain.from_iterable(sides):
            if isinstance(quad.subject, BlankNode):
                self.held[quad.subject].append(quad)
                homes[quad.subject].add(quad.graph_name)
            for node in _blank_nodes(quad.object):
                uses[node] += 1
                homes[node].add(quad.graph_name)
            if not isinstance(quad.object, BlankNode):
                hidden |= set(_blank_nodes(quad.object))
            hidden |= set(_blank_nodes(quad.graph_name))
        endless = self._mark({*self.held, *uses, *hidden})
        once = {node for node, count in uses.items() if count == 1 and len(homes[node]) == 1}
        self.nested: set[object] = {*(once - hidden - endless)}

    def of(self, term: Term | DefaultGraph) -> str:
        """Return the mark of a term."""
        if isinstance(term, BlankNode):
            return f"_:{self.known[term]}"
        if isinstance(term, Triple):
            return f"<<( {' '.join(map(self.of, (term.subject, term.predicate, term.object)))} )>>"
        return "" if isinstance(term, DefaultGraph) else str(term)

    def _mark(self, nodes: set[BlankNode]) -> set[BlankNode]:
        """Mark all blank nodes, and return those that lead into a circle."""
        above: dict[BlankNode, list[BlankNode]] = defaultdict(list)
        waits: Counter[BlankNode] = Counter()
        for node in nodes:
            for quad in self.held.get(node, ()):
                for below in (*_blank_nodes(quad.object), *_blank_nodes(quad.graph_name)):
                    above[below].append(node)
                    waits[node] += 1
        ready = [node for node in nodes if not waits[node]]
        for node in ready:
            self.known[node] = self._digest(node)
            for waiting in above[node]:
                waits[waiting] -= 1
                if not waits[waiting]:
                    ready.append(waiting)
        endless = nodes - self.known.keys()
        self._refine(endless)
        return endless

    def _refine(self, nodes: set[BlankNode]) -> None:
        """Mark nodes of circles: as all alike first, then by what they hold, while that parts them.

        Source:
            Weisfeiler and Leman, colour refinement (1968).
        """
        self.known |= dict.fromkeys(nodes, "")
        classes = 0
        while len({self.known[node] for node in nodes}) > classes:
            classes = len({self.known[node] for node in nodes})
            self.known |= {node: self._digest(node) for node in nodes}

    def _digest(self, node: BlankNode) -> str:
        quads = self.held.get(node, ())
        lines = (" ".join(map(self.of, (q.graph_name, q.predicate, q.object))) for q in quads)
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def _blank_nodes(term: Term | DefaultGraph) -> Iterator[BlankNode]:
    """Yield the blank nodes of a term, those of a triple term included."""
    if isinstance(term, BlankNode):
        yield term
    elif isinstance(term, Triple):
        yield from _blank_nodes(term.subject)
        yield from _blank_nodes(term.object)


class _Words:
    """Facts of two datasets in words."""

    def __init__(self, sides: Sequence[Iterable[Quad]], marks: _Marks, lang: str) -> None:
        self.marks = marks
        self.lang = lang
        self.stores = [_store(side) for side in reversed(sides)]
        self.stores.append(bundled())
        ontology = Ontology.of(self.stores[-1].match)
        self.relations = Relations(_store(chain(*sides)), ontology, lang=lang)

    def change(self, gone: Sequence[Quad], come: Sequence[Quad]) -> Change:
        """Return a fact whose values went and came."""
        quad = (*gone, *come)[0]
        old, new = self._told(gone), self._told(come)
        if old == new:
            old, new = self._told(gone, exact=True), self._told(come, exact=True)
        subject = quad.subject
        blank = not isinstance(subject, NamedNode)
        return Change(
            "changed" if gone and come else "removed" if gone else "added",
            Name("", self.marks.of(subject)) if blank else self._name(text_of(subject)),
            self._name(quad.predicate.value),
            old,
            new,
            self.marks.of(quad.graph_name).strip("<>"),
        )

    def _told(self, quads: Iterable[Quad], *, exact: bool = False) -> tuple[Value, ...]:
        found = (self._value(quad, exact=exact) for quad in quads)
        return tuple(sorted(found, key=lambda value: (value.text, value.iri)))

    def _value(self, quad: Quad, *, exact: bool = False, depth: int = 0) -> Value:
        """Return the value of a fact in words, or, if exact, as RDF has it."""
        term = quad.object
        if isinstance(term, NamedNode):
            return Value(shorten(term.value) if exact else self._name(term.value).label, term.value)
        if isinstance(term, BlankNode):
            return self._node(quad, term, exact=exact, depth=depth)
        if isinstance(term, Literal) and not exact:
            return Value(self._literal(quad, term))
        return Value(str(term))

    def _node(self, quad: Quad, node: BlankNode, *, exact: bool, depth: int) -> Value:
        if node not in self.marks.nested:
            return Value(self.marks.of(node))
        quantity = None
        if self.relations.ontology.is_quantity(quad.predicate.value):
            graph = _home(quad).graph_name
            assert isinstance(graph, NamedNode)
            quantity = self._named(self.relations.quantity(quad.predicate.value, node, graph))
        words = quantity_text(quantity, lang=self.lang) if quantity and not exact else ""
        if not words and depth < _DEEPEST:
            held = self.marks.held.get(node, ())
            words = "; ".join(
                sorted(
                    f"{self._name(q.predicate.value).label}:"
                    f" {self._value(q, exact=exact, depth=depth + 1).text}"
                    for q in held
                )
            )
        return Value(words or "[]" if depth < _DEEPEST else "…", quantity=quantity)

    def _named(self, quantity: Quantity) -> Quantity:
        """Return a figure with its terms labelled."""
        parts = (quantity.role, quantity.hedge, quantity.certainty)
        role, hedge, certainty = (part and self._name(part.iri) for part in parts)
        return replace(quantity, role=role or quantity.role, hedge=hedge, certainty=certainty)

    def _literal(self, quad: Quad, term: Literal) -> str:
        unit = unit_of(self.stores[-1], quad)
        if unit:
            return value_text(term.value, unit, lang=self.lang)
        is_duration = quad.predicate == DURATION
        return duration_text(term.value, self.lang) if is_duration else term.value

    def _name(self, iri: str) -> Name:
        """Return an entity or term with its label, else with its CURIE."""
        for store in self.stores:
            found = labels(store, iri)
            for wanted in (self.lang, "en", "", *sorted(found)):
                if wanted in found:
                    return Name(iri, found[wanted])
        return Name(iri, shorten(iri))


def _store(quads: Iterable[Quad]) -> Store:
    """Return a store of quads, with every label in the merged view."""
    inner = pyoxigraph.Store()
    for quad in quads:
        inner.add(_home(quad))
        if quad.predicate in (LABEL, PREF_LABEL):
            inner.add(Quad(quad.subject, quad.predicate, quad.object, MERGED))
    return Store(inner)


def _home(quad: Quad) -> Quad:
    """Return a quad in a graph that an IRI names."""
    if isinstance(quad.graph_name, NamedNode):
        return quad
    return Quad(quad.subject, quad.predicate, quad.object, _NAMELESS)
