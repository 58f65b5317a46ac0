"""Write reproducible ZIP and tar archives from streamed entries."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import tarfile
import time
import zipfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from engine.families.archives.damage import damaged
from engine.families.archives.entries import Entry
from engine.toolkit.formats import TBZ2, TGZ, TXZ, TZST, ZIP, Format

_LEVELS = {
    ZIP: {"fast": 1, "normal": 6, "best": 9},
    TGZ: {"fast": 1, "normal": 6, "best": 9},
    TBZ2: {"fast": 1, "normal": 9, "best": 9},
    TXZ: {"fast": 0, "normal": 4, "best": 8},
    TZST: {"fast": 1, "normal": 3, "best": 19},
}
_BLOCK = 1 << 20
_FIRST, _LAST = 315_532_800, 4_354_819_198
"""The range of ZIP times: 1980 to 2107."""


class Writer:
    """Writes an archive in one of the output formats; `owned` counts entries whose owner a ZIP can't store."""

    def __init__(self, target: Path, format: Format, compression: str) -> None:
        self.owned = 0
        level = _LEVELS.get(format, {}).get(compression, 0)
        self._zip: zipfile.ZipFile | None = None
        self._closing: list[Any] = []
        if format is ZIP:
            self._zip = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=level)
            self._closing.append(self._zip)
            return
        file = target.open("wb")
        packed = _packed(file, format, level)
        self._tar = tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT, encoding="utf-8")  # noqa: SIM115
        self._closing += [self._tar, *([packed] if packed is not file else []), file]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in self._closing:
            if kind is None or each is not self._closing[0] or self._zip is None:
                each.close()

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises Unreadable if its content is shorter than declared."""
        if self._zip is not None:
            self._add_to_zip(self._zip, entry)
        else:
            self._add_to_tar(entry)

    def _add_to_zip(self, archive: zipfile.ZipFile, entry: Entry) -> None:
        self.owned += bool(entry.owner and (entry.owner[2] or entry.owner[3]))
        moment = entry.modified if entry.modified is not None else _FIRST
        within = time.gmtime(min(max(moment, _FIRST), _LAST))
        info = zipfile.ZipInfo(entry.name + "/" * entry.folder, within[:6])
        info.create_system = 3
        info.external_attr = (0o40000 if entry.folder else 0o100000) << 16 | entry.permissions << 16
        info.external_attr |= 0x10 if entry.folder else 0
        if entry.modified is not None and -(2**31) <= moment < 2**31:
            info.extra = struct.pack("<HHBi", 0x5455, 5, 1, moment)
        info.file_size = entry.size
        info.compress_type = zipfile.ZIP_STORED if entry.folder else zipfile.ZIP_DEFLATED
        with archive.open(info, "w", force_zip64=entry.size > 1 << 31) as part:
            size = 0
            while entry.content is not None and (block := entry.content.read(_BLOCK)):
                part.write(block)
                size += len(block)
        if not entry.folder and size != entry.size:
            raise damaged()

    def _add_to_tar(self, entry: Entry) -> None:
        info = tarfile.TarInfo(entry.name)
        info.type = tarfile.DIRTYPE if entry.folder else tarfile.REGTYPE
        info.size = 0 if entry.folder else entry.size
        info.mtime = entry.modified or 0
        info.mode = entry.permissions
        if entry.owner:
            info.uid, info.gid, info.uname, info.gname = entry.owner
        try:
            self._tar.addfile(info, None if entry.folder or not entry.size else entry.content)
        except (ValueError, OverflowError) as error:
            raise damaged() from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise damaged() from error
        self._tar.members = []  # type: ignore[attr-defined]  # else it would keep them all


def _packed(file: Any, format: Format, level: int) -> Any:
    if format is TGZ:
        return gzip.GzipFile("", "wb", level, file, mtime=0)
    if format is TBZ2:
        return bz2.BZ2File(file, "wb", compresslevel=level)
    if format is TXZ:
        return lzma.LZMAFile(file, "wb", preset=level)
    if format is TZST:
        from backports import zstd

        return zstd.ZstdFile(file, "wb", level=level)
    return file
