"""All that the graph holds on one entity: names, classes, statements, facts and claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from aikg.entities import classes
from aikg.files import text_of
from aikg.model import Claim, Description, Name, Statement
from aikg.names import (
    ABOUT,
    AIKG,
    ALT_LABEL,
    CERTAINTY,
    COMPARED_TO,
    COMPARES_BY,
    LABEL,
    LOCATOR,
    MARKET,
    MERGED,
    METRIC,
    PREF_LABEL,
    RATIO,
    STATED_BY,
    STATUS,
    TYPE,
)
from aikg.relations import Edge, Relations
from aikg.store import Store
from aikg.units import quantity_text

_NAMING = (LABEL, PREF_LABEL, ALT_LABEL, TYPE)
_UNIT = NamedNode(AIKG + "unit")


def describe(relations: Relations, iri: str) -> Description:
    """Return what the source graphs say of an entity, each line with its source.

    Args:
        relations: the edges of the store.
        iri: an entity, event, claim, source or term that occurs in the store.

    >>> from aikg.graph import open
    >>> facts = open().show("Annapurna Labs").facts
    >>> sorted({(f.subject.label, f.relation.label, f.dates[0][1]) for f in facts if f.dates})
    [('Amazon', 'acquired', '2015')]
    """
    edges = relations.neighbours([iri])[iri]
    return Description(
        entity=relations.name(iri),
        classes=tuple(relations.name(name) for name in classes(relations.store, iri)),
        aliases=tuple(_aliases(relations, iri)),
        statements=tuple(_statements(relations, iri)),
        facts=tuple(relations.fact(edge) for edge in edges),
        claims=tuple(_claims(relations, iri)),
        mentions=tuple(_mentions(relations, iri, edges)),
    )


def _aliases(relations: Relations, iri: str) -> list[str]:
    found = relations.store.match(NamedNode(iri), ALT_LABEL, None, MERGED)
    return sorted({text_of(quad.object) for quad in found})


def _statements(relations: Relations, iri: str) -> list[Statement]:
    """Return what the sources say of an entity that joins it to no other."""
    found = []
    for quad in _cited(relations, NamedNode(iri), None):
        if quad.predicate in _NAMING or _joins(relations, quad):
            continue
        value = _value(relations, quad)
        if value:
            found.append(
                Statement(
                    relations.name(quad.predicate.value),
                    value,
                    relations.source(text_of(quad.graph_name)),
                    unit_of(relations.store, quad),
                )
            )
    return sorted(set(found), key=lambda s: (s.property.label, s.value, s.source.iri))


def _joins(relations: Relations, quad: Quad) -> bool:
    """Tell whether a statement is a relation, which is told as a fact."""
    return (
        quad.predicate.value in relations.walked
        and isinstance(quad.object, NamedNode)
        and quad.object != quad.subject
    )


def _value(relations: Relations, quad: Quad) -> str:
    """Return the object of a statement in words; of several languages only the one asked for."""
    graph = NamedNode(text_of(quad.graph_name))
    role = quad.predicate.value
    if not isinstance(quad.object, Literal) and relations.ontology.is_quantity(role):
        ratio = RATIO.value in relations.values(quad.subject, COMPARES_BY, graph)
        quantity = relations.quantity(role, quad.object, graph)
        words = quantity_text(quantity, ratio=ratio, lang=relations.lang)
        if words or isinstance(quad.object, BlankNode):
            return words
    if isinstance(quad.object, NamedNode):
        return relations.name(quad.object.value).label
    if isinstance(quad.object, BlankNode):
        return _parts(relations, quad.object, graph)
    if isinstance(quad.object, Literal) and quad.object.language:
        shown = relations.texts(quad.subject, quad.predicate.value, graph)
        return quad.object.value if quad.object.value in shown else ""
    return text_of(quad.object)


def _parts(relations: Relations, node: BlankNode, graph: NamedNode) -> str:
    """Return what a graph says of a node without a name, one level deep."""
    parts = {
        f"{relations.name(quad.predicate.value).label}: {_value(relations, quad)}"
        for quad in relations.store.match(node, None, None, graph)
        if quad.predicate != TYPE and not isinstance(quad.object, BlankNode)
    }
    return "; ".join(sorted(parts))


def unit_of(store: Store, quad: Quad) -> str:
    """Return the unit in which the property of a quad gives its numbers, if it has one."""
    if not isinstance(quad.object, Literal):
        return ""
    units = {text_of(found.object) for found in store.match(quad.predicate, _UNIT, None)}
    return min(units, default="")


def _claims(relations: Relations, iri: str) -> list[Claim]:
    found = [
        _claim(relations, quad.subject, NamedNode(text_of(quad.graph_name)))
        for quad in _cited(relations, None, NamedNode(iri))
        if quad.predicate == ABOUT and isinstance(quad.subject, NamedNode)
    ]
    return sorted(found, key=lambda claim: (claim.metric.label, claim.iri, claim.source.iri))


def _claim(relations: Relations, claim: NamedNode, graph: NamedNode) -> Claim:
    markets = relations.names(claim, MARKET, graph)
    return Claim(
        iri=claim.value,
        metric=relations.one(claim, METRIC, graph) or Name("", ""),
        source=relations.source(graph.value),
        certainty=relations.one(claim, CERTAINTY, graph),
        quantities=relations.quantities(claim, graph),
        compared_to=tuple(relations.names(claim, COMPARED_TO, graph)),
        compares_by=relations.one(claim, COMPARES_BY, graph),
        details=(
            *relations.qualifiers(claim, graph),
            *((relations.name(MARKET.value), market.label) for market in markets),
        ),
        stated_by=tuple(relations.names(claim, STATED_BY, graph)),
        locator="; ".join(relations.values(claim, LOCATOR, graph)),
        status=relations.one(claim, STATUS, graph),
        dates=relations.dates(claim, graph),
    )


def _mentions(relations: Relations, iri: str, edges: Iterable[Edge]) -> list[Statement]:
    """Return the events and things that name an entity without joining it to another.

    An event that makes an edge of the entity is told as a fact already.
    """
    joining = {(edge.event, edge.graph) for edge in edges}

    def told(quad: Quad) -> bool:
        return (
            quad.predicate in (TYPE, ABOUT)
            or _joins(relations, quad)
            or (
                quad.predicate.value in relations.roles
                and (text_of(quad.subject), text_of(quad.graph_name)) in joining
            )
        )

    found = {
        Statement(
            relations.name(quad.predicate.value),
            relations.name(quad.subject.value).label,
            relations.source(text_of(quad.graph_name)),
        )
        for quad in _cited(relations, None, NamedNode(iri))
        if isinstance(quad.subject, NamedNode) and not told(quad)
    }
    return sorted(found, key=lambda s: (s.property.label, s.value, s.source.iri))


def _cited(
    relations: Relations, subject: NamedNode | None, object: NamedNode | None
) -> Iterator[Quad]:
    """Yield the quads of source graphs that fit."""
    for quad in relations.store.match(subject, None, object):
        if relations.evidence.reads(quad.graph_name):
            yield quad


def is_ratio(claim: Claim) -> bool:
    """Tell whether the figure of a claim says how many times as much."""
    return claim.compares_by is not None and claim.compares_by.iri == RATIO.value
