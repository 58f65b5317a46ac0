"""Word pictures, text boxes and shapes as HTML, inline or anchored."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from html import escape

from engine.families.documents import metafile_pictures
from engine.families.documents.ooxml import diagram
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import job as kinds
from engine.families.documents.word import lines, outlines, text_rooms
from engine.families.documents.word.job import Job
from engine.families.documents.word.names import MC, PIC, WP, WPS, A, O, R, V, W, emu, integer, pt
from engine.toolkit.data_uris import data_uri

_TYPES = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "jpe": "image/jpeg", "gif": "image/gif",
    "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp", "jfif": "image/jpeg",
}  # fmt: skip
_MARKS = (
    (b"\x89PNG", "image/png"), (b"\xff\xd8", "image/jpeg"), (b"GIF8", "image/gif"), (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"), (b"MM\0*", "image/tiff"),
)  # fmt: skip
_LENGTH = re.compile(r"(-?[\d.]{1,9})(pt|in|cm|mm|px)?")
_UNITS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 0.75, "": 1.0}
_OVER = 3.0
"""Points above the first line of a page from which on a picture is visibly cut off."""
_AROUND = ("wrapSquare", "wrapTight", "wrapThrough")
_NARROW = 72.0
"""Points beside a picture within which Word puts no text."""
_PLAIN = ("rect", "roundRect", "ellipse", "flowChartProcess", "round2SameRect")

Blocks = Callable[[Element, float], str]
"""Writes the paragraphs in an element for a given width."""


def picture(job: Job, part: str, relation: str | None) -> str | None:
    """A picture of the package as a `data:` URI; None, and counted, if it is missing or can't be shown."""
    found = job.package.relations(part).get(relation or "")
    if found is None or (not found.external and found.target not in job.package.names):
        job.found[kinds.LOST_PICTURE] += 1
        return None
    if found.external:
        return None  # external ones are reported together
    if found.target not in job.pictures:
        data = job.package.read(found.target)
        kind = type_of(found.target, data)
        if kind is None and (svg := metafile_pictures.drawn(data, job.found)) is not None:
            kind, data = "image/svg+xml", svg
        uri = data_uri(kind, data) if kind else None
        job.pictures[found.target] = uri
    uri = job.pictures[found.target]
    if uri is None:
        job.found[kinds.PICTURE] += 1
        return None
    return job.repetitions.shown(found.target, uri)


def type_of(name: str, data: bytes) -> str | None:
    """The content type of a displayable picture; None for others."""
    known = _TYPES.get(name.rpartition(".")[2].lower())
    found = next((type_ for mark, type_ in _MARKS if data.startswith(mark)), None)
    return found or (known if known == "image/webp" else None)


