import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from pyoxigraph import NamedNode
from tiny import graph_of

from aikg import load
from aikg.checks import (
    FORMATS,
    Finding,
    rules,
    validate,
    validate_files,
    written,
)
from aikg.errors import BadFile, BadOption
from aikg.files import read
from aikg.names import AIKG, ENTITY, PREFIXES, SOURCE
from aikg.ontology import Ontology
from aikg.store import Folder, Store

ROOT = Path(__file__).parent.parent
FIXTURES = Path(__file__).parent / "fixtures" / "checks"
BESIDE = ("clean", "registry")
SHAPES = rdflib.Graph().parse(ROOT / "ontology" / "shapes.ttl")
SH = rdflib.SH


def graphs_of(path: Path) -> dict[str, Path]:
    names = {quad.graph_name for quad in read(path)}
    return {name.value: path for name in names if isinstance(name, NamedNode)}


def checked(name: str) -> list[Finding]:
    """Return what is wrong in a fixture, read beside the entities of registry.trig."""
    registry, path = FIXTURES / "registry.trig", FIXTURES / f"{name}.trig"
    files = graphs_of(path)
    return validate(
        graph_of(registry.read_text() + path.read_text()).store, files=files, graphs=files
    )


def named_shapes() -> set[str]:
    """Return the names of the rules that shapes with targets make."""
    targets = (SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf)
    found = {str(node) for target in targets for node in SHAPES.subjects(target, None)}
    names = {iri.removeprefix(AIKG).removesuffix("Shape") for iri in found}
    return {re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower() for name in names}


RULES = sorted({rule.name for rule in rules()} | {n for n in named_shapes() if "-roles" not in n})
WARNINGS = ("labelled-twice", "many-to-many", "source-url", "uncited-source")


@pytest.mark.parametrize("rule", RULES)
def test_a_check_finds_the_one_fault_of_its_fixture(rule: str) -> None:
    found = checked(rule)
    assert {finding.rule for finding in found} == {rule}, written(found, "text")
    assert {finding.severity for finding in found} == {
        "warning" if rule in WARNINGS else "violation"
    }
    for finding in found:
        assert finding.line or not finding.entity
        assert not re.search(r"\?\w|_:|\bNone\b", finding.what + finding.fix)


def test_every_fixture_belongs_to_a_check() -> None:
    assert {path.stem for path in FIXTURES.iterdir()} == {*RULES, *BESIDE}


@pytest.mark.parametrize("name", BESIDE)
def test_clean_data_pass(name: str) -> None:
    assert checked(name) == []


CITED = 'aikg:certainty aikg:confirmed ; aikg:locator "page 1" ;'
READ = "aikg:readOn '2026-01-03'^^xsd:date ; dcterms:issued '2026'^^xsd:gYear ;"
LINKED = "schema:url 'https://example.org/page'^^xsd:anyURI ;"
TITLED = 'dcterms:title "A page"@en ; dcterms:publisher "A publisher" ;'


def deal(amount: str) -> str:
    return (
        f"ai:deal a aikg:Holding ; {CITED} aikg:owner ai:amazon ; aikg:owned ai:openai ;"
        f" aikg:stakeValue [ a schema:MonetaryAmount ; {amount} ] ."
    )


def event(rest: str) -> str:
    return f"ai:deal a aikg:Holding ; aikg:owner ai:amazon ; aikg:owned ai:openai ; {rest} ."


def claim(rest: str) -> str:
    return f"ai:claim a aikg:Claim ; {CITED} {rest} ."


def power(quantity: str) -> str:
    return claim(
        "aikg:about ai:abilene ; aikg:metric aikg:itPower ;"
        f" aikg:quantity [ a schema:QuantitativeValue ; {quantity} ]"
    )


