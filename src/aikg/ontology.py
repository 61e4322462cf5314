"""The ontology as the code needs it: which properties join entities, by which rules, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import pyoxigraph
from pyoxigraph import BlankNode, NamedNode, Quad

from aikg.errors import UnknownTerm
from aikg.files import read, shipped, text_of
from aikg.names import (
    EFFECTIVE_STATUS,
    EVENT,
    FAILED_STATUS,
    HAS_QUANTITY,
    LABEL,
    ONTOLOGY_FILES,
    RANK,
    RELATED_TO,
    SHACL,
    SUB_CLASS_OF,
    SUB_PROPERTY_OF,
    TENTATIVE_STATUS,
    TYPE,
    expand,
    local_name,
)

_RULE = NamedNode(SHACL + "rule")
_TARGET_CLASS = NamedNode(SHACL + "targetClass")
_PREDICATE = NamedNode(SHACL + "predicate")
_SUBJECT = NamedNode(SHACL + "subject")
_OBJECT = NamedNode(SHACL + "object")
_PATH = NamedNode(SHACL + "path")
_CONDITION = NamedNode(SHACL + "condition")
_PROPERTY = NamedNode(SHACL + "property")
_HAS_VALUE = NamedNode(SHACL + "hasValue")
_SYMMETRIC = NamedNode("http://www.w3.org/2002/07/owl#SymmetricProperty")
_STATUSES = (TENTATIVE_STATUS, EFFECTIVE_STATUS, FAILED_STATUS)

Node = NamedNode | BlankNode


class Match(Protocol):
    """How an ontology asks the dataset that holds it."""

    def __call__(
        self, subject: Node | None, predicate: NamedNode | None, object: Node | None, /
    ) -> Iterator[Quad]:
        """Return the quads that fit, in any graph."""
        ...


@dataclass(frozen=True, slots=True)
class Rule:
    """What a settled event of a class means as a plain relation.

    `required` are the (property, value) pairs that the merged view must hold of the event.
    """

    event_class: str
    subject_role: str
    relation: str
    object_role: str
    required: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Ontology:
    """Rules, relations and their names, closed under subclass and subproperty."""

    rules: tuple[Rule, ...]
    subproperties: dict[str, frozenset[str]]
    superproperties: dict[str, frozenset[str]]
    superclasses: dict[str, frozenset[str]]
    names: dict[str, frozenset[str]]
    ranks: dict[str, int]
    statuses: dict[str, frozenset[str]]
    symmetric: frozenset[str]
    relations: frozenset[str]

    @classmethod
    def of(cls, match: Match) -> Ontology:
        """Return the ontology that a dataset holds.

        Args:
            match: gives the quads that fit a subject, predicate and object; None fits anything.
        """
        return _Reader(match).ontology()

    @classmethod
    def shipped(cls) -> Ontology:
        """Return the ontology that comes with aikg.

        >>> "https://w3id.org/aikg/ontology#isDesignedBy" in Ontology.shipped().relations
        True
        """
        store = pyoxigraph.Store()
        for name in ONTOLOGY_FILES:
            store.extend(read(shipped("ontology") / name))
        return cls.of(store.quads_for_pattern)

    def below(self, property: str) -> frozenset[str]:
        """Return a property and all its subproperties."""
        return self.subproperties.get(property, frozenset()) | {property}

    def above(self, property: str) -> frozenset[str]:
        """Return a property and all its superproperties."""
        return self.superproperties.get(property, frozenset()) | {property}

    def classes_above(self, name: str) -> frozenset[str]:
        """Return a class and all its superclasses."""
        return self.superclasses.get(name, frozenset()) | {name}

    def is_quantity(self, property: str) -> bool:
        """Tell whether a property leads to a quantity node."""
        return HAS_QUANTITY.value in self.above(property)

    def is_event(self, name: str) -> bool:
        """Tell whether a class is one of events."""
        return EVENT.value in self.classes_above(name)

    def walked(self, via: Iterable[str]) -> frozenset[str]:
        """Return the relations that fall under any of the given families or relations.

        Args:
            via: CURIEs, full IRIs, local names or labels; none means every relation.

        Raises:
            UnknownTerm: a name is no relation or family.

        >>> sorted(map(local_name, Ontology.shipped().walked(["funding"])))
        ['funding', 'guaranteesDebtsOf', 'investsIn', 'lendsTo']
        """
        wanted = {iri for name in via for iri in self.below(self._relation(name))}
        return frozenset(wanted) if wanted else self.relations

    def families(self) -> tuple[str, ...]:
        """Return the relations that have relations below them, by local name."""
        with_members = {r for r in self.relations if self.subproperties.get(r)}
        return tuple(sorted(local_name(r) for r in with_members))

    def certainty(self, name: str) -> str:
        """Return the certainty that a CURIE, full IRI, local name or label stands for.

        Raises:
            UnknownTerm: there is no such certainty.

        >>> Ontology.shipped().certainty("asserted")
        'https://w3id.org/aikg/ontology#asserted'
        """
        iri = expand(name)
        for certainty in self.ranks:
            if certainty == iri or name.casefold() in self.names[certainty]:
                return certainty
        highest_first = sorted(self.ranks, key=lambda term: -self.ranks[term])
        raise UnknownTerm(
            f'"{name}" is no certainty.',
            where="--min-certainty",
            fix=f"Certainties: {', '.join(map(local_name, highest_first))}.",
        )

    def _relation(self, name: str) -> str:
        iri = expand(name)
        known = self.relations | {RELATED_TO.value}
        for relation in sorted(known):
            if relation == iri or name.casefold() in self.names.get(relation, ()):
                return relation
        raise UnknownTerm(
            f'"{name}" is no relation or family of relations.',
            where="--via",
            fix=f"Families: {', '.join(self.families())}.",
        )


class _Reader:
    """Collects an ontology from the dataset that holds it."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def ontology(self) -> Ontology:
        pairs = self._pairs(SUB_PROPERTY_OF)
        upward, downward = _closure(pairs), _closure((b, a) for a, b in pairs)
        rules = tuple(sorted(self._rules(), key=str))
        related = downward.get(RELATED_TO.value, frozenset())
        relations = related | {rule.relation for rule in rules}
        ranks = {text_of(level): int(text_of(rank)) for level, rank in self._pairs(RANK)}
        return Ontology(
            rules=rules,
            subproperties=downward,
            superproperties=upward,
            superclasses=_closure(self._pairs(SUB_CLASS_OF)),
            names={term: self._names(term) for term in sorted(relations | ranks.keys())},
            ranks=ranks,
            statuses={name.value: self._members(name) for name in _STATUSES},
            symmetric=frozenset(text_of(q.subject) for q in self.match(None, TYPE, _SYMMETRIC)),
            relations=relations,
        )

    def _members(self, name: NamedNode) -> frozenset[str]:
        below = [quad.subject for quad in self.match(None, SUB_CLASS_OF, name)]
        classes = [name, *(term for term in below if isinstance(term, NamedNode))]
        found = (quad.subject for term in classes for quad in self.match(None, TYPE, term))
        return frozenset(map(text_of, found))

    def _pairs(self, predicate: NamedNode) -> list[tuple[object, object]]:
        return [(quad.subject, quad.object) for quad in self.match(None, predicate, None)]

    def _values(self, subject: Node, predicate: NamedNode) -> list[Node]:
        found = (quad.object for quad in self.match(subject, predicate, None))
        return [term for term in dict.fromkeys(found) if isinstance(term, (NamedNode, BlankNode))]

    def _names(self, relation: str) -> frozenset[str]:
        labels = self.match(NamedNode(relation), LABEL, None)
        return frozenset(
            {local_name(relation).casefold(), *(text_of(q.object).casefold() for q in labels)}
        )

    def _rules(self) -> Iterator[Rule]:
        for shape, rule in self._pairs(_RULE):
            if isinstance(shape, NamedNode) and isinstance(rule, (NamedNode, BlankNode)):
                for target in self._values(shape, _TARGET_CLASS):
                    for predicate in self._values(rule, _PREDICATE):
                        yield Rule(
                            text_of(target),
                            self._path(rule, _SUBJECT),
                            text_of(predicate),
                            self._path(rule, _OBJECT),
                            tuple(sorted(self._required(rule))),
                        )

    def _path(self, rule: Node, end: NamedNode) -> str:
        return text_of(self._values(self._values(rule, end)[0], _PATH)[0])

    def _required(self, rule: Node) -> Iterator[tuple[str, str]]:
        for condition in self._values(rule, _CONDITION):
            for shape in self._values(condition, _PROPERTY):
                for value in self._values(shape, _HAS_VALUE):
                    yield text_of(self._values(shape, _PATH)[0]), text_of(value)


def _closure(pairs: Iterable[tuple[object, object]]) -> dict[str, frozenset[str]]:
    """Return what each term reaches over pairs of IRIs, itself left out."""
    direct: dict[str, set[str]] = defaultdict(set)
    for start, end in pairs:
        if isinstance(start, NamedNode) and isinstance(end, NamedNode):
            direct[start.value].add(end.value)

    def reached(start: str) -> frozenset[str]:
        found: set[str] = set()
        todo = list(direct[start])
        while todo:
            term = todo.pop()
            if term not in found:
                found.add(term)
                todo += direct.get(term, ())
        return frozenset(found - {start})

    return {start: reached(start) for start in list(direct)}
