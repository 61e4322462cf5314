"""Put Turtle and TriG files into the one canonical order, and never lose what they say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pyoxigraph import RdfFormat

from aikg.errors import BadFile, BadOption
from aikg.files import canonicalized, format_of, read, read_bytes, replacing, to_text

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"(?:[^"\\\n\r]|\\.)*"'
    r"|'(?:[^'\\\n\r]|\\.)*'"
    r"|<[^\s<>\"{}|^`]*>"
    r"|\\."
    r"|(?P<comment>#[^\n\r]*)",
    re.DOTALL,
)
"""What may hold a number sign in Turtle and TriG: strings, IRIs, escapes; and a comment.

Source: RDF 1.1 Turtle, section 6 (https://www.w3.org/TR/turtle/#sec-grammar).
"""


def unformatted(paths: Iterable[Path]) -> list[Path]:
    """Return the files that are not in canonical form, as they were named.

    Raises:
        BadFile: a file is missing, broken, or neither Turtle nor TriG.

    >>> from aikg.files import shipped
    >>> unformatted([shipped("ontology") / "aikg.ttl"])
    []
    """
    return [path for path in paths if _formatted(path).encode() != path.read_bytes()]


def format_files(paths: Sequence[Path], *, drop_comments: bool = False) -> list[Path]:
    """Write files in canonical form and return those that changed.

    All files are read before any is written. Each is replaced in one step, after what was written
    has been read again and found to state the same.

    Args:
        paths: Turtle and TriG files.
        drop_comments: whether comments may be lost; RDF does not hold them.

    Raises:
        BadFile: a file is missing, broken, or neither Turtle nor TriG; none was written.
        BadOption: a file has a comment that would be lost; none was written.
    """
    texts = {path: _formatted(path) for path in paths}
    changed = [path for path in texts if path.read_bytes() != texts[path].encode()]
    if not drop_comments:
        for path in changed:
            _refuse_comment(path)
    for path in changed:
        with replacing(path) as file:
            file.write(texts[path].encode())
    return changed


def _formatted(path: Path) -> str:
    """Return a file in canonical form, if that states the same as the file."""
    if format_of(path) not in (RdfFormat.TURTLE, RdfFormat.TRIG):
        raise BadFile(
            "Only Turtle and TriG have a canonical form.",
            where=str(path),
            fix="Name files that end in .ttl or .trig.",
        )
    quads = list(read(path))
    text = to_text(quads)
    again = read_bytes(text.encode(), RdfFormat.TRIG, str(path))
    assert canonicalized(again) == canonicalized(quads), f"{path} would change its meaning"
    return text


def _refuse_comment(path: Path) -> None:
    """Refuse a file that has a comment, at its first one."""
    text = path.read_text(encoding="utf-8")
    for token in _TOKEN.finditer(text):
        if token["comment"] is not None:
            line = text.count("\n", 0, token.start()) + 1
            raise BadOption(
                f"This comment would be lost: {token['comment'].strip()}",
                where=f"{path}:{line}",
                fix="Say it as a triple, such as dcterms:description, or add --drop-comments.",
            )
