"""aikg: who designs, makes, buys, rents, funds and owns the chips behind AI, by whose word.

>>> import aikg
>>> [path] = aikg.open().paths("Apple", "Annapurna Labs")
>>> [entity.label for entity in path.entities]
['Apple', 'Trainium', 'Annapurna Labs']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from aikg.errors import AikgError
    from aikg.graph import Graph, open

__all__ = ["AikgError", "Graph", "__version__", "open"]

_HOMES = {"AikgError": "errors", "Graph": "graph", "open": "graph"}


def __getattr__(name: str) -> Any:
    """Return a public name from the module that holds it, imported when first asked for."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'aikg' has no attribute {name!r}")
    return getattr(import_module(f"aikg.{_HOMES[name]}"), name)
