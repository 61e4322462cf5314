"""The command line as a user meets it: streams, exit codes, messages, formats."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import networkx
import pytest
import rdflib

from aikg.cli import main
from aikg.names import PREFIXES

FOUR_ROWS = "SELECT ?chip { ?chip a aikg:Accelerator ; aikg:belongsToFamily ai:amazon-trainium }"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("path", "OpenAI", "Nobody At All"), 2),
        (("path", "OpenAI", "nope:x"), 2),
        (("path", "OpenAI", "openai"), 2),
        (("path", "OpenAI", "AWS", "--via", "nothing"), 2),
        (("path", "OpenAI", "AWS", "--k", "0"), 2),
        (("path", "Apple", "Uber", "--max-hops", "1"), 1),
        (("show", "Trainum"), 2),
        (("show", "ai:no-such-thing"), 2),
        (("query", "SELEC"), 2),
        (("query", "SELECT * { ?s foo:bar ?o }"), 2),
        (("query", "SELECT * { ?s ?p ?o }", "-f", "x.rq"), 2),
        (("query", "-f", "missing.rq"), 3),
        (("query", FOUR_ROWS, "--format", "ttl"), 2),
        (("query", "DESCRIBE ai:amazon", "--format", "csv"), 2),
        (("query", FOUR_ROWS, "-o", "answer.xyz"), 2),
        (("query", FOUR_ROWS, "-o", "no/such/folder/answer.csv"), 3),
        (("query", FOUR_ROWS, "--store", "no-store"), 3),
        (("load", "missing.ttl", "--store", "new-store"), 3),
        (("load", "missing.xyz", "--store", "new-store"), 3),
        (("load", "-", "--store", "new-store"), 2),
        (("export", "-o", "graph.xyz"), 2),
        (("no-such-command",), 2),
        (("path", "OpenAI"), 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_bad_call_says_what_and_exits_by_the_rules(
    aikg: Any, words: tuple[str, ...], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = aikg(*words)
    assert run.exit_code == code
    assert run.stdout == ""
    assert run.stderr.strip()
    assert "Traceback" not in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_near_miss_names_the_nearest_entities(aikg: Any) -> None:
    assert "Trainium" in aikg("show", "Trainum").stderr


def test_broken_query_shows_line_column_and_caret(aikg: Any) -> None:
    run = aikg("query", "SELECT ?x {\n ?x a foo:Chip }")
    assert "query:2:" in run.stderr
    shown = run.stderr.splitlines()
    assert " ?x a foo:Chip }" in shown
    assert shown[shown.index(" ?x a foo:Chip }") + 1].strip() == "^"


def test_failing_query_leaves_the_output_file_as_it_was(aikg: Any, tmp_path: Path) -> None:
    kept = tmp_path / "out.csv"
    kept.write_text("keep\n")
    assert aikg("query", "SELEC", "-o", str(kept)).exit_code == 2
    assert kept.read_text() == "keep\n"
    assert [file.name for file in tmp_path.iterdir()] == ["out.csv"]


def test_query_comes_as_text_from_file_or_from_standard_input(aikg: Any, tmp_path: Path) -> None:
    file = tmp_path / "q.rq"
    file.write_bytes(b"\xef\xbb\xbf" + FOUR_ROWS.encode())
    expected = aikg("query", FOUR_ROWS).stdout
    assert expected.count("\n") == 4
    assert aikg("query", "-f", str(file)).stdout == expected
    assert aikg("query", stdin=b"\xef\xbb\xbf" + FOUR_ROWS.encode()).stdout == expected


def test_the_querys_own_prefix_wins(aikg: Any) -> None:
    own = "PREFIX ai: <https://example.org/> ASK { ai:amazon ?p ?o }"
    assert aikg("query", own).stdout == "false\n"
    assert aikg("query", "ASK { ai:amazon ?p ?o }").stdout == "true\n"


def test_rows_come_in_every_result_format(aikg: Any) -> None:
    chips = {f"https://w3id.org/aikg/id/amazon-trainium{number}" for number in "123"}

    def printed(form: str) -> str:
        return str(aikg("query", FOUR_ROWS, "--format", form).stdout)

    assert set(printed("csv").split()[1:]) == chips
    assert set(printed("tsv").split()[1:]) == {f"<{chip}>" for chip in chips}
    bindings = json.loads(printed("json"))["results"]["bindings"]
    assert {row["chip"]["value"] for row in bindings} == chips
    tree = ElementTree.fromstring(printed("xml"))
    assert {uri.text for uri in tree.iter() if uri.tag.endswith("uri")} == chips
    for chip in ("ai:amazon-trainium1", "ai:amazon-trainium3"):
        assert chip in printed("table")


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "json", "xml"])
def test_ask_is_answered_in_every_format(aikg: Any, form: str) -> None:
    run = aikg("query", "ASK { ai:amazon aikg:hasAcquired ai:annapurna-labs }", "--format", form)
    assert run.exit_code == 0
    assert "true" in run.stdout


@pytest.mark.parametrize(
    ("form", "parser"),
    [("ttl", "turtle"), ("nt", "nt"), ("rdfxml", "xml"), ("jsonld", "json-ld")],
)
def test_triples_come_in_every_rdf_format(aikg: Any, form: str, parser: str) -> None:
    triples = "CONSTRUCT { ?a aikg:uses ?b } { ?a aikg:uses ?b } ORDER BY ?a ?b LIMIT 6"
    run = aikg("query", triples, "--format", form)
    graph = rdflib.Graph()
    graph.parse(data=run.stdout, format=parser)
    assert len(graph) == 6


@pytest.mark.parametrize(("form", "parser"), [("trig", "trig"), ("nq", "nquads")])
def test_triples_come_in_every_dataset_format(aikg: Any, form: str, parser: str) -> None:
    run = aikg("query", "DESCRIBE ai:amazon", "--format", form)
    dataset = rdflib.Dataset()
    dataset.parse(data=run.stdout, format=parser)
    assert len(list(dataset.quads())) > 10


def test_output_format_follows_the_suffix(aikg: Any, tmp_path: Path) -> None:
    assert aikg("query", FOUR_ROWS, "-o", str(tmp_path / "a.json")).exit_code == 0
    assert json.loads((tmp_path / "a.json").read_text())["head"]["vars"] == ["chip"]
    assert aikg("path", "Apple", "Trainium", "-o", str(tmp_path / "p.json")).exit_code == 0
    assert json.loads((tmp_path / "p.json").read_text())[0]["certainty"]["label"] == "presumed"


def test_empty_answer_is_a_header_and_no_fault(aikg: Any) -> None:
    run = aikg("query", "SELECT ?x { ?x aikg:uses ai:nobody }", "--format", "csv")
    assert (run.exit_code, run.stdout) == (0, "x\n")


def test_closed_pipe_is_no_fault() -> None:
    command = f"{sys.executable} -m aikg query 'SELECT * {{ ?s ?p ?o }}' --format csv"
    piped = f"set -o pipefail; {command} | head -n 1"
    run = subprocess.run(["bash", "-c", piped], capture_output=True, check=False)
    assert sorted(run.stdout.strip().split(b",")) == [b"o", b"p", b"s"]
    assert run.stderr == b""


def test_presumed_link_says_so(aikg: Any) -> None:
    run = aikg("path", "Apple", "Annapurna Labs")
    assert run.exit_code == 0
    assert "presumed" in run.stdout
    assert "not settled" in run.stdout


def test_path_in_json_has_full_iris_and_numbers(aikg: Any) -> None:
    [path] = json.loads(aikg("path", "Amazon", "OpenAI", "--format", "json").stdout)
    [hop] = path["hops"]
    [fact] = [f for f in hop["facts"] if f["source"]["iri"].endswith("/trainium-chip-lab")]
    assert fact["relation"]["iri"] == "https://w3id.org/aikg/ontology#investsIn"
    assert fact["quantities"][0]["value"] == 50_000_000_000
    assert fact["quantities"][0]["unit"] == "USD"
    assert fact["source"]["iri"].startswith("https://w3id.org/aikg/source/")


def test_path_obeys_family_direction_and_length(aikg: Any) -> None:
    assert aikg("path", "OpenAI", "Amazon", "--directed", "--max-hops", "1").exit_code == 1
    assert aikg("path", "Amazon", "OpenAI", "--directed", "--max-hops", "1").exit_code == 0
    assert aikg("path", "Amazon", "OpenAI", "--via", "compute", "--max-hops", "1").exit_code == 1
    shown = aikg("path", "OpenAI", "Annapurna Labs", "--k", "3").stdout
    assert len(re.findall(r"^OpenAI → Annapurna Labs: ", shown, re.MULTILINE)) == 3


def test_answers_come_in_spanish(aikg: Any) -> None:
    assert "adquirió" in aikg("path", "Amazon", "Annapurna Labs", "--lang", "es").stdout
    assert "acelerador" in aikg("show", "Trainium3", "--lang", "es").stdout


def test_show_gives_facts_claims_and_sources(aikg: Any) -> None:
    shown = aikg("show", "Nvidia").stdout
    assert "about 81 %" in shown
    assert "estimated" in shown
    assert "src:trainium-vs-nvidia" in shown


def test_loaded_store_answers_every_command(aikg: Any, tmp_path: Path) -> None:
    data = tmp_path / "deals.trig"
    data.write_text(
        "PREFIX ex: <https://example.org/> PREFIX aikg: <https://w3id.org/aikg/ontology#>\n"
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
        "GRAPH ex:report { ex:a rdfs:label 'Alpha' . ex:b rdfs:label 'Beta' .\n"
        "ex:deal a aikg:Investment ; aikg:investor ex:a ; aikg:investee ex:b ;\n"
        "  aikg:status aikg:agreed ; aikg:certainty aikg:confirmed }\n"
    )
    store = ("--store", str(tmp_path / "store"))
    loaded = aikg("load", str(data), *store)
    assert (loaded.exit_code, loaded.stdout) == (0, "")
    assert "invested in" in aikg("path", "Alpha", "Beta", *store).stdout
    assert "Beta" in aikg("show", "Alpha", *store).stdout
    assert "Alpha" in aikg("search", "alp", *store).stdout
    assert "investment" in aikg("stats", *store).stdout
    ask = "ASK { ?a aikg:investsIn ?b }"
    assert aikg("query", ask, *store).stdout == "true\n"
    assert aikg("export", "-o", str(tmp_path / "g.graphml"), *store).exit_code == 0
    assert networkx.read_graphml(tmp_path / "g.graphml").number_of_edges() == 1


def test_export_writes_the_bundled_graph_for_each_reader(aikg: Any, tmp_path: Path) -> None:
    counts = set()
    for form in ("graphml", "gexf", "json"):
        file = tmp_path / f"graph.{form}"
        assert aikg("export", "-o", str(file)).exit_code == 0
        if form == "json":
            graph = networkx.node_link_graph(json.loads(file.read_text()), edges="edges")
        else:
            graph = getattr(networkx, f"read_{form}")(file)
        counts.add((graph.number_of_nodes(), graph.number_of_edges()))
    [(nodes, edges)] = counts
    assert nodes > 20
    assert edges > 40


def test_heavy_libraries_stay_out_of_the_start_path() -> None:
    for words in (
        ["--help"],
        ["query", "ASK { ?s ?p ?o }"],
        ["show", "OpenAI"],
        ["path", "OpenAI", "AWS"],
    ):
        code = (
            "import sys\nfrom aikg.cli import main\n"
            f"sys.argv = ['aikg', *{words!r}]\n"
            "try:\n    main()\nexcept SystemExit:\n    pass\n"
            "heavy = {'rdflib', 'networkx', 'pyshacl', 'rich', 'rapidfuzz'}\n"
            "print(sorted(heavy & set(sys.modules)))"
        )
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        assert run.stdout.decode().splitlines()[-1] == "[]", words


@pytest.mark.parametrize("name", sorted(main.commands))
def test_help_says_what_and_gives_an_example(aikg: Any, name: str) -> None:
    run = aikg(name, "--help")
    assert run.exit_code == 0
    assert f"Example: aikg {name}" in " ".join(run.stdout.split())


def test_version_is_that_of_the_package(aikg: Any) -> None:
    assert aikg("--version").stdout == "aikg, version 0.1.0\n"


HEAD = "".join(f"PREFIX {prefix}: <{PREFIXES[prefix]}>\n" for prefix in ("ai", "aikg", "src"))


def test_validate_passes_the_bundled_graph(aikg: Any) -> None:
    run = aikg("validate")
    assert run.exit_code == 0, run.stdout
    assert run.stderr.startswith("0 violations")


def test_validate_tells_place_fault_and_mending(aikg: Any, tmp_path: Path) -> None:
    path = tmp_path / "deal.trig"
    path.write_text(f"{HEAD}GRAPH src:x {{\nai:d a aikg:Loan ; aikg:lender ai:amazon .\n}}\n")
    run = aikg("validate", str(path))
    assert run.exit_code == 1
    assert f"{path}:5: ai:d: It does not have exactly one certainty" in run.stdout
    assert "State aikg:certainty once" in run.stdout
    found = json.loads(aikg("validate", str(path), "--format", "json").stdout)
    assert f"{len(found)} violations, 0 warnings." in run.stderr
    assert {"entity", "file", "fix", "graph", "line", "rule", "severity", "what"} <= set(found[0])
    assert aikg("validate", str(path), "--format", "github").stdout.startswith("::error file=")
    report = rdflib.Graph().parse(data=aikg("validate", str(path), "--format", "ttl").stdout)
    assert len(list(report.subjects(rdflib.RDF.type, rdflib.SH.ValidationResult))) == len(found)


def test_validate_checks_data_of_ones_own_by_shapes_of_ones_own(aikg: Any, tmp_path: Path) -> None:
    data, shapes = tmp_path / "data.ttl", tmp_path / "shapes.ttl"
    data.write_text("<urn:a> a <urn:Person> . <urn:b> a <urn:Person> ; <urn:name> 'B' .")
    shapes.write_text(
        "PREFIX sh: <http://www.w3.org/ns/shacl#>\n<urn:S> a sh:NodeShape ;"
        " sh:targetClass <urn:Person> ; sh:property [ sh:path <urn:name> ; sh:minCount 1 ] ."
    )
    store = str(tmp_path / "store")
    assert aikg("load", str(data), "--store", store).exit_code == 0
    for words in ([str(data)], ["--store", store]):
        run = aikg("validate", *words, "--shapes", str(shapes))
        assert run.exit_code == 1
        assert run.stderr == "1 violation, 0 warnings.\n"
        assert "urn:a: Less than 1 values" in run.stdout


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["none.trig"], 3, "none.trig: The file cannot be read"),
        (["x.trig", "--store", "y"], 2, "Give FILES or --store, not both."),
        (["--store", "none"], 3, "There is no store in this folder"),
        (["--shapes", "none.ttl"], 3, "none.ttl: The file cannot be read"),
    ],
)
def test_validate_tells_bad_input(aikg: Any, words: list[str], code: int, told: str) -> None:
    run = aikg("validate", *words)
    assert (run.exit_code, run.stdout) == (code, "")
    assert told in run.stderr
