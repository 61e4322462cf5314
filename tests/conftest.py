"""What all tests share: a cache of their own, and the command line as a user runs it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the cache of the bundled graph out of the user's own."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        patch.delenv("AIKG_STORE", raising=False)
        yield folder


@pytest.fixture
def aikg() -> Callable[..., Run]:
    """Run `aikg` in a process of its own, without a terminal."""

    def run(*words: str, stdin: bytes = b"") -> Run:
        environment = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
        environment.pop("COLUMNS", None)
        done = subprocess.run(
            [sys.executable, "-m", "aikg", *words],
            input=stdin,
            capture_output=True,
            env=environment,
            timeout=120,
            check=False,
        )
        return Run(
            done.returncode,
            done.stdout.decode().replace("\r\n", "\n"),
            done.stderr.decode(),
        )

    return run
