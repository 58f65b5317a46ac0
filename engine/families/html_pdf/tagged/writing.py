"""Write a structure tree into a PDF (ISO 32000-1, 14.7), with its links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.tagged.drawn import Run, Stream
from engine.families.html_pdf.tagged.marking import Marked
from engine.families.html_pdf.tagged.nodes import Node

_LONGEST = 500


@dataclass(frozen=True)
class Link:
    """A link on a page, and the element that has it."""

    page: Any
    annotation: Any
    element: Element


def write(
    pdf: pikepdf.Pdf,
    root: Node,
    marked: Iterable[tuple[Stream, list[Marked]]],
    links: Sequence[Link],
    pages: Sequence[Any],
) -> None:
    """Write the tree of `marked` sequences; `pages` are the page objects by the numbers that streams have."""
    writer = _Writer(pdf, links, pages)
    sequences: dict[Run, Marked] = {}
    parents: list[tuple[Stream, list[Marked]]] = []
    for stream, found in marked:
        if found:
            parents.append((stream, found))
            sequences.update({each.first: each for each in found})
    writer.tree(root, sequences, parents)


class _Writer:
    def __init__(self, pdf: pikepdf.Pdf, links: Sequence[Link], pages: Sequence[Any]) -> None:
        self._pdf, self._pages = pdf, pages
        self._links: dict[Element, list[Link]] = {}
        for each in links:
            self._links.setdefault(each.element, []).append(each)
        self._objects: dict[Node, Any] = {}
        self._forms: dict[int, bool] = {}
        self._numbers: list[Any] = []

    def tree(self, root: Node, sequences: dict[Run, Marked], parents: Sequence[tuple[Stream, list[Marked]]]) -> None:
        top = self._pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        self._forms = {id(stream): stream.object.get("/Subtype") == "/Form" for stream, _ in parents}
        self._objects[root] = self._made(root, top)
        for node in root.within():
            own = self._objects[node]
            kids: list[Any] = []
            for each in node.kids:
                if isinstance(each, Node):
                    self._objects[each] = self._made(each, own)
                    kids.append(self._objects[each])
                elif each in sequences:
                    kids.append(self._content(sequences[each], own))
            if node.role == "Link" and node.element is not None:
                kids += self._linked(node, own)
            if kids:
                own.K = kids[0] if len(kids) == 1 else Array(kids)
        top.K = self._objects[root]
        for stream, found in parents:
            owner = stream.object if self._forms[id(stream)] else self._pages[stream.page]
            owner.StructParents = len(self._numbers)
            self._numbers.append(self._pdf.make_indirect(Array([self._objects[each.node] for each in found])))
        numbered = [each for number, value in enumerate(self._numbers) for each in (number, value)]
        top.ParentTree = self._pdf.make_indirect(Dictionary(Nums=Array(numbered)))
        top.ParentTreeNextKey = len(self._numbers)
        self._pdf.Root.StructTreeRoot = top
        self._pdf.Root.MarkInfo = Dictionary(Marked=True)

    def _made(self, node: Node, parent: Any) -> Any:
        made = Dictionary(Type=Name.StructElem, S=Name("/" + node.role), P=parent)
        if node.alt:
            made.Alt = node.alt
        if node.language:
            made.Lang = node.language
        own = [_attributes(owner, values) for owner, values in node.own.items()]
        boxes = [each.box for each in node.kids if isinstance(each, Run) and each.box] if node.role == "Figure" else []
        if boxes:
            sides = [
                *(min(each[at] for each in boxes) for at in (0, 1)),
                *(max(each[at] for each in boxes) for at in (2, 3)),
            ]
            own.append(Dictionary(O=Name.Layout, BBox=Array([round(each, 2) for each in sides])))
        if own:
            made.A = own[0] if len(own) == 1 else Array(own)
        return self._pdf.make_indirect(made)

    def _content(self, sequence: Marked, own: Any) -> Any:
        page = self._pages[sequence.stream.page]
        if self._forms[id(sequence.stream)]:
            return Dictionary(Type=Name.MCR, Pg=page, Stm=sequence.stream.object, MCID=sequence.number)
        if "/Pg" not in own:
            own.Pg = page
        if own.Pg.objgen == page.objgen:
            return sequence.number
        return Dictionary(Type=Name.MCR, Pg=page, MCID=sequence.number)

    def _linked(self, node: Node, own: Any) -> list[Any]:
        """References to the links of an element; the first of its nodes has them all."""
        found = []
        for each in self._links.pop(node.element, ()):
            each.annotation.StructParent = len(self._numbers)
            self._numbers.append(own)
            each.annotation.Contents = node.text()[:_LONGEST] or _address(each.annotation)
            found.append(Dictionary(Type=Name.OBJR, Obj=each.annotation, Pg=each.page))
        return found


def _address(annotation: Any) -> str:
    action = annotation.get("/A")
    return (
        str(action.get("/URI", ""))[:_LONGEST] if isinstance(action, Dictionary) else str(annotation.get("/Dest", ""))
    )


def _attributes(owner: str, values: dict[str, object]) -> Any:
    made = Dictionary(O=Name("/" + owner))
    for name, value in values.items():
        made[f"/{name}"] = value if isinstance(value, int) else Name(f"/{value}")
    return made
