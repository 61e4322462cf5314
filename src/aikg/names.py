"""Prefixes, CURIEs, and the terms of the ontology's frame that the code itself names.

No class, relation or role of the domain stands here: those are read from ontology/.
"""

from __future__ import annotations

import re

from pyoxigraph import DefaultGraph, NamedNode

from aikg.errors import UnknownTerm

AIKG = "https://w3id.org/aikg/ontology#"
ENTITY = "https://w3id.org/aikg/id/"
SOURCE = "https://w3id.org/aikg/source/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SCHEMA = "https://schema.org/"
SHACL = "http://www.w3.org/ns/shacl#"
DCTERMS = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
XSD = "http://www.w3.org/2001/XMLSchema#"

PREFIXES = {
    "ai": ENTITY,
    "aikg": AIKG,
    "dcterms": DCTERMS,
    "foaf": "http://xmlns.com/foaf/0.1/",
    "org": "http://www.w3.org/ns/org#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": PROV,
    "rdf": RDF,
    "rdfs": RDFS,
    "schema": SCHEMA,
    "sh": SHACL,
    "skos": SKOS,
    "src": SOURCE,
    "vann": "http://purl.org/vocab/vann/",
    "wd": "http://www.wikidata.org/entity/",
    "xsd": XSD,
}

TYPE = NamedNode(RDF + "type")
LABEL = NamedNode(RDFS + "label")
ALT_LABEL = NamedNode(SKOS + "altLabel")
PREF_LABEL = NamedNode(SKOS + "prefLabel")
SAME_AS = NamedNode(PREFIXES["owl"] + "sameAs")
SUB_CLASS_OF = NamedNode(RDFS + "subClassOf")
SUB_PROPERTY_OF = NamedNode(RDFS + "subPropertyOf")
REPLACES = NamedNode(DCTERMS + "replaces")

TICKER = NamedNode(AIKG + "ticker")
RELATED_TO = NamedNode(AIKG + "relatedTo")
PARTICIPANT = NamedNode(AIKG + "participant")
HAS_QUANTITY = NamedNode(AIKG + "hasQuantity")
EVENT_DATE = NamedNode(AIKG + "eventDate")
QUALIFIER = NamedNode(AIKG + "qualifier")
CERTAINTY = NamedNode(AIKG + "certainty")
STATUS = NamedNode(AIKG + "status")
STATED_BY = NamedNode(AIKG + "statedBy")
HEDGE = NamedNode(AIKG + "hedge")
LOCATOR = NamedNode(AIKG + "locator")
DURATION = NamedNode(AIKG + "duration")
WORKLOAD = NamedNode(AIKG + "workload")
SETTLED_BY = NamedNode(AIKG + "settledBy")
STARTS_ON = NamedNode(AIKG + "startsOn")
CLOSED_ON = NamedNode(AIKG + "closedOn")
ANNOUNCED_ON = NamedNode(AIKG + "announcedOn")
AS_OF = NamedNode(AIKG + "asOf")
ENDS_ON = NamedNode(AIKG + "endsOn")
SUPERSEDES = NamedNode(AIKG + "supersedes")
CONFIRMED = NamedNode(AIKG + "confirmed")
ASSERTED = NamedNode(AIKG + "asserted")
ENDED = NamedNode(AIKG + "ended")
TENTATIVE_STATUS = NamedNode(AIKG + "TentativeStatus")
EFFECTIVE_STATUS = NamedNode(AIKG + "EffectiveStatus")
FAILED_STATUS = NamedNode(AIKG + "FailedStatus")
RANK = NamedNode(AIKG + "rank")
LOW = NamedNode(AIKG + "low")
HIGH = NamedNode(AIKG + "high")
EVENT = NamedNode(AIKG + "Event")
ABOUT = NamedNode(AIKG + "about")
METRIC = NamedNode(AIKG + "metric")
COMPARED_TO = NamedNode(AIKG + "comparedTo")
COMPARES_BY = NamedNode(AIKG + "comparesBy")
RATIO = NamedNode(AIKG + "ratio")
MARKET = NamedNode(AIKG + "market")
SETTLED_EVENT = NamedNode(AIKG + "SettledEvent")
SOURCE_CLASS = NamedNode(AIKG + "Source")
DERIVED = NamedNode(AIKG + "derived")
ONTOLOGY_GRAPH = NamedNode("https://w3id.org/aikg/ontology")
RULES_GRAPH = NamedNode("https://w3id.org/aikg/ontology/rules")

MERGED = DefaultGraph()
"""The graph that holds every stated and derived triple once."""

FRAME = (DERIVED, ONTOLOGY_GRAPH, RULES_GRAPH)
"""The named graphs that are no source's."""

ONTOLOGY_FILES = {"aikg.ttl": ONTOLOGY_GRAPH, "rules.ttl": RULES_GRAPH}
"""The files of ontology/ that every derived store holds, and the graph of each."""

_LOCAL = re.compile(r"\w[\w.-]*(?<!\.)", re.ASCII)


def shorten(iri: str) -> str:
    """Return the CURIE of an IRI, or the IRI itself where no prefix fits.

    >>> shorten("https://w3id.org/aikg/id/openai")
    'ai:openai'
    >>> shorten("https://example.org/a(b)")
    'https://example.org/a(b)'
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
            return f"{prefix}:{iri[len(namespace) :]}"
    return iri


def expand(name: str) -> str | None:
    """Return the IRI that a CURIE or full IRI stands for, or None if it is neither.

    A scheme that is followed by a slash, or `urn:`, makes a full IRI; angle brackets are dropped.

    Raises:
        UnknownTerm: the text has the form of a CURIE, but its prefix is not known.

    >>> expand("ai:openai")
    'https://w3id.org/aikg/id/openai'
    >>> expand("<https://example.org/x>")
    'https://example.org/x'
    >>> expand("Annapurna Labs") is None
    True
    """
    if name.startswith("<") and name.endswith(">"):
        return name[1:-1]
    prefix, colon, local = name.partition(":")
    if not colon or re.search(r"[\s<>\"{}|\\^`]", name):
        return None
    if prefix in PREFIXES:
        return PREFIXES[prefix] + local
    if local.startswith("/") or prefix in ("urn", "mailto", "tag", "did"):
        return name
    if re.fullmatch(r"[A-Za-z][\w.-]*", prefix):
        raise UnknownTerm(
            f'No prefix "{prefix}:" is known.',
            where=name,
            fix=f"Known prefixes: {', '.join(PREFIXES)}. Or write the full IRI.",
        )
    return None


def local_name(iri: str) -> str:
    """Return the last part of an IRI, for people, where it has no label.

    >>> local_name("https://w3id.org/aikg/ontology#hasAcquired")
    'hasAcquired'
    """
    return re.split(r"[/#:]", iri.rstrip("/#"))[-1] or iri
