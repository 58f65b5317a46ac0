"""PowerPoint's built-in table styles, which files reference by id only."""

from __future__ import annotations

from dataclasses import dataclass

_MEDIUM = {
    "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}": "accent1", "{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}": "accent2",
    "{F5AB1C69-6EDB-4FF4-983F-18BD219EF322}": "accent3", "{00A15C55-8517-42AA-B614-E9B94910E393}": "accent4",
    "{7DF18680-E054-41AD-8BC1-D1AEF772440D}": "accent5", "{93296810-A885-4BE3-A3E7-6D5BEEA58F35}": "accent6",
    "{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}": "dk1",
}  # fmt: skip
"""Medium Style 2, the default table style, by its theme colour."""
_BARE = ("", "{2D5ABB26-0587-4C30-8999-92F81FD0307C}")
_GRID = "{5940675A-B579-460E-94D1-54222C63F5DA}"
_WHITE, _BLACK, _GREY = "1pt solid #ffffff", "1pt solid #000000", "0.75pt solid #bfbfbf"


@dataclass(frozen=True)
class TableStyle:
    """The theme colour that fills cells, and the line between them; `known` is false for other styles."""

    accent: str | None
    line: str
    known: bool = True


def style(id: str) -> TableStyle:
    """The style with an id; an unknown one gives cells visible lines."""
    if id in _MEDIUM:
        return TableStyle(_MEDIUM[id], _WHITE)
    if id in _BARE:
        return TableStyle(None, "none")
    return TableStyle(None, _BLACK if id == _GRID else _GREY, known=id == _GRID)


def tinted(colour: str, share: float) -> str:
    """A colour mixed with white so that `share` of it is left, in linear light (IEC 61966-2-1); six hex digits."""

    def mixed(value: float) -> int:
        light = value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        light = light * share + 1 - share
        return round(255 * (light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055))

    return "".join(f"{mixed(int(colour[at : at + 2], 16) / 255):02x}" for at in (0, 2, 4))
