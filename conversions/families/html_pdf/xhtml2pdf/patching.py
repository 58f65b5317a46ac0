"""How a part of a library is replaced: only where it is still what it was when the replacement was written."""

from __future__ import annotations

import hashlib
import importlib
import linecache
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from types import CodeType, FunctionType, ModuleType
from typing import Any, NoReturn

NOTHING = "nothing"
_STATIC = (str, bytes, int, float, bool, tuple, frozenset, type(None))


@dataclass(frozen=True)
class Release:
    """A library as it was looked at; `library` is its distribution, or `Python` for the standard library."""

    library: str
    version: str

    def installed(self) -> str:
        """The version that is installed, or `none`."""
        if self.library == "Python":
            return ".".join(map(str, sys.version_info[:3]))
        try:
            return metadata.version(self.library)
        except metadata.PackageNotFoundError:
            return "none"


@dataclass(frozen=True)
class Patch:
    """One name of a library that stands for something of ours.

    `owner` is where the name is: a module, or after a colon a class or a dictionary in it. `expected` is the
    fingerprint of what the name stands for in the `checked` release, and `replacement` a module and a name in it; where
    it `wraps`, that is called with what was there and returns what is to be there.
    """

    owner: str
    name: str
    expected: str
    replacement: str
    why: str
    checked: Release
    wraps: bool = False


@dataclass(frozen=True)
class StandIn:
    """One module that a library imports and no page reaches, for which an empty one stands while that is imported.

    `expected` are the names that the library takes from it then, in alphabetical order. A module that is in memory
    already stays what it is, for all.
    """

    name: str
    expected: str
    why: str
    checked: Release
    owner: str = "sys:modules"


class LibraryChanged(ImportError):
    """A library is not what was patched; says of each change what was expected, and of which release."""


def fingerprint(found: object) -> str:
    """What `found` is, in a word, by its own name, and by its source or its value: any change of these shows."""
    kind = "class" if isinstance(found, type) else type(found).__name__
    if isinstance(found, type | FunctionType):
        return f"{kind} {found.__module__}.{found.__qualname__} {_digest(_source(found))}"
    text = repr(found)
    return f"{kind} {text if len(text) <= 60 else _digest(text)}"


def apply_all(patches: Sequence[Patch]) -> None:
    """Replace all names, in this order, or none: raises LibraryChanged where one is not what is expected."""
    changes = []
    for each in patches:
        found = _found(each)
        if found != each.expected:
            changes.append(_change(each, found))
    linecache.clearcache()  # or the sources stay in every child's memory
    if changes:
        raise LibraryChanged("\n".join(changes))
    # All before the first is put in its place: what they wrap and extend is the library's own.
    replacements = [_at(each.replacement) for each in patches]
    for each, replacement in zip(patches, replacements, strict=True):
        owner = _at(each.owner)
        if each.wraps:
            replacement = replacement(_get(owner, each.name, None))
        if isinstance(owner, dict):
            owner[each.name] = replacement
        else:
            setattr(owner, each.name, replacement)


@contextmanager
def standing_in(stand_ins: Sequence[StandIn]) -> Iterator[None]:
    """Empty modules for what is imported in this block; raises LibraryChanged where it takes other names of them."""
    absent = {each: _Absent(each.name) for each in stand_ins if each.name not in sys.modules}
    sys.modules.update({each.name: module for each, module in absent.items()})
    try:
        yield
    finally:
        # Whoever else imports them gets the real ones.
        for each, module in absent.items():
            if sys.modules.get(each.name) is module:
                del sys.modules[each.name]
    found = {each: ", ".join(sorted(module.taken)) or NOTHING for each, module in absent.items()}
    changes = [_change(each, names) for each, names in found.items() if names != each.expected]
    if changes:
        raise LibraryChanged("\n".join(changes))


class _Absent(ModuleType):
    """A module with every name, each of which raises NotImplementedError when it is called."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.taken: set[str] = set()

    def __getattr__(self, name: str) -> Callable[..., NoReturn]:
        if name.startswith("__"):
            raise AttributeError(name)
        self.taken.add(name)

        def refuse(*args: object, **settings: object) -> NoReturn:
            raise NotImplementedError(f"{self.__name__}.{name} is not reached by any page")

        return refuse


def _change(entry: Patch | StandIn, found: str) -> str:
    checked = entry.checked
    return (
        f"{entry.owner}: {entry.name} is to be replaced ({entry.why}), but is not what it was: expected"
        f" {entry.expected}, found {found}; checked with {checked.library} {checked.version}, installed is"
        f" {checked.installed()}"
    )


def _found(patch: Patch) -> str:
    missing = object()
    try:
        found = _get(_at(patch.owner), patch.name, missing)
    except (ImportError, AttributeError) as error:
        return f"{NOTHING} ({error})"
    return NOTHING if found is missing else fingerprint(found)


def _at(place: str) -> Any:
    """What is at a module or, after a colon, at a path in it."""
    module, _, path = place.partition(":")
    found: Any = importlib.import_module(module)
    for name in path.split(".") if path else ():
        found = getattr(found, name)
    return found


def _get(owner: Any, name: str, default: object) -> Any:
    return owner.get(name, default) if isinstance(owner, dict) else getattr(owner, name, default)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _source(found: object) -> str:
    """The text of a function; of a class, its bases' names, its functions' texts, and its other values."""
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    if isinstance(found, FunctionType):
        return _lines(found.__code__)
    if isinstance(found, property):
        return "".join(_source(each) for each in (found.fget, found.fset, found.fdel) if each is not None)
    if isinstance(found, type):
        parts = [each.__qualname__ for each in found.__bases__]
        for name, member in vars(found).items():
            if not name.startswith("__") or isinstance(member, FunctionType):
                parts.append(f"{name} {_source(member)}")
        return "\n".join(parts)
    return repr(found) if isinstance(found, _STATIC) else type(found).__qualname__


def _lines(code: CodeType) -> str:
    """The source of one function, or its names where it was made without a file."""
    lines = linecache.getlines(code.co_filename)
    if not lines:
        return f"{code.co_name} {code.co_varnames} {code.co_names}"
    return "".join(lines[code.co_firstlineno - 1 : _last_line(code)])


def _last_line(code: CodeType) -> int:
    """The last line that something of a function begins in; to look for its end as text takes many times as long."""
    own = max((line for _, _, line in code.co_lines() if line is not None), default=code.co_firstlineno)
    return max([own, *(_last_line(each) for each in code.co_consts if isinstance(each, CodeType))])
