"""What `stats --coverage` counts, on a graph small enough to count by hand."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from aikg.names import PREFIXES

HEAD = "".join(f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in PREFIXES.items())
DATA = (
    HEAD
    + """
GRAPH src:registry { ai:a a aikg:Organization ; rdfs:label "A"@en .
    ai:b a aikg:Organization ; rdfs:label "B"@en . ai:c a aikg:UnnamedParty ; rdfs:label "C"@en }
GRAPH src:one { src:one dcterms:publisher "Daily" ; dcterms:issued "2025-03"^^xsd:gYearMonth .
    ai:told a aikg:Loan ; aikg:lender ai:a ; aikg:borrower ai:b ; aikg:certainty aikg:asserted ;
        aikg:amount [ schema:value 5 ; schema:currency "USD" ] .
    ai:bare a aikg:Loan ; aikg:lender ai:a ; aikg:borrower ai:b ; aikg:certainty aikg:rumoured .
    ai:same a aikg:Loan ; aikg:lender ai:a ; aikg:borrower ai:b ; aikg:certainty aikg:asserted .
    ai:copied a aikg:Loan ; aikg:lender ai:a ; aikg:borrower ai:c ; aikg:certainty aikg:asserted }
GRAPH src:two { src:two dcterms:publisher "Weekly" ; dcterms:issued "2025-04-01"^^xsd:date .
    ai:told a aikg:Loan ; aikg:lender ai:a ; aikg:borrower ai:b ; aikg:certainty aikg:asserted }
GRAPH src:again { src:again dcterms:publisher "DAILY" ; dcterms:issued "2024"^^xsd:gYear .
    ai:same a aikg:Loan ; aikg:lender ai:a ; aikg:borrower ai:b ; aikg:certainty aikg:asserted }
GRAPH src:copy { src:copy dcterms:publisher "Copyist" ; prov:wasDerivedFrom src:one .
    ai:copied a aikg:Loan ; aikg:lender ai:a ; aikg:borrower ai:c ; aikg:certainty aikg:asserted }
"""
)


@pytest.fixture
def store(aikg: Any, tmp_path: Path) -> list[str]:
    (tmp_path / "deals.trig").write_text(DATA)
    store = ["--store", str(tmp_path / "store")]
    assert aikg("load", str(tmp_path / "deals.trig"), *store).exit_code == 0
    return store


def test_coverage_counts_what_is_told_well_and_by_whom(aikg: Any, store: list[str]) -> None:
    run = aikg("stats", "--coverage", "--format", "csv", *store)
    rows = {row.pop("what"): list(row.values()) for row in csv.DictReader(run.stdout.splitlines())}
    assert rows == {
        "class: event": ["4", "1", "3", "1", "25 %", "2025-04-01"],
        "class: loan": ["4", "1", "3", "1", "25 %", "2025-04-01"],
        "class: organization": ["3", "2", "3", "2", "67 %", "2025-04-01"],
        "class: unnamed party": ["1", "0", "1", "0", "0 %", "2025-03"],
        "certainty: asserted": ["3", "1", "3", "1", "33 %", "2025-04-01"],
        "certainty: rumoured": ["1", "0", "0", "0", "0 %", "2025-03"],
    }


def test_coverage_as_json_has_numbers(aikg: Any, store: list[str]) -> None:
    records = json.loads(aikg("stats", "--coverage", "--format", "json", *store).stdout)
    assert records[0] == {
        "what": "class: event",
        "members": 4,
        "counted": 1,
        "two_sources": 3,
        "two_publishers": 1,
        "newest": "2025-04-01",
    }


def test_coverage_speaks_spanish(aikg: Any, store: list[str]) -> None:
    assert "class: préstamo" in aikg("stats", "--coverage", "--lang", "es", *store).stdout
