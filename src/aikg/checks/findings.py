"""A fault that a check found, and findings as text, JSON, Turtle and annotations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Literal as OneOf
from typing import get_args

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from aikg.errors import BadOption
from aikg.files import to_text
from aikg.names import DCTERMS, SHACL, TYPE, XSD, shorten

Severity = OneOf["violation", "warning"]

FORMATS = ("text", "json", "ttl", "github")
"""The formats that `written` knows."""

_LEVELS = {"violation": "error", "warning": "warning"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault.

    Args:
        rule: name of the check query, or of the shape in words with hyphens.
        severity: `violation`, or `warning` where the data may be right.
        graph: IRI of the source graph that holds the fault; empty where none does.
        entity: IRI of the entity, event, claim, source or term at fault; that of the owner where
            the fault is in a quantity; empty where nothing is.
        what: what is wrong, as a full sentence.
        fix: what to do about it, as a full sentence.
        file: the file that holds the graph, where it is known.
        line: the line on which the entity starts in it, counted from 1; 0 where unknown.
        shape: IRI of the shape that the entity does not fit; empty for a check query.
    """

    rule: str
    severity: Severity
    graph: str
    entity: str
    what: str
    fix: str
    file: str = ""
    line: int = 0
    shape: str = ""

    @property
    def where(self) -> str:
        """File and line, else the graph, else the rule.

        >>> Finding("label", "warning", "", "", "What.", "Fix.", "a.trig", 7).where
        'a.trig:7'
        """
        if self.file:
            return f"{self.file}:{self.line}" if self.line else self.file
        return shorten(self.graph) if self.graph else self.rule

    @property
    def subject(self) -> str:
        """The entity at fault as a CURIE, empty where there is none."""
        return shorten(self.entity) if self.entity else ""


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings once each, by file, graph, line, entity and rule."""
    return sorted(
        set(findings),
        key=lambda f: (f.file, f.graph, f.line, f.entity, f.rule, f.severity, f.what, f.fix),
    )


def written(findings: Sequence[Finding], form: str) -> str:
    """Return findings in one of `FORMATS`.

    Raises:
        BadOption: there is no such format.
    """
    writers = {"text": to_lines, "json": to_json, "ttl": to_turtle, "github": to_annotations}
    if form not in writers:
        raise BadOption(
            f'Findings cannot be written as "{form}".',
            where="--format",
            fix=f"Known formats: {', '.join(FORMATS)}.",
        )
    return writers[form](findings)


def summary(findings: Sequence[Finding]) -> str:
    """Return how many faults there are, as a sentence.

    >>> summary([Finding("label", "warning", "", "urn:x", "It has no label.", "Add one.")])
    '0 violations, 1 warning.'
    """
    counts = Counter(finding.severity for finding in findings)
    words = (
        f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}" for kind in get_args(Severity)
    )
    return ", ".join(words) + "."


def to_lines(findings: Sequence[Finding]) -> str:
    r"""Return findings as text: where, what and the rule, then what to do; a block for each file.

    >>> found = Finding("label", "warning", "", "urn:x", "It has no label.", "Add one.", "a.ttl", 2)
    >>> print(to_lines([found]), end="")
    a.ttl:2: urn:x: warning: It has no label. [label]
    Add one.
    """
    blocks = [
        "".join(f"{_line(finding)}\n{finding.fix}\n" for finding in group)
        for _, group in groupby(findings, key=lambda finding: finding.file or finding.graph)
    ]
    return "\n".join(blocks)


def _line(finding: Finding) -> str:
    warning = "warning: " if finding.severity == "warning" else ""
    subject = f"{finding.subject}: " if finding.subject else ""
    return f"{finding.where}: {subject}{warning}{finding.what} [{finding.rule}]"


def to_json(findings: Sequence[Finding]) -> str:
    """Return findings as a JSON list of objects, with every field of `Finding`."""
    records = [asdict(finding) for finding in findings]
    return json.dumps(records, ensure_ascii=False, indent=2) + "\n"


def to_annotations(findings: Sequence[Finding]) -> str:
    r"""Return findings as annotations, which GitHub shows beside the lines of a change.

    Source:
        https://docs.github.com/actions/reference/workflow-commands-for-github-actions

    >>> found = Finding("label", "violation", "", "urn:x", "50% is no\nlabel.", "Add one.", "a,b")
    >>> print(to_annotations([found]), end="")
    ::error file=a%2Cb,title=label::urn:x: 50%25 is no%0Alabel. Add one.
    """
    return "".join(f"{_annotation(finding)}\n" for finding in findings)


def _annotation(finding: Finding) -> str:
    places = {
        "file": finding.file,
        "line": str(finding.line or ""),
        "title": finding.rule,
    }
    told = ",".join(f"{key}={_escaped(text, ':,')}" for key, text in places.items() if text)
    place = "" if finding.file else f"{finding.where}: "
    subject = f"{finding.subject}: " if finding.subject else ""
    message = _escaped(f"{place}{subject}{finding.what} {finding.fix}")
    return f"::{_LEVELS[finding.severity]} {told}::{message}"


def _escaped(text: str, more: str = "") -> str:
    """Return text with the characters that end a workflow command as percent codes."""
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def to_turtle(findings: Sequence[Finding]) -> str:
    """Return findings as a SHACL validation report in Turtle.

    A result names its rule by `dcterms:identifier` and the source graph by `dcterms:source`, for
    which SHACL has no terms.

    Source:
        SHACL, section 3 (https://www.w3.org/TR/shacl/#validation-report).
    """
    report = BlankNode("report")
    conforms = Literal(str(not findings).lower(), datatype=NamedNode(XSD + "boolean"))
    quads = [
        Quad(report, TYPE, NamedNode(SHACL + "ValidationReport")),
        Quad(report, NamedNode(SHACL + "conforms"), conforms),
    ]
    for number, finding in enumerate(findings):
        result = BlankNode(f"result{number}")
        quads.append(Quad(report, NamedNode(SHACL + "result"), result))
        quads += [Quad(result, property, term) for property, term in _result(finding)]
    return to_text(quads, canonical=False)


def _result(finding: Finding) -> Iterator[tuple[NamedNode, NamedNode | Literal]]:
    component = "NodeConstraintComponent" if finding.shape else "SPARQLConstraintComponent"
    yield TYPE, NamedNode(SHACL + "ValidationResult")
    yield NamedNode(SHACL + "focusNode"), NamedNode(finding.entity or finding.graph or SHACL)
    yield NamedNode(SHACL + "resultSeverity"), NamedNode(SHACL + finding.severity.capitalize())
    yield NamedNode(SHACL + "resultMessage"), Literal(f"{finding.what} {finding.fix}")
    yield NamedNode(SHACL + "sourceConstraintComponent"), NamedNode(SHACL + component)
    yield NamedNode(DCTERMS + "identifier"), Literal(finding.rule)
    if finding.shape:
        yield NamedNode(SHACL + "sourceShape"), NamedNode(finding.shape)
    if finding.graph:
        yield NamedNode(DCTERMS + "source"), NamedNode(finding.graph)
