"""Theme colours and fonts of an office document (ECMA-376, part 1, 20.1.6)."""

from __future__ import annotations

import colorsys
import re

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.colours import colour_of
from engine.families.documents.word.names import A, emu

_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_ALIASES = {
    "text1": "dk1", "text2": "dk2", "background1": "lt1", "background2": "lt2", "dark1": "dk1", "dark2": "dk2",
    "light1": "lt1", "light2": "lt2", "hyperlink": "hlink", "followedHyperlink": "folHlink",
    "tx1": "dk1", "tx2": "dk2", "bg1": "lt1", "bg2": "lt2",
}  # fmt: skip


class Theme:
    """Colours by name as six hex digits, the two fonts, and what styles of shapes refer to by number.

    `part` is its name in the package. `lines` are widths in points; `fills`, `backgrounds` and `effects` are the
    elements that declare them (20.1.4.1).
    """

    def __init__(self, root: Element | None, part: str = "") -> None:
        self.part = part
        self.lines: list[float] = []
        self.effects: list[Element] = []
        self.fills: list[Element] = []
        self.backgrounds: list[Element] = []
        self.colours = {"dk1": "000000", "lt1": "ffffff", "hlink": "0563c1", "folHlink": "954f72"}
        self.major = self.minor = ""
        if root is None:
            return
        # There may be alternatives besides the scheme in use.
        scheme = root.find(f".//{A}clrScheme")
        for each in () if scheme is None else scheme:
            for colour in each:
                found = colour.get("lastClr") or colour.get("val") or ""
                if _HEX.fullmatch(found):
                    self.colours[each.tag.rpartition("}")[2]] = found.lower()
        self.lines = [emu(each.get("w")) for each in root.iterfind(f".//{A}fmtScheme/{A}lnStyleLst/{A}ln")]
        self.effects = root.findall(f".//{A}fmtScheme/{A}effectStyleLst/{A}effectStyle")
        self.fills = root.findall(f".//{A}fmtScheme/{A}fillStyleLst/*")
        self.backgrounds = root.findall(f".//{A}fmtScheme/{A}bgFillStyleLst/*")
        for name in ("major", "minor"):
            face = root.find(f".//{A}{name}Font/{A}latin")
            setattr(self, name, "" if face is None else face.get("typeface") or "")

    def font(self, name: str) -> str:
        """The font that `majorHAnsi`, `minorBidi` or `+mn-lt` refers to."""
        return self.major if name.startswith(("major", "+mj")) else self.minor

    def colour(self, name: str, *, tint: str | None = None, shade: str | None = None) -> str | None:
        """A scheme colour with WordprocessingML's tint and shade, which change its lightness (17.3.2.6)."""
        found = self.colours.get(_ALIASES.get(name, name))
        for share, towards in ((tint, 1), (shade, 0)):
            if found and share and re.fullmatch("[0-9A-Fa-f]{1,2}", share):
                part = int(share, 16) / 255
                hue, light, full = colorsys.rgb_to_hls(*(int(found[i : i + 2], 16) / 255 for i in (0, 2, 4)))
                changed = colorsys.hls_to_rgb(hue, light * part + towards * (1 - part), full)
                found = "".join(f"{int(each * 255):02x}" for each in changed)  # Word cuts off fractions
        return found

    def drawn(
        self, parent: Element | None, mapping: dict[str, str] | None = None, *, placeholder: str | None = None
    ) -> str | None:
        """The colour of a DrawingML element such as `a:solidFill` (20.1.2.3), or the first of several, as CSS.

        In styles of a theme, the `placeholder` stands for the colour of the shape that refers to them.
        """
        if parent is None:
            return None

        def named(name: str) -> str | None:
            if name == "phClr" and placeholder:
                return placeholder.removeprefix("#")
            mapped = (mapping or {}).get(name, name)
            return self.colours.get(_ALIASES.get(mapped, mapped))

        return next((found for each in parent if (found := colour_of(each, named))), None)
