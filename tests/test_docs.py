"""What the documents show is what the command prints."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FILE = re.compile(r"`([\w.-]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def _examples(text: str) -> list[tuple[str, str]]:
    """Return each command of a document's console blocks with the output shown below it."""
    found = []
    for block in BLOCK.findall(text):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def printed(command: str, cwd: Path) -> str:
    """Return what an `aikg …` line prints, on both streams, run as a user would."""
    words = shlex.split(command)
    program = shlex.split(os.environ.get("AIKG_COMMAND", f"{sys.executable} -m aikg"))
    assert words[0] == "aikg"
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONWARNINGS": "default"}
    run = subprocess.run(
        [*program, *words[1:]],
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return run.stdout.decode().replace("\r\n", "\n")


def files_shown(text: str) -> dict[str, str]:
    """Return the files that a document shows, by the name that stands before each."""
    return dict(FILE.findall(text))


@pytest.mark.parametrize(
    ("document", "command", "shown"),
    [
        pytest.param(document, command, shown, id=f"{document.name}: {command[:60]}")
        for document in DOCUMENTS
        for command, shown in _examples(document.read_text(encoding="utf-8"))
    ],
)
def test_documents_show_what_the_command_prints(
    document: Path, command: str, shown: str, tmp_path: Path
) -> None:
    for name, text in files_shown(document.read_text(encoding="utf-8")).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert printed(command, tmp_path) == shown


def test_python_in_the_readme_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 0
    assert failed == 0


def test_links_between_documents_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_ontology_reference_is_that_of_the_ontology(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from ontology_reference import TARGET, Reference

    assert Reference().text() == TARGET.read_text(encoding="utf-8"), "Run: make docs"


def test_questions_reference_is_that_of_the_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from questions_reference import TARGET, reference

    assert reference() == TARGET.read_text(encoding="utf-8"), "Run: make docs"
