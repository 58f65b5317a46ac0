"""Preload the modules of a zygote's converters, so that no child has to import them."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import itertools
import mimetypes
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import ModuleSpec
from types import ModuleType

from engine.families import auditing
from engine.sandbox.importing import importing
from engine.sandbox.limits import NOT_PRELOADED
from engine.toolkit.declaring import Converter, Profile, declared
from engine.toolkit.options import make_shared


class _LeftToChild(ImportError):
    """A module that is too large to preload."""


class _Forbid(importlib.abc.MetaPathFinder):
    """Makes some modules, and those that need them, impossible to import for a while."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        if name in self._names:
            raise _LeftToChild(name)
        return None


def converter_of(module: str, slug: str) -> Mapping[str, Converter]:
    """One converter, importing only the module that declares it."""
    importlib.import_module(module)
    return {each.slug: each for each in declared() if each.slug == slug and each.declared_in == module}


def converters_of(profile: Profile, modules: Iterable[str]) -> Mapping[str, Converter]:
    """The registered converters of a profile by slug, and those in the CONVERTERS of each of `modules`."""
    from engine.families.registry import ALTERNATIVES, CONVERTERS  # all families: too much for one conversion

    every = (*CONVERTERS.values(), *ALTERNATIVES)
    table = {each.slug: each for each in every if each.profile == profile}
    for name in modules:
        table.update({each.slug: each for each in importlib.import_module(name).CONVERTERS})
    return table


def preload(profile: Profile, converters: Mapping[str, Converter]) -> None:
    """Import the modules of the converters' engines and call `warm()` where a module has it.

    A module that can't be imported, or needs one that may not be preloaded, is left to the child.
    """
    for _ in preloading(profile, converters):
        pass


def preloading(profile: Profile, converters: Mapping[str, Converter]) -> Iterator[None]:
    """The same as `preload`, yielding between modules so that the caller can do other work."""
    loaded = []
    every = ((*each.engine.modules, *auditing.modules(each)) for each in converters.values())
    for name in dict.fromkeys(itertools.chain.from_iterable(every)):
        if (module := _load(name, NOT_PRELOADED[profile])) is not None:
            loaded.append(module)
        yield
    make_shared(each.declared for each in converters.values())
    # Read now, from built-in tables only: a child may not open /etc/mime.types.
    mimetypes.init(files=[])
    for module in loaded:
        yield
        warm = getattr(module, "warm", None)
        if warm is not None and module.__name__ not in _warm:
            _warm.add(module.__name__)
            try:
                warm()
            except Exception:
                _report(f"{module.__name__} is not warm")


_warm: set[str] = set()
"""The modules already warmed in this process, for profiles imported one after another."""


def _load(name: str, left_to_child: frozenset[str]) -> ModuleType | None:
    forbidden = _Forbid(left_to_child)
    sys.meta_path.insert(0, forbidden)
    try:
        with importing():
            return importlib.import_module(name)
    except _LeftToChild:
        return None
    except Exception:
        _report(f"{name} is not preloaded")
        return None
    finally:
        sys.meta_path.remove(forbidden)


def _report(what: str) -> None:
    """Report that an engine failed to import; only its own jobs will fail."""
    print(f"engine.sandbox: {what}", file=sys.stderr)
    traceback.print_exc()


def programs_of(converters: Mapping[str, Converter]) -> tuple[str, ...]:
    """The files a child may execute: the programs of its engines."""
    found: list[str] = []
    for program in sorted({each for converter in converters.values() for each in converter.engine.programs}):
        package, _, file = program.partition("/")
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            found.append(os.path.normpath(os.path.join(folder, file)))
    return tuple(each for each in found if os.path.exists(each))


def folders_of(converters: Mapping[str, Converter]) -> tuple[str, ...]:
    """The folders of its engines, which a child may read in addition to the libraries."""
    return tuple(sorted({os.path.realpath(each) for one in converters.values() for each in one.engine.folders}))