FAULTS = [
    ("It does not have exactly one certainty in this graph", event('aikg:locator "page 1"')),
    ("This is no certainty", event('aikg:locator "page 1" ; aikg:certainty aikg:planned')),
    ("This is no status", event(f"{CITED} aikg:status aikg:rumoured")),
    (
        "It has several statuses in this graph",
        event(f"{CITED} aikg:status aikg:agreed ; aikg:status aikg:closed"),
    ),
    ("It does not say where in the document it stands", event("aikg:certainty aikg:asserted")),
    ("The claim is about nothing", claim("aikg:metric aikg:strategy ; aikg:statement 'x'@en")),
    (
        "The claim does not have exactly one metric",
        claim("aikg:about ai:openai ; aikg:statement 'x'@en"),
    ),
    (
        "This is no metric",
        claim("aikg:about ai:openai ; aikg:metric aikg:ratio ; aikg:statement 'x'@en"),
    ),
    ("The claim says nothing", claim("aikg:about ai:openai ; aikg:metric aikg:strategy")),
    (
        "A party or product is no IRI",
        f"ai:deal a aikg:Holding ; {CITED} aikg:owner ai:amazon ; aikg:owned [] .",
    ),
    ("This is not one plain number", deal("schema:currency 'USD' ; schema:value 'many'")),
    ("This is not one plain number", deal("schema:currency 'USD' ; schema:value '5'")),
    (
        "This is not one plain number",
        deal("schema:currency 'USD' ; schema:value '1E9'^^xsd:decimal"),
    ),
    ("This is not one plain number", deal("schema:currency 'USD' ; schema:minValue 1.5e9")),
    ("This is not one plain number", deal("schema:currency 'USD' ; schema:maxValue 1 , 2")),
    (
        "The quantity has no figure, or has one and is called undisclosed",
        deal("schema:currency 'USD' ; schema:value 1 ; aikg:hedge aikg:undisclosed"),
    ),
    (
        "The minimum is more than the maximum",
        deal("schema:currency 'USD' ; schema:minValue 10.5 ; schema:maxValue 9"),
    ),
    (
        "The minimum is more than the value",
        deal("schema:currency 'USD' ; schema:minValue 9 ; schema:value 8.5"),
    ),
    (
        "The value is more than the maximum",
        deal("schema:currency 'USD' ; schema:value 9 ; schema:maxValue 8"),
    ),
    ("This is no hedge", deal("schema:currency 'USD' ; schema:value 1 ; aikg:hedge 'about'")),
    (
        "This is not one certainty",
        deal("schema:currency 'USD' ; schema:value 1 ; aikg:certainty aikg:agreed"),
    ),
    ("The amount is negative", deal("schema:currency 'USD' ; schema:minValue -1")),
    ("This is not one currency code", deal("schema:currency 'US$' ; schema:value 1")),
    ("The amount has no currency", deal("schema:value 1")),
    ("This is not one base unit", power("schema:unitText 'MW' ; schema:value 300")),
    ("The quantity has no unit", power("schema:value 300")),
    ("This is no date", event(f"{CITED} aikg:asOf '2026'")),
    ("This is no date", event(f"{CITED} aikg:asOf '2026-02-30'^^xsd:date")),
    ("This is no date", event(f"{CITED} aikg:asOf '2026-13'^^xsd:gYearMonth")),
    ("This is no date", event(f"{CITED} aikg:asOf '2026-01-01Z'^^xsd:date")),
    ("The source has no title", f"src:b a aikg:Source ; {LINKED} {READ} dcterms:publisher 'x' ."),
    (
        "The source has no publisher",
        f"src:b a aikg:Source ; {LINKED} {READ} dcterms:title 'x'@en .",
    ),
    (
        "The source does not say when it was issued or when it was read",
        f"src:b a aikg:Source ; {LINKED} {TITLED} aikg:readOn '2026-01-03'^^xsd:date .",
    ),
    ("The source has no address", f"src:b a aikg:Source ; {TITLED} {READ} ."),
    ("This is no web address", f"src:b a aikg:Source ; {TITLED} {READ} schema:url 'x' ."),
    ("The entity has no English label", 'ai:x a aikg:Model ; rdfs:label "x" .'),
    (
        "The entity has several labels in one language",
        'ai:x a aikg:Model ; rdfs:label "x"@en , "X"@en .',
    ),
    ("The entity has a label and no class", 'ai:x rdfs:label "x"@en .'),
    ("This names no Wikidata item", "ai:x owl:sameAs <http://www.wikidata.org/entity/L1> ."),
    ("This is no LEI", 'ai:x schema:leiCode "549300S4KLFTLO7GSQ8" .'),
    ("This is no ticker", 'ai:x aikg:locator "page 1" ; aikg:ticker "$nvda" .'),
]


