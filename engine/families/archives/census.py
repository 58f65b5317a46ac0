"""Count the files of archives from their listings: the directory of a ZIP, tar headers, the 7z header."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import SEVEN_ZIP, TAR, TBZ2, TGZ, TXZ, TZST, ZIP


def _zip(path: Path) -> Census:
    import zipfile

    census = Census()
    with zipfile.ZipFile(path) as archive:
        for each in archive.infolist():
            if not each.is_dir() and not each.filename.endswith("\\"):
                _add(census, each.filename, each.file_size)
    return census


def _tar(opened: Callable[[Path], Any]) -> Callable[[Path], Census]:
    def count(path: Path) -> Census:
        import tarfile

        census = Census()
        sizes: dict[str, int] = {}
        with opened(path) as file, tarfile.open(fileobj=file, mode="r|", errors="surrogateescape") as archive:
            for each in archive:
                sizes[each.name] = sizes.get(each.linkname, 0) if each.islnk() else each.size
                if not each.isdir():
                    _add(census, each.name, sizes[each.name])
        return census

    return count


def _plain(path: Path) -> Any:
    return path.open("rb")


def _gzip(path: Path) -> Any:
    import gzip

    return gzip.open(path)


def _bzip2(path: Path) -> Any:
    import bz2

    return bz2.open(path)


def _xz(path: Path) -> Any:
    import lzma

    return lzma.open(path)


def _zstandard(path: Path) -> Any:
    from backports import zstd

    return zstd.open(path)


def _seven_zip(path: Path, password: str | None = None) -> Census:
    from engine.families.archives.seven_zip.archive import Archive

    census = Census()
    with path.open("rb") as file:
        for each in Archive(file, password).members:
            if not each.folder:
                _add(census, each.name, each.size)
    return census


def _add(census: Census, name: str, size: int) -> None:
    """Count a file by name and size, or by size alone if its name is not ASCII, as its encoding may be a guess."""
    clean = "/".join(each for each in name.replace("\\", "/").split("/") if each not in ("", "."))
    census.add("files", label=f"{clean} ({size})" if clean.isascii() else f"({size})")


_KINDS = frozenset({"files"})

COUNTINGS = {
    ZIP: Counting(_zip, _KINDS),
    TAR: Counting(_tar(_plain), _KINDS),
    TGZ: Counting(_tar(_gzip), _KINDS),
    TBZ2: Counting(_tar(_bzip2), _KINDS),
    TXZ: Counting(_tar(_xz), _KINDS),
    TZST: Counting(_tar(_zstandard), _KINDS),
    SEVEN_ZIP: Counting(_seven_zip, _KINDS, count_locked=_seven_zip),
}
