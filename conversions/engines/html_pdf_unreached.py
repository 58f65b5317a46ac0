"""Parts of the layout engine that no page reaches: stood in for while the engine is imported, so they cost nothing."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import NoReturn

_UNREACHED = (
    # Only <pdf:insertpdf>, <pdf:barcode> and <canvas> use these, and html_pdf_dom lets none of them through.
    "pypdf",
    "pypdf.generic",
    "reportlab.graphics.barcode",
    "reportlab.graphics.charts.legends",
    "reportlab.graphics.charts.textlabels",
    "xhtml2pdf.charts",
    # Arabic is joined as every font has it, not as one font file has it.
    "fontTools.ttLib",
    # html_pdf_pictures draws SVG itself, and imports its reader once there is one.
    "svglib.svglib",
)


class _StandIn(ModuleType):
    """A module with every name, each of which raises NotImplementedError when it is called."""

    def __getattr__(self, name: str) -> Callable[..., NoReturn]:
        if name.startswith("__"):
            raise AttributeError(name)

        def refuse(*args: object, **settings: object) -> NoReturn:
            raise NotImplementedError(f"{self.__name__}.{name} is not reached by any page")

        return refuse


def _import_engine() -> None:
    """Import the layout engine's modules, with stand-ins for those parts that are not in memory yet."""
    stand_ins = {name: _StandIn(name) for name in _UNREACHED if name not in sys.modules}
    sys.modules.update(stand_ins)
    try:
        importlib.import_module("xhtml2pdf.context")
    finally:
        # Whoever else imports them gets the real ones.
        for name, module in stand_ins.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


_import_engine()