@pytest.mark.parametrize(("what", "body"), FAULTS)
def test_a_shape_says_what_is_wrong(what: str, body: str) -> None:
    """No other shape complains of it."""
    prefixes = "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in ("dcterms", "owl"))
    found = validate(graph_of(f"{prefixes} GRAPH src:a {{ {body} }}").store)
    said = {re.split(": (?=[A-Z])", finding.what)[-1] for finding in found if finding.shape}
    assert said == {f"{what}."}


def test_every_message_has_a_fault_that_provokes_it() -> None:
    messages = {str(message).partition(". ")[0] for message in SHAPES.objects(None, SH.message)}
    roles = {m for m in messages if re.search("(is|are) stated$", m)}
    assert messages - roles == {what for what, _ in FAULTS}


@pytest.mark.parametrize(
    "ticker", ["NVDA", "BRK.B", "TYO:9984", "000660", "ASML.AS", "NASDAQ:AMD", "RDS-A"]
)
def test_usual_tickers_pass(ticker: str) -> None:
    store = graph_of(f"GRAPH src:a {{ ai:x aikg:locator 'p. 1' ; aikg:ticker '{ticker}' }}").store
    assert not [finding for finding in validate(store) if finding.shape]


EVENTS = sorted({rule.event_class for rule in Ontology.shipped().rules})


@pytest.mark.parametrize("event_class", EVENTS, ids=lambda iri: iri.removeprefix(AIKG))
def test_an_event_needs_both_its_roles(event_class: str) -> None:
    """Each rule's pair of roles suffices; no role alone does, save where the investor may lack."""
    pairs = [
        (r.subject_role, r.object_role)
        for r in Ontology.shipped().rules
        if r.event_class == event_class
    ]
    store = graph_of("".join(_events(event_class, pairs))).store
    found = validate(store)
    lacking = {f.entity.removeprefix(ENTITY) for f in found if f.rule.endswith("-roles")}
    roles = sorted({role for pair in pairs for role in pair})
    optional = {AIKG + "investee"} if event_class == AIKG + "FundingRound" else set()
    assert lacking == {"none", *(f"only-{n}" for n, r in enumerate(roles) if r not in optional)}


def _events(event_class: str, pairs: list[tuple[str, str]]) -> Iterator[str]:
    def event(name: str, *roles: str) -> str:
        parties = "".join(f"; <{role}> ai:party{n} " for n, role in enumerate(roles))
        return f"GRAPH src:a {{ ai:{name} a <{event_class}> {parties} }}\n"

    yield event("none")
    for number, (subject_role, object_role) in enumerate(pairs):
        yield event(f"pair-{number}", subject_role, object_role)
    for number, role in enumerate(sorted({role for pair in pairs for role in pair})):
        yield event(f"only-{number}", role)


def test_roles_below_a_role_count() -> None:
    store = graph_of(
        "GRAPH src:a { ai:round a aikg:Investment ;"
        " aikg:leadInvestor ai:amazon ; aikg:investee ai:openai }",
    ).store
    assert not [f for f in validate(store) if f.rule == "investment-roles"]


def test_each_message_says_what_is_wrong_and_what_to_do() -> None:
    messages = list(SHAPES.objects(None, SH.message))
    assert messages
    for message in messages:
        assert isinstance(message, rdflib.Literal)
        assert message.language == "en"
        assert re.fullmatch(r"[A-Z].*?[^.]\. [A-Z].+\.", message), message


def test_each_check_says_what_is_wrong_and_what_to_do() -> None:
    for rule in rules():
        asked = set(re.findall(r"\?(\w+)", re.split(r"\bSELECT\b", rule.query)[1].split("{")[0]))
        asked |= set(re.findall(r"AS \?(\w+)", rule.query))
        told = set(re.findall(r"\?(\w+)", re.findall("^# Gives: (.+)$", rule.query, re.M)[0]))
        assert told <= asked, rule.name
        assert set(re.findall(r"\?(\w+)", rule.check + rule.fix)) <= told, rule.name
        assert rule.check.endswith(".") and rule.fix.endswith("."), rule.name


