"""Find an entity by what people call it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from aikg.errors import AmbiguousEntity, UnknownEntity, UnknownTerm
from aikg.model import Name
from aikg.names import (
    AIKG,
    ALT_LABEL,
    DERIVED,
    ENTITY,
    LABEL,
    MERGED,
    PREF_LABEL,
    PREFIXES,
    REPLACES,
    SAME_AS,
    TICKER,
    TYPE,
    expand,
    local_name,
    shorten,
)
from aikg.store import Store

LANGUAGES = ("en", "es")
NEAREST = 3
"""How many names a near miss lists."""

_NAMING = (LABEL, PREF_LABEL, ALT_LABEL)


@dataclass(frozen=True, slots=True)
class Hit:
    """An entity that a search found, by which of its names, and what it is."""

    entity: Name
    matched: str
    classes: tuple[str, ...]


def find(store: Store, name: str, lang: str = "en") -> Name:
    """Return the entity that a name, alias, slug, ticker, Wikidata item, CURIE or IRI stands for.

    Letter case does not matter. Terms of the ontology are found by CURIE or IRI alone.

    Raises:
        UnknownEntity: nothing has that name; the nearest names are listed.
        AmbiguousEntity: several entities have that name; they are listed.
        UnknownTerm: the name has the form of a CURIE whose prefix is not known.

    >>> from aikg.load import bundled
    >>> find(bundled(), "annapurna labs").iri
    'https://w3id.org/aikg/id/annapurna-labs'
    """
    try:
        iri = expand(name)
    except UnknownTerm:
        if not (found := _called(store, name)):
            raise
    else:
        if iri is not None:
            return _existing(store, iri, name, lang)
        found = _called(store, name)
    if len(found) > 1:
        listed = ", ".join(f"{shorten(iri)} ({label(store, iri, lang)})" for iri in sorted(found))
        raise AmbiguousEntity(
            f'"{name}" is the name of several entities.', fix=f"Write one of: {listed}."
        )
    if not found:
        raise _unknown(store, name)
    (iri,) = found
    return Name(iri, label(store, iri, lang))


def label(store: Store, iri: str, lang: str = "en") -> str:
    """Return what an entity is called: in the language, else in English, else its local name."""
    names = labels(store, iri)
    for wanted in (lang, "en", ""):
        if wanted in names:
            return names[wanted]
    return min(names.values(), default=local_name(iri))


def labels(store: Store, iri: str) -> dict[str, str]:
    """Return the labels of an entity by language; without language under the empty text.

    Of several in one language the first in alphabetical order stands; an empty one is none.
    """
    found: dict[str, str] = {}
    for property in (LABEL, PREF_LABEL):
        literals = [
            quad.object
            for quad in store.match(NamedNode(iri), property, None, MERGED)
            if isinstance(quad.object, Literal) and quad.object.value.strip()
        ]
        for literal in sorted(literals, key=lambda literal: literal.value):
            found.setdefault(literal.language or "", literal.value)
    return found


def classes(store: Store, iri: str) -> tuple[str, ...]:
    """Return the classes that a source graph gives an entity, none that merely follow.

    A source that a correction replaces gives none.
    """
    unread = {DERIVED, *(quad.object for quad in store.match(None, REPLACES, None))}
    stated = {
        quad.object.value
        for quad in store.match(NamedNode(iri), TYPE, None)
        if isinstance(quad.object, NamedNode)
        and isinstance(quad.graph_name, NamedNode)
        and quad.graph_name not in unread
    }
    return tuple(sorted(stated))


def search(store: Store, text: str, limit: int = 20, lang: str = "en") -> list[Hit]:
    """Return the entities with a name that contains a text, the closest matches first.

    >>> from aikg.load import bundled
    >>> [hit.entity.label for hit in search(bundled(), "annapurna")]
    ['Annapurna Labs']
    """
    wanted = _folded(text)
    best: dict[str, tuple[int, str]] = {}
    for iri, name in _names(store):
        rank = _rank(wanted, _folded(name))
        if rank is not None:
            best[iri] = min(best.get(iri, (rank, name)), (rank, name))
    order = sorted(best, key=lambda iri: (best[iri][0], _folded(best[iri][1]), iri))
    return [
        Hit(Name(iri, label(store, iri, lang)), best[iri][1], classes(store, iri))
        for iri in order[:limit]
    ]


def _existing(store: Store, iri: str, name: str, lang: str) -> Name:
    try:
        node = NamedNode(iri)
    except ValueError:
        raise UnknownEntity(
            f'"{name}" is no valid IRI.', fix="Write a name or a full IRI."
        ) from None
    for pattern in ((node, None, None), (None, None, node)):
        if any(True for _ in store.match(*pattern)):
            return Name(iri, label(store, iri, lang))
    raise _unknown(store, name)


def _called(store: Store, name: str) -> set[str]:
    """Return what has a name: as spelled before other letter case, names before codes and slugs."""
    return (
        _exactly(store, name)
        or _identified(store, name)
        or _slugged(store, name)
        or _loosely(store, name)
        or _slugged(store, name.lower())
    )


def _exactly(store: Store, name: str) -> set[str]:
    """Return the entities with exactly this name, looked up without reading other names."""
    literals = [Literal(name), *(Literal(name, language=lang) for lang in LANGUAGES)]
    return {
        quad.subject.value
        for property in _NAMING
        for literal in literals
        for quad in store.match(None, property, literal, MERGED)
        if isinstance(quad.subject, NamedNode) and not _is_term(quad.subject)
    }


def _identified(store: Store, name: str) -> set[str]:
    """Return the entities with this ticker, or that are this Wikidata item."""
    found = list(store.match(None, TICKER, Literal(name), MERGED))
    if re.fullmatch("Q[1-9][0-9]*", name):
        found += store.match(None, SAME_AS, NamedNode(PREFIXES["wd"] + name), MERGED)
    return {quad.subject.value for quad in found if isinstance(quad.subject, NamedNode)}


def _slugged(store: Store, name: str) -> set[str]:
    """Return the entity whose IRI ends in this slug, if there is one."""
    if re.fullmatch(r"[a-z0-9-]+", name) is None:
        return set()
    node = NamedNode(ENTITY + name)
    return {node.value for _ in store.match(node, None, None, MERGED)}


def _loosely(store: Store, name: str) -> set[str]:
    wanted = _folded(name)
    return {iri for iri, text in _names(store) if _folded(text) == wanted}


def _names(store: Store) -> Iterator[tuple[str, str]]:
    """Yield every name of every entity, without the terms of the ontology."""
    for property in _NAMING:
        for quad in store.match(None, property, None, MERGED):
            if (
                isinstance(quad.subject, NamedNode)
                and isinstance(quad.object, Literal)
                and quad.object.value.strip()
                and not _is_term(quad.subject)
            ):
                yield quad.subject.value, quad.object.value


def _is_term(node: NamedNode) -> bool:
    """Tell whether a node is the ontology or a part of it."""
    return node.value.startswith(AIKG.removesuffix("#"))


def _folded(text: str) -> str:
    """Return a text without its letter case, its spacing and how its characters are put together.

    >>> _folded("Société\u00a0 Générale") == _folded("Socie\u0301te\u0301 GE\u0301NE\u0301RALE")
    True
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def _rank(wanted: str, name: str) -> int | None:
    """Return 0 for the same, 1 for the same start, 2 for a word's start, 3 for a part."""
    if name == wanted:
        return 0
    if name.startswith(wanted):
        return 1
    if f" {wanted}" in name:
        return 2
    return 3 if wanted in name else None


def _unknown(store: Store, name: str) -> UnknownEntity:
    from rapidfuzz import process
    from rapidfuzz.fuzz import WRatio

    names = sorted({text for _, text in _names(store)})
    near = process.extract(
        name, names, scorer=WRatio, processor=_folded, limit=NEAREST, score_cutoff=60
    )
    listed = ", ".join(found[0] for found in near)
    fix = f"Did you mean: {listed}?" if listed else "Look for it: aikg search TEXT."
    return UnknownEntity(f'No entity is called "{name}".', fix=fix)
