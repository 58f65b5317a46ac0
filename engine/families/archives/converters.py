"""Convert archives: ZIP, compressed tar and 7z in, ZIP and tar out, and listings of their contents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.families.archives.options import Locked, Names, Packing
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import CSV, FORMATS, JSON, SEVEN_ZIP, TAR, TBZ2, TGZ, TXZ, TZST, ZIP
from engine.toolkit.options import combine
from engine.toolkit.warnings import Warn

_OF_ALL = ("engine.families.archives.exchange", "cryptography", "inflate64")
PYTHON = Engine("Python", lazy=("lzma", "bz2", *_OF_ALL))
PYZIPPER = Engine("pyzipper", lazy=("pyzipper", *_OF_ALL))
ZSTD = Engine("backports.zstd", lazy=("backports.zstd", *_OF_ALL))

OUTPUTS = (ZIP, TAR, TGZ, TBZ2, TXZ, TZST)
INPUTS = (*OUTPUTS, SEVEN_ZIP)
LISTS = (JSON, CSV)


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output}, with folders, dates and modes."""
    from engine.families.archives import exchange

    exchange.convert(source, target, FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]], options, warn)


def _list(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """List the files in {input} as {output}, with names, sizes, dates and modes."""
    from engine.families.archives import exchange

    exchange.list_entries(source, target, FORMATS[source.suffix[1:]], FORMATS[target.suffix[1:]], options, warn)


for _source in INPUTS:
    for _target in (*OUTPUTS, *LISTS):
        if _source is not _target:
            _listed = _target in LISTS
            _groups: list[type] = [Names] if _source is not SEVEN_ZIP else []
            if (_source is ZIP and not _listed) or _source is SEVEN_ZIP:  # only 7z can lock the names of its files
                _groups.append(Locked)
            if _target is not TAR and not _listed:
                _groups.append(Packing)
            converter(
                _source,
                _target,
                profile="text",
                engine=PYZIPPER if _source is ZIP else ZSTD if TZST in (_source, _target) else PYTHON,
                options=combine(f"{_source.id}_to_{_target.id}".title(), *_groups),
            )(_list if _listed else _convert)
