"""Ask a store in SPARQL, and say in plain words where a query is broken."""

from __future__ import annotations

import re
from pathlib import Path

from pyoxigraph import QueryBoolean, QuerySolutions, QueryTriples

from aikg.errors import BadFile, BadQuery
from aikg.files import Term
from aikg.names import PREFIXES
from aikg.store import Store

Answer = QuerySolutions | QueryBoolean | QueryTriples
"""Rows of SELECT, the truth of ASK, or the triples of CONSTRUCT and DESCRIBE."""

_POSITION = re.compile(r"error at (\d+):(\d+): ")
_CAUSES = {
    "Prefix not found": "A prefix is not declared",
    "variable that is unbound": "The SELECT clause names a variable that is not grouped or bound",
    "IRI parsing failed": "A relative IRI has no base",
}


def query(
    store: Store,
    text: str,
    *,
    bindings: dict[str, Term] | None = None,
    base: str | None = None,
    where: str = "query",
) -> Answer:
    """Return what a SPARQL 1.1 query answers over the merged view and the source graphs.

    Args:
        store: the dataset.
        text: SELECT, ASK, CONSTRUCT or DESCRIBE; the usual prefixes need no declaration, and the
            query's own win.
        bindings: values of variables, bound as terms.
        base: the IRI against which relative IRIs are read.
        where: what to call the query in an error, such as its file.

    Returns:
        An iterator over rows or triples, or a truth value, read from the store as it goes.

    Raises:
        BadQuery: the query cannot be read; the message holds line, column and the line itself.

    Source:
        SPARQL 1.1 Query Language, https://www.w3.org/TR/sparql11-query/

    >>> from aikg.load import bundled
    >>> rows = query(bundled(), "SELECT ?who { ?who aikg:hasAcquired ai:annapurna-labs }")
    >>> [row["who"].value for row in rows]
    ['https://w3id.org/aikg/id/amazon']
    """
    try:
        return store.query(text.removeprefix("\ufeff"), bindings=bindings, base=base)
    except SyntaxError as error:
        raise _broken(text, error.msg, where) from None
    except (RuntimeError, ValueError) as error:
        raise BadQuery(f"The query cannot be answered: {error}.", where=where) from None


def read_query(path: Path) -> str:
    """Return the query that a file holds; a byte order mark is dropped.

    Raises:
        BadFile: the file cannot be read or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
    except UnicodeDecodeError:
        reason = "it is not UTF-8"
    raise BadFile(
        f"The query file cannot be read: {reason}.",
        where=str(path),
        fix="Check the path and its permissions.",
    )


def _broken(text: str, message: str, where: str) -> BadQuery:
    """Return the error for a query that the engine cannot read."""
    cause = next((words for sign, words in _CAUSES.items() if sign in message), "")
    found = _POSITION.match(message)
    if found is None:
        return BadQuery("The query cannot be read.", where=where, fix=message)
    line, column = int(found[1]), int(found[2])
    lines = text.splitlines() or [""]
    shown = lines[min(line, len(lines)) - 1]
    fix = f"{shown}\n{' ' * (column - 1)}^"
    if "Prefix" in cause:
        fix += f"\nKnown without declaration: {', '.join(PREFIXES)}."
    return BadQuery(
        f"{cause or 'The query is no SPARQL from here on'}.",
        where=f"{where}:{line}:{column}",
        fix=fix,
    )
