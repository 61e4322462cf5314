"""Runs the command line as `python -m aikg`."""

from aikg.cli import main

main()
