"""Convert RTF sections (1.9.1, “Section Formatting Properties”) to Word sections."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_PAPER = ("width", "height", "left", "right", "top", "bottom")
_DOCUMENT = {"paperw": "width", "paperh": "height", "margl": "left", "margr": "right", "margt": "top",
             "margb": "bottom", "gutter": "gutter"}  # fmt: skip
_SECTION = {"pgwsxn": "width", "pghsxn": "height", "marglsxn": "left", "margrsxn": "right", "margtsxn": "top",
            "margbsxn": "bottom", "guttersxn": "gutter", "headery": "header", "footery": "footer", "cols": "columns",
            "colsx": "gap", "pgnstarts": "number", "colw": "own"}  # fmt: skip
_OTHERS = frozenset(("sectd", "titlepg", "linebetcol", "pgnrestart", "pgncont"))
_BREAKS = {"sbknone": "continuous", "sbkcol": "nextColumn", "sbkpage": "nextPage", "sbkeven": "evenPage",
           "sbkodd": "oddPage"}  # fmt: skip
RUNNING = {"header": "default", "headerr": "default", "headerl": "even", "headerf": "first",
           "footer": "default", "footerr": "default", "footerl": "even", "footerf": "first"}  # fmt: skip


@dataclass
class Sections:
    """The settings of the document and of the current section; lengths in twips."""

    document: dict[str, int] = field(
        default_factory=lambda: dict(zip(_PAPER, (12_240, 15_840, 1800, 1800, 1440, 1440), strict=True))
    )
    properties: dict[str, int] = field(default_factory=dict)
    kind: str = "nextPage"
    first_differs: bool = False
    ruled: bool = False
    restarts: bool = False
    even: bool = False
    parts: dict[tuple[str, str], str] = field(default_factory=dict)
    """Relationships of headers and footers by kind and pages."""
    widths: set[int] = field(default_factory=set)
    """The column widths, if set individually."""

    @staticmethod
    def has(word: str) -> bool:
        """Whether a word is a property of sections rather than of the document."""
        return word in _SECTION or word in _BREAKS or word in _OTHERS

    def word(self, word: str, number: int | None) -> bool:
        """Handle a word; return whether it is a section property."""
        if word in _DOCUMENT and number is not None:
            self.document[_DOCUMENT[word]] = max(-31_680, min(number, 100_000))
        elif word == "colw" and number is not None:
            self.widths.add(number)
        elif word in _SECTION and number is not None:
            self.properties[_SECTION[word]] = max(-31_680, min(number, 100_000))
        elif word in _BREAKS:
            self.kind = _BREAKS[word]
        elif word == "titlepg":
            self.first_differs = True
        elif word == "linebetcol":
            self.ruled = True
        elif word in ("pgnrestart", "pgncont"):
            self.restarts = word == "pgnrestart"
        elif word == "sectd":
            self.properties, self.kind, self.first_differs, self.ruled, self.restarts = (
                {},
                "nextPage",
                False,
                False,
                False,
            )
            self.widths = set()
        else:
            return False
        return True

    @property
    def room(self) -> int:
        """The column width."""
        all_ = {**self.document, **self.properties}
        room = max(all_["width"] - all_["left"] - all_["right"], 600)
        columns = max(1, min(all_.get("columns", 1), 12))
        return max((room - all_.get("gap", 720) * (columns - 1)) // columns, 400)

    def end(self) -> Element:
        """End the current section, and return it."""
        made = element("sectPr")
        all_ = {**self.document, **self.properties}
        for (kind, which), relation in self.parts.items():
            add(made, f"{kind}Reference", type=which).set(_R + "id", relation)
        add(made, "type", val=self.kind)
        turned = {"orient": "landscape"} if all_["width"] > all_["height"] else {}
        add(made, "pgSz", w=max(all_["width"], 1440), h=max(all_["height"], 1440), **turned)
        sides = {side: all_[side] for side in ("top", "right", "bottom", "left")}
        add(made, "pgMar", **sides, header=all_.get("header", 720), footer=all_.get("footer", 720),
            gutter=all_.get("gutter", 0))  # fmt: skip
        if (columns := all_.get("columns", 1)) > 1:
            written = add(made, "cols", num=min(columns, 12), space=max(all_.get("gap", 720), 0), equalWidth=0)
            if self.ruled:
                written.set(written.tag.replace("cols", "sep"), "1")
            for width in sorted(self.widths):
                add(written, "col", w=width)
        if self.first_differs:
            add(made, "titlePg")
        if self.restarts:
            add(made, "pgNumType", start=max(all_.get("number", 1), 0))
        return made
