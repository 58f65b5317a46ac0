"""Draw metafiles (EMF, WMF) on the pages of a workbook as forms (ISO 32000-2, 8.10)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pikepdf
from pikepdf import Array, Name
from reportlab.pdfgen.canvas import Canvas

from engine.families.html_pdf import render
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.warnings import Kind, Warn


class Metafiles:
    """Makes a form for each metafile; the forms are empty until the pages are finished."""

    def __init__(self, canvas: Canvas, scratch: Path, warn: Warn) -> None:
        self._canvas, self._scratch, self._warn = canvas, scratch, warn
        self._made: dict[str, Path] = {}
        self._lost: Counter[Kind] = Counter()

    def form(self, data: bytes) -> str | None:
        """The name of the form, one unit wide and high, for a metafile; None for what can't be drawn as one."""
        from engine.toolkit.metafiles import embedded  # only for workbooks that have one

        found = embedded.drawn(data, self._lost)
        if found is None:
            return None
        name = f"metafile{len(self._made)}"
        page = self._scratch.with_name(f"{name}.pdf")
        try:
            render.draw(found.svg, found.size, page, self._warn)
        except (Unreadable, OverLimit):
            return None
        self._made[name] = page
        self._canvas.beginForm(name, 0, 0, 1, 1)
        self._canvas.endForm()
        return name

    def fill(self, target: Path) -> None:
        """Put the drawings into the forms of a finished PDF, and report what they lack."""
        for kind, count in self._lost.items():
            self._warn.tally(kind, count)
        if not self._made:
            return
        with pikepdf.open(target, allow_overwriting_input=True) as pdf:
            forms: dict[str, pikepdf.Object] = {}
            for page in pdf.pages:
                forms |= {key.rpartition(".")[2]: each for key, each in page.resources.get("/XObject", {}).items()}
            for name, path in self._made.items():
                with pikepdf.open(path) as drawing:
                    drawn = pdf.copy_foreign(drawing.pages[0].as_form_xobject())
                left, bottom, right, top = (float(each) for each in drawn.BBox)
                wide, high = right - left, top - bottom
                drawn.Matrix = Array([1 / wide, 0, 0, 1 / high, -left / wide, -bottom / high])
                form = forms[self._canvas._doc.getXObjectName(name).rpartition(".")[2]]
                form.write(drawn.read_bytes())
                for key in (Name.BBox, Name.Matrix, Name.Resources, Name.Group):
                    if key in drawn:
                        form[key] = drawn[key]
                path.unlink()
            pdf.save(target, deterministic_id=True)
