"""What is shipped answers wherever it is installed."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("src", "ontology", "data", "queries", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, to be built and edited."""
    copy = tmp_path_factory.mktemp("checkout")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, copy / part)
    return copy


def _pip(*words: str) -> None:
    """Run pip with the build backend that is installed here, in whatever environment it builds."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}
    subprocess.run(command, check=True, capture_output=True, env=environment)


def test_wheel_holds_ontology_data_and_questions(checkout: Path, tmp_path: Path) -> None:
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(checkout))
    [wheel] = tmp_path.glob("aikg-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("ontology", "data/triples", "queries"):
        for file in (ROOT / folder).iterdir():
            assert f"aikg/shipped/{folder}/{file.name}" in names
    assert "aikg/py.typed" in names
    assert any(name.startswith("aikg/sparql/") for name in names)


def test_editable_install_answers_from_the_files_being_edited(
    checkout: Path, tmp_path: Path
) -> None:
    place = tmp_path / "venv"
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    _pip(
        "--python", str(python), "install", "--no-deps", "--no-build-isolation", "-e", str(checkout)
    )
    environment = {
        **os.environ,
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }

    def search(text: str) -> str:
        command = [str(python), "-m", "aikg", "search", text, "--format", "csv"]
        run = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, check=True
        )
        return run.stdout.decode()

    assert "ai:annapurna-labs,Annapurna Labs" in search("annapurna")
    registry = checkout / "data" / "triples" / "registry.trig"
    text = registry.read_text(encoding="utf-8")
    registry.write_text(text.replace('"Annapurna Labs"', '"Annapurna Laboratories"'), "utf-8")
    assert "ai:annapurna-labs,Annapurna Laboratories" in search("annapurna")
