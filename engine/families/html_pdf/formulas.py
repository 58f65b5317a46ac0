"""Draw MathML as HTML boxes for layout engines without formulas, or as one line of text."""

from __future__ import annotations

import re
from html import escape
from typing import Any
from unicodedata import combining

from lxml import etree
from lxml.html import fragment_fromstring

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.toolkit.warnings import Kind

_MATH = re.compile(r"<math\b(?:(?!<math\b).)*?</math>", re.DOTALL)
_DEEPEST = 80
_SPACED = frozenset("=+−<>≤≥≠≈≃≅≡∼∝→←↔⇒⇐⇔↦∈∉∋⊂⊃⊆⊇∪∩×±∓∧∨∣:≪≫⊕⊗∘·≔")
_FENCES = frozenset("()[]{}|‖⟨⟩⌈⌉⌊⌋")
_BARS = frozenset("‾¯_―")
_ACCENTS = {"^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "→": "\u20d7", "˙": "\u0307", "¨": "\u0308"}
_INVISIBLE = frozenset("\u2061\u2062\u2063\u2064\u200b")
_GROUPS = {"mrow", "mstyle", "mpadded", "math", "menclose", "merror", "mtd", "a"}
_TOKENS = ("mi", "mn", "mo", "mtext", "ms")
_FLAT = frozenset(("mmultiscripts", "menclose", "mlongdiv", "mstack", "mscarries", "mglyph", "mlabeledtr"))
"""Elements whose content is drawn, but not what they say of its places, lines and pictures."""
UNDRAWN = Kind("VALUE_CONVERTED", "Parts of formulas became plain text, because they can't be drawn: {count}{places}.")

STYLE = """\
.fm { display: block; text-align: center; margin: 0.4em 0; text-indent: 0; }
.fm > .fm-frac { font-size: 1em; }
.fm, .fm-line { font-family: serif; }
.fm-frac, .fm-stack, .fm-scripts { display: inline-block; text-align: center; text-indent: 0; line-height: 1.2; }
.fm-frac, .fm-stack { vertical-align: middle; margin: 0 0.15em; } .fm-frac { font-size: 0.9em; }
.fm-frac > span, .fm-stack > span, .fm-scripts > span { display: block; }
.fm-frac > .fm-above { border-bottom: 0.06em solid; padding: 0 0.2em; } .fm-frac > .fm-below { padding: 0 0.2em; }
.fm-frac.fm-plain > .fm-above { border-bottom: 0; }
.fm-stack > .fm-small, .fm-scripts > span { font-size: 0.7em; } .fm-stack > .fm-large { font-size: 1.3em; }
.fm-scripts { vertical-align: middle; text-align: left; }
.fm-root { border-top: 0.06em solid; padding: 0 0.1em; } .fm-bar { border-top: 0.06em solid; }
.fm-matrix { display: inline-table; vertical-align: middle; border-collapse: collapse; width: auto; }
.fm-matrix > span { display: table-row; } .fm-matrix > span > span { display: table-cell; padding: 0.1em 0.4em; }
.fm-fence { vertical-align: middle; font-weight: lighter; }
"""
"""The style sheet of the boxes."""


def replace(element: Any) -> list[str]:
    """Replace the MathML of an element `math` in an HTML tree by what is drawn, in place.

    Boxes where the layout engine in use has them, else one line. Returns the names of elements that can't be drawn.
    """
    flat = [each.tag for each in element.iter(*_FLAT)]
    display = element.get("display") == "block" or element.get("mode") == "display"
    inside = _Writer(HTML_PDF is PLUTOPRINT, display=display).inner(element, 0)
    made = fragment_fromstring(inside, create_parent="span")
    kept = {name: element.get(name) for name in ("id", "class", "style", "dir", "lang") if element.get(name)}
    kept |= {"role": "math", "aria-label": element.get("alttext") or _read(element)}
    tail = element.tail
    element.clear()
    element.tag, element.text, element.tail = "span", made.text, tail
    element.attrib.update(kept)
    element.set("class", " ".join(filter(None, (kept.get("class"), "fm" if display else "fm-line"))))
    element.extend(list(made))
    return flat


def drawn(body: str, *, boxes: bool) -> str:
    """`body` with its formulas as boxes (or on one line if not `boxes`) and no MathML left."""
    return _MATH.sub(lambda found: _drawn(found[0], boxes), body)


def _drawn(markup: str, boxes: bool) -> str:
    try:
        root = etree.fromstring(markup.replace("&nbsp;", "\u00a0").encode(), etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError:
        return escape(re.sub(r"<[^>]*>", "", markup), quote=False)
    display = root.get("display") == "block"
    inside = _Writer(boxes, display=display).inner(root, 0)
    said = f' role="math" aria-label="{escape(root.get("alttext") or _read(root))}"' if boxes else ""
    return f'<span class="{"fm" if display else "fm-line"}"{said}>{inside}</span>'


def _read(element: Any) -> str:
    """A formula in one line, as it is read aloud."""
    line = fragment_fromstring(_Writer(False, display=False).inner(element, 0), create_parent="span")
    return " ".join("".join(line.itertext()).split())


def _bare(text: str | None) -> str:
    """Text outside the elements that are for it."""
    return escape(text, quote=False) if text and text.strip() else ""


class _Writer:
    """Writes the elements of one formula (MathML Core)."""

    def __init__(self, boxes: bool, *, display: bool) -> None:
        self._boxes = boxes
        self._display = display

    def inner(self, element: Any, depth: int) -> str:
        children = [each for each in element if isinstance(each.tag, str)]
        rows = max((_rows(each) for each in children), default=0)
        made = [_bare(element.text)]
        for at, each in enumerate(children):
            made += [self._one(each, depth + 1, rows=rows, first=at == 0), _bare(each.tail)]
        return "".join(made)

    def _one(self, element: Any, depth: int, *, rows: int = 0, first: bool = False) -> str:
        name = etree.QName(element).localname
        if depth > _DEEPEST:
            return escape("".join(element.itertext()), quote=False)
        if name in _TOKENS:
            return self._token(name, element, rows, first)
        if name == "semantics":
            return self._one(element[0], depth + 1) if len(element) else ""
        if name == "mspace":
            return "\u00a0"
        if name == "maction":  # shows its first child until somebody acts
            return self._one(element[0], depth + 1) if len(element) else ""
        if name == "mphantom" or name.startswith("annotation"):
            return ""
        if name in _GROUPS:
            return self.inner(element, depth)
        write = getattr(self, f"_{name}", None)
        children = [each for each in element if isinstance(each.tag, str)]
        if write is None or not children:
            return self.inner(element, depth)
        made: str = write(element, [self._one(each, depth + 1, first=True) for each in children])
        return made

    def _token(self, name: str, element: Any, rows: int, first: bool) -> str:
        text = "".join(each for each in element.text or "" if each not in _INVISIBLE)
        shown = escape(text, quote=False)
        if name == "mi" and len(text) == 1 and text.isalpha() and element.get("mathvariant") != "normal":
            return f"<i>{shown}</i>"
        if name == "mi" and len(text) > 1:
            return f"{shown}\u2009"
        if name == "mo" and text in _SPACED and not first:
            return f" {shown} "
        if name == "mo" and text == ",":
            return ", "
        return self._fence(text, rows) if name == "mo" else shown

    def _fence(self, text: str, rows: int) -> str:
        shown = escape(text, quote=False)
        if text in _FENCES and rows > 1 and self._boxes:
            return f'<span class="fm-fence" style="font-size: {min(rows, 12) * 1.3:.1f}em">{shown}</span>'
        return shown

    def _mfenced(self, element: Any, parts: list[str]) -> str:
        marks = "".join(element.get("separators", ",").split())
        joined = parts[0]
        for at, part in enumerate(parts[1:]):
            joined += f"{escape(marks[min(at, len(marks) - 1)], quote=False)} {part}" if marks else part
        rows = max(map(_rows, element), default=0)
        return self._fence(element.get("open", "("), rows) + joined + self._fence(element.get("close", ")"), rows)

    def _mfrac(self, element: Any, parts: list[str]) -> str:
        above, below = (*parts, "", "")[:2]
        if not self._boxes:
            return f"{_bracketed(above)}/{_bracketed(below)}"
        plain = " fm-plain" if element.get("linethickness") in ("0", "0px", "0em") else ""
        stacked = f'<span class="fm-above">{above}</span><span class="fm-below">{below}</span>'
        return f'<span class="fm-frac{plain}">{stacked}</span>'

    def _msup(self, element: Any, parts: list[str]) -> str:
        return f"{parts[0]}<sup>{''.join(parts[1:])}</sup>"

    def _msub(self, element: Any, parts: list[str]) -> str:
        return f"{parts[0]}<sub>{''.join(parts[1:])}</sub>"

    def _msubsup(self, element: Any, parts: list[str]) -> str:
        base, below, above = (*parts, "", "")[:3]
        if not self._boxes:
            return f"{base}<sub>{below}</sub><sup>{above}</sup>"
        return f'{base}<span class="fm-scripts"><span>{above}</span><span>{below}</span></span>'

    def _munder(self, element: Any, parts: list[str]) -> str:
        return self._limits(element, parts[0], "".join(parts[1:]), "")

    def _mover(self, element: Any, parts: list[str]) -> str:
        mark = "".join(element[-1].itertext()).strip()
        if mark in _BARS:
            return f'<span class="fm-bar">{parts[0]}</span>'
        mark = _ACCENTS.get(mark, mark)
        if len(mark) == 1 and combining(mark) and len("".join(element[0].itertext()).strip()) == 1:
            return parts[0].replace("</i>", f"{mark}</i>") if "</i>" in parts[0] else parts[0] + mark
        return self._limits(element, parts[0], "", "".join(parts[1:]))

    def _munderover(self, element: Any, parts: list[str]) -> str:
        return self._limits(element, *(*parts, "", "")[:3])

    def _limits(self, element: Any, base: str, below: str, above: str) -> str:
        if not self._boxes:
            return base + (f"<sub>{below}</sub>" if below else "") + (f"<sup>{above}</sup>" if above else "")
        large = " fm-large" if "".join(element[0].itertext()).strip() in "∑∏∐⋃⋂⨁⨂" else ""
        parts = [f'<span class="fm-small">{above}</span>'] if above else []
        parts.append(f'<span class="fm-base{large}">{base}</span>')
        parts += [f'<span class="fm-small">{below}</span>'] if below else []
        return f'<span class="fm-stack">{"".join(parts)}</span>'

    def _msqrt(self, element: Any, parts: list[str]) -> str:
        inside = "".join(parts)
        return f'√<span class="fm-root">{inside}</span>' if self._boxes else f"√{_bracketed(inside)}"

    def _mroot(self, element: Any, parts: list[str]) -> str:
        base, degree = (*parts, "")[:2]
        return f"<sup>{degree}</sup>" + self._msqrt(element, [base])

    def _mtable(self, element: Any, parts: list[str]) -> str:
        rows = "".join(parts) if self._boxes else "; ".join(parts)
        return f'<span class="fm-matrix">{rows}</span>' if self._boxes else f"[{rows}]"

    def _mtr(self, element: Any, parts: list[str]) -> str:
        if not self._boxes:
            return ", ".join(parts)
        return "<span>" + "".join(f"<span>{each}</span>" for each in parts) + "</span>"


def _rows(element: Any) -> int:
    """The number of matrix rows next to a fence."""
    return max((len(each) for each in element.iter("{*}mtable")), default=0)


def _bracketed(text: str) -> str:
    plain = re.sub(r"<[^>]*>", "", text)
    return text if len(plain) < 2 or plain.isalnum() else f"({text})"
