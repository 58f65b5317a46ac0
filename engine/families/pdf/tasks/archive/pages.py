"""Remove or refuse page content that PDF/A forbids (ISO 19005-2, 6.1 and 6.2)."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf import read
from engine.families.pdf.contents import streams_of
from engine.families.pdf.tasks.archive.refusing import refused
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_BLENDS = frozenset(
    f"/{each}"
    for each in (
        "Normal", "Compatible", "Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn",
        "HardLight", "SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color", "Luminosity",
    )
)  # fmt: skip
_INTENTS = frozenset({"/RelativeColorimetric", "/AbsoluteColorimetric", "/Perceptual", "/Saturation"})
_OPERATORS = frozenset(
    (
        "b", "B", "b*", "B*", "BDC", "BI", "BMC", "BT", "BX", "c", "cm", "CS", "cs", "d", "d0", "d1", "Do",
        "DP", "EI", "EMC", "ET", "EX", "f", "F", "f*", "G", "g", "gs", "h", "i", "ID", "j", "J", "K", "k", "l",
        "m", "M", "MP", "n", "q", "Q", "re", "RG", "rg", "ri", "s", "S", "SC", "sc", "SCN", "scn", "sh", "T*",
        "Tc", "Td", "TD", "Tf", "Tj", "TJ", "TL", "Tm", "Tr", "Ts", "Tw", "Tz", "v", "w", "W", "W*", "y", "'",
        '"',
    )
)  # fmt: skip
"""All operators (ISO 32000-1, table A.1) but the one for PostScript."""

_COMMENT_BEHIND = re.compile(rb"[^\s%]%")
"""A comment directly after an operator: veraPDF reads it as part of the operator's name."""

_MOST_NESTED = 28
_LONGEST_NAME, _LONGEST_TEXT = 127, 32_767
_SIDES = (3.0, 14_400.0)
_STATE = (Name.TR, Name.HTP, Name.HT, Name.HTO)
_PICTURE = (Name.Alternates, Name.OPI)
_FORM = (Name.OPI, Name.PS, Name.Subtype2)


def own_resources(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    """All resource dictionaries, after giving each page and form its own."""
    found: dict[Any, pikepdf.Object] = {}
    for page in pdf.pages:
        page.obj[Name.Resources] = page.resources
        found[page.obj.objgen] = page.obj[Name.Resources]
        waiting = [page.obj[Name.Resources]]
        seen = {page.obj.objgen}
        while waiting:
            resources = waiting.pop()
            objects = resources.get(Name.XObject)
            for key in objects.keys() if isinstance(objects, pikepdf.Dictionary) else ():
                form = objects[key] if objects is not None else None
                if not isinstance(form, pikepdf.Stream) or form.objgen in seen or form.get(Name.Subtype) != Name.Form:
                    continue
                seen.add(form.objgen)
                if Name.Resources not in form:
                    form[Name.Resources] = copy.copy(resources)  # individual ones: unused entries of each are removed
                waiting.append(form[Name.Resources])
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary | pikepdf.Stream) and isinstance(
            each.get(Name.Resources), pikepdf.Dictionary
        ):
            found[each.objgen] = each[Name.Resources]
    return list(found.values())


