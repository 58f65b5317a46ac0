"""Lower declarations to properties and values that PlutoPrint supports, and report the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.families.html_pdf.css import backgrounds, clip_shapes, gradients, shares
from engine.families.html_pdf.css.cascade import VARIABLE
from engine.families.html_pdf.css.equivalents import legible, translated
from engine.families.html_pdf.css.ignored import Ignored, is_foreign, is_handled, standard
from engine.families.html_pdf.css.lightning import with_plain_colours
from engine.families.html_pdf.css.properties import RENAMED
from engine.families.html_pdf.css.supported import GRID, OWN, SMALL_CAPS, UNDERSTOOD, WORDS
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

QUOTED = r'"(?:[^"\\]|\\.)*+"|\'(?:[^\'\\]|\\.)*+\''
ESCAPED = r"\\[\\\"']?+"
"""A backslash, with the quotation mark that is no quotation mark behind it."""
_NESTED = r"\((?:[^()]|\([^()]*\))*+\)"
_NAME = r"[*_]?-{0,2}[A-Za-z]"
_DECLARATION = re.compile(
    rf"(?:(?<![\w-])|(?=\*))(?:(?!{_NAME})[\w-])*+({_NAME}[\w-]*+)\s*+:"
    rf"((?:[^;\"'()\\]|{ESCAPED}|{QUOTED}|\((?:[^\"'()\\]|{ESCAPED}|{QUOTED}|{_NESTED})*+\))*+)(;|$)?",
    re.DOTALL,
)
"""A declaration, or one without end: up to its quotation mark or bracket that has no other."""
_BOUNDED = re.compile(r"(min|max|clamp)\(", re.IGNORECASE)
_ENDLESS = re.compile(r"calc\(\s*infinity\s*\*\s*1px\s*\)|(?<![\d.])[\d.]++e\+?\d++px", re.IGNORECASE)
_RING = re.compile(
    r"0(?:px)? 0(?:px)? 0(?:px)? ([\d.]+[a-z]+) ((?:#|rgb|hsl|[a-z])[^,]*(?:\([^()]*\))?[^,()]*)", re.IGNORECASE
)
"""A shadow that is a ring around the box, and like an outline takes no space."""
_DEEPEST = 8
_FILLING = re.compile(r"inset 0(?:px)? 0(?:px)? 0(?:px)? 9{3,}px (\S+)", re.IGNORECASE)
"""A shadow that fills the box, with which Bootstrap draws table stripes; its accent is empty if there is none."""
_OF_VARIABLES = re.compile(r"(^|;)\s*+box-shadow\s*+:((?:\s*+,?\s*+var\((?:[^()]|\([^()]*\))*+\))++)\s*+(?:;|$)")
_RING_VARIABLE = re.compile(
    r"(?<![\w-])(?:(?!--)[\w-])*+(--[\w-]*+(?<=ring-shadow))\s*+:\s*+"
    r"(?:var\([^()]*+\)\s*+)?0(?:px)? 0(?:px)? 0(?:px)?\s++"
    r"([\d.]++[a-z]++|calc\((?:[^()]|\([^()]*\))*+\))\s+([^;]+)"
)
_SIDES = ("width", "height")
_LARGEST_TEXT = 1_000
_PIXELS = {
    "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "em": 16.0, "rem": 16.0,
    "ex": 8.0, "ch": 8.0, "vw": 8.0, "vh": 11.0, "vmin": 8.0, "vmax": 11.0, "%": 0.16,
}  # fmt: skip
"""The approximate size of a unit in pixels at the usual text size."""
_GROWING = re.compile(r"(\d++(?:\.\d++)?|\.\d++)(em|%)")
_GROWN = 3.0
"""Times the size of the parent: nested a few times, text exceeds any paper."""
_SIZE = re.compile(
    rf"(?<![\w#.-])((?:\d++\.?\d*+|\.\d++)(?:e\+?\d{{1,2}})?)({'|'.join(_PIXELS)})(?![\w-])", re.IGNORECASE
)

_ACROSS = re.compile(
    r"(?:(?:min|max)-)?(?:width|inline-size)$|(?:padding|margin|inset)-(?:left|right|inline)|left$|right$|border|outline"
    r"|text-indent|(?:letter|word)-spacing|column"
)
"""Properties of lengths across the page; those down the page make pages, which are counted and refused."""
_LONGEST = 100_000
"""The longest length across the page in pixels, a hundred papers: the dots of a rounded border take 0.2 s for it.

