"""Theme colours and fonts of an office document (ECMA-376, part 1, 20.1.6)."""

from __future__ import annotations

import colorsys
import re

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import A, emu

_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_SHARE = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?%?")
"""A share in thousandths of a percent or, in the strict variant, in percent (20.1.10.40 and 22.9.2.9)."""
_ALIASES = {
    "text1": "dk1", "text2": "dk2", "background1": "lt1", "background2": "lt2", "dark1": "dk1", "dark2": "dk2",
    "light1": "lt1", "light2": "lt2", "hyperlink": "hlink", "followedHyperlink": "folHlink",
    "tx1": "dk1", "tx2": "dk2", "bg1": "lt1", "bg2": "lt2",
}  # fmt: skip
_PRESETS = {
    "black": "000000", "white": "ffffff", "red": "ff0000", "green": "008000", "blue": "0000ff", "yellow": "ffff00",
    "gray": "808080", "grey": "808080", "orange": "ffa500", "purple": "800080", "cyan": "00ffff", "magenta": "ff00ff",
    "ltGray": "d3d3d3", "lightGray": "d3d3d3", "dkGray": "a9a9a9", "darkGray": "a9a9a9", "navy": "000080",
}  # fmt: skip


class Theme:
    """Colours by name as six hex digits, the two fonts, the widths of lines in points, and the fills and effects.

    `grounds` are the fills of backgrounds.
    """

    def __init__(self, root: Element | None) -> None:
        self.lines: list[float] = []
        self.effects: list[Element] = []
        self.fills: list[Element] = []
        self.grounds: list[Element] = []
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
        self.fills, self.grounds = (
            [each for each in root.iterfind(f".//{A}fmtScheme/{A}{name}/*") if isinstance(each.tag, str)]
            for name in ("fillStyleLst", "bgFillStyleLst")
        )
        self.effects = root.findall(f".//{A}fmtScheme/{A}effectStyleLst/{A}effectStyle")
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
        self, parent: Element | None, mapping: dict[str, str] | None = None, *, held: str | None = None
    ) -> str | None:
        """The colour of a DrawingML element such as `a:solidFill` (20.1.2.3), as CSS.

        `held` is that of a shape which takes its fill from the theme, as CSS: its `phClr`.
        """
        if parent is None:
            return None
        for each in parent:
            kind = each.tag.rpartition("}")[2] if isinstance(each.tag, str) else ""
            name = each.get("val") or ""
            found: str | None = None
            if kind == "srgbClr":
                found = name.lower() if _HEX.fullmatch(name) else None
            elif kind == "sysClr":
                last = each.get("lastClr") or ""
                found = last.lower() if _HEX.fullmatch(last) else "000000" if name == "windowText" else "ffffff"
            elif kind == "prstClr":
                found = _PRESETS.get(name)
            elif kind == "schemeClr":
                mapped = (mapping or {}).get(name, name)
                found = self.colours.get(_ALIASES.get(mapped, mapped))
                if name == "phClr" and held:
                    found = held[1:7]
            if found:
                return _modified(found, each)
        return None


def _modified(colour: str, element: Element) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4))
    alpha = 1.0
    for each in element:
        kind, text = each.tag.rpartition("}")[2], each.get("val") or ""
        if not _SHARE.fullmatch(text):
            continue
        share = float(text[:-1]) / 100 if text.endswith("%") else float(text) / 100_000
        if kind in ("lumMod", "lumOff", "satMod"):
            hue, light, full = colorsys.rgb_to_hls(red, green, blue)
            light = light * share if kind == "lumMod" else light + share if kind == "lumOff" else light
            full = full * share if kind == "satMod" else full
            red, green, blue = colorsys.hls_to_rgb(hue, min(max(light, 0), 1), min(max(full, 0), 1))
        elif kind == "tint":
            red, green, blue = (each * share + 1 - share for each in (red, green, blue))
        elif kind == "shade":
            red, green, blue = (each * share for each in (red, green, blue))
        elif kind == "alpha":
            alpha = min(max(share, 0), 1)
    digits = "".join(f"{round(min(max(each, 0), 1) * 255):02x}" for each in (red, green, blue))
    return f"#{digits}" if alpha == 1 else f"#{digits}{round(alpha * 255):02x}"
