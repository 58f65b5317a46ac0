r"""RTF control words for styles of text, paragraphs and cells (RTF 1.9.1)."""

from __future__ import annotations

from engine.families.documents.style_transfer.styles import AUTO, Block, Border, Cell, Run

_EDGES = {"single": "brdrs", "double": "brdrdb", "dashed": "brdrdash", "dotted": "brdrdot"}
_ALIGNED = {"left": "ql", "center": "qc", "right": "qr", "both": "qj"}
_UPRIGHT = {"top": "t", "middle": "c", "bottom": "b"}
_TABS = {"center": "\\tqc", "right": "\\tqr", "decimal": "\\tqdec"}
_LEADERS = {"dot": "\\tldot", "middleDot": "\\tlmdot", "hyphen": "\\tlhyph", "underscore": "\\tlul",
            "heavy": "\\tlth"}  # fmt: skip
_PADS = ("clpadl", "clpadr", "clpadb", "clpadt")
"""From the top clockwise: Word swaps the words for the top and left padding."""
_SIDES = "trbl"


class Lists:
    """Fonts and colours to add to the tables of a file."""

    def __init__(self, fonts: int, colours: int) -> None:
        self._fonts, self._colours = fonts, colours
        self.fonts: list[str] = []
        self.colours: list[str] = []

    def font(self, name: str) -> str:
        if name not in self.fonts:
            self.fonts.append(name)
        return f"\\f{self._fonts + self.fonts.index(name)}"

    def colour(self, name: str) -> int:
        if name not in self.colours:
            self.colours.append(name)
        return self._colours + self.colours.index(name)


def twips(points: float) -> int:
    """A length in twentieths of a point."""
    return round(points * 20)


def run_words(look: Run, lists: Lists) -> str:
    """Run properties."""
    words = []
    if look.font:
        words.append(lists.font(look.font))
    if look.size:
        words.append(f"\\fs{round(look.size * 2)}")
    for word, on in (
        ("b", look.bold), ("i", look.italic), ("caps", look.capitals), ("scaps", look.small_capitals),
        ("strike", look.struck), ("ul", look.underlined),
    ):  # fmt: skip
        if on is not None:
            words.append(f"\\{word}" + ("" if on else "0"))
    if look.color:
        words.append("\\cf0" if look.color == AUTO else f"\\cf{lists.colour(look.color)}")
    if look.fill:
        words.append(f"\\chshdng0\\chcbpat{lists.colour(look.fill)}")
    if look.spacing:
        words.append(f"\\expndtw{twips(look.spacing)}")
    return "".join(words)


def block_words(look: Block, lists: Lists) -> str:
    """Paragraph properties, with a space after the last word if there is one."""
    words = ["\\pagebb"] if look.new_page else []
    if look.align:
        words.append(f"\\{_ALIGNED[look.align]}")
    if look.indent or look.end:
        words.append(f"\\li{twips(look.indent)}\\ri{twips(look.end)}")
    if look.first:
        words.append(f"\\fi{twips(look.first)}")
    for word, length in (("sb", look.before), ("sa", look.after)):
        if length is not None:
            words.append(f"\\{word}{twips(length)}")
    if look.line:
        words.append(f"\\sl{round(look.line * 240)}\\slmult1" if look.line > 0 else f"\\sl{twips(-look.line)}\\slmult0")
    if look.fill:
        words.append(f"\\cbpat{lists.colour(look.fill)}")
    words += [
        f"{_TABS.get(kind, '')}{_LEADERS.get(leader, '')}\\tx{twips(place)}"
        for place, kind, leader in sorted(look.stops)
    ]
    words += _lines("brdr", look.borders, lists)
    return "".join(words) + " " if words else ""


def cell_words(look: Cell, lists: Lists) -> str:
    """Cell properties."""
    words = [f"\\clvertal{_UPRIGHT[look.align]}"] if look.align else []
    if look.fill:
        words.append(f"\\clcbpat{lists.colour(look.fill)}")
    for word, length in zip(_PADS, look.padding, strict=False):
        words.append(f"\\{word}{twips(length)}\\{word[:5]}f{word[5:]}3")
    return "".join(words + _lines("clbrdr", look.borders, lists))


def _lines(word: str, borders: tuple[Border | None, ...], lists: Lists) -> list[str]:
    return [
        f"\\{word}{side}\\{_EDGES.get(line[0], 'brdrs')}\\brdrw{round(line[1] * 2.5)}\\brdrcf{lists.colour(line[2])}"
        for side, line in zip(_SIDES, borders, strict=False)
        if line
    ]