For a hundred times as many they take 20 s.
"""
_LENGTH = re.compile(
    rf"(?<![\w#.])(-?)((?:\d++\.?\d*+|\.\d++)(?:e\+?\d{{1,3}})?)({'|'.join(_PIXELS)})(?![\w-])", re.IGNORECASE
)


_GENERATED = re.compile(r":(?:before|after|marker|first-letter|first-line)\b")
"""What is not an element, whose letters can't be replaced by small capitals."""


class Declarations:
    """Lowers the declarations of one page; without `backgrounds`, these and text colours are dropped.

    `variables` are the custom properties of the root, for gradients; `ignored` are the unsupported declarations, and
    `fonts` the values of `font` and `font-family`.
    """

    def __init__(self, warn: Warn, *, backgrounds: bool) -> None:
        self._backgrounds = backgrounds
        self._warn = warn
        self.variables: dict[str, str] = {}
        self.ignored: list[Ignored] = []
        self.fonts: list[tuple[str, str]] = []
        self.has_grids = False
        self.has_shares = False

    def lowered(self, body: str, selector: str) -> str:
        """Lower the declarations of a rule with this selector, which is empty for a `style` attribute."""
        kept: list[str] = []
        unsupported: dict[str, Ignored] = {}
        body, written = _ring_of_variables(body), body
        end = 0
        body = clip_shapes.clipped(legible(body)) if self._backgrounds else legible(body)
        for match in _DECLARATION.finditer(body):
            if match[3] is None:
                continue
            if before := body[end : match.start(1)].rstrip().strip(" \t\n;"):
                kept.append(before)
            end = match.end()
            name, value = match[1], match[2].strip()
            if not name.startswith("--"):
                name = standard(RENAMED.get(name.lower(), name.lower()))
                value = with_plain_colours(value)
                self._record_unsupported(name, value, Ignored(selector, written, name, value), unsupported)
                said = value.lower().endswith("!important")
                for each, other in translated(name, value[:-10].rstrip() if said else value):
                    kept += self._declaration(each, f"{other}!important" if said else other, selector)
            else:
                kept += self._declaration(name, value, selector)
        if body[end:].strip():
            kept.append(body[end:])
        self.ignored += unsupported.values()
        return ";".join(kept)

    def _record_unsupported(self, name: str, value: str, found: Ignored, unsupported: dict[str, Ignored]) -> None:
        """Record an unsupported declaration; a later one in the same rule replaces it."""
        plain = value.lower().removesuffix("!important").strip()
        if name[0] in "*_" or is_foreign(plain) or (not self._backgrounds and _is_background(name)):
            return
        layered = not _is_drawn_later(found.selector) and len(gradients.layers_of(plain)) > 1
        layered = layered and name in ("background", "background-image")
        handled = [is_handled(each, other) for each, other in translated(name, plain)]
        if backgrounds.unlike(name, plain) is not None:
            handled = []
        if _GENERATED.search(found.selector) and not SMALL_CAPS.isdisjoint(plain.split()):
            handled = []
        if (any(handled) and not layered) or (
            name == "box-shadow" and (_RING.fullmatch(value) or _FILLING.fullmatch(value))
        ):
            unsupported.pop(name, None)
        else:
            unsupported[name] = found

    def _declaration(self, name: str, value: str, selector: str) -> Iterator[str]:
        if _ACROSS.match(name) and "radius" not in name:
            value = self._shortened(value)
        if name.startswith("--"):
            yield f"{name}:{value or ' '}"
            return
        plain = value.lower().removesuffix("!important").strip()
        if not self._backgrounds and _is_background(name):
            return
        ring, filling = (each.fullmatch(value) if name == "box-shadow" else None for each in (_RING, _FILLING))
        if ring:
            yield f"outline:{ring[1]} solid {ring[2].strip()}"
        elif filling:
            yield f"background-color:{filling[1].replace('--bs-table-accent-bg', '--bs-table-bg')}"
        elif name in UNDERSTOOD:
            yield from self._known(name, value, plain, selector)
        elif name in GRID or name in WORDS or name in OWN:
            yield f"{name}:{value}"

    def _known(self, name: str, value: str, plain: str, selector: str) -> Iterator[str]:
        if name in ("font", "font-family"):
            self.fonts.append((name, value))
        if name in ("font", "font-size"):
            value = self._bounded(value)
        if "radius" in name:
            value = _ENDLESS.sub("9999px", value)
        important = "!important" if value.lower().endswith("!important") else ""
        if (drawn_as := backgrounds.unlike(name, value.removesuffix(important))) is not None:
            value = f"{drawn_as}{important}"
            plain = drawn_as.lower()
        if name in ("background", "background-image") and "gradient(" in plain:
            later = backgrounds.is_composed(name, plain) and _is_drawn_later(selector)
            drawn = self._gradient(name, value.removesuffix("!important"), is_last=not later)
            yield from (f"{each}{important}" for each in drawn)
            return
        if name == "background" and len(layers := gradients.layers_of(value)) > 1:
            first, last = layers[0], layers[-1]
            yield f"background:{first}{important}"
            if re.search(r"#|rgb|hsl|[a-z]$", last) and "url(" not in last:
                yield f"background-color:{last}"
            return
        growing = _GROWING.fullmatch(plain) if name == "font-size" else None
        if growing and (factor := float(growing[1]) / (100 if growing[2] == "%" else 1)) >= _GROWN:
            value = f"min({_LARGEST_TEXT}px,{factor:g}em){important}"
        if name == "display":
            yield from self._display(plain, important)
            return
        if name == "position" and plain in ("sticky", "-webkit-sticky"):
            yield f"position:relative;top:auto;bottom:auto{important}"
            return
        if _BOUNDED.match(plain) and "%" in plain and name in _SIDES and plain.startswith("min("):
            first, _, second = plain[4:].rstrip(")").partition(",")
            yield f"{name}:{first}{important}"
            yield f"max-{name}:{second}{important}"
            return
        if shares.is_mixed(plain):
            later = backgrounds.is_composed(name, plain) and _is_drawn_later(selector)
            yield from self._share(name, plain, important, is_last=not later)
            return
        if name == "overflow" and " " in plain:
            yield f"overflow:{'hidden' if 'hidden' in plain else plain.split()[0]}{important}"
            return
        yield f"{name}:{shares.fitting(name, value)}"

    def _bounded(self, value: str) -> str:
        """A text size limited to what fits a page: larger text would be invisible."""

        def bounded(match: re.Match[str]) -> str:
            return match[0] if float(match[1]) * _PIXELS[match[2].lower()] <= _LARGEST_TEXT else f"{_LARGEST_TEXT}px"

        sized = _SIZE.sub(bounded, value)
        if sized != value:
            self._warn(
                "SIZE_REDUCED",
                say("Text larger than {largest_text} pixels was reduced to that size.", largest_text=_LARGEST_TEXT),
            )
        return sized

    def _shortened(self, value: str) -> str:
        """Lengths limited to what can be drawn in time."""

        def shortened(match: re.Match[str]) -> str:
            return match[0] if float(match[2]) * _PIXELS[match[3].lower()] <= _LONGEST else f"{match[1]}{_LONGEST}px"

        shorter = _LENGTH.sub(shortened, value)
        if shorter != value:
            self._warn("SIZE_REDUCED", say("Lengths of more than {longest} pixels were reduced.", longest=_LONGEST))
        return shorter

    def _gradient(self, name: str, value: str, *, is_last: bool) -> Iterable[str]:
        """A background with a gradient, with the page's custom properties substituted.

        What is not drawn is reported if this `is_last`; otherwise another drawing may replace it.
        """
        for _ in range(_DEEPEST if "var(" in value else 0):
            value = VARIABLE.sub(lambda match: self.variables.get(match[1], match[0]), value)
        drawn = gradients.lowered(name, value)
        if drawn is None and (first := VARIABLE.search(value)):
            # Those of a rule are only known where it applies: text on such a background needs a fallback colour.
            if is_last:
                self._report(say("{name}: a gradient with variables became its first colour.", name=name))
            return (f"background-color:{first[0].replace('--tw-gradient-stops', '--tw-gradient-from')}",)
        if is_last and drawn is None:
            self._unsupported(name, value.lower())
        elif is_last and (inexact := gradients.inexact(value.lower())):
            self._report(say("{name}: {inexact}", name=name, inexact=inexact))
        return drawn or ()

    def _share(self, name: str, plain: str, important: str, *, is_last: bool) -> Iterator[str]:
        """A calc() with a percentage, which PlutoPrint can't compute, as the percentage."""
        outer = shares.as_percentage(plain)
        if name in shares.NAMES:
            self.has_shares = True
            yield f"{name}:{outer}{important}"
            yield f"{shares.MARK}{name}:{plain}{important}"
            return
        if "(" in outer:
            if is_last:
                self._unsupported(name, plain)
            return
        if is_last:
            self._report(say("{name}: {plain} was treated as {outer}.", name=name, plain=plain[:60], outer=outer[:40]))
        yield f"{name}:{outer}{important}"

    def _display(self, plain: str, important: str) -> Iterator[str]:
        words = {
            "flow-root": "block", "block flow": "block", "block flow-root": "block", "inline flow-root": "inline-block",
            "block flex": "flex", "inline flex": "inline-flex", "-webkit-box": "flex", "-webkit-flex": "flex",
            "-ms-flexbox": "flex", "contents": "inline", "math": "inline", "ruby": "inline",
            "inline-grid": "grid", "block grid": "grid",
        }  # fmt: skip
        if plain in ("contents", "run-in"):
            self._report(say("display: {plain} is not supported; the element was laid out inline.", plain=plain))
        word = words.get(plain, plain)
        self.has_grids |= word == "grid" or "var(" in word
        yield f"display:{word}{important}"

    def _unsupported(self, name: str, value: str) -> None:
        self._warn(
            "CSS_UNSUPPORTED",
            say("{name}: {value} is not supported and was ignored.", name=name, value=" ".join(value.split())[:60]),
        )

    def _report(self, message: str) -> None:
        self._warn("CSS_UNSUPPORTED", message)


def _ring_of_variables(body: str) -> str:
    """Return a declaration block with its ring set directly if its shadow uses custom properties, as Tailwind's do."""
    shadow, ring = _OF_VARIABLES.search(body), _RING_VARIABLE.search(body)
    if not (shadow and ring and f"var({ring[1]})" in shadow[2]):
        return body
    width, color = ring[2], ring[3]
    return f"{body[: shadow.start()]}{shadow[1]}outline:{width} solid {color};{body[shadow.end() :]}"


def _is_background(name: str) -> bool:
    return name.startswith("background") or name == "color"


def _is_drawn_later(selector: str) -> bool:
    """Whether backgrounds of several layers are drawn where this selects: as those of elements, before and after."""
    others = _GENERATED.sub(lambda match: "" if match[0] in (":before", ":after") else match[0], selector)
    return not selector.startswith("@") and _GENERATED.search(others) is None
