"""Keep what was found out about a file for as long as the file does not change."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def kept(function: Callable[Concatenate[Path, _P], _R]) -> Callable[Concatenate[Path, _P], _R]:
    """Make a function of a file return its last result again, if it is called with the same file and arguments.

    For what is read from the head of a file first to convert it and then to count it.
    """

    @functools.lru_cache(maxsize=1)
    def found(path: Path, changed: int, size: int, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        return function(path, *args, **kwargs)

    @functools.wraps(function)
    def again(path: Path, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        status = path.stat()
        return found(path, status.st_mtime_ns, status.st_size, *args, **kwargs)  # type: ignore[arg-type]  # they must be hashable

    return again
