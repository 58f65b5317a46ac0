"""Write content streams anew with only what their operators take: no stray texts, comments or unknown instructions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf import drawing_cost
from engine.families.pdf.contents import streams_of
from engine.families.pdf.reached import dictionaries
from engine.families.pdf.read import DAMAGED, check_unfolding
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.redaction import colourants, unused_names
from engine.families.pdf.tasks.redaction.allowance import Allowance
from engine.families.pdf.tasks.redaction.neutral_names import NeutralNames
from engine.families.pdf.tasks.redaction.terms import Wanted
from engine.toolkit.warnings import Kind, Warn

_UNREAD = Kind("TEXT_UNREADABLE", "Drawings that can't be searched and were kept: {count}{places}.")
_TAKEN = {
    operator: operands
    for operands, operators in (
        ("", "b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*"),
        ("n", "g G i j J M TL Tc Tr Ts Tw Tz w"),
        ("nn", "d0 l m Td TD"),
        ("nnn", "rg RG"),
        ("nnnn", "k K re v y"),
        ("nnnnnn", "c cm d1 Tm"),
        ("an", "d"),
        ("/", "cs CS Do gs sh"),
        ("/n", "Tf"),
        ("m", "BMC MP ri"),
        ("mp", "BDC DP"),
        ("s", "Tj '"),
        ("nns", '"'),
        ("t", "TJ"),
        ("c", "sc SC scn SCN"),
    )
    for operator in operators.split()
}
"""The operands of each operator (ISO 32000-1, annex A): n number, a numbers, / resource, m mark, p property list,
s text, t texts and numbers, c the numbers of a colour and perhaps a pattern."""

_SPACE, _NAME, _NUMBER = rb"[\0\s]", rb"/[^\0\s()<>\[\]{}/%]*+", rb"[-+]?(?:\d++\.?\d*+|\.\d++)"
_TEXT = rb"(?:\([^()\\]*+(?:\\.[^()\\]*+)*+\)|<[0-9A-Fa-f\s]*+>)"
_SPACED = b"(?:" + _NUMBER + _SPACE + b"++)"
_WRITTEN = {
    "n": _SPACED,
    "a": rb"\[" + _SPACE + b"*+(?:" + _NUMBER + b"(?:" + _SPACE + rb"++|(?=\])))*+\]" + _SPACE + b"*+",
    "/": _NAME + _SPACE + b"*+",
    "m": _NAME + _SPACE + b"*+",
    "p": b"(?:" + _NAME + rb"|<<\s*+/MCID\s++\d++\s*+>>)" + _SPACE + b"*+",
    "s": _TEXT + _SPACE + b"*+",
    "t": rb"\[(?:" + _SPACE + b"++|" + _TEXT + b"|" + _NUMBER + rb"(?=[\0\s\](<]))*+\]" + _SPACE + b"*+",
    "c": _SPACED + b"{0,32}(?:" + _NAME + _SPACE + b"*+)?",
}
_FLAWLESS = re.compile(
    _SPACE + b"*+(?:(?:"
    + b"|".join(
        b"".join(_WRITTEN[each] for each in operands)
        + b"(?:" + b"|".join(re.escape(name.encode()) for name, taken in _TAKEN.items() if taken == operands) + b")"
        for operands in dict.fromkeys(_TAKEN.values())
    )
    + rb")(?:" + _SPACE + rb"++|(?=[/(<\[%])|\Z))*+",
    re.DOTALL,
)  # fmt: skip
"""Content with nothing to remove but names, as most is: it needn't be parsed."""
_COMMENT = re.compile(rb"%[^\r\n]*+")
_NAMES = re.compile(_NAME)
_PICTURE = frozenset(
    {
        "/BitsPerComponent", "/ColorSpace", "/Decode", "/DecodeParms", "/Filter", "/Height", "/ImageMask", "/Intent",
        "/Interpolate", "/Width",
    }
)  # fmt: skip
"""The entries of inline pictures (ISO 32000-1, table 93)."""
_DRAWN_LIKE_ONE = 2
"""Bytes of drawn content that PDFium reads, several times, while one is searched."""

_LIKE_ANNOTATION = 50
"""Bytes of content that take as long as an annotation of a page."""


def remove(pdf: pikepdf.Pdf, wanted: Wanted, warn: Warn) -> None:
    """Clean all pages, forms, patterns, appearances and Type 3 glyphs, and rename resources and marks that match.

    Those that can't be parsed are named. Raises OverLimit for content that is too large.
    """
    names = NeutralNames(pdf, wanted)
    cleaned: dict[tuple[Id, ...], pikepdf.Object] = {}
    unread = 0
    for holder, streams in _holders(pdf):
        key = tuple(each.objgen for each in streams)
        if key not in cleaned:
            try:
                written = _cleaned(holder, streams, names)
            except DAMAGED:
                unread += 1
                continue
            if written is None:
                continue
            if isinstance(holder, pikepdf.Stream):
                holder.write(written)
                continue
            cleaned[key] = pdf.make_stream(written)
        holder.obj[Name.Contents] = cleaned[key]
    names.rename()
    colourants.rename(pdf, names)
    unused_names.replace(pdf, wanted, names, warn)
    warn.tally(_UNREAD, unread)


