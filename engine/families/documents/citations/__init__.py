"""Citation styles for references, as CSL 1.0.2 files beside this module, except for pandoc's default style."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent
_OWN_OF_PANDOC = "chicago"


def arguments(style: str) -> tuple[str, ...]:
    """The pandoc arguments that format citations and references in a named `style`."""
    chosen = () if style == _OWN_OF_PANDOC else (f"--csl={_FOLDER / style}.csl",)
    return ("--citeproc", *chosen)
