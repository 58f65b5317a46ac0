"""What libraries import in case it is used, and is not here: left out of each start, of which it is a seventh."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping

_OPTIONAL: Mapping[str, tuple[str, ...]] = {
    # A client for tests, code in colours on its own pages, and fields that only PostgreSQL has.
    "rest_framework.compat": ("requests", "pygments", "django.contrib.postgres"),
    # Templates of another kind in tests. Simple JWT hears of changed settings from there.
    "django.test.signals": ("jinja2",),
}
"""Which modules get on without which others: they look for them once, when they are imported, and catch ImportError."""


def leave_out() -> None:
    """Import the modules that look for what is not needed while it can't be found; afterwards it can."""
    for module, names in _OPTIONAL.items():
        absent = [each for each in names if each not in sys.modules]
        for each in absent:
            sys.modules[each] = None  # type: ignore[assignment]  # as documented: ModuleNotFoundError is raised
        try:
            importlib.import_module(module)
        finally:
            for each in absent:
                del sys.modules[each]
