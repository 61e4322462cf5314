"""A dataset behind one seam, in memory or on disk, and the folder that keeps it safe on disk.

The default graph is the merged view; each named graph is the evidence of one source.
A store on disk is a folder of generations: whole databases, of which the file `CURRENT` names the
one in force. A writer works on a copy and swaps the name at the end, so that readers keep what
they opened, and a writer that fails or is killed leaves the store as it was.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph
from pyoxigraph import (
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    Variable,
)

from aikg.errors import BadStore
from aikg.files import Resource, Term
from aikg.names import PREFIXES

FORMAT = "1"
"""The layout of a store folder; a folder of another layout is refused."""

LOCK_WAIT = 0.0
"""Seconds that a writer waits for another to finish."""


def sparql(name: str) -> str:
    """Return the text of a query that comes with the code, by its name without suffix."""
    return (Path(__file__).parent / "sparql" / f"{name}.rq").read_text(encoding="utf-8")


class Store:
    """An RDF dataset that answers patterns and SPARQL queries.

    >>> store = Store(pyoxigraph.Store())
    >>> bool(store.query("ASK { ?s ?p ?o }"))
    False
    """

    def __init__(self, inner: pyoxigraph.Store) -> None:
        self.inner = inner

    def match(
        self,
        subject: Resource | None,
        predicate: NamedNode | None,
        object: Term | None,
        graph: NamedNode | DefaultGraph | None = None,
    ) -> Iterator[Quad]:
        """Yield the quads that fit a pattern; None fits anything, in `graph` any graph."""
        return self.inner.quads_for_pattern(subject, predicate, object, graph)

    def query(
        self,
        text: str,
        *,
        bindings: dict[str, Term] | None = None,
        base: str | None = None,
    ) -> QuerySolutions | QueryBoolean | QueryTriples:
        """Return what a SPARQL query answers; the usual prefixes are declared already.

        Args:
            text: a query of any form.
            bindings: values of variables, bound as terms.
            base: the IRI against which relative IRIs are read.

        Raises:
            SyntaxError: the query is no SPARQL.
        """
        values = {Variable(name): term for name, term in (bindings or {}).items()}
        return self.inner.query(
            text, prefixes=PREFIXES, base_iri=base, substitutions=values or None
        )

    def rows(self, text: str) -> QuerySolutions:
        """Return the rows of a SELECT query that comes with the code."""
        found = self.query(text)
        assert isinstance(found, QuerySolutions)
        return found

    def __len__(self) -> int:
        return len(self.inner)


class Folder:
    """A store on disk: generations, and the name of the one in force."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> Store:
        """Return the store as it is now, for reading.

        Raises:
            BadStore: there is no store in this folder, or one that this version cannot read.
        """
        try:
            current = self._current()
            if current is None:
                raise self._missing()
            return Store(pyoxigraph.Store.read_only(str(current)))
        except OSError as error:
            raise BadStore(
                f"The store cannot be opened: {error}.",
                where=str(self.path),
                fix="Check its permissions, or load its files into a new folder.",
            ) from None

    @contextmanager
    def writing(self) -> Iterator[pyoxigraph.Store]:
        """Give a copy of the store to write to; it takes the store's place if all goes well.

        Raises:
            BadStore: the folder cannot be written, is no store, or another process writes to it.
        """
        import shutil

        from filelock import FileLock, Timeout

        made = not self.path.exists()
        try:
            self._prepare()
            with FileLock(self.path / "LOCK", timeout=LOCK_WAIT):
                self._sweep()
                fresh = self._copy()
                try:
                    inner = pyoxigraph.Store(str(fresh))
                    yield inner
                    inner.flush()
                    del inner
                    self._swap(fresh)
                except BaseException:
                    shutil.rmtree(fresh, ignore_errors=True)
                    raise
        except Timeout:
            raise BadStore(
                "Another process is writing to this store.",
                where=str(self.path),
                fix="Wait until it has finished, then try again. Reading is possible meanwhile.",
            ) from None
        except OSError as error:
            raise BadStore(
                f"The store cannot be written: {error.strerror or error}.",
                where=str(self.path),
                fix="Check the folder's permissions and the free space. The store is as it was.",
            ) from None
        finally:
            if made and not (self.path / "CURRENT").exists():
                shutil.rmtree(self.path, ignore_errors=True)

    def _current(self) -> Path | None:
        """Return the folder of the generation in force, or None if there is none yet."""
        try:
            name = (self.path / "CURRENT").read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None
        form, _, generation = name.partition(" ")
        if form != FORMAT or not generation.startswith("generation-"):
            raise BadStore(
                f'This version reads stores of format {FORMAT}; this one says "{name}".',
                where=str(self.path),
                fix="Load its files into a new folder with this version.",
            )
        return self.path / generation

    def _missing(self) -> BadStore:
        return BadStore(
            "There is no store in this folder.",
            where=str(self.path),
            fix=f"Make one: aikg load FILE --store {self.path}",
        )

    def _prepare(self) -> None:
        """Make the folder, unless it holds something else than a store."""
        self.path.mkdir(parents=True, exist_ok=True)
        strangers = [
            entry.name
            for entry in self.path.iterdir()
            if entry.name not in ("CURRENT", "CURRENT.new", "LOCK")
            and not entry.name.startswith("generation-")
        ]
        if strangers:
            raise BadStore(
                f'The folder holds "{min(strangers)}", so it is no store.',
                where=str(self.path),
                fix="Name a new or empty folder.",
            )

    def _generations(self) -> list[Path]:
        return sorted(self.path.glob("generation-*"), key=lambda p: int(p.name.split("-")[1]))

    def _sweep(self) -> None:
        """Remove what killed writers left, and all but the current and previous generations."""
        import shutil

        current = self._current()
        generations = self._generations()
        keep = {current}
        if current in generations:
            keep |= set(generations[: generations.index(current)][-1:])
        for stale in generations:
            if stale not in keep:
                shutil.rmtree(stale, ignore_errors=True)

    def _copy(self) -> Path:
        """Return the folder of a new generation that starts as a copy of the current one."""
        current = self._current()
        last = max((int(p.name.split("-")[1]) for p in self._generations()), default=0)
        fresh = self.path / f"generation-{last + 1}"
        if current is not None:
            pyoxigraph.Store.read_only(str(current)).backup(str(fresh))
        return fresh

    def _swap(self, fresh: Path) -> None:
        """Put a generation in force, so that either the old or the new one stands after a crash."""
        new = self.path / "CURRENT.new"
        with new.open("w", encoding="utf-8") as file:
            file.write(f"{FORMAT} {fresh.name}\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.path / "CURRENT")


def text_of(term: object) -> str:
    """Return the value of a term as text: IRI, lexical form, or blank node label."""
    return term.value if isinstance(term, (NamedNode, Literal)) else str(term)
