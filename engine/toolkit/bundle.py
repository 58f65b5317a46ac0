"""A ZIP of several output files; the same files always give the same bytes."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The earliest time a ZIP entry can have, used for every entry so that output is reproducible."""


class Bundle:
    """A ZIP archive written to `target`; members are stored uncompressed, and pages take the extension of `target`."""

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
        """Yield a path to write page `number` (from 0) of `count` to; it is stored as `page-001.png`."""
        digits = max(3, len(str(count)))
        with self.member(f"page-{number + 1:0{digits}}{self._target.suffix}") as path:
            yield path

    @contextmanager
    def member(self, name: str) -> Iterator[Path]:
        """Yield a path to write to; the file is stored under this name."""
        path = self._target.with_name(name)
        yield path
        member = zipfile.ZipInfo(path.name, _MOMENT)
        member.external_attr = 0o644 << 16
        with path.open("rb") as file, self._archive.open(member, "w") as place:
            while block := file.read(1 << 20):
                place.write(block)
        path.unlink()
