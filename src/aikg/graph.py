"""`Graph`, what `aikg.open()` gives: a store with its ontology, one method a command."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from pyoxigraph import NamedNode

from aikg import load, queries
from aikg.errors import BadOption
from aikg.names import SOURCE
from aikg.store import Folder, Store
from aikg.times import interval

if TYPE_CHECKING:
    import networkx
    import rdflib

    from aikg.checks import Finding
    from aikg.coverage import Coverage
    from aikg.entities import Hit
    from aikg.files import Term
    from aikg.model import Description, Entity, Fact, Name, Path, Result
    from aikg.ontology import Ontology
    from aikg.paths import Weight
    from aikg.relations import Relations
    from aikg.statistics import Statistics


def open(store: FilePath | str | None = None, *, lang: str = "en") -> Graph:
    """Open a graph: the one that comes with aikg, or a store that `aikg load` made.

    Args:
        store: the folder of a store; None means the bundled graph.
        lang: the language of labels, `en` or `es`.

    Raises:
        BadStore: the folder holds no store that can be read.

    >>> graph = open()
    >>> graph.find("annapurna labs").label
    'Annapurna Labs'
    """
    opened = load.bundled() if store is None else Folder(FilePath(store)).open()
    return Graph(opened, lang=lang)


class Graph:
    """A store with its ontology. Entities are named as people name them."""

    def __init__(self, store: Store, *, lang: str = "en") -> None:
        self.store = store
        self.lang = lang

    @cached_property
    def ontology(self) -> Ontology:
        """The ontology of the store, or the shipped one where the store holds none."""
        from aikg.ontology import Ontology

        own = Ontology.of(self.store.match)
        return own if own.relations else Ontology.shipped()

    def query(
        self, text: str, *, bindings: dict[str, Term] | None = None, base: str | None = None
    ) -> queries.Answer:
        """Return what a SPARQL query answers; see `aikg.queries.query`.

        >>> bool(open().query("ASK { ai:amazon aikg:hasAcquired ai:annapurna-labs }"))
        True
        """
        return queries.query(self.store, text, bindings=bindings, base=base)

    def ask(self, question: str, values: Mapping[str, str | Iterable[str]] | None = None) -> Result:
        """Return the answer to a saved question; see `aikg.questions.ask`.

        >>> "OpenAI" in [row[0].label for row in open().ask("labs").rows]
        True
        """
        from aikg.questions import ask, find_question

        return ask(self.relations(), find_question(question), values or {})

    def find(self, name: str) -> Name:
        """Return the entity that a name, CURIE or IRI stands for; see `aikg.entities.find`."""
        from aikg.entities import find

        return find(self.store, name, self.lang)

    def search(self, text: str, limit: int = 20) -> list[Hit]:
        """Return the entities whose names contain a text, the closest matches first."""
        from aikg.entities import search

        return search(self.store, text, limit, self.lang)

    def paths(
        self,
        start: str,
        end: str,
        *,
        k: int | None = 1,
        max_hops: int = 6,
        directed: bool = False,
        weight: Weight = "hops",
        **filters: Any,
    ) -> list[Path]:
        """Return the k best paths between two entities; see `aikg.paths.paths`.

        Args:
            start: name, CURIE or IRI of one end.
            end: the same of the other end.
            k: how many paths to give at most; None gives all.
            max_hops: how long a path may be.
            directed: walk only from the subject of a relation to its object.
            weight: `hops` for the shortest paths, `certainty` for the surest.
            filters: which edges may be walked; see `relations`.

        Raises:
            UnknownEntity, AmbiguousEntity: an end is not one entity.
            UnknownTerm: a filter names no family, relation or certainty.
            BadOption: the ends are the same, or a number is less than 1.

        >>> [path] = open().paths("Apple", "Annapurna Labs")
        >>> [entity.label for entity in path.entities], path.certainty.label
        (['Apple', 'Trainium', 'Annapurna Labs'], 'presumed')
        """
        from aikg.paths import paths

        return paths(
            self.relations(**filters),
            self.find(start).iri,
            self.find(end).iri,
            k=k,
            max_hops=max_hops,
            directed=directed,
            weight=weight,
        )

    def relations(
        self,
        *,
        via: Iterable[str] = (),
        not_via: Iterable[str] = (),
        avoid: Iterable[str] = (),
        min_certainty: str | None = None,
        sources: Iterable[str] = (),
        as_of: str | None = None,
        known_by: str | None = None,
        dated_only: bool = False,
    ) -> Relations:
        """Return the edges of the graph that filters let pass; see `aikg.relations.Filters`.

        Args:
            via: families or relations to walk; none means all.
            not_via: families or relations not to walk.
            avoid: names of entities not to pass.
            min_certainty: the least certainty, such as `asserted`.
            sources: CURIEs, IRIs, slugs or titles of the only documents to read; none means all.
            as_of: a day, month or year: only what was in force then.
            known_by: a day, month or year: only documents issued by its end.
            dated_only: leave out what the dates cannot decide, instead of marking it.

        Raises:
            UnknownEntity, AmbiguousEntity: `avoid` or `sources` names nothing, or several things.
            UnknownTerm: `via`, `not_via` or `min_certainty` names no such term.
            BadOption: a date is none.
        """
        from aikg.relations import Filters, Relations

        filters = Filters(
            via=tuple(via),
            not_via=tuple(not_via),
            avoid=frozenset(self.find(name).iri for name in avoid),
            min_certainty=self.ontology.certainty(min_certainty) if min_certainty else None,
            sources=frozenset(self._source(name) for name in sources),
            as_of=_date(as_of, "--as-of"),
            known_by=_date(known_by, "--known-by"),
            dated_only=dated_only,
        )
        return Relations(self.store, self.ontology, filters, lang=self.lang)

    def show(self, entity: str) -> Description:
        """Return all that the graph holds on an entity; see `aikg.descriptions.describe`.

        >>> [str(c.label) for c in open().show("Trainium2").classes]
        ['accelerator']
        """
        from aikg.descriptions import describe

        return describe(self.relations(), self.find(entity).iri)

    def stats(self) -> Statistics:
        """Return the counts of the graph; see `aikg.statistics.Statistics`."""
        from aikg.statistics import statistics

        return statistics(self.store, self.ontology, self.lang)

    def coverage(self) -> list[Coverage]:
        """Return how well each class is covered; see `aikg.coverage.coverage`."""
        from aikg.coverage import coverage

        return coverage(self.store, self.ontology, self.lang)

    def validate(
        self, *, shapes: FilePath | None = None, files: Mapping[str, FilePath] | None = None
    ) -> list[Finding]:
        """Return what is wrong in the graph; see `aikg.checks.validate`."""
        from aikg.checks import validate

        return validate(self.store, shapes=shapes, files=files)

    def facts(self) -> list[Fact]:
        """Return every fact that joins two entities, in a fixed order."""
        relations = self.relations()
        return [relations.fact(edge) for edge in relations.all()]

    def export(self, path: FilePath | str, form: str | None = None) -> None:
        """Write the graph for other tools: entities as nodes, facts as edges.

        Args:
            path: the file to write; it is replaced in one step, or left as it was on failure.
            form: `graphml`, `gexf`, `dot` or `json`; by default the suffix tells.

        Raises:
            BadOption: there is no such format.
            BadFile: the file cannot be written.
        """
        from aikg.exports import format_of, write_graph
        from aikg.files import replacing

        target = FilePath(path)
        form = form or format_of(target)
        with replacing(target) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
            write_graph(*self.nodes_and_facts(), form, text, lang=self.lang)

    def nodes_and_facts(self) -> tuple[list[Entity], list[Fact]]:
        """Return the entities that facts join, and the facts."""
        facts = self.facts()
        names = {name.iri: name for fact in facts for name in (fact.subject, fact.object)}
        return [self._entity(names[iri]) for iri in sorted(names)], facts

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """Return the graph as a networkx multigraph: IRIs as nodes, facts as edges.

        Node data: `label`, `classes`. Edge data: `relation`, `label`, `event`, `source`,
        `certainty`, `status` (IRIs) and `settled`; the edge key is (relation, event, source).

        >>> open().to_networkx().nodes["https://w3id.org/aikg/id/openai"]["label"]
        'OpenAI'
        """
        import networkx

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        nodes, facts = self.nodes_and_facts()
        for node in nodes:
            classes = [name.iri for name in node.classes]
            graph.add_node(node.iri, label=node.label, classes=classes)
        for fact in facts:
            event = fact.event.iri if fact.event else None
            graph.add_edge(
                fact.subject.iri,
                fact.object.iri,
                key=(fact.relation.iri, event, fact.source.iri),
                relation=fact.relation.iri,
                label=fact.relation.label,
                event=event,
                source=fact.source.iri,
                certainty=fact.certainty.iri if fact.certainty else None,
                status=fact.status.iri if fact.status else None,
                settled=fact.settled,
            )
        return graph

    def to_rdflib(self) -> rdflib.Dataset:
        """Return the whole dataset, merged view and source graphs, for rdflib.

        >>> len(list(open().to_rdflib().quads())) == len(open().store)
        True
        """
        import rdflib
        from pyoxigraph import RdfFormat

        dataset = rdflib.Dataset()
        text = io.BytesIO()
        self.store.inner.dump(text, RdfFormat.N_QUADS)
        dataset.parse(data=text.getvalue().decode(), format="nquads")
        return dataset

    def _source(self, name: str) -> str:
        """Return the IRI of a document, which may also be named by its slug."""
        slug = NamedNode(SOURCE + name) if re.fullmatch("[a-z0-9-]+", name) else None
        if slug is not None and any(self.store.match(None, None, None, slug)):
            return slug.value
        return self.find(name).iri

    def _entity(self, name: Name) -> Entity:
        from aikg.entities import classes, label, labels
        from aikg.model import Entity, Name

        named = tuple(
            Name(iri, label(self.store, iri, self.lang)) for iri in classes(self.store, name.iri)
        )
        return Entity(name.iri, name.label, labels(self.store, name.iri), named)


def _date(text: str | None, option: str) -> str | None:
    """Return a date of a call, if it is one."""
    if text is not None and interval(text) is None:
        raise BadOption(
            f'"{text}" is no date.',
            where=option,
            fix="Write a year, a month or a day: 2025, 2025-06 or 2025-06-30.",
        )
    return text
