"""Shape text: paragraphs with properties inherited from layout, master and presentation (21.1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.families.documents.ooxml.package import Element
from engine.families.documents.slides.deck import Deck, P, Slide
from engine.families.documents.slides.pictures import picture
from engine.families.documents.word import equations
from engine.families.documents.word.names import A, M, R, emu, integer, share_of
from engine.families.documents.word.number_formats import ordinal
from engine.toolkit import symbols

_TEXT = {"title": "titleStyle", "ctrTitle": "titleStyle"} | dict.fromkeys(
    ("body", "subTitle", "obj", "tbl", "chart", "pic"), "bodyStyle"
)
_NUMBERS = (
    ("alphaLc", "lowerLetter"),
    ("alphaUc", "upperLetter"),
    ("romanLc", "lowerRoman"),
    ("romanUc", "upperRoman"),
    ("circleNumWdBlack", "circleNumWdBlack"),
    ("circleNum", "decimalEnclosedCircle"),
    ("arabicDb", "decimalFullWidth"),
    ("arabic1", "arabicAlpha"),
    ("arabic2", "arabicAbjad"),
    ("hebrew2", "hebrew2"),
    ("thaiNum", "thaiNumbers"),
    ("thaiAlpha", "thaiAlpha"),
    ("hindiAlpha1", "hindiAlpha1"),
    ("hindiAlpha", "hindiAlpha"),
    ("hindiNum", "hindiNumbers"),
    ("ea1", "chineseCounting"),
)
_SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://")


@dataclass(frozen=True)
class Run:
    """Text with the same formatting; `markup` is an inline equation, if it is one."""

    text: str
    formatting: dict[str, Any]
    link: str = ""
    markup: str = ""


@dataclass
class Paragraph:
    """A paragraph: its level from 0, its bullet or number, and its formatting."""

    level: int
    runs: list[Run]
    formatting: dict[str, Any]
    bullet: str = ""
    numbered: str = ""
    picture: str | None = None
    """The picture that is drawn as its bullet, as a `data:` URI."""
    base: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(each.text for each in self.runs)


class Styles:
    """The inherited text styles of a shape by level, the most general first."""

    def __init__(
        self,
        deck: Deck,
        slide: Slide,
        kind: str | None,
        above: Sequence[Element],
        own: Element | None,
        *,
        colour: str | None = None,
    ) -> None:
        self._slide = slide
        self._lists: list[Element | str] = [each for each in (deck.defaults,) if each is not None]
        master = slide.layers[-1][1].find(P + "txStyles")
        # Text outside placeholders inherits from the presentation, not from its master.
        named = _TEXT.get(kind or "", "otherStyle") if kind is not None or not self._lists else ""
        if master is not None and named and (style := master.find(P + named)) is not None:
            self._lists.append(style)
        for shape in [*above[::-1], *([own] if own is not None else [])]:
            reference = shape.find(f"{P}style/{A}fontRef")
            if (colour := slide.theme.drawn(reference, slide.colours)) is not None:
                self._lists.append(colour)
            body = shape.find(P + "txBody")
            if body is not None and (found := body.find(A + "lstStyle")) is not None:
                self._lists.append(found)
        if colour is not None:
            self._lists.append(colour)
        self._levels: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}

    def level(self, level: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """The paragraph and text properties of a level."""
        if level not in self._levels:
            block: dict[str, Any] = {}
            text: dict[str, Any] = {"size": 18.0}
            for each in self._lists:
                if isinstance(each, str):  # the text colour of the style of the shape or table
                    text["color"] = each
                    continue
                for name in ("defPPr", f"lvl{level + 1}pPr"):
                    if (found := each.find(A + name)) is not None:
                        block |= paragraph_formatting(found, self._slide)
                        text |= run_formatting(found.find(A + "defRPr"), self._slide)
            self._levels[level] = (block, text)
        return self._levels[level]


def paragraph_formatting(element: Element, slide: Slide) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("marL", "indent"):
        if element.get(name) is not None:
            found[name] = emu(element.get(name))
    if element.get("algn"):
        found["align"] = element.get("algn")
    for each in element:
        kind = each.tag.rpartition("}")[2] if isinstance(each.tag, str) else ""
        if kind == "buNone":
            found |= {"bullet": "", "numbered": ""}
        elif kind == "buChar":
            found |= {"bullet": each.get("char") or "•", "numbered": "", "bulletPicture": None}
        elif kind == "buBlip":
            blip = each.find(A + "blip")
            root = each.getroottree().getroot()
            part = next((part for part, layer in slide.layers if layer is root), "")
            relation = None if blip is None else blip.get(R + "embed")
            found |= {"bullet": "•", "numbered": "", "bulletPicture": (part, relation) if part else None}
        elif kind == "buAutoNum":
            found |= {
                "numbered": each.get("type") or "arabicPeriod",
                "bullet": "",
                "start": integer(each.get("startAt")) or 1,
            }
        elif kind == "buSzPct":
            found["bulletSize"] = ("%", min(max(share_of(each.get("val"), 1.0), 0.25), 4.0))
        elif kind == "buSzPts":
            found["bulletSize"] = ("pt", min(max((integer(each.get("val")) or 1_000) / 100, 1), 4_000))
        elif kind == "buSzTx":
            found["bulletSize"] = ("%", 1.0)
        elif kind == "buFont":
            found["bulletFont"] = each.get("typeface") or ""
        elif kind == "buClr":
            found["bulletColour"] = slide.theme.drawn(each, slide.colours)
        elif kind in ("spcBef", "spcAft", "lnSpc"):
            share, points = each.find(A + "spcPct"), each.find(A + "spcPts")
            if share is not None:
                found[kind] = ("%", (integer((share.get("val") or "").rstrip("%")) or 0) / 100_000)
            elif points is not None:
                found[kind] = ("pt", min((integer(points.get("val")) or 0) / 100, 1584))
    return found


def run_formatting(element: Element | None, slide: Slide) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if element is None:
        return found
    if (size := integer(element.get("sz"))) is not None:
        found["size"] = min(max(size / 100, 1), 4000)
    for name in ("b", "i"):
        if element.get(name) is not None:
            found[name] = element.get(name) in ("1", "true")
    if element.get("u") is not None:
        found["u"] = element.get("u") != "none"
    if element.get("strike") is not None:
        found["strike"] = element.get("strike") != "noStrike"
    if element.get("cap") is not None:
        found["caps"] = element.get("cap") == "all"
    if element.get("baseline") is not None:
        found["baseline"] = integer((element.get("baseline") or "").rstrip("%")) or 0
    for kind in ("solidFill", "gradFill"):
        fill = element.find(A + kind)
        stops = None if fill is None else fill.find(f"{A}gsLst/{A}gs") if kind == "gradFill" else fill
        if (colour := slide.theme.drawn(stops, slide.colours)) is not None:
            found["color"] = colour
    face = element.find(A + "latin")
    if face is not None and face.get("typeface"):
        name = face.get("typeface") or ""
        found["font"] = slide.theme.font(name) if name.startswith("+") else name
    return found


def tags(run: Run) -> tuple[str, ...]:
    """The elements of HTML for the lettering of a run, the outermost first; a link is underlined by itself."""
    look = run.formatting
    raised = look.get("baseline") or 0
    marks = (
        ("sup", raised > 0),
        ("sub", raised < 0),
        ("u", look.get("u") and not run.link),
        ("strong", look.get("b")),
        ("em", look.get("i")),
        ("s", look.get("strike")),
    )
    return tuple(tag for tag, on in marks if on)


def paragraphs(deck: Deck, slide: Slide, part: str, body: Element, styles: Styles) -> list[Paragraph]:
    """The paragraphs of a `txBody`, with computed numbers."""
    found = []
    counts: dict[int, tuple[tuple[str, int], int]] = {}
    scale = body.find(f"{A}bodyPr/{A}normAutofit")
    shrunk = (
        (integer((scale.get("fontScale") or "100000").rstrip("%")) or 100_000) / 100_000 if scale is not None else 1.0
    )
    shrunk = shrunk if 0.1 <= shrunk <= 1 else 1.0
    for each in body.iterfind(A + "p"):
        own = each.find(A + "pPr")
        level = min(max(integer(own.get("lvl")) or 0, 0), 8) if own is not None else 0
        block, text = styles.level(level)
        if own is not None:
            block = block | paragraph_formatting(own, slide)
        runs = _runs(deck, slide, part, each, text)
        if shrunk != 1.0:
            text = text | {"size": text["size"] * shrunk}
            runs = [Run(r.text, r.formatting | {"size": r.formatting["size"] * shrunk}, r.link, r.markup) for r in runs]
        paragraph = Paragraph(level, runs, block, base=text)
        for deeper in [at for at in counts if at > level]:
            del counts[deeper]
        if paragraph.text.strip() and block.get("numbered"):
            kind = str(block["numbered"]), int(block.get("start", 1))
            before, number = counts.get(level, (kind, kind[1] - 1))
            counts[level] = kind, number + 1 if before == kind else kind[1]  # another kind begins anew
            paragraph.numbered = _numbered(counts[level][1], kind[0])
        elif paragraph.text.strip() and block.get("bullet"):
            counts.pop(level, None)
            paragraph.bullet = symbols.shown(str(block["bullet"]), str(block.get("bulletFont", "")))
            if (found_in := block.get("bulletPicture")) is not None:
                paragraph.picture = picture(deck, *found_in)
        elif paragraph.text.strip():
            counts.pop(level, None)
        found.append(paragraph)
    return found


def _numbered(number: int, kind: str) -> str:
    style = next((name for start, name in _NUMBERS if kind.startswith(start)), "decimal")
    text = ordinal(min(number, 100_000), style)
    return (
        f"({text})"
        if kind.endswith("ParenBoth")
        else f"{text})"
        if kind.endswith("ParenR")
        else text
        if kind.endswith("Plain")
        else f"{text}-"
        if kind.endswith("Minus")
        else f"{text}."
    )


def _runs(deck: Deck, slide: Slide, part: str, paragraph: Element, text: dict[str, Any]) -> list[Run]:
    found = []
    for each in paragraph.iter(A + "r", A + "br", A + "fld", M + "oMath"):
        if each.tag == A + "br":
            found.append(Run("\n", text | run_formatting(each.find(A + "rPr"), slide)))
        elif each.tag == M + "oMath":
            found.append(Run("".join(each.itertext()), text, markup=equations.linear(each)))
        else:
            own = each.find(A + "rPr")
            shown = each.findtext(A + "t") or ""
            if each.tag == A + "fld" and each.get("type") == "slidenum":
                shown = str(slide.number)
            click = None if own is None else own.find(A + "hlinkClick")
            link = deck.package.relations(part).get(click.get(R + "id") or "") if click is not None else None
            target = (
                link.target if link is not None and link.external and link.target.lower().startswith(_SCHEMES) else ""
            )
            formatting = text | run_formatting(own, slide)
            if target:
                formatting = formatting | {
                    "color": f"#{slide.theme.colour(slide.colours.get('hlink', 'hlink'))}",
                    "u": True,
                }
            found.append(Run(shown.replace("\v", "\n").replace("_x000B_", "\n"), formatting, target))
    return found
