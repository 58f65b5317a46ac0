"""The office suite: where LibreOffice is installed on this machine, and which of its parts are."""

from __future__ import annotations

import os
from pathlib import Path

# Debian and Ubuntu; Fedora; Alpine has the first too.
_PLACES = ("/usr/lib/libreoffice", "/usr/lib64/libreoffice")


def _found() -> Path | None:
    for place in map(Path, _PLACES):
        if (place / "program" / "bootstraprc").is_file() and (place / "program" / "libmergedlo.so").is_file():
            return place
    return None


FOLDER = _found()
"""The folder of the installation, None where there is none that can be loaded as a library."""


def program(name: str) -> str:
    """The path of a file of the program folder; where nothing is installed, one that does not exist."""
    return str((FOLDER or Path(_PLACES[0])) / "program" / name)


def title() -> str:
    """Name and version, such as `LibreOffice 7.4`, as the installation's own bootstrap file says."""
    if FOLDER is not None:
        for line in Path(program("bootstraprc")).read_text().splitlines():
            if line.startswith("ProductKey="):
                return line.removeprefix("ProductKey=").strip()
    return "LibreOffice"


def readable() -> tuple[str, ...]:
    """The folders that the suite reads: its own, and its settings and shared extensions, which Debian keeps in /etc and
    /var behind links."""
    if FOLDER is None:
        return ()
    inside = (FOLDER, FOLDER / "share" / "registry", FOLDER / "share" / "uno_packages" / "cache")
    return tuple(map(os.path.realpath, inside))
