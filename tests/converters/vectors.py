"""All test vectors: the VECTORS of the modules in `cases`, joined; what one takes over from another counts once."""

from __future__ import annotations

import importlib
import pkgutil

from tests.converters import cases
from tests.converters.vector import Vector

_MODULES = [importlib.import_module(f"{cases.__name__}.{each.name}") for each in pkgutil.iter_modules(cases.__path__)]

VECTORS: tuple[Vector, ...] = tuple(
    {id(each): each for module in _MODULES for each in getattr(module, "VECTORS", ())}.values()
)
