"""Preloading: which converters a zygote serves, and what it imports before the first job so that no child has to."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import mimetypes
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import ModuleSpec
from types import ModuleType

from conversions.sandbox.importing import importing
from conversions.sandbox.limits import NOT_PRELOADED
from conversions.toolkit.comparing import COMPARERS
from conversions.toolkit.declaring import Converter, Profile, declared
from conversions.toolkit.options import make_shared


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


def converter_of(module: str, slug: str) -> Mapping[str, Converter]:
    """One converter, for a process that needs no other: the module that declares it, and nothing else, is imported."""
    importlib.import_module(module)
    return {each.slug: each for each in declared() if each.slug == slug and each.declared_in == module}


def converters_of(profile: Profile, modules: Iterable[str]) -> Mapping[str, Converter]:
    """The registered converters of a profile by slug, and those that each of `modules` has in its CONVERTERS."""
    from conversions.families.registry import ALTERNATIVES, CONVERTERS  # all families: too much for one conversion

    every = (*CONVERTERS.values(), *ALTERNATIVES, *COMPARERS.values())
    table = {each.slug: each for each in every if each.profile == profile}
    for name in modules:
        table.update({each.slug: each for each in importlib.import_module(name).CONVERTERS})
    return table


def preload(profile: Profile, converters: Mapping[str, Converter]) -> None:
    """Import the modules of the converters' engines and call the `warm()` of those that have one.

    A module that can't be imported, or needs one that is not to be preloaded, is left to the child.
    """
    for _ in preloading(profile, converters):
        pass


def preloading(profile: Profile, converters: Mapping[str, Converter]) -> Iterator[None]:
    """As `preload`, one module after the other: what is to be done meanwhile is done in between."""
    loaded = []
    for name in dict.fromkeys(module for each in converters.values() for module in each.engine.modules):
        if (module := _load(name, NOT_PRELOADED[profile])) is not None:
            loaded.append(module)
        yield
    make_shared(each.declared for each in converters.values())
    # Read now and without the machine's own tables: a child may not open /etc/mime.types.
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
"""The modules of this process that are warm, where those of one profile are imported after those of another."""


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
    """Say that one engine failed, which is no reason to fail all others: its own jobs will fail too."""
    print(f"conversions.sandbox: {what}", file=sys.stderr)
    traceback.print_exc()


def programs_of(converters: Mapping[str, Converter]) -> tuple[str, ...]:
    """The files that a child may run: the programs that its engines bring with them."""
    found: list[str] = []
    for program in sorted({each for converter in converters.values() for each in converter.engine.programs}):
        package, _, file = program.partition("/")
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            found.append(os.path.normpath(os.path.join(folder, file)))
    return tuple(each for each in found if os.path.exists(each))


def folders_of(converters: Mapping[str, Converter]) -> tuple[str, ...]:
    """What a child may read beyond the libraries that all may read: the folders of its engines."""
    return tuple(sorted({os.path.realpath(each) for one in converters.values() for each in one.engine.folders}))
