"""PDFs of some hundred bytes that would take minutes to draw or to unpack."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Mapping

_FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<<%s>>"
_PATTERN = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 99 99]/XStep 99/YStep 99/Resources<<%s>>"
_FONT = (
    b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]"
    b"/Encoding<</Differences[97/a]>>/CharProcs<</a %d 0 R>>/Resources<<%s>>>>"
)
_MASK = b"/ExtGState<</M<</SMask<</S/Luminosity/G %d 0 R>>>>>>"
_GROUP = b"/Group<</S/Transparency/CS/DeviceGray>>"
_FAN, _LEVELS = 20, 7


def document(
    content: bytes,
    *others: bytes,
    resources: bytes = b"",
    entries: bytes = b"",
    of_page: bytes = b"",
    catalog: bytes = b"",
) -> bytes:
    """One page; `others` are the objects from 5 on."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<%s>>%s>>" % (resources, of_page)
    objects = (
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page,
        stream(content, entries),
        *others,
    )
    out, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(
        b"%010d 00000 n \n" % at for at in places
    )
    return out + table + b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


def _fan(draw: bytes, entries: bytes, resources: bytes) -> list[bytes]:
    """Streams from object 5 on, each of which draws the next one several times."""
    made = [stream(draw * _FAN, entries % (resources % (number + 6))) for number in range(_LEVELS)]
    return [*made, stream(b"0 0 9 9 re f", entries % b"")]


def _letters(draw: bytes, *, fan: int, levels: int, own: bool = False) -> list[bytes]:
    """Fonts from object 5 on, each with one letter, which draws that of the next font, or its own."""
    made = []
    for number in range(levels):
        font, letter = 5 + 2 * number, 6 + 2 * number
        last = number == levels - 1 and not own
        next_ = font if own else font + 2
        resources = b"" if last else b"/Font<</F %d 0 R>>" % next_
        made += [_FONT % (letter, resources), stream(b"1 0 d0 " + (b"0 0 1 1 re f" if last else draw % (b"a" * fan)))]
    return made


@functools.cache
def packed(megabytes: int, times: int = 2) -> bytes:
    once = zlib.compressobj(9)
    data = b"".join(once.compress(bytes(1_000_000)) for _ in range(megabytes)) + once.flush()
    for _ in range(times - 1):
        data = zlib.compress(data, 9)
    return data


_TEXT = b"BT /F 1 Tf (%s) Tj ET "
_XOBJECT = b"/XObject<</X %d 0 R>>"
_PATTERNS = b"/Pattern<</P %d 0 R>>"
_PAINT = b"/Pattern cs /P scn 0 0 99 99 re f "

DRAWN: Mapping[str, Callable[[], bytes]] = {
    "forms that draw each other": lambda: document(
        b"/X Do /X Do",
        stream(b"/Y Do /X Do", _FORM % b"/XObject<</X 5 0 R/Y 6 0 R>>"),
        stream(b"/X Do /X Do", _FORM % b"/XObject<</X 5 0 R>>"),
        resources=_XOBJECT % 5,
    ),
    "a form whose resources are those of the page": lambda: document(
        b"/X Do", stream(b"/X Do /X Do", _FORM.replace(b"/Resources<<%s>>", b"")), resources=_XOBJECT % 5
    ),
    "billions of forms": lambda: document(b"/X Do", *_fan(b"/X Do ", _FORM, _XOBJECT), resources=_XOBJECT % 5),
    "a pattern that draws itself": lambda: document(
        _PAINT, stream(_PAINT * 2, _PATTERN % (_PATTERNS % 5)), resources=_PATTERNS % 5
    ),
    "billions of patterns": lambda: document(_PAINT, *_fan(_PAINT, _PATTERN, _PATTERNS), resources=_PATTERNS % 5),
    "a mask that masks itself": lambda: document(
        b"/M gs 0 0 99 99 re f", stream(b"/M gs 0 0 99 99 re f " * 2, _GROUP + _FORM % (_MASK % 5)), resources=_MASK % 5
    ),
    "billions of masks": lambda: document(
        b"/M gs 0 0 99 99 re f", *_fan(b"/M gs 0 0 99 99 re f ", _GROUP + _FORM, _MASK), resources=_MASK % 5
    ),
    "a letter that draws itself": lambda: document(
        _TEXT % b"a", *_letters(_TEXT, fan=9, levels=1, own=True), resources=b"/Font<</F 5 0 R>>"
    ),
    "billions of letters": lambda: document(
        _TEXT % b"a", *_letters(_TEXT, fan=_FAN, levels=_LEVELS), resources=b"/Font<</F 5 0 R>>"
    ),
    "a remark whose look draws itself": lambda: document(
        b"",
        stream(b"/X Do /X Do", _FORM % (_XOBJECT % 5)),
        of_page=b"/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 99 99]/AP<</N 5 0 R>>>>]",
    ),
}
"""What a reader that draws, or follows what is drawn, refuses."""

PACKED: Mapping[str, Callable[[], bytes]] = {
    "a page packed twice": lambda: document(packed(200), entries=b"/Filter[/FlateDecode/FlateDecode]"),
    "a page packed three times": lambda: document(
        packed(200, 3), entries=b"/Filter[/FlateDecode/FlateDecode/FlateDecode]"
    ),
    "names of filters in other spellings": lambda: document(
        packed(200), entries=b"/F#69lter[/Fl#61teDecode/FlateDecode]"
    ),
    "filters that are an object": lambda: document(
        packed(200), b"[/FlateDecode/FlateDecode]", entries=b"/Filter 5 0 R"
    ),
    "a file that nobody draws": lambda: document(b"", stream(packed(200), b"/Filter[/FlateDecode/FlateDecode]")),
    "a hundred of them": lambda: document(b"", *[stream(packed(5), b"/Filter[/FlateDecode/FlateDecode]")] * 100),
}
