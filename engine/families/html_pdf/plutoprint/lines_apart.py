"""Let readers of a PDF tell vertical lines apart, which all start at the same height.

PDFium takes texts in a row that start at one height for one line, and sorts them from left to right. The last letters
of each text are shown apart, which draws the same.
"""

from __future__ import annotations

from typing import Any

import pikepdf

_SHOWING = frozenset(("Tj", "TJ"))
_FEWEST, _LAST = 3, 2


def part(pdf: pikepdf.Pdf) -> None:
    """Show the last letters of each text of a PDF apart."""
    done: set[tuple[int, int]] = set()
    for page in pdf.pages:
        resources = page.resources
        data = _parted(page.obj, resources)
        if data is not None:
            page.obj.Contents = pdf.make_stream(data)
        _in_forms(resources, done)


def _in_forms(resources: pikepdf.Object, done: set[tuple[int, int]]) -> None:
    open_ = [resources]
    while open_:
        for each in (open_.pop().get("/XObject") or {}).values():
            if each.objgen in done or each.get("/Subtype") != "/Form":
                continue
            done.add(each.objgen)
            own = each.get("/Resources", pikepdf.Dictionary())
            data = _parted(each, own)
            if data is not None:
                each.write(data)
            open_.append(own)


def _parted(content: pikepdf.Object, resources: pikepdf.Object) -> bytes | None:
    """The content with its texts parted; None without any."""
    fonts: Any = resources.get("/Font") or {}
    wide = {name: font.get("/Subtype") == "/Type0" for name, font in fonts.items()}
    parted: list[pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage] = []
    size = 1
    changed = False
    for each in pikepdf.parse_content_stream(content):
        operator = str(each.operator)
        if operator == "Tf":
            size = 2 if wide.get(str(each.operands[0])) else 1
        divided = _divided(each.operands[0], operator, size) if operator in _SHOWING else None
        if divided is None:
            parted.append(each)
            continue
        changed = True
        parted += [pikepdf.ContentStreamInstruction([operand], pikepdf.Operator("TJ")) for operand in divided]
    return pikepdf.unparse_content_stream(parted) if changed else None


def _divided(shown: pikepdf.Object, operator: str, size: int) -> tuple[pikepdf.Object, pikepdf.Object] | None:
    """What comes before the last two letters of a text, and these; None for few letters.

    A last part of one letter would be taken for another line.
    """
    pieces = [shown] if operator == "Tj" else list(shown)
    letters = sum(len(bytes(each)) for each in pieces if isinstance(each, pikepdf.String)) // size
    if letters < _FEWEST:
        return None
    before: list[pikepdf.Object] = []
    left = max(letters - _LAST, 1) * size
    for at, each in enumerate(pieces):
        length = len(bytes(each)) if isinstance(each, pikepdf.String) else 0
        if length > left:
            text = bytes(each)
            before += [pikepdf.String(text[:left])] if left else []
            return pikepdf.Array(before), pikepdf.Array([pikepdf.String(text[left:]), *pieces[at + 1 :]])
        before.append(each)
        left -= length
    return None