class Drawing:
    """The HTML of one `w:drawing` or `w:pict`: inline, or before its paragraph."""

    def __init__(self, job: Job, part: str, blocks: Blocks, room: float) -> None:
        self._job = job
        self._part = part
        self._blocks = blocks
        self._room = room
        self.inline = ""
        self.before = ""
        self.width = 0.0
        self.moved = 0
        """The boxes of its line that are before its paragraph."""

    def read(self, element: Element) -> Drawing:
        if element.tag == W + "drawing":
            for each in element:
                if each.tag == WP + "inline":
                    self._place(each, anchored=False)
                elif each.tag == WP + "anchor":
                    self._place(each, anchored=True)
        else:
            self._vml(element)
        return self

    def _place(self, frame: Element, *, anchored: bool) -> None:
        size = frame.find(WP + "extent")
        wide, high = (0.0, 0.0) if size is None else (emu(size.get("cx")), emu(size.get("cy")))
        described = frame.find(WP + "docPr")
        label = "" if described is None else described.get("descr") or ""
        markup = self._content(frame, wide, high, label)
        if not markup:
            return
        if not anchored:
            self.inline, self.width = _with_room(frame, markup, wide, high)
        else:
            self.before = self._anchored(frame, markup, wide)

    def _content(self, frame: Element, wide: float, high: float, label: str) -> str:
        data = frame.find(f".//{A}graphicData")
        if data is None:
            return ""
        uri = data.get("uri") or ""
        if uri.endswith("/chart"):
            self._job.found[kinds.CHART] += 1
            return ""
        if uri.endswith("/diagram"):
            self._job.found[kinds.DIAGRAM] += 1
            return self._diagram(data, wide, high)
        shapes = [each for each in data.iter(PIC + "pic", WPS + "wsp") if not _hidden(each, data)]
        if len(shapes) == 1 or not shapes:
            return self._shape(shapes[0], wide, high, label) if shapes else ""
        parts = []
        for each in shapes:  # a group: each child at its position in the group's coordinates
            x, y, width, height = _within(each, frame, wide, high)
            inner = self._shape(each, width, height, label)
            where = f"left:{pt(x)};top:{pt(y)};width:{pt(width)};height:{pt(height)}"
            parts.append(f'<span class="at" style="{where}">{inner}</span>')
        return f'<span class="group" style="width:{pt(wide)};height:{pt(high)}">{"".join(parts)}</span>'

    def _diagram(self, data: Element, wide: float, high: float) -> str:
        texts = [
            f'<p style="margin-left:{10 + 14 * min(level, 20)}pt;text-indent:-10pt">'
            f"\u2022 {escape(line, quote=False)}</p>"
            for level, body in diagram.bodies(self._job.package, self._part, data)
            for line in diagram.lines(body)
        ]
        size = f"width:{pt(wide)};min-height:{pt(high)}"
        return f'<div class="box" style="{size}">{"".join(texts)}</div>' if texts else ""

    def _shape(self, shape: Element, wide: float, high: float, label: str) -> str:
        """A picture or shape, rotated and flipped as its position declares (20.1.7.6)."""
        markup = self._upright(shape, wide, high, label)
        place = shape.find(f"{WPS if shape.tag == WPS + 'wsp' else PIC}spPr/{A}xfrm")
        if place is None or not markup:
            return markup
        turns = [f"rotate({turn / 60_000:g}deg)"] if (turn := integer(place.get("rot")) or 0) else []
        if shape.tag == PIC + "pic":
            flips = ["-1" if place.get(each) in ("1", "true") else "1" for each in ("flipH", "flipV")]
            turns += [f"scale({','.join(flips)})"] if "-1" in flips else []
        if not turns:
            return markup
        tag = "div" if markup.startswith("<div") else "span"
        return f'<{tag} class="turned" style="transform:{" ".join(turns)}">{markup}</{tag}>'

    def _upright(self, shape: Element, wide: float, high: float, label: str) -> str:
        if shape.tag == PIC + "pic":
            blip = shape.find(f".//{A}blip")
            relation = None if blip is None else blip.get(R + "embed") or blip.get(R + "link")
            return self._image(
                picture(self._job, self._part, relation), wide, high, label, shape.find(f".//{A}srcRect")
            )
        properties = shape.find(WPS + "spPr")
        text = shape.find(f"{WPS}txbx/{W}txbxContent")
        if text is None and (
            line := lines.drawn(properties, shape.find(WPS + "style"), (wide, high), self._job.theme.drawn)
        ):
            return f'<span class="box" style="width:{pt(wide)};height:{pt(max(high, 0.1))}">{line}</span>'
        geometry = shape.find(f".//{A}prstGeom")
        kind = None if geometry is None else geometry.get("prst")
        fill, edge, thick = _fill_and_line(self._job, shape)
        outline = outlines.path(properties, wide, high) if fill or edge else None
        drawn = css = ""
        if outline:
            drawn = outlines.svg(outline, wide, high, ground=fill, edge=edge, thick=thick)
        else:
            css = f"background-color:{fill};" if fill else ""
            css += f"border:{pt(thick)} solid {edge};" if edge else ""
            css += {"ellipse": "border-radius:50%;", "roundRect": f"border-radius:{pt(min(wide, high) / 6)};"}.get(
                kind or "", ""
            )
        if text is None:
            if not outline and kind not in _PLAIN:
                self._job.found[kinds.SHAPE] += 1
                return ""
            return f'<span class="box" style="width:{pt(wide)};height:{pt(max(high, 0.1))};{css}">{drawn}</span>'
        inner = shape.find(WPS + "bodyPr")
        margins = [emu(None if inner is None else inner.get(name)) for name in ("tIns", "rIns", "bIns", "lIns")]
        if inner is None or inner.get("lIns") is None:
            margins[1] = margins[3] = 7.2
        if inner is None or inner.get("tIns") is None:
            margins[0] = margins[2] = 3.6
        left, top, right, bottom = text_rooms.of(properties, wide, high)
        margins = [margins[0] + top, margins[1] + wide - right, margins[2] + high - bottom, margins[3] + left]
        content = self._blocks(text, max(wide - margins[1] - margins[3], 10))
        css += f"width:{pt(wide)};min-height:{pt(high)};padding:{' '.join(map(pt, margins))}"
        align = {"ctr": "middle", "b": "bottom"}.get("" if inner is None else inner.get("anchor") or "", "top")
        if drawn or align != "top":  # the text is drawn over the fill
            room = max(high - margins[0] - margins[2], 0)
            content = (
                f'<div class="over" style="height:{pt(room)}"><div style="vertical-align:{align}">{content}</div></div>'
            )
        return f'<div class="box" style="{css}">{drawn}{content}</div>'

    def _image(self, uri: str | None, wide: float, high: float, label: str, crop: Element | None) -> str:
        none = "" if self._job.drawn else ' alt=""'  # pages say so of pictures that say nothing
        alternative = f' alt="{escape(label)}"' if label else none
        if uri is None:
            return f"<span>{escape(label)}</span>" if label else ""
        cut = [(integer(crop.get(side)) or 0) / 100_000 for side in "ltrb"] if crop is not None else [0.0] * 4
        if not any(each > 0 for each in cut) or cut[0] + cut[2] > 0.95 or cut[1] + cut[3] > 0.95:
            return f'<img src="{uri}"{alternative} style="width:{pt(wide)};height:{pt(high)}">'
        left, top, right, bottom = cut
        full_width, full_height = wide / (1 - left - right), high / (1 - top - bottom)
        return (
            f'<span class="crop" style="width:{pt(wide)};height:{pt(high)}"><img src="{uri}"{alternative} style="'
            f"width:{pt(full_width)};height:{pt(full_height)};margin-left:{pt(-left * full_width)};"
            f'margin-top:{pt(-top * full_height)}"></span>'
        )

    def _anchored(self, frame: Element, markup: str, wide: float) -> str:
        across, down = frame.find(WP + "positionH"), frame.find(WP + "positionV")
        align = "" if across is None else (across.findtext(WP + "align") or "").strip()
        x = 0.0 if across is None else emu(across.findtext(WP + "posOffset"))
        origin = "column" if across is None else across.get("relativeFrom") or "column"
        left, width = self._job.column
        if origin in ("page", "leftMargin") and abs(self._room - width) < 1:  # cells and boxes have places of their own
            x, origin = x - left, "column"
        y = 0.0 if down is None else emu(down.findtext(WP + "posOffset"))
        margins = {side: emu(frame.get(f"dist{side}")) for side in "TRBL"}
        around = next((e for e in frame if isinstance(e.tag, str) and e.tag.startswith(WP + "wrap")), None)
        wrap = "" if around is None else around.tag.removeprefix(WP)
        if down is not None and (down.get("relativeFrom") or "") not in ("paragraph", "line", ""):
            self._job.found[kinds.PLACED] += 1
            y = 0.0
        if self._job.begins and self._job.drawn and y < -_OVER and wrap in ("", "wrapNone"):
            self._job.found[kinds.CUT] += 1
        beside = (self._room - wide) / 2 if align == "center" else 0.0
        if wrap == "wrapTopAndBottom" or (wrap in _AROUND and align == "center" and beside < _NARROW):
            side = {"center": "center", "right": "right"}.get(align, "left")
            indent = f";padding-left:{pt(x)}" if side == "left" and x > 0 else ""
            return (
                f'<div style="text-align:{side}{indent};margin:{pt(margins["T"])} 0 {pt(margins["B"])}">{markup}</div>'
            )
        if wrap in _AROUND:
            beyond = self._room - x - wide
            side = "right" if align in ("right", "outside") or (not align and beyond < x) else "left"
            if align == "center":  # a float has text on one side only: that before it, unless the file says otherwise
                side = "left" if around is not None and around.get("wrapText") == "right" else "right"
            gap = margins["L"] if side == "right" else margins["R"]
            other = "left" if side == "right" else "right"
            lower = f"margin-top:{pt(max(y, 0))};" if 0 < y < 400 else ""
            from_text = across is not None and origin in ("column", "margin")
            outside = beside if align or not from_text else beyond if side == "right" else x
            where = f"margin-{side}:{pt(outside)};" if abs(outside) > 0.5 and abs(outside) < self._room else ""
            where += f"margin-{other}:{pt(max(gap, 6))};width:{pt(wide)}"
            return f'<div style="float:{side};{lower}{where}">{markup}</div>'
        where = f"left:{pt(x)}"
        if align in ("center", "right"):
            where = "left:0;right:0;text-align:" + align
        if frame.get("behindDoc") in ("1", "true"):
            return _behind(markup, x, y, align, self._room)
        return f'<div class="anchor"><div class="at" style="{where};top:{pt(y)}">{markup}</div></div>'

    def _vml(self, element: Element) -> None:
        shapes = [each for each in element if each.tag != V + "shapetype" and each.get("style")]
        if shapes and all(_INVISIBLE.search(each.get("style") or "") for each in shapes):
            return
        for image in element.iter(V + "imagedata"):
            shape = image.getparent()
            style = _style(shape.get("style") or "")
            uri = picture(self._job, self._part, image.get(R + "id"))
            wide, high = style.get("width", 0.0), style.get("height", 0.0)
            markup = self._image(uri, wide, high, shape.get("alt") or "", None) if wide and high else ""
            if style.get("absolute") and style.get("z-index", 0.0) < 0:
                self.before += _behind(markup, style.get("margin-left", 0.0), style.get("margin-top", 0.0))
                continue
            self.inline += markup
            self.width += wide
        for text in element.iter(W + "txbxContent"):
            shape = next((each for each in text.iterancestors() if each.tag.startswith(V) and each.get("style")), None)
            style = _style(shape.get("style") or "") if shape is not None else {}
            wide = style.get("width", 200.0) or 200.0
            content = self._blocks(text, max(wide - 14.4, 10))
            filled = shape.get("fillcolor") if shape is not None else None
            ground = f"background-color:{filled.split()[0]};" if filled and re.match(r"#?\w+", filled) else ""
            edge = "" if shape is None or shape.get("stroked") in ("f", "false") else "border:0.75pt solid #000000;"
            round_, padding = _rounded(shape, style)
            box = f'<div class="box" style="width:{pt(wide)};{padding}{round_}{ground}{edge}">{content}</div>'
            if style.get("absolute"):
                where = f"left:{pt(style.get('margin-left', 0.0))};top:{pt(style.get('margin-top', 0.0))}"
                self.before += f'<div class="anchor"><div class="at" style="{where}">{box}</div></div>'
            else:
                self.before += box
                self.moved += 1
        if not self.inline and not self.before and element.find(f".//{O}OLEObject") is None:
            self._job.found[kinds.SHAPE] += 1


