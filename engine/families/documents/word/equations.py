"""Office equations (ECMA-376, part 1, 22.1) as MathML, or as a line of text where MathML is not drawn."""

from __future__ import annotations

from html import escape

from engine.families.documents.ooxml.package import Element
from engine.families.documents.word.names import M

_DEEPEST = 60
_ACCENTS = {"\u0302": "^", "\u0303": "~", "\u0305": "¯", "\u20d7": "→", "\u0307": "˙", "\u0308": "¨"}


def mathml(element: Element, *, block: bool) -> str:
    shown = ' display="block"' if block else ""
    return (
        f'<math xmlns="http://www.w3.org/1998/Math/MathML"{shown}><mrow>{_inner(element, _Mathml(), 0)}</mrow></math>'
    )


def linear(element: Element) -> str:
    """The equation on one line, with superscripts and subscripts, as HTML."""
    return _inner(element, _Linear(), 0)


class _Mathml:
    """Writes the parts of an equation as MathML."""

    def text(self, text: str, plain: bool) -> str:
        found = []
        number = ""
        for each in f"{text}\0":
            if each.isdigit() or (each in ".," and number):
                number += each
                continue
            if number:
                found.append(f"<mn>{number}</mn>")
                number = ""
            if each.isalpha():
                found.append(f"<mi>{escape(each)}</mi>")
            elif each != "\0":
                found.append(f"<mo>{escape(each)}</mo>" if not each.isspace() else "<mspace width='0.3em'/>")
        return "".join(found) if not plain else f"<mtext>{escape(text)}</mtext>"

    def group(self, text: str) -> str:
        return f"<mrow>{text}</mrow>"

    def fraction(self, above: str, below: str) -> str:
        return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>"

    def stack(self, above: str, below: str) -> str:
        """A fraction without a line, as in a binomial coefficient."""
        return f'<mfrac linethickness="0"><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>'

    def scripts(self, base: str, below: str | None, above: str | None) -> str:
        if below is not None and above is not None:
            return f"<msubsup><mrow>{base}</mrow><mrow>{below}</mrow><mrow>{above}</mrow></msubsup>"
        if below is not None:
            return f"<msub><mrow>{base}</mrow><mrow>{below}</mrow></msub>"
        return f"<msup><mrow>{base}</mrow><mrow>{above or ''}</mrow></msup>"

    def limits(self, base: str, below: str | None, above: str | None) -> str:
        if below is not None and above is not None:
            return f"<munderover><mrow>{base}</mrow><mrow>{below}</mrow><mrow>{above}</mrow></munderover>"
        name, mark = ("munder", below) if below is not None else ("mover", above)
        return f"<{name}><mrow>{base}</mrow><mrow>{mark or ''}</mrow></{name}>"

    def root(self, base: str, degree: str) -> str:
        return f"<mroot><mrow>{base}</mrow><mrow>{degree}</mrow></mroot>" if degree else f"<msqrt>{base}</msqrt>"

    def fenced(self, opening: str, parts: list[str], between: str, closing: str) -> str:
        inside = f"<mo>{escape(between)}</mo>".join(parts)
        return f"<mrow><mo>{escape(opening)}</mo>{inside}<mo>{escape(closing)}</mo></mrow>"

    def rows(self, rows: list[list[str]]) -> str:
        cells = ("".join(f"<mtd>{cell}</mtd>" for cell in row) for row in rows)
        return "<mtable>" + "".join(f"<mtr>{each}</mtr>" for each in cells) + "</mtable>"


