"""One source graph as shapes see it, and its terms for rdflib and for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad

from aikg.files import Term
from aikg.names import SKOS, TYPE, XSD, shorten
from aikg.ontology import Ontology
from aikg.store import Store

if TYPE_CHECKING:
    import rdflib
    from rdflib.term import Node

CONCEPT = NamedNode(SKOS + "Concept")


class SourceGraph:
    """One named graph of a store, as shapes see it and as its authors wrote it.

    Shapes see every class and property joined by those above it, and the classes of the concepts
    that the graph names (certainties, metrics …), so that no shape needs the rest of the store.
    """

    def __init__(self, store: Store, name: NamedNode, ontology: Ontology) -> None:
        self.store = store
        self.name = name
        self.ontology = ontology
        self.quads = list(store.match(None, None, None, name))

    def to_rdflib(self) -> rdflib.Graph:
        """Return the graph with what follows from the ontology."""
        import rdflib

        graph = rdflib.Graph()
        for triple in {*self._stated(), *self._concepts()}:
            subject, predicate, object = map(to_node, triple)
            graph.add((subject, predicate, object))
        return graph

    def _stated(self) -> Iterator[tuple[Term, Term, Term]]:
        for quad in self.quads:
            for property in self.ontology.above(quad.predicate.value):
                yield quad.subject, NamedNode(property), quad.object
            if quad.predicate == TYPE and isinstance(quad.object, NamedNode):
                for name in self.ontology.classes_above(quad.object.value):
                    yield quad.subject, TYPE, NamedNode(name)

    def _concepts(self) -> Iterator[tuple[Term, Term, Term]]:
        for concept in {q.object for q in self.quads if isinstance(q.object, NamedNode)}:
            classes = {q.object for q in self.store.match(concept, TYPE, None, DefaultGraph())}
            if CONCEPT in classes:
                yield from ((concept, TYPE, name) for name in classes)

    def place(self, node: Term, property: str, value: Term | None) -> tuple[str, str]:
        """Return the IRI that a node belongs to, and the way from it to a value in words.

        A blank node is told by what leads to it, since its label says nothing.

        Args:
            node: the subject at fault, an IRI or a blank node.
            property: IRI of the property at fault, or of one above it; empty if a shape tells
                several.
            value: the value at fault; None if there is none, as where one is missing.
        """
        steps = []
        if value is not None:
            found = "" if isinstance(value, BlankNode) else f" {shown(value)}"
            steps.append(f"{self._property(node, property, value)}{found}".strip())
        passed: set[Term] = set()
        while node in self._owners and node not in passed:
            passed.add(node)
            steps.append(shorten(self._owners[node].predicate.value))
            node = self._owners[node].subject
        entity = node.value if isinstance(node, NamedNode) else ""
        return entity, " / ".join(reversed(steps))

    @cached_property
    def _owners(self) -> dict[Term, Quad]:
        return {quad.object: quad for quad in self.quads if isinstance(quad.object, BlankNode)}

    def _property(self, node: Term, property: str, value: Term) -> str:
        """Return the property that the graph itself uses, where a shape names one above it."""
        for quad in self.quads:
            if quad.subject == node and quad.object == value:
                if property in self.ontology.above(quad.predicate.value) or not property:
                    return shorten(quad.predicate.value)
        return shorten(property)


def shown(term: Term) -> str:
    """Return a term as people read it: CURIE, number, or text in quotation marks.

    >>> shown(Literal("usd")), shown(NamedNode("https://w3id.org/aikg/id/openai"))
    ('"usd"', 'ai:openai')
    """
    if isinstance(term, NamedNode):
        return shorten(term.value)
    if isinstance(term, Literal):
        number = re.fullmatch(r"[-+.\dEe]+", term.value) and term.datatype.value != XSD + "string"
        return term.value if number else f'"{term.value}"'
    return "a node without a name"


def to_node(term: Term) -> Node:
    """Return a term for rdflib, with its lexical form as it is."""
    import rdflib

    if isinstance(term, NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, BlankNode):
        return rdflib.BNode(term.value)
    assert isinstance(term, Literal)
    if term.language:
        return rdflib.Literal(term.value, lang=term.language)
    return rdflib.Literal(term.value, datatype=term.datatype.value, normalize=False)


def to_term(node: Node) -> Term:
    """Return what `to_node` was given."""
    import rdflib

    if isinstance(node, rdflib.URIRef):
        return NamedNode(str(node))
    if isinstance(node, rdflib.BNode):
        return BlankNode(str(node))
    assert isinstance(node, rdflib.Literal)
    if node.language:
        return Literal(str(node), language=node.language)
    return Literal(str(node), datatype=NamedNode(str(node.datatype or XSD + "string")))