def _with_room(frame: Element, markup: str, wide: float, high: float) -> tuple[str, float]:
    """A drawing in a line with the room that it takes when turned, and its width."""
    place = frame.find(f".//{A}graphicData/{PIC}pic/{PIC}spPr/{A}xfrm")
    if place is None:
        place = frame.find(f".//{A}graphicData/{WPS}wsp/{WPS}spPr/{A}xfrm")
    turn = None if place is None else integer(place.get("rot"))
    if not turn:
        return markup, wide
    across, along = abs(math.cos(math.radians(turn / 60_000))), abs(math.sin(math.radians(turn / 60_000)))
    width, height = wide * across + high * along, wide * along + high * across
    margins = f"{pt((height - high) / 2)} {pt((width - wide) / 2)}"
    return f'<span class="box" style="margin:{margins}">{markup}</span>', width


def _behind(markup: str, x: float, y: float, align: str = "", room: float = 0.0) -> str:
    """A picture behind the text of the paragraph that follows it.

    It is not a positioned element: PlutoPrint draws those above all text.
    """
    where = f"margin-left:{pt(x)}" if align not in ("center", "right") else f"width:{pt(room)};text-align:{align}"
    return f'<div style="height:0"><div class="at" style="{where};margin-top:{pt(y)};z-index:-1">{markup}</div></div>'


