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

DEEPEST = 50
"""Blank nodes nested deeper than this are named, so that a long list can be written."""

_NO_BASE = "x-no-base://none/"
"""The base of JSON-LD, whose relative IRIs would be dropped in silence if there were none."""

_CAUSES = {
    "No scheme found": "A relative IRI has no base",
    "LoadDocumentCallback": "A remote @context is not fetched; write it into the file",
}
_SHOWN = 160
"""Characters of a faulty line that an error shows."""

Resource = NamedNode | BlankNode | Triple
Term = Resource | Literal


def text_of(term: object) -> str:
    """Return the value of a term as text: IRI, lexical form, or blank node label."""
    return term.value if isinstance(term, (NamedNode, Literal)) else str(term)


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
    if not file.seekable():
        file = io.BytesIO(file.read())
    if file.read(len(BOM)) != BOM:
        file.seek(0)
    base = _NO_BASE if form == RdfFormat.JSON_LD else None
    try:
        for quad in parse(file, form, base_iri=base, rename_blank_nodes=True):
            if base is not None and _NO_BASE in str(quad):
                raise SyntaxError(f"No scheme found: {_relative(quad)}")
            yield quad
    except SyntaxError as error:
        line, column = _position(file, form, error)
        raise BadFile(
            f"{_reason(error)}.",
            where=f"{where}:{line}:{column}" if line else where,
            fix=_pointed(file, line, column) or f"Check that the file is {form.name}.",
        ) from None


def _relative(quad: Quad) -> str:
    """Return the relative IRI of a quad as its file has it."""
    found = re.search(re.escape(_NO_BASE) + "([^>]*)", str(quad))
    return f'"{found[1]}"' if found else ""


def _reason(error: SyntaxError) -> str:
    """Return what a parser says, without the position that is told apart, on one line."""
    text = " ".join(error.msg.split())
    for sign, words in _CAUSES.items():
        if sign in text:
            quoted = re.search(r"\".*\"|'.*'", text)
            return f"{words}: {quoted[0]}" if quoted else words
    text = re.sub(r"^Parser error (?:at|between) line \d+ [^:]*\d: ", "", text)
    return text.rstrip(".")


def _position(file: IO[bytes], form: RdfFormat, error: SyntaxError) -> tuple[int, int]:
    """Return line and column of a fault, from 1; (0, 0) where they cannot be known."""
    if error.lineno is not None:
        return error.lineno, error.offset or 1
    return _xml_position(file, _reason(error)) if form == RdfFormat.RDF_XML else (0, 0)


