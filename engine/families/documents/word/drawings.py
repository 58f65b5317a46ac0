"""Word pictures, text boxes and shapes as HTML, inline or anchored."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from html import escape

from engine.families.documents import metafile_pictures
from engine.families.documents.ooxml import diagram
from engine.families.documents.ooxml.package import Element
from engine.families.documents.word import charts, diagrams, page_positions, vml
from engine.families.documents.word import job as kinds
from engine.families.documents.word.alternatives import choice_of
from engine.families.documents.word.job import Job, Pinned
from engine.families.documents.word.names import MC, PIC, WP, WPG, WPS, A, R, W, emu, integer, pt, share_of
from engine.families.documents.word.page_positions import TakenRoom
from engine.families.documents.word.paint import Colours, Framed, Palette, declares_form, drawn_box, framed, paint
from engine.toolkit.charts.model import Chart
from engine.toolkit.data_uris import data_uri
from engine.toolkit.shapes.custom import flips_of, form_of
from engine.toolkit.shapes.groups import Box, Room
from engine.toolkit.xml_elements import child, children, local

_TYPES = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "jpe": "image/jpeg", "gif": "image/gif",
    "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp", "jfif": "image/jpeg",
}  # fmt: skip
_MARKS = (
    (b"\x89PNG", "image/png"), (b"\xff\xd8", "image/jpeg"), (b"GIF8", "image/gif"), (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"), (b"MM\0*", "image/tiff"),
)  # fmt: skip
_GROUPS = ("wgp", "wpc")
_STRICT = ("wsp", "spPr", "style", "txbx", "bodyPr", "cNvPr", "cNvSpPr", "cNvCnPr", "wgp", "grpSp", "grpSpPr", "wpc")
_READ = (PIC + "pic", WPS + "wsp")
_SINGLE = ("pic", "wsp", "sp", "cxnSp")
_OTHERS = ("grpSp", "wgp", "graphicFrame", "contentPart")
"""What else a group may have: groups that are nested too deeply, charts and ink."""
_DEEPEST = 30
_LENGTH = re.compile(r"(-?[\d.]{1,9})(pt|in|cm|mm|px)?")
_UNITS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 0.75, "": 1.0}
_OVER = 3.0
"""Points above the first line of a page from which on a picture is visibly cut off."""
_FOOT = 60.0
"""Points above the bottom margin into which a high footer may reach, so that a frame there would be on two pages."""
_EDGE = 0.1
"""Points of rounding."""
_AROUND = ("wrapSquare", "wrapTight", "wrapThrough")
_GAP = 9.0
"""Points between a drawing and the text beside it."""
TURNS = {"vert": 90, "vert270": 270}
"""Degrees by which the text of a shape is turned (20.1.10.83)."""
_NARROW = 72.0
"""Points beside a picture within which Word puts no text."""

Blocks = Callable[[Element | Iterable[Element], float], str]
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


def blip_picture(job: Job, part: str, blip: Element, colours: Colours) -> str | None:
    """The picture of an `a:blip` in the colours that it declares."""
    uri = picture(job, part, blip.get(R + "embed") or blip.get(R + "link"))
    return None if uri is None else job.recolouring.of(blip, uri, colours)


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
        self._in_cell = False
        self.inline = ""
        self.before = ""
        self.width = 0.0
        self.moved = 0
        """The boxes of its line that are before its paragraph."""

    def read(self, element: Element) -> Drawing:
        around = next(element.iterancestors(W + "tc", W + "txbxContent"), None)
        self._in_cell = around is not None and around.tag == W + "tc"
        for each in element if element.tag == W + "drawing" else vml.frames(element, self._job.paper):
            if each.tag == WP + "inline":
                self._place(each, anchored=False)
            elif each.tag == WP + "anchor":
                self._place(each, anchored=True)
        return self

    def _place(self, frame: Element, *, anchored: bool) -> None:
        size = frame.find(WP + "extent")
        wide, high = (0.0, 0.0) if size is None else (emu(size.get("cx")), emu(size.get("cy")))
        described = frame.find(WP + "docPr")
        label = "" if described is None else described.get("descr") or ""
        markup = self._content(frame, wide, high, label)
        if not markup:
            return
        if self._job.turned:
            margins = f"{pt((wide - high) / 2)} {pt((high - wide) / 2)}"
            style = f"transform:rotate({self._job.turned}deg);margin:{margins}"
            markup = f'<div class="turned" style="{style}">{markup}</div>'
            if markup.count("<div") == 1:
                markup = markup.replace("<div", "<span", 1).removesuffix("</div>") + "</span>"
        if not anchored:
            inline, width = _with_room(frame, markup, wide, high)
            self.inline += inline
            self.width += width
        else:
            self.before += self.anchored(frame, markup, wide)

    def _content(self, frame: Element, wide: float, high: float, label: str) -> str:
        data = frame.find(f".//{A}graphicData")
        if data is None:
            return ""
        _modernise(data)
        uri = data.get("uri") or ""
        if uri.endswith(charts.URIS):
            return self._chart(data, wide, high, label)
        if uri.endswith("/diagram"):
            drawn = diagrams.group(self._job.diagrams, self._part, data, self._job.theme, (wide, high))
            if drawn is not None:
                part, shapes = drawn
                return Drawing(self._job, part, self._blocks, self._room)._grouped(shapes, wide, high, label)
            self._job.found[kinds.DIAGRAM] += 1
            return self._diagram(data, wide, high)
        placed = list(_placed(data, wide, high))
        if len(placed) < 2 and not any(local(each) in _GROUPS for each in children(data)):
            return self._shape(*placed[0], label) if placed else ""
        return self._grouped(data, wide, high, label)

    def _grouped(self, data: Element, wide: float, high: float, label: str) -> str:
        parts = []
        for shape, box in _placed(data, wide, high):
            inner = self._shape(shape, box, label)
            where = f"left:{pt(box.x)};top:{pt(box.y)};width:{pt(box.width)};height:{pt(box.height)}"
            parts.append((inner, where))
        # Blocks within spans would be moved out of them.
        tag = "div" if any("<div" in inner for inner, _ in parts) else "span"
        inside = "".join(f'<{tag} class="at" style="{where}">{inner}</{tag}>' for inner, where in parts)
        return f'<{tag} class="group" style="width:{pt(wide)};height:{pt(high)}">{inside}</{tag}>'

    def _chart(self, data: Element, wide: float, high: float, label: str) -> str:
        found = self._job.charts.read(self._part, data, self._job.theme)
        if found is None:
            return ""
        if not isinstance(found, Chart):
            return charts.html_table(found, wide)
        drawing = self._job.charts.svg(found, wide, high, label or charts.title_of(found))
        return f'<span class="box" style="width:{pt(wide)};height:{pt(high)}">{drawing}</span>'

    def _diagram(self, data: Element, wide: float, high: float) -> str:
        texts = [
            f'<p style="margin-left:{10 + 14 * min(level, 20)}pt;text-indent:-10pt">'
            f"\u2022 {escape(line, quote=False)}</p>"
            for level, body in self._job.diagrams.bodies(self._part, data)
            for line in diagram.lines(body)
        ]
        size = f"width:{pt(wide)};min-height:{pt(high)}"
        return f'<div class="box" style="{size}">{"".join(texts)}</div>' if texts else ""

    def _shape(self, shape: Element, box: Box, label: str) -> str:
        """A picture or shape, rotated and flipped as its position declares (20.1.7.6)."""
        markup = self._upright(shape, box, label)
        if not markup:
            return markup
        turns = [f"rotate({box.turned:g}deg)"] if box.turned else []
        if shape.tag == PIC + "pic" and any(box.flipped):
            turns.append(f"scale({','.join('-1' if each else '1' for each in box.flipped)})")
        if not turns:
            return markup
        tag = "div" if markup.startswith("<div") else "span"
        return f'<{tag} class="turned" style="transform:{" ".join(turns)}">{markup}</{tag}>'

    def _palette(self) -> Palette:
        theme = self._job.theme
        pictures, theme_pictures = (partial(blip_picture, self._job, part) for part in (self._part, theme.part))
        return Palette(theme.drawn, pictures, theme, theme_pictures)

    def _upright(self, shape: Element, box: Box, label: str) -> str:
        wide, high = box.width, box.height
        frame = child(shape, "graphic", "graphicData") if local(shape) == "graphicFrame" else None
        if frame is not None and (frame.get("uri") or "").endswith(charts.URIS):
            return self._chart(frame, wide, high, label)
        if shape.tag not in _READ:
            self._job.found[kinds.SHAPE] += max(sum(local(each) in _SINGLE for each in shape.iter("*")), 1)
            return ""
        if shape.tag == PIC + "pic":
            blip = shape.find(f".//{A}blip")
            properties, crop = shape.find(PIC + "spPr"), shape.find(f".//{A}srcRect")
            uri = (
                picture(self._job, self._part, None)
                if blip is None
                else blip_picture(self._job, self._part, blip, self._job.theme.drawn)
            )
            cut = [share_of(None if crop is None else crop.get(side)) for side in "ltrb"]
            drawn = framed(properties, None, self._palette(), Framed(uri, cut), (wide, high)) if uri else ""
            if drawn:
                named = f' role="img" aria-label="{escape(label)}"' if label else ""
                return f'<span class="box"{named} style="width:{pt(wide)};height:{pt(high)}">{drawn}</span>'
            return self._image(uri, wide, high, label, crop)
        properties = shape.find(WPS + "spPr")
        text = shape.find(f"{WPS}txbx/{W}txbxContent")
        painted = paint(
            (properties,),
            shape.find(WPS + "style"),
            self._palette(),
        )
        form = form_of(properties, wide, high, flipped=box.flipped)
        css, drawn = drawn_box(properties, painted, form, (wide, high), grows=text is not None)
        if form is None and declares_form(properties):
            self._job.found[kinds.SHAPE if text is None else kinds.BOXED] += 1
        if text is None:
            if form is None and declares_form(properties):
                return ""
            return f'<span class="box" style="width:{pt(wide)};height:{pt(max(high, 0.1))};{css}">{drawn}</span>'
        inner = shape.find(WPS + "bodyPr")
        margins = [emu(None if inner is None else inner.get(name)) for name in ("tIns", "rIns", "bIns", "lIns")]
        if inner is None or inner.get("lIns") is None:
            margins[1] = margins[3] = 7.2
        if inner is None or inner.get("tIns") is None:
            margins[0] = margins[2] = 3.6
        left, top, right, bottom = (0.0, 0.0, wide, high) if form is None else form.room
        margins = [margins[0] + top, margins[1] + wide - right, margins[2] + high - bottom, margins[3] + left]
        turn = 0 if inner is None else TURNS.get(inner.get("vert") or "", 0)
        room = max(wide - margins[1] - margins[3], 10.0), max(high - margins[0] - margins[2], 10.0)
        content = self._blocks(text, room[1 if turn else 0])
        align = {"ctr": "middle", "b": "bottom"}.get("" if inner is None else inner.get("anchor") or "", "top")
        if turn:  # around the middle of the room
            across, down = margins[3] + (room[0] - room[1]) / 2, margins[0] + (room[1] - room[0]) / 2
            place = f"left:{pt(across)};top:{pt(down)};width:{pt(room[1])};transform:rotate({turn}deg)"
            css += f"width:{pt(wide)};height:{pt(high)}"
            inside = f'<div style="vertical-align:{align}">{content}</div>'
            inside = f'<div class="over" style="height:{pt(room[0])}">{inside}</div>'
            return f'<div class="box" style="{css}">{drawn}<div class="at" style="{place}">{inside}</div></div>'
        css += f"width:{pt(wide)};min-height:{pt(high)};padding:{' '.join(map(pt, margins))}"
        if drawn or align != "top":  # the text is drawn over the fill
            tall = pt(max(high - margins[0] - margins[2], 0))
            content = (
                f'<div class="over" style="height:{tall}"><div style="vertical-align:{align}">{content}</div></div>'
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

    def anchored(self, frame: Element, markup: str, wide: float) -> str:
        """The markup of a box of this width at the place that its `wp:anchor` says."""
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
            if placed := self._on_page(frame, markup, wide, wrap):
                return placed
            # In a cell, the page is the cell.
            if not (self._in_cell and self._job.drawn):
                self._job.found[kinds.PLACED] += 1
                y = 0.0
            elif not align and origin in ("page", "margin", "leftMargin"):
                origin = "column"
        elif self._job.begins and self._job.drawn and wrap in ("", "wrapNone"):
            # The first lines of the pages are at the upper margin, where what is above or reaches too low is cut off.
            top, size = self._job.paper.top + y, frame.find(WP + "extent")
            low = top + (0.0 if size is None else emu(size.get("cy")))
            if y < -_OVER or low > self._job.paper.height - self._job.paper.bottom + _OVER:
                if placed := self._on_page(frame, markup, wide, wrap, top=top):
                    return placed
                self._job.found[kinds.CUT] += y < -_OVER
        beside = (self._room - wide) / 2 if align == "center" else 0.0
        if wrap == "wrapTopAndBottom" or (wrap in _AROUND and align == "center" and beside < _NARROW):
            side = {"center": "center", "right": "right"}.get(align, "left")
            indent = f";padding-left:{pt(x)}" if side == "left" and x > 0 else ""
            above = margins["T"] + max(y, 0.0)
            return f'<div style="text-align:{side}{indent};margin:{pt(above)} 0 {pt(margins["B"])}">{markup}</div>'
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

    def _on_page(self, frame: Element, markup: str, wide: float, wrap: str, top: float | None = None) -> str:
        """A drawing at its position on the page, and the room that it takes; empty where that is not known.

        It is at its `top`, if that is not what the position says.
        """
        job, size = self._job, frame.find(WP + "extent")
        across, down = frame.find(WP + "positionH"), frame.find(WP + "positionV")
        # Columns, cells, boxes and notes have places of their own.
        free = self._in_cell and frame.get("layoutInCell") in ("0", "false")
        alone = abs(self._room - job.paper.room) > 1 and not free
        alone |= not (job.running or self._part == job.part)
        if not job.drawn or across is None or down is None or alone:
            return ""
        high = 0.0 if size is None else emu(size.get("cy"))
        x = page_positions.from_margin(across, job.paper, wide)
        y = page_positions.from_top(down, job.paper, high) if top is None else top
        # Nothing beyond its edges makes a page wider.
        page = f"width:{pt(job.paper.width)};height:{pt(job.paper.height)};overflow:hidden"
        bottom = job.paper.height - job.paper.bottom
        # Without a line's height, in whose lower edge a thin drawing would lie.
        where = f"left:{pt(x + job.paper.left)};top:{pt(y)};line-height:0"
        inner = f'<div class="at" style="{where}">{markup}</div>'
        layer = ";z-index:-1" if frame.get("behindDoc") in ("1", "true") else ""
        if job.running:
            edge = f"top:{pt(-job.paper.head)}" if job.running == "head" else f"bottom:{pt(-job.paper.foot)}"
            return f'<div class="at page" style="left:{pt(-job.paper.left)};{edge};{page}{layer}">{inner}</div>'
        place = f"v{len(job.placed) + 1}"
        job.placed.append(place)
        here = f'<div class="at" id="{place}" style="width:1pt;height:1pt"></div>'
        taken = "" if free or wrap in ("", "wrapNone") else _room_of(job, place, (x, y, wide, high), wrap)
        beyond = (_turned(frame, wide, high)[1] - high) / 2
        low = y + high + beyond + (_FOOT if frame.find(A + "graphic") is None else 0.0)
        if free or y - beyond < job.paper.top - _OVER or low > bottom + _OVER:
            # The text has no part of the margins: they are drawn with headers and footers.
            order = not layer, integer(frame.get("relativeHeight")) or 0
            job.pinned[place] = Pinned(order, f'<div class="at" style="left:0;top:0;{page}{layer}">{inner}</div>')
            return f'<div class="anchor">{here}</div>{taken}'
        # What reaches below the text would begin another page.
        page = f"width:{pt(job.paper.width)};height:{page_positions.text_height(place, bottom - _EDGE)}"
        page += ";overflow:hidden"
        above = page_positions.mark(place)
        if layer:  # not a positioned element: PlutoPrint draws those above all text
            where = f"margin-left:{pt(-job.paper.left)};margin-top:{above};{page}{layer}"
            return f'<div class="behind">{here}<div class="at" style="{where}">{inner}</div></div>{taken}'
        where = f"left:{pt(-job.paper.left)};top:{above};{page}"
        return f'<div class="anchor">{here}<div class="at" style="{where}">{inner}</div></div>{taken}'


def _room_of(job: Job, place: str, box: tuple[float, float, float, float], wrap: str) -> str:
    """What keeps the text away from a drawing with this left, top, width and height, which `wrap` it."""
    x, y, wide, high = box
    room = job.paper.room
    if x >= room or x + wide <= 0 or y >= job.paper.height - job.paper.bottom or y + high <= job.paper.top:
        return ""
    side = "right" if x + wide / 2 > room / 2 else "left"
    length = (room - x if side == "right" else x + wide) + _GAP
    clear = side
    if wrap not in _AROUND or length > room - _NARROW:
        length, clear = room, "both"
    before = job.room
    down, tall = page_positions.room(place, clear, y, high, before)
    job.room, job.since_room = TakenRoom(place, clear, y, y + high), 0
    below = "" if before is None or before.floor(clear) != before.bottom else f"clear:{clear};"
    # The text goes on above it, beside a float without width.
    space = f'<div style="float:{side};{below}width:0;height:{down}"></div>'
    return f'{space}<div style="float:{side};clear:{side};width:{pt(length)};height:{tall}"></div>'


def _modernise(data: Element) -> None:
    """Give shapes of ISO/IEC 29500, which are in the namespace of their anchors, the names that Word writes."""
    waiting = [data]
    while waiting:
        for each in waiting.pop():
            name = local(each)
            if each.tag == f"{WP}{name}" and name in _STRICT:
                each.tag = (WPG if name in ("wgp", "grpSp", "grpSpPr", "wpc") else WPS) + name
            if name not in ("txbxContent", "pic"):
                waiting.append(each)


def _turned(frame: Element, wide: float, high: float) -> tuple[float, float]:
    """The width and height that a drawing takes when turned."""
    place = frame.find(f".//{A}graphicData/{PIC}pic/{PIC}spPr/{A}xfrm")
    if place is None:
        place = frame.find(f".//{A}graphicData/{WPS}wsp/{WPS}spPr/{A}xfrm")
    turn = 0.0 if place is None else math.radians((integer(place.get("rot")) or 0) / 60_000)
    across, along = abs(math.cos(turn)), abs(math.sin(turn))
    return wide * across + high * along, wide * along + high * across


def _with_room(frame: Element, markup: str, wide: float, high: float) -> tuple[str, float]:
    """A drawing in a line with the room that it takes when turned, and its width."""
    width, height = _turned(frame, wide, high)
    if (width, height) == (wide, high):
        return markup, wide
    margins = f"{pt((height - high) / 2)} {pt((width - wide) / 2)}"
    return f'<span class="box" style="margin:{margins}">{markup}</span>', width


def _behind(markup: str, x: float, y: float, align: str = "", room: float = 0.0) -> str:
    """A picture behind the text of the paragraph that follows it.

    It is not a positioned element: PlutoPrint draws those above all text.
    """
    where = f"margin-left:{pt(x)}" if align not in ("center", "right") else f"width:{pt(room)};text-align:{align}"
    return f'<div class="behind"><div class="at" style="{where};margin-top:{pt(y)};z-index:-1">{markup}</div></div>'


def _placed(data: Element, wide: float, high: float) -> Iterator[tuple[Element, Box]]:
    """The pictures and shapes of a drawing of this size in drawing order, and where they are in it."""
    for each in children(data):
        if local(each) not in _GROUPS:
            place = child(each, "spPr", "xfrm")
            turned = 0.0 if place is None else Room().turn_of(place)
            yield each, Box(0.0, 0.0, wide, high, turned, flips_of(place))
            continue
        box = Room().box(child(each, "grpSpPr", "xfrm"))
        if box is None or not (box.width and box.height):  # a canvas has the coordinates of the page
            yield from _members(each, Room(), 0)
            continue
        across, down = wide / box.width, high / box.height
        yield from _members(each, Room(-box.x * across, -box.y * down, across, down).within(each), 0)


def _members(group: Element, room: Room, depth: int) -> Iterator[tuple[Element, Box]]:
    for each in children(group):
        if local(each) in ("grpSp", "wgp") and depth < _DEEPEST:
            yield from _members(each, room.within(each), depth + 1)
        elif each.tag == MC + "AlternateContent":
            yield from _members(choice_of(each), room, depth + 1)
        elif each.tag in _READ:
            yield each, room.box(child(each, "spPr", "xfrm")) or Box()
        elif local(each) in _OTHERS:
            yield each, room.box(child(each, "xfrm")) or Box()
