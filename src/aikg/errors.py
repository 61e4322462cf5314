"""The errors that aikg raises, each with the exit code of the command line.

AikgError                 what was wrong, where, and what to do
├── CallError        2    the call is at fault
│   ├── UnknownEntity     no entity has that name
│   ├── AmbiguousEntity   several entities have that name
│   ├── UnknownTerm       no relation, family or prefix has that name
│   ├── UnknownQuestion   no saved question, or parameter of one, has that name
│   ├── BadQuery          the query cannot be read
│   └── BadOption         an option's value makes no sense
└── DataError        3    the data or the store is at fault
    ├── BadFile           a file is missing, unreadable or broken
    ├── BadCell           a cell of a table does not say what its column should
    └── BadStore          a store is missing, locked or not a store
"""

from __future__ import annotations

_SEEN = {"\t": " "}


def harmless(text: str) -> str:
    r"""Return a text in which nothing but line breaks can steer a terminal, as wide as it was.

    >>> harmless("a name\x1b[31m\tin red\n")
    'a name�[31m in red\n'
    """
    return "".join(x if x.isprintable() or x == "\n" else _SEEN.get(x, "\ufffd") for x in text)


class AikgError(Exception):
    """A fault that the user can mend.

    Args:
        what: what was wrong, as a full sentence.
        where: file, line, option or argument; left out if there is none.
        fix: what to do about it, as a full sentence.

    >>> print(BadFile("No such file.", where="deals.ttl", fix="Check the spelling."))
    deals.ttl: No such file.
    Check the spelling.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        first = f"{self.where}: {self.what}" if self.where else self.what
        return harmless(f"{first}\n{self.fix}" if self.fix else first)


class CallError(AikgError):
    """The call is at fault."""

    exit_code = 2


class UnknownEntity(CallError):
    """No entity has that name."""


class AmbiguousEntity(CallError):
    """Several entities have that name."""


class UnknownTerm(CallError):
    """No relation, family or prefix has that name."""


class UnknownQuestion(CallError):
    """No saved question, or parameter of one, has that name."""


class BadQuery(CallError):
    """The query cannot be read."""


class BadOption(CallError):
    """An option's value makes no sense."""


class DataError(AikgError):
    """The data or the store is at fault."""

    exit_code = 3


class BadFile(DataError):
    """A file is missing, unreadable or broken."""


class BadCell(DataError):
    """A cell of a table does not say what its column should."""


class BadStore(DataError):
    """A store is missing, locked or not a store."""
