"""Tiny graphs: TriG text as a loaded graph, and random text in the house form."""

from __future__ import annotations

import pyoxigraph
from hypothesis import strategies as st
from pyoxigraph import RdfFormat

from aikg.files import read_bytes, shipped
from aikg.graph import Graph
from aikg.load import add, derive
from aikg.store import Store

AI, AIKG = "https://w3id.org/aikg/id/", "https://w3id.org/aikg/ontology#"
SRC = "https://w3id.org/aikg/source/"
PREFIXES = f"""
PREFIX ai: <{AI}>
PREFIX aikg: <{AIKG}>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX schema: <https://schema.org/>
PREFIX sh: <http://www.w3.org/ns/shacl#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX src: <{SRC}>
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""


def graph_of(trig: str, *, lang: str = "en") -> Graph:
    """Return a TriG text, without the usual prefixes, as `aikg load` would hold it."""
    inner = pyoxigraph.Store()
    add(inner, [(read_bytes((PREFIXES + trig).encode(), RdfFormat.TRIG), "urn:x:file")])
    derive(inner)
    return Graph(Store(inner), lang=lang)


def bundled(*, every: int = 1) -> str:
    """Return the bundled TriG as one text, or that of every n-th source."""
    files = sorted(shipped("data/triples").glob("*.trig"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files[::every])


PLAIN = (
    *("isPartOf", "isDesignedBy", "isFabricatedBy", "usesMemoryOf", "runsOn", "isMemberOf"),
    *("belongsToFamily", "succeeds", "operates", "isOfferedBy", "isPartnerOf"),
)
ROLES = {
    "Acquisition": ("acquirer", "acquired", "seller"),
    "ComputeCommitment": ("customer", "provider", "product", "site"),
    "FundingRound": ("leadInvestor", "investor", "investee"),
    "Partnership": ("partner", "partner"),
    "ShareSale": ("shareBuyer", "shareSeller", "shareIssuer"),
    "Usage": ("user", "used", "site"),
}
CERTAINTIES = ("confirmed", "asserted", "estimated", "presumed", "rumoured")
STATUSES = (
    *("announced", "agreed", "active", "closed", "ended"),
    *("planned", "contingent", "lapsed", "cancelled"),
)
NOISE = """
    aikg:isLocatedIn ai:usa ; aikg:hasRole aikg:hyperscaler ; dcterms:source src:s0 ;
    rdfs:seeAlso ai:e0 ; a aikg:Organization .
"""


@st.composite
def datasets(draw: st.DrawFn, entities: int = 8) -> str:
    """Return TriG without prefixes: two or three sources, and perhaps one that is replaced."""
    names = [f"ai:e{number}" for number in range(entities)]
    entity = st.sampled_from(names)
    sources = [f"src:s{number}" for number in range(draw(st.integers(2, 3)))]
    replaced = draw(st.sampled_from([None, "src:old"]))
    events = draw(st.lists(st.sampled_from(sorted(ROLES)), min_size=1, max_size=5))
    graphs = {source: f"{names[0]} {NOISE}" for source in sources}
    if replaced is not None:
        graphs[sources[0]] += f"{sources[0]} dcterms:replaces {replaced} .\n"
        graphs[replaced] = ""
    for graph in graphs:
        triples = st.tuples(entity, st.sampled_from(PLAIN), entity)
        for subject, relation, object in draw(st.lists(triples, max_size=4)):
            graphs[graph] += f"{subject} aikg:{relation} {object} .\n"
    for number, kind in enumerate(events):
        parties = {role: draw(st.lists(entity, min_size=1, max_size=2)) for role in ROLES[kind]}
        for graph in graphs:
            if draw(st.integers(0, 2)):
                graphs[graph] += draw(tellings(f"ai:deal{number}", kind, parties, entity))
    return "\n".join(f"GRAPH {graph} {{\n{body}}}" for graph, body in graphs.items())


@st.composite
def tellings(
    draw: st.DrawFn,
    event: str,
    kind: str,
    parties: dict[str, list[str]],
    entity: st.SearchStrategy[str],
) -> str:
    """Return what one source says of an event: its class, certainty, roles, perhaps a status."""
    lines = [f"a aikg:{kind}", f"aikg:certainty aikg:{draw(st.sampled_from(CERTAINTIES))}"]
    status = draw(st.sampled_from([None, *STATUSES, "closed"]))
    if status is not None:
        lines.append(f"aikg:status aikg:{status}")
    for role, named in parties.items():
        told = draw(st.sampled_from([named, named, named[:1], [*named, draw(entity)], []]))
        lines += [f"aikg:{role} {party}" for party in told]
    lines.append(f"aikg:statedBy {draw(entity)}")
    lines.append('aikg:amount [ a schema:MonetaryAmount ; schema:value 5 ; schema:currency "USD" ]')
    return f"{event} {' ; '.join(lines)} .\n"