def _xml_position(file: IO[bytes], reason: str) -> tuple[int, int]:
    """Return where XML is ill-formed, else the first element that has what the reason quotes."""
    from xml.parsers import expat

    quoted = re.search(r"'(.*)'", reason) or re.search(r"^(.*) is not a valid", reason)
    found: list[tuple[int, int]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if quoted and quoted[1] in attributes.values():
            found.append((parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))

    file.seek(0)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    try:
        parser.ParseFile(file)
    except expat.ExpatError as error:
        found = found or [(error.lineno, error.offset + 1)]
    return found[0] if found else (0, 0)


def _pointed(file: IO[bytes], line: int, column: int) -> str:
    """Return a line with a caret under the column, or nothing where the file has no such line.

    Of a long line, the part around the column is shown.
    """
    file.seek(0)
    for number, raw in enumerate(file, 1):
        if number == line:
            text = raw.decode("utf-8", "replace").rstrip("\r\n").removeprefix("\ufeff")
            caret = min(column - 1, len(text))
            start = max(caret - _SHOWN // 2, 0) if len(text) > _SHOWN else 0
            return f"{text[start : start + _SHOWN]}\n{' ' * (caret - start)}^"
    return ""


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file that takes the place of `path` when all is written; on failure none does.

    The target of a link is replaced, not the link; a device or pipe is written to as it is.

    Raises:
        BadFile: the folder cannot be written.
    """
    from tempfile import NamedTemporaryFile

    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
            return
        target = path.resolve()
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            fresh = Path(file.name)
            try:
                yield file
                file.close()
                fresh.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
                fresh.replace(target)
            except BaseException:
                file.close()
                fresh.unlink(missing_ok=True)
                raise
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


def read_all(path: Path) -> Iterator[Quad]:
    """Yield the quads of a file, or of all RDF files in a folder and below it; see `read`.

    Raises:
        BadFile: a file cannot be read, or a folder holds none.

    >>> len({quad.graph_name for quad in read_all(shipped("data/triples"))}) > 1
    True
    """
    if not path.is_dir():
        yield from read(path)
        return
    files = [file for file in sorted(path.rglob("*")) if file.suffix.lower() in SUFFIXES]
    if not files:
        raise BadFile(
            "The folder holds no RDF file.",
            where=str(path),
            fix=f"RDF files end in {', '.join(SUFFIXES)}.",
        )
    for file in files:
        yield from read(file)


def canonicalized(quads: Iterable[Quad]) -> Dataset:
    """Return quads with their blank nodes named by what is said of them, so that they compare.

    Source:
        RDF Dataset Canonicalization 1.0 (https://www.w3.org/TR/rdf-canon/).
    """
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return dataset


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
    dataset = canonicalized(quads) if canonical else Dataset(quads)
    graphs: dict[str, list[Quad]] = defaultdict(list)
    for quad in dataset:
        name = "" if isinstance(quad.graph_name, DefaultGraph) else _term(quad.graph_name)
        graphs[name].append(quad)
    shared = _shared(graphs)
    bodies = []
    for name, members in sorted(graphs.items()):
        body = "\n".join(_Writer(members, shared).statements())
        bodies.append(f"GRAPH {name} {{\n{body}}}\n" if name else body)
    text = "\n".join(bodies)
    used = sorted(set(re.findall(r"(?<![<\w\"])([a-z]+):(?=[\w])", text)) & set(PREFIXES))
    heads = [f"PREFIX {prefix}: <{PREFIXES[prefix]}>\n" for prefix in used]
    return "".join(heads) + ("\n" if heads else "") + text


def _shared(graphs: dict[str, list[Quad]]) -> set[str]:
    """Return the blank nodes that stand in several graphs or name one."""
    homes = Counter(name for name in graphs if name.startswith("_:"))
    for quads in graphs.values():
        terms = (term for quad in quads for term in (quad.subject, quad.object))
        homes.update({str(node) for term in terms for node in _blank_nodes(term)})
    return {node for node, count in homes.items() if count > 1}


class _Writer:
    """The statements of one graph as Turtle.

    Args:
        quads: the graph.
        shared: blank nodes that stand elsewhere too, and so must be named.
    """

    def __init__(self, quads: list[Quad], shared: set[str]) -> None:
        self.by_subject: dict[Term, list[Quad]] = defaultdict(list)
        for quad in quads:
            self.by_subject[quad.subject].append(quad)
        uses = Counter(node for quad in quads for node in _blank_nodes(quad.object))
        inner = {n for q in quads if isinstance(q.object, Triple) for n in _blank_nodes(q.object)}
        once = {node for node, count in uses.items() if count == 1 and str(node) not in shared}
        self.nested = set[Term](once - inner) - self._in_cycle()
        self._flatten()

    def _flatten(self) -> None:
        """Name the blank nodes that would be nested too deeply."""
        todo = [(subject, 0) for subject in self.by_subject if subject not in self.nested]
        while todo:
            subject, depth = todo.pop()
            for quad in self.by_subject[subject]:
                if quad.object in self.nested and quad.object in self.by_subject:
                    if depth == DEEPEST:
                        self.nested.discard(quad.object)
                    todo.append((quad.object, (depth + 1) % (DEEPEST + 1)))

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


def _blank_nodes(term: Term) -> Iterator[BlankNode]:
    """Yield the blank nodes of a term, those of a triple term included."""
    if isinstance(term, BlankNode):
        yield term
    elif isinstance(term, Triple):
        yield from _blank_nodes(term.subject)
        yield from _blank_nodes(term.object)


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
    if isinstance(term, Triple):
        parts = _term(term.subject), _term(term.predicate), _term(term.object)
        return f"<<( {' '.join(parts)} )>>"
    return str(term)


def _literal(term: Literal) -> str:
    bare = {
        XSD + "integer": "[+-]?[0-9]+",
        XSD + "decimal": r"[+-]?[0-9]*\.[0-9]+",
        XSD + "boolean": "true|false",
    }
    datatype = term.datatype.value
    if datatype in bare and re.fullmatch(bare[datatype], term.value):
        return term.value
    quoted = str(Literal(term.value))
    return quoted if datatype == XSD + "string" else f"{quoted}^^{_term(term.datatype)}"