def test_shapes_are_shacl() -> None:
    """The shapes fit the shapes that SHACL gives for shapes."""
    import pyshacl

    conforms, _, text = pyshacl.validate(rdflib.Graph(), shacl_graph=SHAPES, meta_shacl=True)
    assert conforms, text


def test_each_graph_is_checked_alone() -> None:
    """Two sources may differ in certainty."""
    event = "ai:d a aikg:Holding ; aikg:owner ai:a ; aikg:owned ai:b ; aikg:locator 'p. 1' ;"
    store = graph_of(
        f"GRAPH src:a {{ {event} aikg:certainty aikg:confirmed }}"
        f"GRAPH src:b {{ {event} aikg:certainty aikg:rumoured }}",
    ).store
    assert "certainty" not in {finding.rule for finding in validate(store)}


def test_a_fault_in_a_quantity_is_told_by_its_owner() -> None:
    [finding] = checked("unit")
    assert finding.entity == ENTITY + "abilene-power-2026"
    assert finding.what == 'aikg:quantity / schema:unitText "GW": This is not one base unit.'


def test_a_fault_names_the_property_that_the_source_uses() -> None:
    [finding] = checked("event-date")
    assert finding.what == "aikg:announcedOn 2026-02-30: This is no date."


@pytest.fixture
def chip(tmp_path: Path) -> Path:
    """A file with a chip that nothing else speaks of, and no fault."""
    path = tmp_path / "chip.trig"
    text = (FIXTURES / "clean.trig").read_text()
    path.write_text(
        re.search(r"(PREFIX.*\n)+", text)[0]  # type: ignore[index]
        + f"PREFIX rdfs: <{PREFIXES['rdfs']}>\n"
        + "GRAPH src:clean {\n"
        + 'ai:test-chip a aikg:Accelerator ; rdfs:label "test chip"@en ;\n'
        + '    aikg:memoryCapacity 80000000000 ; aikg:locator "table 1" .\n'
        + text[text.index("\nsrc:clean") :]
    )
    return path


def test_files_are_read_beside_the_bundled_data(chip: Path) -> None:
    assert validate_files([chip]) == []
    chip.write_text(chip.read_text().replace("ai:test-chip", "ai:test-chip aikg:isPartOf ai:no ;"))
    [finding] = validate_files([chip])
    assert (finding.rule, finding.entity) == ("unregistered-entity", ENTITY + "no")
    assert (finding.file, finding.line) == (str(chip), 9)


def test_shapes_that_match_nothing_are_told(chip: Path, tmp_path: Path) -> None:
    shapes = tmp_path / "typo.ttl"
    text = (ROOT / "ontology" / "shapes.ttl").read_text()
    shapes.write_text(text.replace("http://www.w3.org/ns/shacl#", "http://www.w3.org/ns/shacl/"))
    [finding] = validate_files([chip], shapes=shapes)
    assert (finding.rule, finding.severity, finding.file) == ("shapes", "warning", str(shapes))
    assert finding.what.startswith("No shape applied")


def own_shapes(path: Path, constraint: str) -> Path:
    path.write_text(
        "PREFIX ex: <https://example.org/> PREFIX sh: <http://www.w3.org/ns/shacl#>\n"
        f"PREFIX aikg: <{AIKG}>\n"
        "ex:ChipShape a sh:NodeShape ; sh:targetSubjectsOf aikg:memoryCapacity ;"
        f" sh:property [ {constraint} ] .\n"
    )
    return path


def test_own_shapes_take_the_place_of_the_shipped_ones(chip: Path, tmp_path: Path) -> None:
    constraint = "sh:path aikg:memoryBandwidth ; sh:minCount 1"
    [finding] = validate_files([chip], shapes=own_shapes(tmp_path / "own.ttl", constraint))
    assert finding.entity == ENTITY + "test-chip"
    assert finding.shape == "https://example.org/ChipShape"
    assert finding.what.startswith("Less than 1 value")
    assert finding.fix == "Change the data so that it fits the shape https://example.org/ChipShape."


