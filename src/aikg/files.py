"""RDF files: find the shipped ones, read any, write Turtle and TriG in one canonical order."""

from __future__ import annotations

import io
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pyoxigraph import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    QuadParser,
    RdfFormat,
    Triple,
    parse,
)

from aikg.errors import BadFile, BadOption
from aikg.names import PREFIXES, TYPE, XSD, shorten

SUFFIXES = {
    ".ttl": RdfFormat.TURTLE,
    ".trig": RdfFormat.TRIG,
    ".nt": RdfFormat.N_TRIPLES,
    ".nq": RdfFormat.N_QUADS,
    ".rdf": RdfFormat.RDF_XML,
    ".owl": RdfFormat.RDF_XML,
    ".xml": RdfFormat.RDF_XML,
    ".jsonld": RdfFormat.JSON_LD,
    ".json": RdfFormat.JSON_LD,
}
"""RDF formats by file suffix, in lower case."""

FORMATS = {
    "ttl": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "nt": RdfFormat.N_TRIPLES,
    "nq": RdfFormat.N_QUADS,
    "rdfxml": RdfFormat.RDF_XML,
    "jsonld": RdfFormat.JSON_LD,
}
"""RDF formats by the name that `--format` takes."""

BOM = b"\xef\xbb\xbf"

Resource = NamedNode | BlankNode | Triple
Term = Resource | Literal


def shipped(folder: str) -> Path:
    """Return a folder that comes with aikg: `ontology`, `data/triples` or `queries`.

    An installed package holds it beside its modules; a checkout holds it at its top level, so
    that an editable install answers from the files being edited.

    Raises:
        BadFile: neither place has it, so the installation is incomplete.

    >>> (shipped("ontology") / "aikg.ttl").is_file()
    True
    """
    package = Path(__file__).parent
    for base in (package / "shipped", package.parent.parent):
        if (base / folder).is_dir():
            return base / folder
    raise BadFile(
        "This part of aikg is missing.",
        where=str(package / "shipped" / folder),
        fix="Install aikg again.",
    )


def format_of(path: Path) -> RdfFormat:
    """Return the RDF format that a file's suffix names, in any case.

    Raises:
        BadFile: the suffix names no RDF format.

    >>> format_of(Path("Deals.TTL")).name
    'Turtle'
    """
    try:
        return SUFFIXES[path.suffix.lower()]
    except KeyError:
        raise BadFile(
            f'The suffix "{path.suffix}" names no RDF format.',
            where=str(path),
            fix=f"Known suffixes: {', '.join(SUFFIXES)}. Or name the format with --format.",
        ) from None


def named_format(name: str) -> RdfFormat:
    """Return the RDF format that `--format` names.

    Raises:
        BadOption: there is no such format.

    >>> named_format("nt").media_type
    'application/n-triples'
    """
    try:
        return FORMATS[name]
    except KeyError:
        raise BadOption(
            f'"{name}" is no RDF format.',
            where="--format",
            fix=f"Known formats: {', '.join(FORMATS)}.",
        ) from None


def read(path: Path, form: RdfFormat | None = None) -> Iterator[Quad]:
    """Yield the quads of a file, with blank nodes that are new to this reading.

    Triples of formats without graphs come in the default graph. A byte order mark is skipped.

    Raises:
        BadFile: the file cannot be read, its format is unknown, or its text is broken; the message
            holds line and column, and nothing after the fault is read.

    >>> [shorten(q.predicate.value) for q in read(shipped("ontology") / "rules.ttl")][:1]
    ['rdf:type']
    """
    form = form or format_of(path)
    try:
        with path.open("rb") as file:
            yield from _parsed(file, form, str(path))
    except OSError as error:
        raise BadFile(
            f"The file cannot be read: {error.strerror or error}.",
            where=str(path),
            fix="Check the path and its permissions.",
        ) from None


def read_bytes(text: bytes, form: RdfFormat, where: str = "standard input") -> Iterator[Quad]:
    """Yield the quads of a text that is already in memory; see `read`."""
    yield from _parsed(io.BytesIO(text), form, where)


def _parsed(file: IO[bytes], form: RdfFormat, where: str) -> Iterator[Quad]:
    if file.read(len(BOM)) != BOM:
        file.seek(0)
    quads: QuadParser | None = None
    try:
        quads = parse(file, form, rename_blank_nodes=True)
        yield from quads
    except SyntaxError as error:
        raise BadFile(
            f"{_reason(error)}.",
            where=f"{where}:{error.lineno}:{error.offset}" if error.lineno else where,
            fix=_line(file, error) or f"Check that the file is {form.name}.",
        ) from None


def _reason(error: SyntaxError) -> str:
    """Return what a parser says, without the position that is told apart, on one line."""
    text = " ".join(error.msg.split())
    found = re.match(r"Parser error at line \d+ (?:between columns \d+ and \d+|column \d+): ", text)
    return text[found.end() :] if found else text