def _hidden(shape: Element, root: Element) -> bool:
    """Whether a shape is inside another shape's text box, or a fallback duplicate."""
    for each in shape.iterancestors():
        if each is root:
            return False
        if each.tag in (MC + "Fallback", W + "txbxContent"):
            return True
    return False


def _within(shape: Element, frame: Element, wide: float, high: float) -> tuple[float, float, float, float]:
    """The position of a shape within its group; nested groups are treated as one."""
    place = shape.find(f".//{A}xfrm")
    group = next((each for each in frame.iter() if isinstance(each.tag, str) and each.tag.endswith("}grpSpPr")), None)
    room = None if group is None else group.find(A + "xfrm")
    if place is None or room is None:
        return 0.0, 0.0, wide, high
    at, size = place.find(A + "off"), place.find(A + "ext")
    start, whole = room.find(A + "chOff"), room.find(A + "chExt")
    if at is None or size is None or start is None or whole is None:
        return 0.0, 0.0, wide, high
    across = wide / (emu(whole.get("cx")) or wide or 1)
    down = high / (emu(whole.get("cy")) or high or 1)
    return (
        (emu(at.get("x")) - emu(start.get("x"))) * across, (emu(at.get("y")) - emu(start.get("y"))) * down,
        emu(size.get("cx")) * across, emu(size.get("cy")) * down,
    )  # fmt: skip


