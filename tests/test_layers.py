import ast
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent / "src" / "aikg"

ORDER = """__main__ cli mcp serve graph results render answers exports layout checks diff tables
    formatting descriptions coverage statistics questions paths relations evidence queries entities
    load store remote ontology files names figures units times model errors""".split()
"""A module uses only what stands to its right."""


def _module(file: Path) -> str:
    return file.relative_to(SRC).parts[0].removesuffix(".py")


def _imports(file: Path) -> set[str]:
    """Return the modules of aikg that a file imports when it runs, wherever the import stands."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            first, _, rest = node.module.partition(".")
            if first == "aikg":
                found |= {rest.split(".")[0]} if rest else {name.name for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {n.name.split(".")[1] for n in node.names if n.name.startswith("aikg.")}
    return found


@pytest.mark.parametrize("file", sorted(SRC.rglob("[!_]*.py")), ids=_module)
def test_imports_go_right(file: Path) -> None:
    home = _module(file)
    allowed = {*ORDER[ORDER.index(home) + 1 :], "__version__"}
    if len(file.relative_to(SRC).parts) > 1:
        allowed.add(home)
    assert _imports(file) <= allowed


def test_order_names_modules_once() -> None:
    assert len(ORDER) == len(set(ORDER))
