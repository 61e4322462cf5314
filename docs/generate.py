"""Write the outputs of the documents' commands anew, and the generated references."""

import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from test_docs import BLOCK, DOCUMENTS, files_shown, printed  # noqa: E402


def fill(text: str) -> str:
    """Return a document with each command's output as it is printed now."""

    def block(found: re.Match[str]) -> str:
        commands = re.findall(r"(?m)^\$ (.*)$", found[1])
        parts = [f"$ {command}\n{printed(command, folder)}" for command in commands]
        return "```console\n" + "".join(parts) + "```"

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, content in files_shown(text).items():
            (folder / file).write_text(content, encoding="utf-8")
        return BLOCK.sub(block, text)


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(fill(document.read_text(encoding="utf-8")), encoding="utf-8")
