"""Time a one-shot query of ten rows over the bundled graph, whole process, against other engines.

The engines take turns, so that a busy moment of the machine falls on all of them; each gets the
merged view as N-Triples, aikg its own cached graph. Prints the table of docs/benchmarks.md.
Jena's arq is used where Debian's libapache-jena-java and a Java runtime are installed.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from pyoxigraph import DefaultGraph, RdfFormat

import aikg

ROUNDS = 11
QUERY = """PREFIX aikg: <https://w3id.org/aikg/ontology#>
SELECT ?claim ?thing { ?claim aikg:about ?thing } ORDER BY ?claim ?thing LIMIT 10
"""
RDFLIB = """import sys, rdflib
graph = rdflib.Graph()
graph.parse(sys.argv[1], format="nt")
for row in graph.query(open(sys.argv[2]).read()):
    print(*row, sep=",")
"""
OXIGRAPH = """import sys, pyoxigraph
store = pyoxigraph.Store()
store.load(path=sys.argv[1])
print(store.query(open(sys.argv[2]).read()).serialize(
    format=pyoxigraph.QueryResultsFormat.CSV).decode())
"""
JARS = Path("/usr/share/java")
NEEDED = (
    "jena-*[a-z].jar thrift.jar slf4j-api.jar slf4j-nop.jar commons-lang3.jar commons-cli.jar "
    "commons-codec.jar commons-io.jar commons-csv.jar commons-compress.jar "
    "titanium-json-ld.jar guava.jar failureaccess.jar dexx.collection.jar httpclient.jar "
    "httpcore.jar gson.jar"
)


def arq(folder: Path, data: Path, query: Path) -> list[str] | None:
    """Return the command line of arq, or None where it is not installed.

    Debian's jena-core looks for its Xerces messages under another package name than it holds
    them, so they are laid first on the class path.
    """
    core = JARS / "jena-core.jar"
    if not core.exists() or shutil.which("java") is None:
        return None
    with zipfile.ZipFile(core) as jar:
        for name in jar.namelist():
            inner = name.removeprefix("org/apache/jena/ext/")
            if inner.startswith("xerces/") and inner.endswith(".properties"):
                (folder / inner).parent.mkdir(parents=True, exist_ok=True)
                (folder / inner).write_bytes(jar.read(name))
    jars = [str(jar) for pattern in NEEDED.split() for jar in JARS.glob(pattern)]
    path = ":".join([str(folder), *jars])
    return ["java", "-cp", path, "arq.arq", "--data", str(data), "--query", str(query)]


def commands(folder: Path) -> dict[str, list[str]]:
    """Return what is timed, by name."""
    data, query = folder / "merged.nt", folder / "query.rq"
    aikg.open().store.inner.dump(str(data), RdfFormat.N_TRIPLES, from_graph=DefaultGraph())
    query.write_text(QUERY)
    python = sys.executable
    program = str(Path(python).with_name("aikg"))
    timed = {
        "python -c pass": [python, "-c", "pass"],
        "aikg --help": [program, "--help"],
        "aikg query": [program, "query", "-f", str(query), "--format", "csv"],
        "aikg path": [program, "path", "Apple", "Annapurna Labs"],
        "pyoxigraph script": [python, "-c", OXIGRAPH, str(data), str(query)],
        "rdflib script": [python, "-c", RDFLIB, str(data), str(query)],
    }
    java = arq(folder, data, query)
    return timed | {"arq": java} if java else timed


def main() -> None:
    """Print medians, and their ratio to `aikg query`."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as name:
        timed = commands(Path(name))
        seconds: dict[str, list[float]] = {what: [] for what in timed}
        for _ in range(ROUNDS):
            for what, command in timed.items():
                start = time.perf_counter()
                subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
                seconds[what].append(time.perf_counter() - start)
    medians = {what: statistics.median(values) for what, values in seconds.items()}
    print("| whole process | median, s | against `aikg query` |\n|---|---|---|")
    for what, median in medians.items():
        print(f"| {what} | {median:.3f} | {median / medians['aikg query']:.1f} |")


if __name__ == "__main__":
    main()
