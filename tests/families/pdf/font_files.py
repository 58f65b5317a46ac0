"""PDFs in fonts of each kind, embedded whole: with the letters of all encodings and many that nothing shows."""

from __future__ import annotations

import io
import itertools
import random

import pikepdf
from fontTools.encodings.MacRoman import MacRoman
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.fontBuilder import FontBuilder
from fontTools.misc import eexec
from fontTools.misc.psCharStrings import T1CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from pikepdf import Dictionary, Name

from engine.families.pdf.tasks.lettering import WIN_ANSI, letter_of

ENCODINGS = {"WinAnsiEncoding": WIN_ANSI, "MacRomanEncoding": MacRoman, "StandardEncoding": StandardEncoding}
KINDS = ("TrueType", "Type1C", "Type1")
CODES = bytes(code for code in range(32, 256) if code != 127)
_UNUSED = 400
_KNOWN = sorted({name for each in ENCODINGS.values() for name in each} - {".notdef"})
_NAMES = [".notdef", *_KNOWN, *(f"other{at}" for at in range(_UNUSED))]
_ACCENTED = {"eacute": ("e", "acute"), "Adieresis": ("A", "dieresis")}


def _corners(name: str) -> list[tuple[int, int]]:
    dice = random.Random(name)
    return [(50, 0), *((50 + step * 25, 100 + dice.randrange(600)) for step in range(1, 19)), (520, 0)]


def page(kind: str, encoding: str, codes: bytes = CODES) -> bytes:
    """A page that shows these codes in a font of the kind, with one of the ENCODINGS."""
    with pikepdf.new() as document:
        program = {"TrueType": _true_type, "Type1C": _compact, "Type1": _type1}[kind](document)
        descriptor = Dictionary(
            Type=Name.FontDescriptor, FontName=Name.Made, Flags=32, ItalicAngle=0, FontBBox=[0, 0, 600, 700],
            Ascent=700, Descent=0, CapHeight=700, StemV=80,
        )  # fmt: skip
        descriptor[{"TrueType": Name.FontFile2, "Type1C": Name.FontFile3, "Type1": Name.FontFile}[kind]] = program
        font = Dictionary(
            Type=Name.Font, Subtype=Name.TrueType if kind == "TrueType" else Name.Type1, BaseFont=Name.Made,
            FirstChar=0, LastChar=255, Widths=[600] * 256, FontDescriptor=document.make_indirect(descriptor),
        )  # fmt: skip
        if encoding != "StandardEncoding":
            font.Encoding = Name(f"/{encoding}")
        sheet = document.add_blank_page(page_size=(340, 250))
        sheet.Resources = Dictionary(Font=Dictionary(F=document.make_indirect(font)))
        lines = [codes[at : at + 24].hex() for at in range(0, len(codes), 24)]
        shown = " ".join(f"<{line}> Tj 0 -24 Td" for line in lines)
        sheet.Contents = document.make_stream(f"BT /F 20 Tf 10 220 Td {shown} ET".encode())
        file = io.BytesIO()
        document.save(file)
    return file.getvalue()


def _saved(builder: FontBuilder) -> bytes:
    builder.setupHorizontalMetrics(dict.fromkeys(_NAMES, (600, 50)))
    builder.setupHorizontalHeader()
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    return file.getvalue()


def _true_type(document: pikepdf.Pdf) -> pikepdf.Stream:
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(_NAMES)
    builder.setupCharacterMap({ord(letter): name for name in _KNOWN if (letter := letter_of(name))})
    outlines = {}
    for name in _NAMES:
        pen = TTGlyphPen(None)
        pen.moveTo(_corners(name)[0])
        for corner in _corners(name)[1:]:
            pen.lineTo(corner)
        pen.closePath()
        outlines[name] = pen.glyph()
    builder.setupGlyf(outlines)
    data = _saved(builder)
    return document.make_stream(data, Length1=len(data))