def check_size(pdf: pikepdf.Pdf, numbers: Iterable[int], allowance: Allowance) -> None:
    """Raise OverLimit if there is too much content, pages `numbers` draw too much, or have too many annotations."""
    for number in numbers:
        allowance.take(drawing_cost.weight(pdf, number) // _DRAWN_LIKE_ONE)
    counted = set[tuple[Id, ...]]()
    for holder, streams in _holders(pdf):
        key = tuple(each.objgen for each in streams)
        if key not in counted:
            counted.add(key)
            allowance.take_content(holder if isinstance(holder, pikepdf.Stream) else holder.obj)
    for page in pdf.pages:
        found = page.obj.get(Name.Annots)
        allowance.take(_LIKE_ANNOTATION * len(found) if isinstance(found, pikepdf.Array) else 0)


def _holders(pdf: pikepdf.Pdf) -> Iterator[tuple[Any, list[pikepdf.Object]]]:
    """What has content, with its streams."""
    for page in pdf.pages:
        yield page, streams_of(page.obj)
    seen = set[Id]()
    for holder in dictionaries(pdf):
        parts = [holder] if holder.get(Name.Subtype) == Name.Form or holder.get(Name.PatternType) == 1 else []
        for name in (Name.AP, Name.CharProcs):
            parts += _within(holder.get(name))
        for each in parts:
            if isinstance(each, pikepdf.Stream) and each.objgen not in seen:
                seen.add(each.objgen)
                yield each, [each]


def _within(holder: object, depth: int = 2) -> Iterator[pikepdf.Object]:
    """The streams in a dictionary, and in those in it."""
    if isinstance(holder, pikepdf.Stream):
        yield holder
    elif isinstance(holder, pikepdf.Dictionary) and depth:
        for each in holder.values():
            yield from _within(each, depth - 1)


def _cleaned(holder: Any, streams: list[pikepdf.Object], names: NeutralNames) -> bytes | None:
    """The content written anew, or None if there is nothing to remove."""
    for each in streams:
        check_unfolding(each)
    data = b"\n".join(each.read_bytes() for each in streams)
    plain = _without_comments(data)
    if plain is not None and not any(map(names.hides_written, set(_NAMES.findall(plain)))):
        return plain if plain != data else None
    written = (_instruction(each, names) for each in pikepdf.parse_content_stream(holder))
    return pikepdf.unparse_content_stream([each for each in written if each is not None])


def _without_comments(data: bytes) -> bytes | None:
    """Flawless content without the comments between its instructions, or None for other content."""
    parts = list[bytes]()
    at = 0
    while found := _FLAWLESS.match(data, at):
        parts.append(found[0])
        comment = _COMMENT.match(data, found.end())
        if comment is None:
            return b" ".join(parts) if found.end() == len(data) else None
        at = comment.end()
    return None


def _instruction(each: Any, names: NeutralNames) -> Any:
    """An instruction with what its operator takes, the last operands; None for an unknown one."""
    if isinstance(each, pikepdf.ContentStreamInlineImage):
        return _picture(each.iimage, names)
    try:
        kinds = _TAKEN.get(str(each.operator))
    except UnicodeDecodeError:
        return None
    if kinds is None:
        return None
    if not kinds and not len(each.operands):
        return each
    given = list(each.operands)
    if kinds == "c":
        kinds = "n" * (len(given) - 1) + ("/" if given and isinstance(given[-1], Name) else "n")
    count = min(len(given), len(kinds))
    before = given[len(given) - count :]
    after = [_operand(kind, one, names) for kind, one in zip(kinds[len(kinds) - count :], before, strict=True)]
    same = count == len(given) and all(one is other for one, other in zip(before, after, strict=True))
    return each if same else (after, each.operator)


def _operand(kind: str, value: Any, names: NeutralNames) -> Any:
    """The operand, without what is not of this kind."""
    if isinstance(value, Name) and kind in "/mp":
        return names.mark(value) if kind == "m" else names.resource(value)
    if kind == "p":
        return names.without(value) if isinstance(value, pikepdf.Dictionary) else pikepdf.Dictionary()
    if kind in "at" and isinstance(value, pikepdf.Array):
        shown = [one for one in value if _is_number(one) or (kind == "t" and isinstance(one, pikepdf.String))]
        return value if len(shown) == len(value) else pikepdf.Array(shown)
    if kind in "st":  # readers show numbers and names as texts, which are searched as such
        return pikepdf.String("") if isinstance(value, pikepdf.Array | pikepdf.Dictionary) else value
    return value if kind == "n" and _is_number(value) else 0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal)


def _picture(picture: Any, names: NeutralNames) -> Any:
    entries = picture.obj
    operands = list[Any]()
    for key in entries.keys():  # noqa: SIM118  # it is no mapping
        value = entries[key]
        if key not in _PICTURE:
            continue
        if key == "/ColorSpace":
            value = names.resource(value) if isinstance(value, Name) else value
        elif isinstance(value, pikepdf.String):
            continue
        elif isinstance(value, pikepdf.Array | pikepdf.Dictionary):
            value = _without_texts(value)
        operands += [Name(key), value]
    inline = pikepdf.PdfInlineImage(image_data=picture._data, image_object=tuple(operands))
    return ([inline], pikepdf.Operator("INLINE IMAGE"))


def _without_texts(value: Any) -> Any:
    if isinstance(value, pikepdf.Array):
        return pikepdf.Array([_without_texts(each) for each in value if not isinstance(each, pikepdf.String)])
    if isinstance(value, pikepdf.Dictionary):
        kept = {key: _without_texts(each) for key, each in value.items() if not isinstance(each, pikepdf.String)}
        return pikepdf.Dictionary(kept)
    return value
