"""Write docs/ontology.md, the reference of the ontology, from its axioms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
from pyoxigraph import NamedNode

from aikg.entities import labels
from aikg.files import read, shipped, text_of
from aikg.names import AIKG, ONTOLOGY_FILES, RDF, RDFS, SKOS, shorten
from aikg.ontology import Ontology, Rule
from aikg.store import Store

TARGET = Path(__file__).parent / "ontology.md"

KINDS = (
    ("Classes", "http://www.w3.org/2002/07/owl#Class", RDFS + "subClassOf"),
    ("Object properties", "http://www.w3.org/2002/07/owl#ObjectProperty", RDFS + "subPropertyOf"),
    ("Data properties", "http://www.w3.org/2002/07/owl#DatatypeProperty", RDFS + "subPropertyOf"),
    ("Annotation properties", "http://www.w3.org/2002/07/owl#AnnotationProperty", ""),
)
HEAD = """# The ontology

This page is made from `ontology/aikg.ttl` and `ontology/rules.ttl` by `make docs`. A diagram a
family shows which event of which roles means which plain relation, once a source settles it.
"""


class Reference:
    """The reference, section by section."""

    def __init__(self) -> None:
        inner = pyoxigraph.Store()
        for name in ONTOLOGY_FILES:
            inner.extend(read(shipped("ontology") / name))
        self.store = Store(inner)
        self.ontology = Ontology.of(self.store.match)

    def text(self) -> str:
        """Return the whole page."""
        return "\n".join([HEAD, *self._areas(), *self._kinds(), *self._concepts()])

    def _areas(self) -> Iterator[str]:
        for family in self.ontology.families():
            members = self.ontology.below(AIKG + family)
            rules = [rule for rule in self.ontology.rules if rule.relation in members]
            plain = sorted(members - {rule.relation for rule in rules} - {AIKG + family})
            title = self._label(AIKG + family)
            yield f"## {title[0].upper()}{title[1:]}\n\n{self._definition(AIKG + family)}\n"
            if rules:
                yield "```mermaid\nflowchart LR\n" + "\n".join(self._drawn(rules)) + "\n```\n"
            if plain:
                listed = ", ".join(f"`{shorten(name)}`" for name in plain)
                yield f"Stated plainly: {listed}.\n"

    def _drawn(self, rules: list[Rule]) -> Iterator[str]:
        """Yield an edge a rule: role, relation, role, below the name of the event."""
        for number, rule in enumerate(sorted(rules, key=lambda r: (r.event_class, r.relation))):
            event = self._label(rule.event_class)
            start, end = self._label(rule.subject_role), self._label(rule.object_role)
            yield (
                f'    a{number}["{event}: {start}"] -->|"{self._label(rule.relation)}"| '
                f'b{number}["{event}: {end}"]'
            )

    def _kinds(self) -> Iterator[str]:
        for title, kind, above in KINDS:
            yield f"## {title}\n"
            yield "| term | English | Spanish | under | meaning |\n|---|---|---|---|---|"
            yield "\n".join(self._row(term, above) for term in self._of_type(kind)) + "\n"

    def _concepts(self) -> Iterator[str]:
        scheme = NamedNode(SKOS + "inScheme")
        schemes = sorted({text_of(q.object) for q in self.store.match(None, scheme, None)})
        for name in schemes:
            members = sorted(
                text_of(q.subject) for q in self.store.match(None, scheme, NamedNode(name))
            )
            title = self._label(name)
            yield f"## {title[0].upper()}{title[1:]}\n"
            yield "| term | English | Spanish | meaning |\n|---|---|---|---|"
            yield "\n".join(self._concept(term) for term in members) + "\n"

    def _row(self, term: str, above: str) -> str:
        parents = self._values(term, above) if above else []
        listed = ", ".join(f"`{shorten(parent)}`" for parent in parents)
        unit = "".join(f" Unit: {value}." for value in self._values(term, AIKG + "unit"))
        note = "".join(f" {value}" for value in self._values(term, SKOS + "scopeNote"))
        names = labels(self.store, term)
        return (
            f"| `{shorten(term)}` | {names.get('en', '')} | {names.get('es', '')} | {listed} | "
            f"{self._definition(term)}{unit}{note} |"
        )

    def _concept(self, term: str) -> str:
        names = labels(self.store, term)
        return (
            f"| `{shorten(term)}` | {names.get('en', '')} | {names.get('es', '')} | "
            f"{self._definition(term)} |"
        )

    def _of_type(self, kind: str) -> list[str]:
        found = self.store.match(None, NamedNode(RDF + "type"), NamedNode(kind))
        return sorted(text_of(quad.subject) for quad in found)

    def _values(self, term: str, property: str) -> list[str]:
        found = self.store.match(NamedNode(term), NamedNode(property), None)
        return sorted(text_of(quad.object) for quad in found)

    def _definition(self, term: str) -> str:
        return " ".join(self._values(term, SKOS + "definition"))

    def _label(self, term: str) -> str:
        return labels(self.store, term).get("en", shorten(term))


if __name__ == "__main__":
    TARGET.write_text(Reference().text(), encoding="utf-8")
