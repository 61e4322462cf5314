"""Files as people have them: odd, broken or hostile ones are read whole or refused with a place."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import RdfFormat

from aikg.errors import BadFile
from aikg.files import SUFFIXES, format_of, read, replacing

TURTLE = "<urn:a> <urn:p> <urn:b> .\n<urn:a> <urn:q> 'caf\u00e9' .\n"
DOCUMENTS = {
    "ttl": TURTLE,
    "trig": TURTLE,
    "nt": TURTLE.replace("'", '"'),
    "nq": TURTLE.replace("'", '"'),
    "rdf": '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:u="urn:">\n<rdf:Description rdf:about="urn:a"><u:p rdf:resource="urn:b"/>'
    "<u:q>caf\u00e9</u:q></rdf:Description>\n</rdf:RDF>\n",
    "jsonld": '{"@id": "urn:a", "urn:p": {"@id": "urn:b"},\n "urn:q": "caf\u00e9"}\n',
}
BROKEN = {
    "ttl": ("<urn:a> <urn:p> <urn:b> .\n<urn:a> <urn:p> ;\n", 2),
    "trig": ("GRAPH <urn:g> {\n<urn:a> <urn:p> <urn:b> .\n", 3),
    "nt": ("<urn:a> <urn:p> <urn:b> .\n<urn:a> <urn:p> .\n", 2),
    "nq": ("<urn:a> <urn:p> <urn:b> <urn:g> <urn:h> .\n", 1),
    "rdf": ("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n<a></b>\n", 2),
    "jsonld": ('{"@id": "urn:a",\n "urn:p": }\n', 2),
}


def _read(path: Path) -> set[str]:
    return {str(quad) for quad in read(path)}


@pytest.mark.parametrize("suffix", DOCUMENTS)
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "marked"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_every_format_reads_the_same_with_mark_and_line_ends(
    suffix: str, mark: str, end: str, tmp_path: Path
) -> None:
    plain, odd = tmp_path / "plain.ttl", tmp_path / f"ODD.{suffix.upper()}"
    plain.write_text(TURTLE, encoding="utf-8")
    odd.write_bytes((mark + DOCUMENTS[suffix]).replace("\n", end).encode())
    assert _read(odd) == _read(plain)


@pytest.mark.parametrize("suffix", BROKEN)
def test_a_broken_file_is_refused_at_its_line(aikg: Any, suffix: str, tmp_path: Path) -> None:
    text, line = BROKEN[suffix]
    path = tmp_path / f"broken.{suffix}"
    path.write_text(text)
    run = aikg("load", str(path), "--store", str(tmp_path / "store"))
    assert run.exit_code == 3
    assert f"Error: {path}:{line}:" in run.stderr
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "store").exists()


def test_a_fault_is_pointed_at_under_a_mark_tabs_and_wide_letters(tmp_path: Path) -> None:
    path = tmp_path / "tabs.ttl"
    path.write_text("\ufeff<urn:a>\t<urn:\u00fc>\t<urn:c> oops .\n", encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        list(read(path))
    place, shown, caret = str(caught.value).splitlines()
    assert place.startswith(f"{path}:1:")
    assert shown[len(caret) - 1 :].startswith(("oops", "."))


def test_a_long_line_is_shown_around_its_fault(tmp_path: Path) -> None:
    path = tmp_path / "long.nt"
    path.write_text(f'<urn:a> <urn:p> "{"x" * 100_000}" oops .\n')
    with pytest.raises(BadFile) as caught:
        list(read(path))
    assert len(str(caught.value)) < 600
    assert "oops" in str(caught.value)


def test_a_fault_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "steering.ttl"
    path.write_text("<urn:a> <urn:p> \x1b[31mred\u202e .\n")
    with pytest.raises(BadFile) as caught:
        list(read(path))
    assert all(x.isprintable() or x == "\n" for x in str(caught.value))


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("deals.txt", b"", "names no RDF format"),
        ("deals", b"", "names no RDF format"),
        ("latin.ttl", "<urn:a> <urn:p> 'caf\u00e9' .".encode("latin-1"), ":1:"),
        ("relative.ttl", b"<a> <urn:p> <urn:b> .", "relative IRI has no base"),
        ("relative.jsonld", b'{"@id": "a", "urn:p": "b"}', "relative IRI has no base"),
        ("remote.jsonld", b'{"@context": "http://localhost:1/c", "@id": "urn:a"}', "not fetched"),
        ("zeros.nt", b"\0\0\0\0", ":1:"),
    ],
)
def test_what_cannot_be_read_is_told(
    aikg: Any, name: str, content: bytes, told: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    run = aikg("load", str(path), "--store", str(tmp_path / "store"))
    assert (run.exit_code, run.stdout) == (3, "")
    assert told in run.stderr


@pytest.mark.parametrize("name", ["nothing.ttl", "folder.ttl"])
def test_no_file_and_a_folder_are_told(aikg: Any, name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.ttl").mkdir()
    run = aikg("load", str(tmp_path / name), "--store", str(tmp_path / "store"))
    assert run.exit_code == 3
    assert f"{name}: The file cannot be read" in run.stderr


def test_an_empty_file_states_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.ttl"
    path.write_bytes(b"")
    assert _read(path) == set()


def test_every_suffix_names_its_format() -> None:
    assert {format_of(Path(f"x{suffix.upper()}")) for suffix in SUFFIXES} == set(SUFFIXES.values())
    assert format_of(Path("a.b.Nq")) == RdfFormat.N_QUADS


def test_a_deep_document_is_read(tmp_path: Path) -> None:
    depth = 5_000
    path = tmp_path / "deep.ttl"
    path.write_text("<urn:a> <urn:p> " + "[ <urn:p> " * depth + "1" + " ]" * depth + " .")
    assert len(_read(path)) == depth + 1


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("old")
    with pytest.raises(KeyError), replacing(path) as file:
        file.write(b"half of the n")
        raise KeyError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_keeps_mode_and_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_of_the_user(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replacing(tmp_path / "fresh.txt") as file:
            file.write(b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "fresh.txt").stat().st_mode) == 0o640


def test_a_device_is_written_to_as_it_is() -> None:
    with replacing(Path("/dev/null")) as file:
        file.write(b"gone")
    assert Path("/dev/null").is_char_device()


def test_a_folder_that_is_not_there_is_told(aikg: Any, tmp_path: Path) -> None:
    run = aikg("export", "-o", str(tmp_path / "none" / "graph.dot"))
    assert run.exit_code == 3
    assert "graph.dot: The file cannot be written" in run.stderr