def test_shapes_that_make_no_sense_are_a_bad_file(chip: Path, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="shapes cannot be used"):
        validate_files([chip], shapes=own_shapes(tmp_path / "broken.ttl", "sh:minCount 1"))


def test_a_file_takes_the_place_of_the_shipped_graph_of_its_name(tmp_path: Path) -> None:
    name = "trainium-chip-lab"
    text = (ROOT / "data" / "triples" / f"{name}.trig").read_text()
    edited = tmp_path / "edited.trig"
    edited.write_text(text.replace("aikg:certainty aikg:presumed", "aikg:certainty aikg:perhaps"))
    found = validate_files([edited])
    assert {(f.rule, f.graph) for f in found if f.severity == "violation"} == {
        ("certainty", SOURCE + name),
        ("undefined-term", SOURCE + name),
    }


def test_a_store_without_ontology_is_checked_too() -> None:
    inner = pyoxigraph.Store()
    inner.extend(read(FIXTURES / "registry.trig"))
    inner.extend(read(FIXTURES / "money.trig"))
    before = set(inner)
    assert {finding.rule for finding in validate(Store(inner))} == {"money"}
    assert set(inner) == before


def test_a_graph_named_by_its_file_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "my deal.ttl"
    path.write_text(f"PREFIX aikg: <{AIKG}>\n\n<urn:x:a> aikg:isFriendOf <urn:x:b> .\n")
    load.load([path], tmp_path / "store")
    found = validate(Folder(tmp_path / "store").open())
    assert {(finding.file, finding.line) for finding in found if finding.entity == "urn:x:a"} == {
        (str(path), 3)
    }


ONE = Finding(
    "money",
    "violation",
    SOURCE + "a",
    ENTITY + "deal",
    "The amount has no currency.",
    "State one.",
    "a.trig",
    7,
    AIKG + "MoneyShape",
)
OTHER = Finding(
    "shapes", "warning", "", "", "No shape: 100%\nof none.", "Check, please.", "b,c.ttl"
)


def test_text_is_grouped_by_file() -> None:
    assert written([ONE, OTHER], "text") == (
        "a.trig:7: ai:deal: The amount has no currency. [money]\nState one.\n\n"
        "b,c.ttl: warning: No shape: 100%\nof none. [shapes]\nCheck, please.\n"
    )


def test_json_has_every_field() -> None:
    first, second = json.loads(written([ONE, OTHER], "json"))
    assert first["entity"] == ENTITY + "deal" and first["line"] == 7
    assert first.keys() == second.keys() == set(Finding.__dataclass_fields__)


def test_annotations_are_one_line_each() -> None:
    assert written([ONE, OTHER], "github").splitlines() == [
        "::error file=a.trig,line=7,title=money::ai:deal: The amount has no currency. State one.",
        "::warning file=b%2Cc.ttl,title=shapes::No shape: 100%25%0Aof none. Check, please.",
    ]


def test_turtle_is_a_validation_report() -> None:
    report = rdflib.Graph().parse(io.StringIO(written([ONE, OTHER], "ttl")), format="turtle")
    [node] = report.subjects(rdflib.RDF.type, SH.ValidationReport)
    assert report.value(node, SH.conforms) == rdflib.Literal(False)
    results = set(report.objects(node, SH.result))
    severities = {report.value(result, SH.resultSeverity) for result in results}
    assert severities == {SH.Violation, SH.Warning}
    for result in results:
        for property in (SH.focusNode, SH.sourceConstraintComponent, SH.resultSeverity):
            assert len(list(report.objects(result, property))) == 1


def test_no_finding_conforms() -> None:
    report = rdflib.Graph().parse(io.StringIO(written([], "ttl")), format="turtle")
    assert list(report.objects(None, SH.conforms)) == [rdflib.Literal(True)]
    assert [written([], form) for form in FORMATS if form != "ttl"] == ["", "[]\n", ""]


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(BadOption, match=r"text.*json.*ttl.*github"):
        written([], "sarif")