def _fill_and_line(job: Job, shape: Element) -> tuple[str, str, float]:
    """The colours of a shape's fill and line, if it has them, and the line's width in points."""
    properties = shape.find(WPS + "spPr")
    fill = None if properties is None else job.theme.drawn(properties.find(A + "solidFill"))
    style = shape.find(WPS + "style")
    plain = properties is not None and properties.find(A + "noFill") is not None
    if fill is None and style is not None and not plain:
        fill = job.theme.drawn(style.find(A + "fillRef"))
        reference = style.find(A + "fillRef")
        fill = None if reference is not None and reference.get("idx") == "0" else fill
    edge = None if properties is None else properties.find(A + "ln")
    colour = None if edge is None else job.theme.drawn(edge.find(A + "solidFill"))
    if colour is None and style is not None and (edge is None or edge.find(A + "noFill") is None):
        reference = style.find(A + "lnRef")
        colour = job.theme.drawn(reference) if reference is not None and reference.get("idx") != "0" else None
    thick = emu(edge.get("w")) if edge is not None and edge.get("w") else 0.75
    return fill or "", colour or "", max(thick, 0.25)


def _rounded(shape: Element | None, style: dict[str, float]) -> tuple[str, str]:
    """The corners of a VML shape, and the room around its text with its height."""
    high = style.get("height", 0.0)
    tall = f"min-height:{pt(high)};" if high else ""
    if shape is not None and shape.tag == V + "oval":
        wide = style.get("width", 0.0)
        return "border-radius:50%;", f"{tall}padding:{pt(3.6 + high * 0.146)} {pt(7.2 + wide * 0.146)};"
    if shape is not None and shape.tag == V + "roundrect":
        return f"border-radius:{pt(min(high, style.get('width', 0.0)) / 5)};", f"{tall}padding:3.6pt 7.2pt;"
    return "", f"{tall}padding:3.6pt 7.2pt;"


_INVISIBLE = re.compile(r"(?:^|;)\s*visibility\s*:\s*hidden")


def _style(text: str) -> dict[str, float]:
    """The lengths in a VML style attribute, in points; `absolute` is 1 if the shape is positioned."""
    found = {}
    for each in text.split(";"):
        name, _, value = each.partition(":")
        match = _LENGTH.fullmatch(value.strip())
        if name.strip() == "position" and value.strip() == "absolute":
            found["absolute"] = 1.0
        elif match and match[1].count(".") < 2 and match[1] not in ("-", "."):
            found[name.strip()] = min(float(match[1]) * _UNITS[match[2] or ""], 5000.0)
    return found