class _Linear(_Mathml):
    """Writes the parts of an equation on one line."""

    def text(self, text: str, plain: bool) -> str:
        shown = escape(text, quote=False)
        return shown if plain else f"<i>{shown}</i>" if any(map(str.isalpha, text)) else shown

    def group(self, text: str) -> str:
        return text

    def fraction(self, above: str, below: str) -> str:
        return f"{_whole(above)}/{_whole(below)}"

    def stack(self, above: str, below: str) -> str:
        return f"{above} ¦ {below}"

    def scripts(self, base: str, below: str | None, above: str | None) -> str:
        lower = f"<sub>{below}</sub>" if below else ""
        return base + lower + (f"<sup>{above}</sup>" if above else "")

    def limits(self, base: str, below: str | None, above: str | None) -> str:
        return self.scripts(base, below, above)

    def root(self, base: str, degree: str) -> str:
        return (f"<sup>{degree}</sup>" if degree else "") + f"√{_whole(base)}"

    def fenced(self, opening: str, parts: list[str], between: str, closing: str) -> str:
        return escape(opening) + escape(between).join(parts) + escape(closing)

    def rows(self, rows: list[list[str]]) -> str:
        return "[" + "; ".join(", ".join(row) for row in rows) + "]"


def _whole(text: str) -> str:
    bare = text.replace("<i>", "").replace("</i>", "")
    return text if len(bare) < 2 or bare.isalnum() else f"({text})"


def _inner(element: Element | None, write: _Mathml, depth: int) -> str:
    if element is None or depth > _DEEPEST:
        return ""
    return "".join(_written(each, write, depth + 1) for each in element if isinstance(each.tag, str))


def _property(element: Element, name: str, otherwise: str) -> str:
    found = element.find(f"./*/{M}{name}")
    return otherwise if found is None else found.get(M + "val") or ""


def _written(element: Element, write: _Mathml, depth: int) -> str:
    kind = element.tag.removeprefix(M) if element.tag.startswith(M) else ""

    def part(name: str) -> str:
        return _inner(element.find(M + name), write, depth)

    if kind == "r":
        plain = element.find(f"{M}rPr/{M}nor") is not None
        return write.text("".join(each.text or "" for each in element.iterfind(M + "t")), plain)
    if kind == "f":
        form = write.stack if _property(element, "type", "bar") == "noBar" else write.fraction
        return form(part("num"), part("den"))
    if kind in ("sSup", "sSub", "sSubSup"):
        return write.scripts(
            part("e"), part("sub") if kind != "sSup" else None, part("sup") if kind != "sSub" else None
        )
    if kind == "sPre":
        return write.scripts(write.group(""), part("sub"), part("sup")) + part("e")
    if kind == "rad":
        return write.root(part("e"), part("deg"))
    if kind == "nary":
        sign = write.text(_property(element, "chr", "∫"), False)
        below, above = part("sub"), part("sup")
        return (write.limits(sign, below or None, above or None) if below or above else sign) + part("e")
    if kind == "d":
        parts = [_inner(each, write, depth) for each in element.iterfind(M + "e")]
        return write.fenced(
            _property(element, "begChr", "("),
            parts,
            _property(element, "sepChr", "|"),
            _property(element, "endChr", ")"),
        )
    if kind in ("limLow", "limUpp"):
        mark = part("lim")
        return write.limits(part("e"), mark if kind == "limLow" else None, mark if kind == "limUpp" else None)
    if kind == "func":
        return part("fName") + write.text(" ", True) + part("e")
    if kind == "acc":
        sign = _property(element, "chr", "\u0302")
        return write.limits(part("e"), None, write.text(_ACCENTS.get(sign, sign), False))
    if kind in ("bar", "groupChr"):
        is_above = _property(element, "pos", "bot") == "top"
        sign = write.text("¯" if kind == "bar" else _property(element, "chr", "⏟"), False)
        return write.limits(part("e"), None if is_above else sign, sign if is_above else None)
    if kind in ("m", "eqArr"):
        lines = element.iterfind(M + "mr") if kind == "m" else element.iterfind(M + "e")
        return write.rows(
            [
                [_inner(c, write, depth) for c in each.iterfind(M + "e")]
                if kind == "m"
                else [_inner(each, write, depth)]
                for each in lines
            ]
        )
    if kind.endswith("Pr"):
        return ""
    return _inner(element, write, depth)
