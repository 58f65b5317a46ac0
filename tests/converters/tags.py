"""Read the tags of a PDF with pikepdf: the tree, the text of each element, and what is marked on the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2


@dataclass
class Tag:
    """An element: its role, its text in reading order, its attributes, and the elements in it."""

    role: str
    text: str = ""
    alt: str | None = None
    language: str | None = None
    own: dict[str, str] = field(default_factory=dict)
    kids: list[Tag] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    def every(self, *roles: str) -> list[Tag]:
        """The elements within it that have one of these roles, in reading order."""
        found = [self] if self.role in roles else []
        return found + [each for kid in self.kids for each in kid.every(*roles)]

    def shape(self) -> Any:
        """Its role, with the shapes of what is in it, if anything is."""
        return (self.role, *(each.shape() for each in self.kids)) if self.kids else self.role


@dataclass
class Tags:
    """The tree of a document, and the texts on its pages that are artifacts, or in no mark or several."""

    root: Tag
    artifacts: list[str]
    stray: list[str]
    written: pikepdf.Dictionary


def tags(path: Path) -> Tags:
    """The tags of a document."""
    with pikepdf.open(path) as pdf:
        found: dict[tuple[int, int], str] = {}
        artifacts: list[str] = []
        stray: list[str] = []
        for page in pdf.pages:
            _marked(page.obj, page.obj, found, artifacts, stray)
        used: list[tuple[int, int]] = []
        root = _tag(pdf.Root.StructTreeRoot.K, None, found, used)
        assert sorted(used) == sorted(found), "each sequence is in exactly one element"
        _check_parents(pdf)
        return Tags(root, artifacts, stray, dict(pdf.Root))  # type: ignore[arg-type]


def _marked(owner: Any, holder: Any, found: dict[tuple[int, int], str], artifacts: list[str], stray: list[str]) -> None:
    marks: list[int | None] = []
    font: Any = None
    for operands, operator in pikepdf.parse_content_stream(owner):
        name = str(operator)
        if name in ("BDC", "BMC"):
            number = int(operands[1].MCID) if len(operands) > 1 and "/MCID" in operands[1] else None
            marks.append(number)
            if number is not None:
                found.setdefault((owner.objgen[0], number), "")
                if "/ActualText" in operands[1]:
                    found[(owner.objgen[0], number)] += "\x00" + str(operands[1].ActualText)
        elif name == "EMC":
            marks.pop()
        elif name == "Tf":
            font = holder.Resources.Font[str(operands[0])]
        elif name in ("Tj", "TJ"):
            strings = operands[0] if name == "TJ" else [operands[0]]
            text = "".join(_text(font, bytes(each)) for each in strings if isinstance(each, pikepdf.String))
            if len(marks) != 1:
                stray.append(text)
            elif marks[0] is None:
                artifacts.append(text)
            elif "\x00" not in found[(owner.objgen[0], marks[0])]:
                found[(owner.objgen[0], marks[0])] += text
        elif name == "Do":
            form = holder.Resources.XObject[str(operands[0])]
            if form.get("/Subtype") == "/Form" and not marks:
                _marked(form, form if "/Resources" in form else holder, found, artifacts, stray)
            elif len(marks) != 1:
                stray.append(str(operands[0]))
        elif name in ("f", "f*", "S", "B", "sh") and len(marks) != 1:
            stray.append(name)
    assert not marks


def _text(font: Any, codes: bytes) -> str:
    texts: dict[int, str] = {}
    section = ""
    for line in font.ToUnicode.read_bytes().decode("latin-1").splitlines() if "/ToUnicode" in font else ():
        section = line.split()[-1] if line.endswith(("bfchar", "bfrange")) else section
        numbers = [bytes.fromhex(each) for each in re.findall("<([0-9a-fA-F]+)>", line)]
        if section == "beginbfchar" and len(numbers) == 2:
            texts[int.from_bytes(numbers[0], "big")] = numbers[1].decode("utf-16-be")
        elif section == "beginbfrange" and len(numbers) == 3:
            first, last, to = (int.from_bytes(each, "big") for each in numbers)
            texts |= {code: chr(to + code - first) for code in range(first, last + 1)}
    width = 2 if font.Subtype == "/Type0" else 1
    found = [int.from_bytes(codes[at : at + width], "big") for at in range(0, len(codes), width)]
    return "".join(texts.get(each) or bytes((each,)).decode("cp1252") for each in found)


def _tag(element: Any, page: Any, found: dict[tuple[int, int], str], used: list[tuple[int, int]]) -> Tag:
    page = element.get("/Pg", page)
    given = element.get("/A", {})
    own = {
        str(name)[1:]: str(value).lstrip("/")
        for each in (given if isinstance(given, pikepdf.Array) else [given])
        for name, value in each.items()
    }
    alt, language = (str(element[name]) if name in element else None for name in ("/Alt", "/Lang"))
    made = Tag(str(element.S)[1:], alt=alt, language=language, own=own)
    kids = element.get("/K", pikepdf.Array())
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, int) or kid.get("/Type") == "/MCR":
            owner = page if isinstance(kid, int) else kid.get("/Stm", kid.Pg)
            key = (owner.objgen[0], kid if isinstance(kid, int) else int(kid.MCID))
            used.append(key)
            made.text += found[key].replace("\x00", "")
        elif kid.get("/Type") == "/OBJR":
            made.links.append(str(kid.Obj.get("/Contents", "")))
        else:
            assert kid.P.objgen == element.objgen
            made.kids.append(_tag(kid, page, found, used))
            made.text += made.kids[-1].text
    return made


def _check_parents(pdf: pikepdf.Pdf) -> None:
    """The tree of parents says of each sequence and link which element it is in."""
    parents = dict(_pairs(pdf.Root.StructTreeRoot.ParentTree.Nums))
    for page in pdf.pages:
        for each in page.obj.get("/Annots", ()):
            assert parents[int(each.StructParent)].S == "/Link"
        if "/StructParents" in page.obj:
            for number, parent in enumerate(parents[int(page.obj.StructParents)]):
                kids = parent.K if isinstance(parent.K, pikepdf.Array) else [parent.K]
                own = [each if isinstance(each, int) else each.get("/MCID") for each in kids]
                assert number in own


def _pairs(numbers: Any) -> Iterator[tuple[int, Any]]:
    values = list(numbers)
    return zip(map(int, values[::2]), values[1::2], strict=True)


def look(path: Path) -> list[bytes]:
    """The pixels of each page."""
    with pypdfium2.PdfDocument(path) as document:
        return [page.render(scale=1).to_pil().convert("RGB").tobytes() for page in document]
