"""What libraries import in case it is used, and is not here: left out of each start, of which it is a seventh."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_OPTIONAL: Mapping[str, frozenset[str]] = {
    # A client for tests, code in colours on its own pages, and fields that only PostgreSQL has.
    "rest_framework.compat": frozenset({"requests", "pygments", "django.contrib.postgres"}),
    # Templates of another kind in tests. Simple JWT hears of changed settings from there.
    "django.test.signals": frozenset({"jinja2"}),
}
"""Which modules get on without which others: they look for them once, when they are imported, and catch ImportError."""


class _Absent(MetaPathFinder):
    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        if name in self._names:
            raise ModuleNotFoundError(name, name=name)
        return None


def leave_out() -> None:
    """Import the modules that look for what is not needed while it can't be found; afterwards it can."""
    for module, names in _OPTIONAL.items():
        absent = _Absent(names)
        sys.meta_path.insert(0, absent)
        try:
            importlib.import_module(module)
        finally:
            sys.meta_path.remove(absent)