def _compact(document: pikepdf.Pdf) -> pikepdf.Stream:
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(_NAMES)
    outlines = {}
    for name in _NAMES:
        pen = T2CharStringPen(600, None)
        pen.moveTo(_corners(name)[0])
        for corner in _corners(name)[1:]:
            pen.lineTo(corner)
        pen.closePath()
        outlines[name] = pen.getCharString()
    builder.setupCFF("Made", {}, outlines, {})
    builder.setupCharacterMap({})
    return document.make_stream(TTFont(io.BytesIO(_saved(builder))).getTableData("CFF "), Subtype=Name.Type1C)


def _hidden(program: list[object]) -> bytes:
    outline = T1CharString(program=program)
    outline.compile()
    assert outline.bytecode is not None
    packed: bytes = eexec.encrypt(bytes(4) + outline.bytecode, 4330)[0]
    return packed


def _type1(document: pikepdf.Pdf) -> pikepdf.Stream:
    """Letters drawn by subroutines of their own, some called as those for hints are, and letters made of others."""
    usual: list[list[object]] = [
        [3, 0, "callothersubr", "pop", "pop", "setcurrentpoint", "return"],
        [0, 1, "callothersubr", "return"],
        [0, 2, "callothersubr", "return"],
        ["return"],
        [1, 3, "callothersubr", "pop", "callsubr", "return"],
    ]
    routines, outlines = [*usual], dict[str, list[object]]()
    for name in _NAMES:
        corners = _corners(name)
        drawn: list[object] = [corners[0][0] - 50, corners[0][1], "rmoveto"]
        for (x0, y0), (x1, y1) in itertools.pairwise(corners):
            drawn += [x1 - x0, y1 - y0, "rlineto"]
        routines += [["hstem", "return"], [*drawn, "closepath", "return"]]
        routines[-2][:0] = [0, 20]
        outlines[name] = [50, 600, "hsbw", len(routines) - 2, 4, "callsubr", len(routines) - 1, "callsubr", "endchar"]
    for name, parts in _ACCENTED.items():
        outlines[name] = [50, 600, "hsbw", 50, 0, 0, *map(StandardEncoding.index, parts), "seac"]
    written = [b"dup /Private 9 dict dup begin\n/RD {string currentfile exch readstring pop} executeonly def\n"]
    written += [b"/ND {noaccess def} executeonly def\n/NP {noaccess put} executeonly def\n/BlueValues [] def\n"]
    written += [b"/password 5839 def\n/MinFeature {16 16} def\n/OtherSubrs [{} {} {} {pop 3}] def\n"]
    written += [b"/Subrs %d array\n" % len(routines)]
    for number, routine in enumerate(routines):
        packed = _hidden(routine)
        written.append(b"dup %d %d RD %b NP\n" % (number, len(packed), packed))
    written.append(b"ND\n2 index /CharStrings %d dict dup begin\n" % len(outlines))
    for name, outline in outlines.items():
        packed = _hidden(outline)
        written.append(b"/%b %d RD %b ND\n" % (name.encode(), len(packed), packed))
    written.append(
        b"end\nend\nreadonly put\nnoaccess put\ndup/FontName get exch definefont pop\nmark currentfile closefile\n"
    )
    clear = (
        b"%!PS-AdobeFont-1.0: Made\n11 dict begin\n/FontInfo 1 dict dup begin\n/FullName (Made) def\nend def\n"
        b"/FontName /Made def\n/PaintType 0 def\n/FontType 1 def\n/FontMatrix [0.001 0 0 0.001 0 0] def\n"
        b"/Encoding StandardEncoding def\n/FontBBox {0 0 600 700} def\ncurrentdict end\ncurrentfile eexec\n"
    )
    hidden, _ = eexec.encrypt(b"\xff\xff\xff\xff" + b"".join(written), 55665)
    zeros = b"\n".join([b"0" * 64] * 8) + b"\ncleartomark\n"
    return document.make_stream(clear + hidden + zeros, Length1=len(clear), Length2=len(hidden), Length3=len(zeros))
