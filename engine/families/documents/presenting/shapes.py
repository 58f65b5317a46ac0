"""Shapes of generated slides: titles, bodies, code, tables and pictures at their planned places."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

from engine.families.documents.presenting import planning
from engine.families.documents.presenting.blocks import Formatting, Line, Run
from engine.families.documents.presenting.fitting import GAP, INSIDE, Listing, Shown, Text, indent
from engine.families.documents.presenting.planning import Frame, Slide
from engine.families.documents.presenting.tables import PADDING, Grid, Placed
from engine.toolkit.presentation import HEAD, NAMESPACES, ROOT, Layout, Master, Relations

_EMU = 12_700
_NO_INSETS = 'lIns="0" tIns="0" rIns="0" bIns="0"'
_MONO = "Courier New"
_QUIET, _LINES, _PAPER = "595959", "BFBFBF", "F2F2F2"
_COVER, _CONTENT, _TITLED, _BARE = 1, 2, 3, 4


def _at(left: float, top: float, width: float, height: float, tag: str = "a:xfrm") -> str:
    x, y, cx, cy = (round(each * _EMU) for each in (left, top, width, height))
    return f'<{tag}><a:off x="{x}" y="{y}"/><a:ext cx="{max(cx, 1)}" cy="{max(cy, 1)}"/></{tag}>'


def _placeholder(number: int, name: str, kind: str, place: str, text: str, body: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>'
        f"<p:ph {kind}/></p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr><p:txBody><a:bodyPr{body}</a:bodyPr><a:lstStyle/>"
        f"{text}</p:txBody></p:sp>"
    )


_PROMPT = '<a:p><a:r><a:rPr lang="en-US"/><a:t>{}</a:t></a:r></a:p>'
_PLAIN = f' {_NO_INSETS} anchor="t"><a:normAutofit/>'
_LOW = f' {_NO_INSETS} anchor="b"><a:normAutofit/>'
_NUMBER_FIELD = (
    '<a:p><a:pPr algn="r"/><a:fld id="{{00000000-0000-4000-8000-000000000001}}" type="slidenum"><a:rPr lang="en-US" '
    f'sz="1000"><a:solidFill><a:srgbClr val="{_QUIET}"/></a:solidFill></a:rPr><a:t>{{}}</a:t></a:fld></a:p>'
)


def _places(frame: Frame) -> dict[str, str]:
    left, room = planning.LEFT, frame.room
    return {
        "title": _at(left, 24, room, 70),
        "body": _at(left, planning.TOP, room, frame.height - planning.TOP - planning.BOTTOM),
        "cover": _at(left, frame.height * 0.28, room, frame.height * 0.24),
        "subtitle": _at(left, frame.height * 0.56, room, frame.height * 0.28),
        "number": _at(frame.width - left - 60, frame.height - 28, 60, 16),
        "rule": _at(left, 98, room, 0.01),
        "coverRule": _at(left, frame.height * 0.54, room, 0.01),
    }


def master(frame: Frame) -> tuple[Master, list[Layout]]:
    """The master and layouts of all generated slides: cover, content, title only, and blank."""
    places = _places(frame)
    title = _placeholder(2, "Title", 'type="title"', places["title"], _PROMPT.format("Title"), _LOW)
    body = _placeholder(3, "Body", 'type="body" idx="1"', places["body"], _PROMPT.format("Text"), _PLAIN)
    number = _placeholder(
        4, "Number", 'type="sldNum" idx="12" sz="quarter"', places["number"], _NUMBER_FIELD.format("‹#›"), _PLAIN
    )
    levels = "".join(
        f'<a:lvl{at}pPr marL="{at * 342_900}" indent="-285750"><a:spcBef><a:spcPts val="600"/></a:spcBef>'
        f'<a:buFont typeface="Arial"/><a:buChar char="•"/><a:defRPr sz="{size}00"><a:latin typeface="+mn-lt"/>'
        f"</a:defRPr></a:lvl{at}pPr>"
        for at, size in enumerate((20, 18, 16, 16, 16, 16, 16, 16, 16), 1)
    )
    dark = '<a:solidFill><a:schemeClr val="tx2"/></a:solidFill>'
    styles = (
        f'<p:txStyles><p:titleStyle><a:lvl1pPr algn="l"><a:defRPr sz="3000" b="1">{dark}<a:latin typeface="+mj-lt"/>'
        f"</a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle>{levels}</p:bodyStyle><p:otherStyle/></p:txStyles>"
    )
    centred = 'type="ctrTitle"', 'type="subTitle" idx="1"'
    cover = _placeholder(2, "Title", centred[0], places["cover"], _PROMPT.format("Title"), _LOW)
    cover += _placeholder(3, "Subtitle", centred[1], places["subtitle"], _PROMPT.format("Subtitle"), _PLAIN)
    titled = _placeholder(2, "Title", 'type="title"', "", _PROMPT.format("Title"), ">")
    content = _placeholder(3, "Content", 'idx="1"', "", _PROMPT.format("Text"), ">")
    counted = _placeholder(4, "Number", 'type="sldNum" idx="12" sz="quarter"', "", _NUMBER_FIELD.format("‹#›"), ">")
    rule, low = _rule(places["rule"]), _rule(places["coverRule"])
    return Master(title + body + number, styles), [
        Layout("Title Slide", "title", cover + low),
        Layout("Title and Content", "obj", titled + content + counted + rule),
        Layout("Title Only", "titleOnly", titled + counted + rule),
        Layout("Blank", "blank", counted),
    ]


def _rule(place: str) -> str:
    return (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="9" name="Rule"/><p:cNvCxnSpPr/><p:nvPr userDrawn="1"/></p:nvCxnSpPr>'
        f'<p:spPr>{place}<a:prstGeom prst="line"><a:avLst/></a:prstGeom><a:ln w="19050"><a:solidFill>'
        '<a:schemeClr val="accent1"/></a:solidFill></a:ln></p:spPr></p:cxnSp>'
    )


class Canvas:
    """One slide being drawn; `number` is its own, `places` maps link targets to slide numbers."""

    def __init__(self, slide: Slide, frame: Frame, number: int, places: dict[str, int], language: str) -> None:
        self._slide = slide
        self._frame = frame
        self._number = number
        self._named = places
        self._language = escape(language)
        self._shapes: list[str] = []
        self.pictures: list[tuple[str, bytes]] = []
        self._filled = False
        texts = bool(slide.pieces) and isinstance(slide.pieces[0], Text)
        layout = _CONTENT if texts else _TITLED
        self._layout = _COVER if slide.opening else layout if slide.title else _BARE
        self.relations = Relations(self._layout)

    def xml(self) -> str:
        """The XML of the slide part."""
        slide = self._slide
        if slide.opening:
            self._cover()
        else:
            if slide.title:
                title = slide.title if slide.part == 1 else (*slide.title, Run(f" ({slide.part})", Formatting()))
                runs = self._runs(title, slide.title_size, bold=True)
                self._shapes.append(_placeholder(2, "Title", 'type="title"', "", f"<a:p>{runs}</a:p>", f">{_FIT}"))
            self._body()
            self._shapes.append(
                _placeholder(
                    self._next(),
                    "Number",
                    'type="sldNum" idx="12" sz="quarter"',
                    _places(self._frame)["number"],
                    _NUMBER_FIELD.format(self._number),
                    f" {_NO_INSETS}>",
                )
            )
        return (
            f"{HEAD}<p:sld {NAMESPACES}><p:cSld><p:spTree>{ROOT}{''.join(self._shapes)}</p:spTree></p:cSld>"
            "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
        )

    def notes(self) -> str:
        """The paragraphs of the speaker notes."""
        return "".join(
            f'<a:p><a:r><a:rPr lang="{self._language}"/><a:t>{_text(_marked(each))}</a:t></a:r></a:p>'
            for each in self._slide.notes
        )

    def _next(self) -> int:
        return len(self._shapes) + 2

    def _cover(self) -> None:
        title = f"<a:p>{self._runs(self._slide.title, 36, bold=True)}</a:p>"
        self._shapes.append(_placeholder(2, "Title", 'type="ctrTitle"', "", title, f">{_FIT}"))
        if self._slide.subtitle:
            lines = "".join(
                f'<a:p><a:pPr marL="0" indent="0"><a:buNone/></a:pPr>{self._runs(each.runs, 20)}</a:p>'
                for each in self._slide.subtitle
            )
            kind = 'type="subTitle" idx="1"'
            self._shapes.append(_placeholder(3, "Subtitle", kind, "", lines, f">{_FIT}"))

    def _body(self) -> None:
        top = planning.TOP if self._slide.title else planning.UNTITLED_TOP
        texts: list[Text] = []
        for at, piece in enumerate(self._slide.pieces):
            if isinstance(piece, Text):
                texts.append(piece)
                if at + 1 < len(self._slide.pieces) and isinstance(self._slide.pieces[at + 1], Text):
                    continue
                top = self._texts(texts, top)
                texts = []
            elif isinstance(piece, Grid):
                self._grid(piece, top)
                top += piece.height
            elif isinstance(piece, Shown):
                self._picture(piece, top)
                top += piece.height
            else:
                self._listing(piece, top)
                top += piece.height
            top += GAP

    def _texts(self, texts: Sequence[Text], top: float) -> float:
        height = sum(each.height for each in texts)
        marks: dict[int, tuple[int, int]] = {}
        paragraphs = "".join(self._paragraph(each, marks) for each in texts)
        # The last box may extend to the slide's end, so that slightly wider text is not shrunk.
        deep = self._frame.height - planning.BOTTOM - top if texts[-1] is self._slide.pieces[-1] else height
        place = _at(planning.LEFT, top, self._frame.room, max(deep, height))
        fit = _FIT if texts[-1] is self._slide.pieces[-1] else "<a:noAutofit/>"
        number = self._next()
        if self._layout == _CONTENT and not self._filled:
            self._filled = True
            shape = _placeholder(number, "Content", 'idx="1"', place, paragraphs, f" {_NO_INSETS}>{fit}")
        else:
            shape = (
                f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Text {number}"/><p:cNvSpPr txBox="1"/><p:nvPr/>'
                f'</p:nvSpPr><p:spPr>{place}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr>'
                f'<p:txBody><a:bodyPr wrap="square" {_NO_INSETS}>{fit}</a:bodyPr><a:lstStyle/>{paragraphs}'
                "</p:txBody></p:sp>"
            )
        self._shapes.append(shape)
        return top + height

    def _paragraph(self, text: Text, marks: dict[int, tuple[int, int]]) -> str:
        """A paragraph; `marks` maps each open list level to its start number and its next number."""
        line = text.line
        left, hanging = indent(line, text.size)
        formatting = f' marL="{round(left * _EMU)}" indent="{-round(hanging * _EMU)}"'
        formatting += f' lvl="{line.level}"' if line.level else ""
        formatting += ' algn="r" rtl="1"' if _is_rtl(line.text) else ""
        mark = "<a:buNone/>"
        for level in [each for each in marks if each > line.level or (each == line.level and line.mark == "")]:
            del marks[level]
        if isinstance(line.mark, int):
            start, following = marks.get(line.level, (line.mark, line.mark))
            start = start if following == line.mark else line.mark
            marks[line.level] = (start, line.mark + 1)
            first = min(max(start, 1), 32_767)
            mark = f'<a:buFont typeface="+mj-lt"/><a:buAutoNum type="arabicPeriod" startAt="{first}"/>'
        elif line.mark:
            mark = '<a:buFont typeface="Arial"/><a:buChar char="•"/>'
        space = f'<a:spcBef><a:spcPts val="{round(text.before * 100)}"/></a:spcBef>'
        runs = self._runs(line.runs, text.size, quiet=line.quoted)
        return f"<a:p><a:pPr{formatting}>{space}{mark}</a:pPr>{runs}</a:p>"

    def _runs(self, runs: Iterable[Run], size: float, *, bold: bool = False, quiet: bool = False) -> str:
        found = []
        for run in runs:
            properties = self._properties(run.formatting, size, bold=bold, quiet=quiet)
            pieces = run.text.split("\n")
            for at, piece in enumerate(pieces):
                if at:
                    found.append(f'<a:br><a:rPr lang="{self._language}" sz="{round(size * 100)}"/></a:br>')
                if piece:
                    found.append(f"<a:r>{properties}<a:t>{_text(piece)}</a:t></a:r>")
        return "".join(found)

    def _properties(self, formatting: Formatting, size: float, *, bold: bool, quiet: bool) -> str:
        attributes = f'lang="{self._language}" sz="{round(size * (0.95 if formatting.mono else 1) * 100)}"'
        attributes += (
            ' b="1"' * (bold or formatting.bold)
            + ' i="1"' * (formatting.italic or quiet)
            + ' u="sng"' * formatting.underline
        )
        attributes += ' strike="sngStrike"' * formatting.strike
        attributes += (
            ' baseline="30000"' if formatting.raised > 0 else ' baseline="-25000"' if formatting.raised < 0 else ""
        )
        inside = f'<a:solidFill><a:srgbClr val="{_QUIET}"/></a:solidFill>' if quiet else ""
        # Set on every run: LibreOffice would otherwise continue the previous run's font.
        font = (
            (_MONO, _MONO) if formatting.mono else ("+mj-lt", "+mj-cs") if bold and size > 20 else ("+mn-lt", "+mn-cs")
        )
        inside += f'<a:latin typeface="{font[0]}"/><a:cs typeface="{font[1]}"/>'
        return f"<a:rPr {attributes}>{inside}{self._link(formatting.link)}</a:rPr>"

    def _link(self, target: str) -> str:
        if target.startswith("#"):
            slide = self._named.get(target[1:])
            if slide is None:
                return ""
            name = self.relations.id("slide", f"slide{slide}.xml")
            return f'<a:hlinkClick r:id="{name}" action="ppaction://hlinksldjump"/>'
        return f'<a:hlinkClick r:id="{self.relations.id("hyperlink", target[:2_000])}"/>' if target else ""

    def _listing(self, listing: Listing, top: float) -> None:
        number = self._next()
        size = round(listing.size * 100)
        lines = "".join(
            f'<a:p><a:pPr marL="0" indent="0"><a:buNone/></a:pPr><a:r><a:rPr lang="{self._language}" sz="{size}" '
            f'noProof="1"><a:latin typeface="{_MONO}"/><a:cs typeface="{_MONO}"/></a:rPr><a:t>{_text(each)}</a:t></a:r>'
            "</a:p>"
            if each
            else f'<a:p><a:endParaRPr lang="{self._language}" sz="{size}"/></a:p>'
            for each in listing.lines
        )
        inset = round(INSIDE * _EMU)
        self._shapes.append(
            f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Code {number}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
            f'<p:spPr>{_at(planning.LEFT, top, self._frame.room, listing.height)}<a:prstGeom prst="rect"><a:avLst/>'
            f'</a:prstGeom><a:solidFill><a:srgbClr val="{_PAPER}"/></a:solidFill></p:spPr><p:txBody><a:bodyPr '
            f'wrap="square" lIns="{inset}" tIns="{inset}" rIns="{inset}" bIns="{inset}">{_FIT}</a:bodyPr><a:lstStyle/>'
            f"{lines}</p:txBody></p:sp>"
        )

    def _picture(self, picture: Shown, top: float) -> None:
        number = self._next()
        name = f"slide{self._number}-{len(self.pictures) + 1}.{picture.kind}"
        self.pictures.append((name, picture.data))
        relation = self.relations.id("image", f"../media/{name}")
        alone = len(self._slide.pieces) == 1
        left = (self._frame.width - picture.width) / 2
        if alone:
            top += (self._frame.height - planning.BOTTOM - top - picture.height) / 2
        self._shapes.append(
            f'<p:pic><p:nvPicPr><p:cNvPr id="{number}" name="Picture {number}" descr="{_text(picture.alternative)}"/>'
            '<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill>'
            f'<a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>'
            f'{_at(left, top, picture.width, picture.height)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
            "</p:pic>"
        )

    def _grid(self, grid: Grid, top: float) -> None:
        number = self._next()
        columns = "".join(f'<a:gridCol w="{round(each * _EMU)}"/>' for each in grid.widths)
        rows = "".join(
            f'<a:tr h="{round(row.height * _EMU)}">'
            + "".join(self._cell(each, grid, at < grid.head) for each in row.cells)
            + "</a:tr>"
            for at, row in enumerate(grid.rows)
        )
        place = _at(planning.LEFT, top, sum(grid.widths), grid.height, "p:xfrm")
        first = ' firstRow="1"' if grid.head else ""
        self._shapes.append(
            f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{number}" name="Table {number}"/><p:cNvGraphicFramePr>'
            f'<a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>{place}<a:graphic>'
            '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl>'
            f"<a:tblPr{first}/><a:tblGrid>{columns}</a:tblGrid>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
        )

    def _cell(self, placed: Placed, grid: Grid, head: bool) -> str:
        cell = placed.cell
        spans = (' hMerge="1"' if placed.across else "") + (' vMerge="1"' if placed.down else "")
        spans += f' gridSpan="{cell.columns}"' if cell.columns > 1 else ""
        spans += f' rowSpan="{cell.rows}"' if cell.rows > 1 else ""
        size = round(grid.size * 100)
        text = "".join(
            f"<a:p>{_BACKWARDS if _is_rtl(each.text) else ''}"
            f"{self._mark(each, grid.size)}{self._runs(each.runs, grid.size, bold=head)}</a:p>"
            for each in cell.lines
        )
        text = text or f'<a:p><a:endParaRPr lang="{self._language}" sz="{size}"/></a:p>'
        beside, above = (round(each * _EMU) for each in PADDING)
        line = f'w="6350"><a:solidFill><a:srgbClr val="{_LINES}"/></a:solidFill>'
        lines = "".join(f"<a:ln{side} {line}</a:ln{side}>" for side in "LRTB")
        fill = f'<a:solidFill><a:srgbClr val="{_PAPER}"/></a:solidFill>' if head else "<a:noFill/>"
        return (
            f'<a:tc{spans}><a:txBody><a:bodyPr/><a:lstStyle/>{text}</a:txBody><a:tcPr marL="{beside}" marR="{beside}" '
            f'marT="{above}" marB="{above}">{lines}{fill}</a:tcPr></a:tc>'
        )

    def _mark(self, line: Line, size: float) -> str:
        if line.mark == "":
            return ""
        mark = f"{line.mark}." if isinstance(line.mark, int) else line.mark
        return self._runs((Run(f"{'  ' * line.level}{mark} ", Formatting()),), size)


_BACKWARDS = '<a:pPr algn="r" rtl="1"/>'
_FIT = "<a:normAutofit/>"


def _text(text: str) -> str:
    return escape(text)


def _marked(line: Line) -> str:
    mark = f"{line.mark}. " if isinstance(line.mark, int) else f"{line.mark} " if line.mark else ""
    return mark + line.text.replace("\n", " ")


def _is_rtl(text: str) -> bool:
    """Whether the first character with a direction is right-to-left."""
    for letter in text[:200]:
        direction = unicodedata.bidirectional(letter)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False
