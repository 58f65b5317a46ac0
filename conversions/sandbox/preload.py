"""Preloading: which converters a zygote serves, and what it imports before the first job so that no child has to."""

from __future__ import annotations

import glob
import importlib
import importlib.abc
import importlib.util
import mimetypes
import os
import shutil
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from conversions.converters import suite
from conversions.converters.base import Converter, Family
from conversions.registry import ALTERNATIVES, CONVERTERS
from conversions.sandbox.limits import NOT_PRELOADED


class _LeftToChild(ImportError):
    """A module that is too large to be in every child."""


class _Forbid(importlib.abc.MetaPathFinder):
    """Makes some modules, and with them those that need them, impossible to import for a while."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        if name in self._names:
            raise _LeftToChild(name)
        return None


def converters_of(family: Family, modules: Iterable[str]) -> Mapping[str, Converter]:
    """The registered converters of a family by slug, and those that each of `modules` has in its CONVERTERS."""
    table = {each.slug: each for each in (*CONVERTERS.values(), *ALTERNATIVES) if each.family == family}
    for name in modules:
        table.update({each.slug: each for each in importlib.import_module(name).CONVERTERS})
    return table


def preload(family: Family, converters: Mapping[str, Converter]) -> None:
    """Import the modules of the converters' engines and call the `warm()` of those that have one.

    A module that can't be imported, or needs one that is not to be preloaded, is left to the child.
    """
    forbidden = _Forbid(NOT_PRELOADED[family])
    sys.meta_path.insert(0, forbidden)
    try:
        names = dict.fromkeys(module for each in converters.values() for module in each.engine.modules)
        loaded = [module for name in names if (module := _load(name)) is not None]
    finally:
        sys.meta_path.remove(forbidden)
    for each in converters.values():
        _ = each.options  # made once, here
    # Read now and without the machine's own tables: a child may not open /etc/mime.types.
    mimetypes.init(files=[])
    for module in loaded:
        warm = getattr(module, "warm", None)
        if warm is not None:
            try:
                warm()
            except Exception:
                _report(f"{module.__name__} is not warm")


def _load(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except _LeftToChild:
        return None
    except Exception:
        _report(f"{name} is not preloaded")
        return None


def _report(what: str) -> None:
    """Say that one engine failed, which is no reason to fail all others: its own jobs will fail too."""
    print(f"conversions.sandbox: {what}", file=sys.stderr)
    traceback.print_exc()


def programs_of(family: Family, converters: Mapping[str, Converter]) -> tuple[str, ...]:
    """The files that a child of this family may run: its engines' programs, their loader, and the bundled pandoc."""
    if family != "office":
        return ()
    found: list[str] = []
    for program in {each.engine.program for each in converters.values()} - {None}:
        path = os.path.realpath(shutil.which(program or "") or "")
        # An office suite is a folder of programs that start each other.
        found += [os.path.dirname(path) if "office" in path else path, *map(os.path.realpath, _loaders())]
    spec = importlib.util.find_spec("pypandoc")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        found.append(os.path.join(folder, "files", "pandoc"))
    return tuple(dict.fromkeys(each for each in found if os.path.exists(each)))


def folders_of(family: Family) -> tuple[str, ...]:
    """What a child of this family may read beyond the libraries that all may read."""
    return suite.readable() if family == "libreoffice" else ()


def _loaders() -> Sequence[str]:
    """The dynamic loaders of this system, which the kernel runs to start any program that is not static."""
    return glob.glob("/lib*/ld-linux*.so.*") + glob.glob("/lib/ld-musl*.so.*")
