"""Remove matches from content that shows nothing: comments, and texts before operators that take none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.read import DAMAGED, check_unfolding
from engine.families.pdf.tasks.redaction.terms import Wanted

_TEXTS = frozenset(("Tj", "TJ", "'", '"', "BDC", "DP"))
"""The operators that take texts (ISO 32000-1, annex A): what they show is searched on the page."""
_AFTER_TEXT = re.compile(rb"[)>][-+.\d\s]*+([A-Za-z*]+)")
_COMMENT = re.compile(rb"%([^\r\n]*)")


def remove(pdf: pikepdf.Pdf, wanted: Wanted) -> None:
    """Remove them from all pages, and from all forms and patterns. Raises OverLimit for content that is too large."""
    for holder in _holders(pdf):
        try:
            data = _content(holder)
            commented = any(wanted.found_in(each.decode("latin-1")) for each in set(_COMMENT.findall(data)))
            if not commented and {each.decode() for each in set(_AFTER_TEXT.findall(data))} <= _TEXTS:
                continue
            instructions = [_without(each, wanted) for each in pikepdf.parse_content_stream(holder)]
        except DAMAGED:
            continue
        if commented or any(isinstance(each, tuple) for each in instructions):
            written = pikepdf.unparse_content_stream(instructions)
            if isinstance(holder, pikepdf.Stream):
                holder.write(written)
            else:
                holder.obj[Name.Contents] = pdf.make_stream(written)


def _holders(pdf: pikepdf.Pdf) -> Iterator[Any]:
    yield from pdf.pages
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and (each.get(Name.Subtype) == Name.Form or Name.PatternType in each):
            yield each


def _content(holder: Any) -> bytes:
    found = holder if isinstance(holder, pikepdf.Stream) else holder.obj.get(Name.Contents)
    streams = [
        each for each in (found if isinstance(found, pikepdf.Array) else [found]) if isinstance(each, pikepdf.Stream)
    ]
    for each in streams:
        check_unfolding(each)
    return b"\n".join(each.read_bytes() for each in streams)


def _without(each: Any, wanted: Wanted) -> Any:
    """An instruction; one with matches before an operator that takes no text as a pair, with empty texts."""
    if isinstance(each, pikepdf.ContentStreamInlineImage) or str(each.operator) in _TEXTS:
        return each
    operands = list(each.operands)
    found = [at for at, one in enumerate(operands) if isinstance(one, pikepdf.String) and wanted.found_in(str(one))]
    for at in found:
        operands[at] = pikepdf.String("")
    return (operands, each.operator) if found else each
