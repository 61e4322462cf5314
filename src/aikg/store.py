"""A dataset behind one seam, in memory or on disk, and the folder that keeps it safe on disk.

The default graph is the merged view; each named graph is the evidence of one source.
A store on disk is a folder of generations: whole databases, of which the file `CURRENT` names the
one in force. A writer fills a new one and swaps the name at the end, so that readers keep what
they opened, and a writer that fails or is killed leaves the store as it was.
"""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyoxigraph
from pyoxigraph import (
    DefaultGraph,
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

BUILDING = "BUILDING"
"""The folder in which a writer fills a new generation."""

_GENERATION = re.compile("generation-[0-9]+")

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
            if current is not None:
                return opened(current)
        except OSError as error:
            raise BadStore(
                f"The store cannot be opened: {error}.",
                where=str(self.path),
                fix="Check its permissions, or load its files into a new folder.",
            ) from None

        raise BadStore(
            "There is no store in this folder.",
            where=str(self.path),
            fix=f"Make one: aikg load FILE --store {self.path}",
        )

    def exists(self) -> bool:
        """Tell whether there is a store in this folder.

        Raises:
            BadStore: there is one that this version cannot read.
        """
        return self._current() is not None

    @contextmanager
    def writing(self) -> Iterator[pyoxigraph.Store]:
        """Give an empty store to fill; it takes the place of this one if all goes well.

        The generation in force can be read meanwhile. What is put in force is a hard-linked copy
        that nobody has open for writing, so that a reader never meets a file that is being merged.

        Raises:
            BadStore: the folder cannot be written, is no store, or another process writes to it.
        """
        from filelock import FileLock, Timeout

        made = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        try:
            self._prepare()
            with FileLock(self.path / "LOCK", timeout=LOCK_WAIT):
                try:
                    self._sweep()
                    inner = pyoxigraph.Store(str(self.path / BUILDING))
                    yield inner
                    inner.flush()
                    self._swap(inner)
                finally:
                    remove(self.path / BUILDING)
                    self._unmake(made)
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

    def _current(self) -> Path | None:
        """Return the folder of the generation in force, or None if there is none yet."""
        try:
            name = (self.path / "CURRENT").read_text(encoding="utf-8", errors="replace").strip()
        except FileNotFoundError:
            return None
        form, _, generation = name.partition(" ")
        if form != FORMAT or not _GENERATION.fullmatch(generation):
            raise BadStore(
                f'This version reads stores of format {FORMAT}; this one says "{name[:40]}".',
                where=str(self.path),
                fix="Load its files into a new folder with this version.",
            )
        return self.path / generation

    def _prepare(self) -> None:
        """Make the folder, unless it holds something else than a store."""
        self.path.mkdir(parents=True, exist_ok=True)
        if self.exists():
            return
        names = {entry.name for entry in self.path.iterdir()}
        if "LOCK" in names:  # a first load was killed
            names -= {"LOCK", "CURRENT.new", BUILDING, *(g.name for g in self._generations())}
        if names:
            raise BadStore(
                f'The folder holds "{min(names)}", so it is no store.',
                where=str(self.path),
                fix="Name a new or empty folder.",
            )

    def _unmake(self, made: list[Path]) -> None:
        """Remove the folders that were made for a store that did not come about."""
        if not self.exists():
            with suppress(OSError):
                (self.path / "LOCK").unlink()
                for folder in made:
                    folder.rmdir()

    def _generations(self) -> list[Path]:
        found = [entry for entry in self.path.iterdir() if _GENERATION.fullmatch(entry.name)]
        return sorted(found, key=_number)

    def _sweep(self) -> None:
        """Remove what killed writers left, and all but the current and previous generations.

        One that a reader of this machine has open stays too.
        """
        remove(self.path / BUILDING)
        current = self._current()
        generations = self._generations()
        keep = {current}
        if current in generations:
            keep |= set(generations[: generations.index(current)][-1:])
        for stale in generations:
            if stale not in keep:
                remove_unread(stale)

    def _swap(self, inner: pyoxigraph.Store) -> None:
        """Put a generation in force, so that either the old or the new one stands after a crash."""
        last = max(map(_number, self._generations()), default=0)
        fresh = self.path / f"generation-{last + 1}"
        try:
            inner.backup(str(fresh))
            new = self.path / "CURRENT.new"
            with new.open("w", encoding="utf-8") as file:
                file.write(f"{FORMAT} {fresh.name}\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.path / "CURRENT")
        except BaseException:
            if self._current() != fresh:
                remove(fresh)
            raise


def opened(folder: Path) -> Store:
    """Return a database for reading; while the answer is held, `remove_unread` leaves it alone.

    RocksDB opens some of its files only when they are asked for, so a reader would fail if they
    were removed meanwhile.

    Raises:
        OSError: there is no database, or it cannot be read.
    """
    try:
        store = Store(pyoxigraph.Store.read_only(str(folder)))
    except RuntimeError as error:
        raise OSError(str(error)) from None
    with suppress(ImportError, OSError):
        from fcntl import LOCK_SH, flock

        handle = os.open(folder, os.O_RDONLY)
        weakref.finalize(store, os.close, handle)
        flock(handle, LOCK_SH)
    return store


def remove_unread(folder: Path) -> None:
    """Remove a database, unless somebody reads it."""
    with suppress(ImportError, OSError):
        from fcntl import LOCK_EX, LOCK_NB, flock

        handle = os.open(folder, os.O_RDONLY)
        try:
            flock(handle, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return
        finally:
            os.close(handle)
    remove(folder)


def remove(folder: Path) -> None:
    """Remove a folder as far as that can be done."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _number(generation: Path) -> int:
    return int(generation.name.partition("-")[2])
