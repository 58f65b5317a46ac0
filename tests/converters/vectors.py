"""All test vectors: the VECTORS of the modules in each family's folder below `tests/families`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

from engine.families.registry import FAMILIES
from tests import families
from tests.converters.vector import Vector


def modules(family: str) -> Iterator[ModuleType]:
    """The modules in a family's folder, those of the families inside it left out."""
    package = importlib.import_module(f"{families.__name__}.{family}")
    for each in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if not each.ispkg:
            yield importlib.import_module(each.name)


BY_FAMILY: dict[str, tuple[Vector, ...]] = {
    family: tuple(vector for module in modules(family) for vector in getattr(module, "VECTORS", ()))
    for family in FAMILIES
}
VECTORS: tuple[Vector, ...] = tuple(vector for vectors in BY_FAMILY.values() for vector in vectors)