def _line(file: IO[bytes], error: SyntaxError) -> str:
    """Return the faulty line with a caret under the column, or nothing where it is unknown."""
    if error.lineno is None:
        return ""
    file.seek(0)
    for number, line in enumerate(file, 1):
        if number == error.lineno:
            text = line.decode("utf-8", "replace").rstrip("\r\n").removeprefix("\ufeff")[:200]
            column = max((error.offset or 1) - 1, 0)
            return f"{text}\n{' ' * min(column, len(text))}^"
    return ""


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file that takes the place of `path` when all is written; on failure none does.

    Raises:
        BadFile: the folder cannot be written.
    """
    from tempfile import NamedTemporaryFile

    try:
        with NamedTemporaryFile(
            dir=path.parent,
            prefix=f".{path.name}.",
            delete=False,
        ) as file:
            fresh = Path(file.name)
            try:
                yield file
            except BaseException:
                file.close()
                fresh.unlink(missing_ok=True)
                raise
        fresh.chmod(0o666 & ~_umask())
        fresh.replace(path)
    except OSError as error:
        raise BadFile(
            f"The file cannot be written: {error.strerror or error}.",
            where=str(path),
            fix="Check the folder and its permissions.",
        ) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def to_text(quads: Iterable[Quad], *, canonical: bool = True) -> str:
    """Return quads as Turtle, or as TriG if any is in a named graph, in canonical order.

    Equal sets of quads give equal texts: terms are sorted, one statement stands on a line, blank
    nodes that are used once are nested, others are named by RDFC-1.0
    (https://www.w3.org/TR/rdf-canon/), so that a line diff shows a change of meaning alone.
    RDFC-1.0 can take very long on graphs made to that end; without `canonical`, blank nodes keep
    their labels.

    >>> print(to_text([Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("c"))]), end="")
    <urn:a>
        <urn:b> "c" .
    """
    dataset = Dataset(quads)
    if canonical:
        dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    graphs: dict[str, list[Quad]] = defaultdict(list)
    for quad in dataset:
        name = "" if isinstance(quad.graph_name, DefaultGraph) else _term(quad.graph_name)
        graphs[name].append(quad)
    bodies = []
    for name, members in sorted(graphs.items()):
        body = "\n".join(_Writer(members).statements())
        bodies.append(f"GRAPH {name} {{\n{body}}}\n" if name else body)
    text = "\n".join(bodies)
    used = sorted(set(re.findall(r"(?<![<\w\"])([a-z]+):(?=[\w])", text)) & set(PREFIXES))
    heads = [f"PREFIX {prefix}: <{PREFIXES[prefix]}>\n" for prefix in used]
    return "".join(heads) + ("\n" if heads else "") + text


class _Writer:
    """The statements of one graph as Turtle."""

    def __init__(self, quads: list[Quad]) -> None:
        self.by_subject: dict[Term, list[Quad]] = defaultdict(list)
        for quad in quads:
            self.by_subject[quad.subject].append(quad)
        uses = Counter(quad.object for quad in quads if isinstance(quad.object, BlankNode))
        self.nested = {node for node, count in uses.items() if count == 1} - self._in_cycle()

    def _in_cycle(self) -> set[Term]:
        """Return the blank nodes that no statement of a subject outside their cycle reaches."""
        reached: set[Term] = set()
        heads: list[Term] = [s for s in self.by_subject if not isinstance(s, BlankNode)]
        objects = {q.object for quads in self.by_subject.values() for q in quads}
        heads += [s for s in self.by_subject if isinstance(s, BlankNode) and s not in objects]
        while heads:
            subject = heads.pop()
            if subject not in reached:
                reached.add(subject)
                heads += [
                    q.object
                    for q in self.by_subject.get(subject, ())
                    if isinstance(q.object, BlankNode)
                ]
        return {s for s in self.by_subject if s not in reached}

    def statements(self) -> Iterator[str]:
        """Yield one block a subject, each ended by a newline."""
        subjects = [s for s in self.by_subject if s not in self.nested]
        for subject in sorted(subjects, key=_term):
            yield f"{_term(subject)}\n{self._predicates(subject, '    ')} .\n"

    def _predicates(self, subject: Term, indent: str) -> str:
        lines = sorted(
            ((_rank(quad), _predicate(quad.predicate), self._object(quad.object, indent)))
            for quad in self.by_subject[subject]
        )
        return " ;\n".join(f"{indent}{predicate} {value}" for _, predicate, value in lines)

    def _object(self, term: Term, indent: str) -> str:
        if term not in self.nested:
            return _term(term)
        if term not in self.by_subject:
            return "[]"
        return f"[\n{self._predicates(term, indent + '    ')}\n{indent}]"


def _rank(quad: Quad) -> int:
    return 0 if quad.predicate == TYPE else 1


def _predicate(predicate: NamedNode) -> str:
    return "a" if predicate == TYPE else _term(predicate)


def _term(term: Term) -> str:
    """Return a term as Turtle writes it, with a CURIE where a prefix fits."""
    if isinstance(term, NamedNode):
        short = shorten(term.value)
        return str(term) if short == term.value else short
    if isinstance(term, Literal) and term.language is None:
        return _literal(term)
    return str(term)


def _literal(term: Literal) -> str:
    bare = {
        XSD + "integer": r"[+-]?\d+",
        XSD + "decimal": r"[+-]?\d*\.\d+",
        XSD + "boolean": "true|false",
    }
    datatype = term.datatype.value
    if datatype in bare and re.fullmatch(bare[datatype], term.value):
        return term.value
    quoted = str(Literal(term.value))
    return quoted if datatype == XSD + "string" else f"{quoted}^^{_term(term.datatype)}"