def clean(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Remove what no page shows, and refuse what can't be removed without changing the appearance; raises
    InvalidOption."""
    dropped: set[str] = set()
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream):
            _stream(each, dropped)
        if isinstance(each, pikepdf.Dictionary | pikepdf.Stream):
            for part in _dictionaries(each):
                _dictionary(part, dropped)
    for page in pdf.pages:
        for name in (Name.PresSteps, Name.AA, Name.PieceInfo):
            if name in page.obj:
                del page.obj[name]
        box = pikepdf.Rectangle(page.mediabox)
        if not all(_SIDES[0] <= side <= _SIDES[1] for side in (box.width, box.height)):
            raise refused(say("a page is too small or too large"))
    if dropped:
        warn(
            "CONTENT_DROPPED",
            say("Removed, because PDF/A doesn't allow it: {dropped}.", dropped=", ".join(sorted(dropped))),
        )


def _dictionaries(holder: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """An object and its nested dictionaries."""
    waiting: list[Any] = [holder]
    while waiting:
        now = waiting.pop()
        if isinstance(now, pikepdf.Dictionary | pikepdf.Stream):
            yield now
            values = [now[key] for key in now.keys()]  # noqa: SIM118  # it is no mapping
        else:
            values = list(now)
        waiting += [
            each for each in values if isinstance(each, pikepdf.Dictionary | pikepdf.Array) and not each.is_indirect
        ]


def _stream(each: pikepdf.Object, dropped: set[str]) -> None:
    if any(name in each for name in (Name.F, Name.FFilter, Name.FDecodeParms)):
        raise refused(say("part of it is in another file"))
    kind = each.get(Name.Subtype)
    if kind == Name.Image:
        for name in _PICTURE:
            if name in each:
                del each[name]
                dropped.add(say("alternate pictures for printing"))
        if each.get(Name.Interpolate):
            del each[Name.Interpolate]
            dropped.add(say("picture smoothing"))
        if each.get(Name.Filter) == Name.JPXDecode and b"jp2h" not in each.read_raw_bytes()[:200]:
            raise refused(say("a JPEG 2000 picture doesn't define its colours"))
    elif kind == Name.PS or (kind == Name.Form and each.get(Name.Subtype2) == Name.PS):
        raise refused(say("part of it is drawn in PostScript"))
    elif kind == Name.Form:
        if Name.Ref in each:
            raise refused(say("part of it is in another file"))
        for name in _FORM:
            if name in each:
                del each[name]


def _dictionary(each: pikepdf.Object, dropped: set[str]) -> None:
    if each.get(Name.Type) == Name.ExtGState or Name.BM in each or Name.TR in each or Name.TR2 in each:
        for name in _STATE:
            if name in each and name not in (Name.TR,):
                del each[name]
        if Name.TR in each and each[Name.TR] != Name.Identity:
            raise refused(say("it has transfer functions that change colours"))
        if Name.TR in each:
            del each[Name.TR]
        if Name.TR2 in each and each[Name.TR2] != Name.Default:
            del each[Name.TR2]
        modes = each.get(Name.BM)
        for mode in modes if isinstance(modes, pikepdf.Array) else [modes] if isinstance(modes, pikepdf.Name) else []:
            if str(mode) not in _BLENDS:
                raise refused(say("the blend mode {mode} is not in the standard", mode=mode))
    for name in (Name.RI, Name.Intent):
        if (
            isinstance(each.get(name), pikepdf.Name)
            and name in each
            and str(each[name]) not in _INTENTS
            and name == Name.RI
        ):
            del each[name]
    for name in (Name.EF, Name.AF):  # files outside the document's list of embedded files
        if name in each:
            del each[name]
            dropped.add(say("attached files"))
    if isinstance(each.get(Name.Metadata), pikepdf.Stream):  # its properties may not be allowed (6.6.2.3)
        del each[Name.Metadata]
        dropped.add(say("metadata in pictures and other parts"))
    for key in each.keys():  # noqa: SIM118  # it is no mapping
        if len(key.encode()) - 1 > _LONGEST_NAME:
            raise refused(say("a name is too long"))
        value = each[key]
        if isinstance(value, pikepdf.String) and len(bytes(value)) > _LONGEST_TEXT:
            raise refused(say("a text is too long"))


def check_instructions(pdf: pikepdf.Pdf) -> None:
    """Refuse unknown operators in pages and all other content streams.

    Streams with comments directly after operators are rewritten without comments.
    """
    read.check_instructions(pdf, range(len(pdf.pages)))
    for page in pdf.pages:
        _instructions(page.obj)
        if any(map(_has_comments, streams_of(page.obj))):
            page.obj[Name.Contents] = pdf.make_stream(_without_comments(page.obj))
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream):
            if each.get(Name.Subtype) == Name.Form or each.get(Name.PatternType) == 1:
                read.check_unfolding(each)
                _drawn_elsewhere(each)
        elif isinstance(each, pikepdf.Dictionary) and each.get(Name.Subtype) == Name.Type3:
            programs = each.get(Name.CharProcs, pikepdf.Dictionary())
            for name in programs.keys():  # noqa: SIM118  # it is no mapping
                read.check_unfolding(programs[name])
                _drawn_elsewhere(programs[name])


def _drawn_elsewhere(stream: pikepdf.Object) -> None:
    _instructions(stream)
    if _has_comments(stream):
        stream.write(_without_comments(stream))


def _has_comments(stream: pikepdf.Object) -> bool:
    return _COMMENT_BEHIND.search(stream.read_bytes()) is not None


def _without_comments(holder: pikepdf.Object) -> bytes:
    return pikepdf.unparse_content_stream(list(pikepdf.parse_content_stream(holder)))


def _instructions(holder: pikepdf.Object) -> None:
    depth = 0
    for each in pikepdf.parse_content_stream(holder):
        if isinstance(each, pikepdf.ContentStreamInlineImage):
            if any(str(name) in ("/LZWDecode", "/LZW") for name in each.iimage.filters):
                raise refused(say("an inline picture is compressed with LZW"))
            continue
        name = str(each.operator)
        depth += (name == "q") - (name == "Q")
        if depth > _MOST_NESTED:
            raise refused(say("page instructions are nested more than 28 deep"))
        if name not in _OPERATORS or (name == "ri" and str(each.operands[0]) not in _INTENTS):
            raise refused(say("the instruction {name} on a page is not in the standard", name=name[:20]))
