"""The styles and fonts of Word 97 to 2003 ([MS-DOC], 2.9.271 and 2.9.286) as those of WordprocessingML."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from engine.families.documents.old_office import word_formatting
from engine.families.documents.old_office.sprms import Modifiers, read
from engine.families.documents.ooxml.made import add, element
from engine.families.documents.ooxml.package import Element

_PARAGRAPH, _CHARACTER = 1, 2
_KINDS = {_PARAGRAPH: "paragraph", _CHARACTER: "character"}
_NONE = 0x0FFF
_BUILT_IN = {
    0: "Normal", **{each: f"heading {each}" for each in range(1, 10)},
    **{each + 18: f"toc {each}" for each in range(1, 10)},
    29: "footnote text", 31: "header", 32: "footer", 34: "caption", 38: "footnote reference", 42: "endnote reference",
    43: "endnote text", 62: "Title", 74: "Subtitle", 85: "Hyperlink", 87: "Strong", 88: "Emphasis",
}  # fmt: skip
"""The names of styles that programs know by their number, in any language."""
_DEEPEST = 12
_NAME = 40
"""The offset of the name in a font entry ([MS-DOC], 2.9.87)."""


@dataclass(frozen=True)
class Style:
    """One style with its own properties; `base` is the number of the style it is based on."""

    name: str
    kind: int
    base: int
    block: Modifiers
    text: Modifiers


def fonts(table: bytes) -> list[str]:
    """The names of fonts in order."""
    names, at = [], 4
    while at < len(table):
        size = table[at] + 1
        data = table[at + _NAME : at + size]
        name = data[: len(data) // 2 * 2].decode("utf-16-le", "replace").split("\0")[0]
        names.append(name[:100] if name.isprintable() else "")
        at += size
    return names


class Styles:
    """The style sheet of a document; `names` are the ids of its styles by number."""

    def __init__(self, table: bytes, fonts: list[str]) -> None:
        self._fonts = fonts
        self._styles: dict[int, Style] = dict(_styles(table))
        self.names = {number: f"s{number}" for number in self._styles}

    def __contains__(self, number: int) -> bool:
        return number in self._styles

    def text(self, number: int) -> Modifiers:
        """The properties of the text in paragraphs of a style, with those that it inherits."""
        return self._whole(number)[1]

    def block(self, number: int) -> Modifiers:
        """The properties of paragraphs of a style, with those that it inherits."""
        return self._whole(number)[0]

    def _whole(self, number: int) -> tuple[Modifiers, Modifiers]:
        above: list[Style] = []
        while number in self._styles and len(above) < _DEEPEST:
            above.append(self._styles[number])
            number = above[-1].base
        block, text = Modifiers(), Modifiers()
        for each in reversed(above):
            block |= each.block
            text |= each.text
        return block, text

    def written(self) -> Element:
        """The part with styles."""
        made = element("styles")
        usual = add(add(add(made, "docDefaults"), "rPrDefault"), "rPr")
        add(usual, "rFonts", ascii="Times New Roman", hAnsi="Times New Roman")
        add(usual, "sz", val=20)
        for number, each in self._styles.items():
            if each.kind not in _KINDS:
                continue
            style = add(made, "style", type=_KINDS[each.kind], styleId=self.names[number])
            if number == 0:
                style.set(style.tag.replace("style", "default"), "1")
            add(style, "name", val=each.name)
            if each.base in self._styles and each.base != number:
                add(style, "basedOn", val=self.names[each.base])
            if each.kind == _PARAGRAPH:
                block = add(style, "pPr")
                numbered = word_formatting.listed(each.block)
                block.extend(word_formatting.paragraph(each.block))
                if numbered is not None:
                    block.append(numbered)
            run = word_formatting.run(each.text, self._fonts, self.names, self.text(each.base))
            if run is not None:
                style.append(run)
        return made


def _styles(table: bytes) -> list[tuple[int, Style]]:
    if len(table) < 6:
        return []
    size, count, head = struct.unpack_from("<HHH", table)
    at, found = 2 + size, []
    for number in range(count):
        if at + 2 > len(table):
            break
        size = int.from_bytes(table[at : at + 2], "little")
        if size >= head + 2:
            found.append((number, _style(table[at + 2 : at + 2 + size], head)))
        at += 2 + size
    return found


def _style(data: bytes, head: int) -> Style:
    known, kinds, following = (int.from_bytes(data[at : at + 2], "little") for at in (0, 2, 4))
    length = int.from_bytes(data[head : head + 2], "little")
    at = head + 2 + 2 * length + 2
    name = data[head + 2 : head + 2 + 2 * length].decode("utf-16-le", "replace").split(",")[0]
    name = "".join(each for each in name if each.isprintable())
    kind, base, block, text = kinds & 0xF, kinds >> 4, Modifiers(), Modifiers()
    for each in range(min(following & 0xF, 3)):
        at += at % 2
        size = int.from_bytes(data[at : at + 2], "little")
        held = data[at + 2 : at + 2 + size]
        at += 2 + size
        if kind == _PARAGRAPH and each == 0:
            block = dict(read(held[2:]))
        elif (kind, each) in ((_PARAGRAPH, 1), (_CHARACTER, 0)):
            text = dict(read(held))
    return Style(_BUILT_IN.get(known & _NONE, name or "style"), kind, base, block, text)
