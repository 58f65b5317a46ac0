"""Bundle: several files that leave as one ZIP, the same bytes every time."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP can name: the same input gives the same bytes."""


class Bundle:
    """A ZIP archive in the place of `target`, whose extension its pages have; its members are stored as they are."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._archive = zipfile.ZipFile(target, "w", zipfile.ZIP_STORED)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()

    @contextmanager
    def page(self, number: int, count: int) -> Iterator[Path]:
        """A file to write page `number`, counted from 0, of `count` to; it goes in as `page-001.png`."""
        digits = max(3, len(str(count)))
        with self.member(f"page-{number + 1:0{digits}}{self._target.suffix}") as path:
            yield path

    @contextmanager
    def member(self, name: str) -> Iterator[Path]:
        """A file to write to, which goes in under this name."""
        path = self._target.with_name(name)
        yield path
        member = zipfile.ZipInfo(path.name, _MOMENT)
        member.external_attr = 0o644 << 16
        with path.open("rb") as file, self._archive.open(member, "w") as place:
            while block := file.read(1 << 20):
                place.write(block)
        path.unlink()
