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


def run_words(formatting: Run, lists: Lists) -> str:
    """Run properties."""
    words = []
    if formatting.font:
        words.append(lists.font(formatting.font))
    if formatting.size:
        words.append(f"\\fs{round(formatting.size * 2)}")
    for word, on in (
        ("b", formatting.bold), ("i", formatting.italic), ("caps", formatting.capitals),
        ("scaps", formatting.small_capitals), ("strike", formatting.struck), ("ul", formatting.underlined),
        ("outl", formatting.outlined), ("shad", formatting.shadowed),
    ):  # fmt: skip
        if on is not None:
            words.append(f"\\{word}" + ("" if on else "0"))
    if formatting.color:
        words.append("\\cf0" if formatting.color == AUTO else f"\\cf{lists.colour(formatting.color)}")
    if formatting.fill:
        words.append(f"\\chshdng0\\chcbpat{lists.colour(formatting.fill)}")
    if formatting.spacing:
        words.append(f"\\expndtw{twips(formatting.spacing)}")
    if formatting.raised:
        words.append("\\super" if formatting.raised == "superscript" else "\\sub")
    return "".join(words)


def block_words(formatting: Block, lists: Lists) -> str:
    """Paragraph properties, with a space after the last word if there is one."""
    words = [word for word, on in (("\\pagebb", formatting.new_page), ("\\keepn", formatting.kept)) if on]
    if formatting.align:
        words.append(f"\\{_ALIGNED[formatting.align]}")
    if formatting.indent or formatting.end:
        words.append(f"\\li{twips(formatting.indent)}\\ri{twips(formatting.end)}")
    if formatting.first:
        words.append(f"\\fi{twips(formatting.first)}")
    for word, length in (("sb", formatting.before), ("sa", formatting.after)):
        if length is not None:
            words.append(f"\\{word}{twips(length)}")
    if formatting.line:
        words.append(
            f"\\sl{round(formatting.line * 240)}\\slmult1"
            if formatting.line > 0
            else f"\\sl{twips(-formatting.line)}\\slmult0"
        )
    if formatting.fill:
        words.append(f"\\cbpat{lists.colour(formatting.fill)}")
    words += [
        f"{_TABS.get(kind, '')}{_LEADERS.get(leader, '')}\\tx{twips(place)}"
        for place, kind, leader in sorted(formatting.stops)
    ]
    words += _lines("brdr", formatting.borders, lists)
    return "".join(words) + " " if words else ""


def cell_words(formatting: Cell, lists: Lists) -> str:
    """Cell properties."""
    words = [f"\\clvertal{_UPRIGHT[formatting.align]}"] if formatting.align else []
    if formatting.fill:
        words.append(f"\\clcbpat{lists.colour(formatting.fill)}")
    for word, length in zip(_PADS, formatting.padding, strict=False):
        words.append(f"\\{word}{twips(length)}\\{word[:5]}f{word[5:]}3")
    return "".join(words + _lines("clbrdr", formatting.borders, lists))


def _lines(word: str, borders: tuple[Border | None, ...], lists: Lists) -> list[str]:
    return [
        f"\\{word}{side}\\{_EDGES.get(line[0], 'brdrs')}\\brdrw{round(line[1] * 2.5)}\\brdrcf{lists.colour(line[2])}"
        for side, line in zip(_SIDES, borders, strict=False)
        if line
    ]
