"""Write docs/questions.md, the reference of the saved questions, from their headers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from aikg.model import Question
from aikg.questions import GROUPS, questions

TARGET = Path(__file__).parent / "questions.md"

HEAD = """# Saved questions

This page is made from the headers of `queries/*.rq` by `make docs`. `aikg ask` lists the questions,
`aikg ask NAME KEY=VALUE…` answers one, and `aikg query -f` runs its file as the ordinary SPARQL
that it is. A parameter that is left open takes any value; given several times, it asks for all.

Every row ends with the documents that state it. In a table, the two ends of a figure are one column
with its hedges; CSV and JSON keep `low` and `high`: both the same for an exact figure, `low` alone
for "more than", `high` alone for "up to".
"""


def reference() -> str:
    """Return the whole page."""
    found = questions()
    parts = [HEAD]
    for group in GROUPS:
        parts.append(f"## {group.capitalize()}\n")
        parts += ["\n".join(_section(question)) for question in found if question.group == group]
    return "\n".join(parts)


def _section(question: Question) -> Iterator[str]:
    yield f"### {question.name}\n"
    yield f"**{question.title}** {question.about}\n"
    if question.parameters:
        yield "| takes | kind | default | meaning |\n|---|---|---|---|"
        for one in question.parameters:
            yield f"| `{one.name}` | {one.kind} | {one.default} | {one.about} |"
        yield ""
    columns = [f"`{c.name}`" + (f" ({c.unit})" if c.unit else "") for c in question.columns]
    yield f"Gives {', '.join(columns)}; {question.order}.\n"


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
