"""Several ways of one conversion, by rows and by columns, that have to give the same."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.families.registry import CONVERTERS
from engine.toolkit.failures import ConversionError
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

NEVER = 1 << 60
"""A size that no input has."""
Outcome = tuple[bytes | str, tuple[Any, ...]]
Patch = tuple[Any, str, Any]


def outcome(folder: Path, slug: str, data: bytes, **options: Any) -> Outcome:
    """What comes out, or the error; and the warnings."""
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    target.unlink(missing_ok=True)
    try:
        converter.run(source, target, build(converter.options, options), warn)
    except ConversionError as error:
        return f"{error!r} {vars(error)}", warn.warnings
    return target.read_bytes(), warn.warnings


class Ways:
    """Converts by rows and by columns, whatever the size of the input, by these patches.

    `by_columns` counts the calls of the `counted` functions that came to their end, by module or class and name.
    """

    def __init__(
        self,
        folder: Path,
        patch: pytest.MonkeyPatch,
        *,
        rows: Sequence[Patch] = (),
        columns: Sequence[Patch] = (),
        counted: Sequence[tuple[Any, str]] = (),
    ) -> None:
        self.folder = folder
        self.by_columns = 0
        self._patch = patch
        self._rows = rows
        self._columns = columns
        self._places = counted

    def same(self, slug: str, data: bytes, **options: Any) -> bytes | str:
        by_rows = self.outcome(self._rows, slug, data, options)
        counted = [(owner, name, self.counted(getattr(owner, name))) for owner, name in self._places]
        assert self.outcome([*self._columns, *counted], slug, data, options) == by_rows
        return by_rows[0]

    def outcome(self, patches: Sequence[Patch], slug: str, data: bytes, options: dict[str, Any]) -> Outcome:
        with self._patch.context() as patch:
            for each in patches:
                patch.setattr(*each)
            return outcome(self.folder, slug, data, **options)

    def counted(self, function: Any, count: str = "by_columns") -> Any:
        """A function that does the same, and counts itself at the end."""

        def called(*arguments: Any, **named: Any) -> None:
            function(*arguments, **named)
            setattr(self, count, getattr(self, count) + 1)

        def given(*arguments: Any, **named: Any) -> Iterator[Any]:
            yield from function(*arguments, **named)
            setattr(self, count, getattr(self, count) + 1)

        return given if inspect.isgeneratorfunction(function) else called
