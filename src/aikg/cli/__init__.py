"""The `aikg` command: parse options, call one function, hand the result to `render`."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from aikg import __version__
from aikg.cli.files import diff, export, fmt, import_, load, validate
from aikg.cli.lookups import ask, search, show, stats
from aikg.cli.sparql import query
from aikg.cli.walks import path

BUG = 70
INTERRUPTED = 130


class Main(click.Group):
    """The group that turns errors into messages and exit codes."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; see `click.Group.main`."""
        from aikg.errors import AikgError

        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
            sys.stdout.flush()
        except AikgError as error:
            click.echo(f"Error: {error}", err=True)
            code = error.exit_code
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            click.echo("Interrupted.", err=True)
            code = INTERRUPTED
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = 0
        except Exception as error:
            code = _bug(error)
        sys.exit(code if isinstance(code, int) else 0)


def _bug(error: Exception) -> int:
    """Say that aikg itself is at fault, and show where under --debug."""
    if "--debug" in sys.argv:
        import traceback

        traceback.print_exception(error)
    from aikg.errors import harmless

    kind = type(error).__name__
    click.echo(f"Error: This is a fault of aikg ({kind}: {harmless(str(error))}).", err=True)
    click.echo("Run it again with --debug before the command, and report what it shows.", err=True)
    return BUG


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="aikg")
@click.option("--debug", is_flag=True, help="Show where aikg itself failed.")
def main(debug: bool) -> None:
    """Ask who supplies, funds and owns the chips behind AI, by whose word, and how surely.

    Without --store, commands answer from the graph that comes with aikg.

    Example: aikg path Apple "Annapurna Labs"
    """


for command in (
    *(query, ask, path, show, search, stats),
    *(export, load, validate, fmt, diff, import_),
):
    main.add_command(command)
