"""Convert the MathML 3.1 formulas of an OpenDocument text to WordprocessingML equations."""

from __future__ import annotations

from lxml import etree

from engine.families.documents.ooxml.package import Element

_MATH = "{http://www.w3.org/1998/Math/MathML}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DEEPEST = 60
_TOKENS = ("mi", "mn", "mo", "mtext", "ms")
_ROWS = ("math", "mrow", "mstyle", "semantics", "mpadded", "menclose", "merror", "mphantom", "maction")


def equation(root: Element) -> Element | None:
    """The equation in a part; None if there is none."""
    found = root if root.tag in (f"{_MATH}math", "math") else next(root.iter(f"{_MATH}math"), None)
    if found is None:
        return None
    made = etree.Element(f"{_M}oMath")
    _write(made, found, 0)
    return made


def _part(parent: Element, name: str, content: Element | None, depth: int) -> None:
    made = etree.SubElement(parent, _M + name)
    if content is not None:
        _write(made, content, depth)


def _property(parent: Element, name: str, **values: str) -> None:
    made = etree.SubElement(parent, _M + name)
    for key, value in values.items():
        etree.SubElement(made, _M + key).set(_M + "val", value)


def _write(parent: Element, each: Element, depth: int) -> None:
    kind = each.tag.rpartition("}")[2] if isinstance(each.tag, str) else ""
    inside = [child for child in each if isinstance(child.tag, str)]
    if depth > _DEEPEST:
        return
    if kind in _TOKENS:
        text = " ".join((each.text or "").split())
        if text:
            run = etree.SubElement(parent, _M + "r")
            if kind == "mtext" or (kind == "mi" and len(text) > 1):
                _property(run, "rPr", nor="1")
            etree.SubElement(run, _M + "t").text = text
        return
    parts: list[Element | None] = [*inside, None, None, None]
    if kind in ("msup", "msub", "mover", "munder"):
        upper = kind in ("msup", "mover")
        mark = "".join(parts[1].itertext()).strip() if parts[1] is not None else ""
        if kind == "mover" and len(mark) == 1 and not mark.isalnum():
            made = etree.SubElement(parent, _M + "acc")
            _property(made, "accPr", chr=mark)
            _part(made, "e", parts[0], depth + 1)
            return
        name = {"msup": "sSup", "msub": "sSub", "mover": "limUpp", "munder": "limLow"}[kind]
        made = etree.SubElement(parent, _M + name)
        _part(made, "e", parts[0], depth + 1)
        _part(
            made, "lim" if kind.startswith("mo") or kind == "munder" else "sup" if upper else "sub", parts[1], depth + 1
        )
    elif kind in ("msubsup", "munderover"):
        made = etree.SubElement(parent, _M + "sSubSup")
        for name, part in zip(("e", "sub", "sup"), parts, strict=False):
            _part(made, name, part, depth + 1)
    elif kind == "mfrac":
        made = etree.SubElement(parent, _M + "f")
        _part(made, "num", parts[0], depth + 1)
        _part(made, "den", parts[1], depth + 1)
    elif kind in ("msqrt", "mroot"):
        made = etree.SubElement(parent, _M + "rad")
        if kind == "mroot":
            _part(made, "deg", parts[1], depth + 1)
            _part(made, "e", parts[0], depth + 1)
        else:
            base = etree.SubElement(made, _M + "e")
            for part in inside:
                _write(base, part, depth + 1)
    elif kind == "mfenced":
        made = etree.SubElement(parent, _M + "d")
        values = {key: each.get(name, usual) for key, name, usual in
                (("begChr", "open", "("), ("endChr", "close", ")"), ("sepChr", "separators", ","))}  # fmt: skip
        _property(made, "dPr", **values)
        for part in inside:
            _part(made, "e", part, depth + 1)
    elif kind == "mtable":
        made = etree.SubElement(parent, _M + "m")
        for row in inside:
            line = etree.SubElement(made, _M + "mr")
            for cell in row:
                _part(line, "e", cell, depth + 1)
    elif kind == "semantics":
        for part in inside[:1]:
            _write(parent, part, depth + 1)
    elif kind in _ROWS or kind in ("mtr", "mtd"):
        for part in inside:
            _write(parent, part, depth + 1)
