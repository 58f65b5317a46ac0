"""Where fonts are: the bundled ones, and those of the operator in the folder FONTS_DIR."""

from __future__ import annotations

import os
from pathlib import Path

FONTS = Path(__file__).resolve().parents[1] / "fonts"
"""The bundled fonts, and the settings of fontconfig for them and the operator's."""
_SUFFIXES = frozenset((".ttf", ".otf", ".ttc", ".otc"))


def folder() -> str:
    """The folder of the operator's fonts, or an empty text."""
    return os.environ.get("FONTS_DIR", "")


def files() -> list[Path]:
    """The operator's font files, in the folder and the folders below it, without links that lead elsewhere."""
    return [each for each in _named() if _is_inside(each)]


def links_elsewhere() -> list[Path]:
    """Links with a font's name that lead out of the folder, where a child can read nothing, or to no file."""
    return [each for each in _named() if each.is_symlink() and not _is_inside(each)]


def _named() -> list[Path]:
    return sorted(each for each in Path(folder()).rglob("*") if each.suffix.lower() in _SUFFIXES) if folder() else []


def _is_inside(path: Path) -> bool:
    return path.is_file() and Path(folder()).resolve() in path.resolve().parents


def configure(settings: Path = FONTS / "fonts.conf") -> None:
    """Let fontconfig read these settings, whose `xdg` folder is the operator's; call it before the first font is found.

    Settings can't name any other variable, and `xdg` means two (fonts-conf(5), `dir`): without the second, fontconfig
    reads every folder below /usr/share.
    """
    os.environ["FONTCONFIG_FILE"] = str(settings)
    os.environ["XDG_DATA_HOME"] = folder() or "/nonexistent"
    os.environ["XDG_DATA_DIRS"] = "/nonexistent"
