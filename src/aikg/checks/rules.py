"""Check queries: what spans graphs or needs the merged view. Each row is a fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyoxigraph import NamedNode

from aikg.checks.findings import Finding, Severity
from aikg.checks.source import shown
from aikg.files import Term
from aikg.store import Store, sparql


@dataclass(frozen=True, slots=True)
class Rule:
    """A check query with what its header says.

    `check` and `fix` hold the names of variables, such as `?term`, in place of what a row gives.
    A row's `?graph` and `?entity` tell where the fault is.
    """

    name: str
    severity: Severity
    check: str
    fix: str
    query: str

    def findings(self, store: Store) -> Iterator[Finding]:
        """Yield the faults in a store that holds the ontology and the merged view."""
        rows = store.rows(self.query)
        names = [variable.value for variable in rows.variables]
        for row in rows:
            values = {name: row[name] for name in names if row[name] is not None}
            yield Finding(
                self.name,
                self.severity,
                _iri(values.get("graph")),
                _iri(values.get("entity")),
                _filled(self.check, values),
                _filled(self.fix, values),
            )


def rules() -> list[Rule]:
    """Return the check queries that come with the code, by name.

    >>> [rule.check for rule in rules() if rule.name == "same-party"]
    ['?party is both its ?subjectRole and its ?objectRole.']
    """
    folder = Path(__file__).parent.parent / "sparql" / "checks"
    return [_rule(path.stem) for path in sorted(folder.glob("*.rq"))]


def _rule(name: str) -> Rule:
    query = sparql(f"checks/{name}")
    header = dict(re.findall(r"^# (\w+): (.+)$", query, re.M))
    severity: Severity = "warning" if header.get("Severity") == "warning" else "violation"
    return Rule(name, severity, header["Check"], header["Fix"], query)


def _iri(term: Term | None) -> str:
    return term.value if isinstance(term, NamedNode) else ""


def _filled(text: str, values: dict[str, Term]) -> str:
    """Return a sentence with the values of a row in place of the names of its variables.

    >>> _filled("It uses ?term.", {"term": NamedNode("https://w3id.org/aikg/ontology#Gpu")})
    'It uses aikg:Gpu.'
    """
    return re.sub(
        r"\?(\w+)",
        lambda found: shown(values[found[1]]) if found[1] in values else found[0],
        text,
    )
