"""Lower style sheets to the CSS that PlutoPrint supports, and report the rest."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any

import lightningcss
import tinycss2

from engine.families.html_pdf.css import gradients
from engine.families.html_pdf.css.ignored import Ignored, is_foreign, is_heard, standard, unselected
from engine.families.html_pdf.css.properties import RENAMED
from engine.families.html_pdf.css.sifting import sifted
from engine.families.html_pdf.css.translated import legible, translated
from engine.families.html_pdf.css.understood import GRID, UNDERSTOOD, WORDS
from engine.families.html_pdf.source import fields, limits
from engine.families.html_pdf.source.references import blocked, data_of, is_inline
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_TARGETS = ["chrome 99"]  # supports :is(), inset and logical properties, as PlutoPrint does; not nesting or new colours
_FLAGS = lightningcss.calc_parser_flags(nesting=True, custom_media=True)
_RESET = ":root{--lightningcss-light:initial;--lightningcss-dark: }"
_QUOTED = r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\''
_TEXT = rf'(?:[^{{}}"\']|{_QUOTED})*'
_RULE = re.compile(rf"({_TEXT})\{{({_TEXT})\}}", re.DOTALL)
_NESTED = r"\((?:[^()]|\([^()]*\))*\)"
_DECLARATION = re.compile(
    rf"\s*([*_]?-{{0,2}}[A-Za-z][\w-]*)\s*:"
    rf"((?:[^;\"'()]|{_QUOTED}|\((?:[^\"'()]|{_QUOTED}|{_NESTED})*\))*)(;|$)",
    re.DOTALL,
)
_IMPORT = re.compile(rf"@import\s+(?:url\()?\s*({_QUOTED}|[^\s;)]+)\)?([^;]*);", re.IGNORECASE)
_STRUCTURED = re.compile(r"@(?:layer|supports|container|scope|starting-style|property|-moz-document)\b", re.IGNORECASE)
_NEW = re.compile(r"(?:oklch|oklab|lab|lch|color|color-mix|light-dark|hwb|rgb|hsl)\(|!ie|&", re.IGNORECASE)
_BOUNDED = re.compile(r"(min|max|clamp)\(", re.IGNORECASE)
_ESCAPED = r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))"
_ESCAPE = re.compile(_ESCAPED, re.DOTALL)
_NAME = re.compile(rf"([.#])((?:[\w\-\x80-\U0010ffff]|{_ESCAPED})+)|(?<![\w\\.#-])([A-Za-z][\w-]*)", re.DOTALL)
_PSEUDO = re.compile(r"(?<!\\)(?:::?[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?|\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\])")
_COMMA = re.compile(r"(?<!\\),")
_ENDLESS = re.compile(r"calc\(\s*infinity\s*\*\s*1px\s*\)|[\d.]+e\+?\d+px", re.IGNORECASE)
_RING = re.compile(
    r"0(?:px)? 0(?:px)? 0(?:px)? ([\d.]+[a-z]+) ((?:#|rgb|hsl|[a-z])[^,]*(?:\([^()]*\))?[^,()]*)", re.IGNORECASE
)
"""A shadow that is a ring around the box, and like an outline takes no space."""
_NAMED_PAGE = re.compile(r"@page\s+[\w-]+\s*\{")
"""The page of a section; without others, as in files of office programs, it applies to all pages."""
_OF_ROOT = re.compile(r"(?::root|\bhtml)\b[^{}]*\{([^{}]*)\}")
_CUSTOM = re.compile(r"(--[\w-]+)\s*:\s*([^;]*)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_DEEPEST = 8
_FILLING = re.compile(r"inset 0(?:px)? 0(?:px)? 0(?:px)? 9{3,}px (\S+)", re.IGNORECASE)
"""A shadow that fills the box, with which Bootstrap draws table stripes; its accent is empty if there is none."""
_OF_VARIABLES = re.compile(r"(^|;)\s*box-shadow\s*:((?:\s*,?\s*var\((?:[^()]|\([^()]*\))*\))+)\s*(?:;|$)")
_RING_VARIABLE = re.compile(
    r"(--[\w-]*ring-shadow)\s*:\s*(?:var\([^()]*\)\s*)?0(?:px)? 0(?:px)? 0(?:px)?\s+"
    r"([\d.]+[a-z]+|calc\((?:[^()]|\([^()]*\))*\))\s+([^;]+)"
)
_COLOUR = re.compile(r"(?<![\w-])(?:oklch|oklab|lab|lch|color|color-mix|hwb)\((?:[^()]|\([^()]*\))*\)", re.IGNORECASE)
_SIDES = ("width", "height")
_LARGEST_TEXT = 1_000
_PIXELS = {
    "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "em": 16.0, "rem": 16.0,
    "ex": 8.0, "ch": 8.0, "vw": 8.0, "vh": 11.0, "vmin": 8.0, "vmax": 11.0, "%": 0.16,
}  # fmt: skip
"""The approximate size of a unit in pixels at the usual text size."""
_GROWING = re.compile(r"(\d*\.?\d+)(em|%)")
_GROWN = 3.0
"""Times the size of the parent: nested a few times, text exceeds any paper."""
_SIZE = re.compile(rf"(?<![\w#.-])((?:\d+\.?\d*|\.\d+)(?:e\+?\d{{1,2}})?)({'|'.join(_PIXELS)})(?![\w-])", re.IGNORECASE)


class Sheets:
    """Lowers the style sheets of one page, which uses the `names` `p`, `.class`, `#id`.

    Without `backgrounds`, these are dropped, and text colours that may need them. If `as_written`, declarations are
    lowered, but neither translated nor checked against PlutoPrint's features.
    """

    def __init__(
        self, names: frozenset[str], warn: Warn, *, backgrounds: bool = True, as_written: bool = False
    ) -> None:
        self._backgrounds = backgrounds
        self._as_written = as_written
        self._names = names
        self._warn = warn
        self._inline: dict[str, str] = {}
        self._variables: dict[str, str] = {}
        self.lowered: list[str] = []
        self.read: list[str] = []
        """The sheets before their declarations were lowered."""
        self.ignored: list[Ignored] = []
        self.has_grids = False
        self.fonts: list[tuple[str, str]] = []

    def sheet(self, text: str, media: str = "") -> str:
        """Lower a style sheet, for `media` only. Raises OverLimit for one that is too large."""
        if text.count("{") > limits.MOST_RULES and len(text) <= limits.MOST_SHEETS:
            text = sifted(text, self._matches)  # the size of a whole framework's sheet
        limits.check_sheet(text)
        text = _spelled(text)
        if media.strip() not in ("", "all"):
            text = f"@media {media}{{{text}}}"
        text = self._imports(_lightning(text), 0)
        if text.count("@page") == 1:
            text = _NAMED_PAGE.sub("@page{", text)
        for body in _OF_ROOT.findall(text) if "gradient(" in text else ():
            self._variables = {**dict(reversed(_CUSTOM.findall(body))), **self._variables}
        lowered = self._rules(text)
        if "--lightningcss-light" in lowered:
            lowered = _RESET + lowered
        self.lowered.append(lowered)
        return lowered

    def inline(self, text: str) -> str:
        """Lower a `style` attribute."""
        if text not in self._inline:
            limits.check_sheet(text)
            found = _spelled(text)
            if _NEW.search(text):
                lowered = _lightning(f"x{{{found}}}").strip()
                found = lowered[2:-1] if lowered.startswith("x{") and lowered.count("{") == 1 else found
            self._inline[text] = self._declarations(found, "")
            self.lowered.append(f"x{{{self._inline[text]}}}")
        return self._inline[text]

    def _imports(self, text: str, depth: int) -> str:
        def imported(match: re.Match[str]) -> str:
            url = match[1].strip("\"' ")
            if not is_inline(url) or depth > 3:
                blocked(url, self._warn)
                return ""
            sheet = data_of(url).decode("utf-8", "replace")
            limits.check_sheet(sheet)
            sheet = self._imports(_lightning(sheet), depth + 1)
            return f"@media {match[2]}{{{sheet}}}" if match[2].strip() else sheet

        return _IMPORT.sub(imported, text) if "@import" in text else text

    def _rules(self, text: str) -> str:
        if _STRUCTURED.search(text):
            text = self._flattened(text)
        text = text.replace(":where(", ":is(")
        self.read.append(text)
        return _RULE.sub(self._rule, text)

    def _rule(self, match: re.Match[str]) -> str:
        """A rule, or nothing if the page has no element for it."""
        selector, body = match[1], match[2]
        if not self._matches(selector):
            return ""
        selector = selector.strip()
        if (not_selected := unselected(selector)) and not self._as_written:
            self.ignored.append(Ignored(selector, body, f":{not_selected}", ""))
        return f"{fields.selectors(selector)}{{{self._declarations(body, selector)}}}"

    def _matches(self, selector: str) -> bool:
        """Whether the page has an element for every name in one of the selectors."""
        if "@" in selector:
            return True
        for each in _COMMA.split(_PSEUDO.sub("", selector)):
            if all(_named(*found) in self._names for found in _NAME.findall(each)):
                return True
        return False

    def _declarations(self, body: str, selector: str) -> str:
        if self._as_written:
            return body
        kept: list[str] = []
        unheard: dict[str, Ignored] = {}
        body, written = _ring_of_variables(body), body
        end = 0
        body = legible(body)
        for match in _DECLARATION.finditer(body):
            if body[end : match.start()].strip(" \t\n;"):
                kept.append(body[end : match.start()].strip(" \t\n;"))
            end = match.end()
            name, value = match[1], match[2].strip()
            if not name.startswith("--"):
                name = standard(RENAMED.get(name.lower(), name.lower()))
                value = self._with_plain_colours(value)
                self._listen(name, value, Ignored(selector, written, name, value), unheard)
                said = value.lower().endswith("!important")
                for each, other in translated(name, value[:-10].rstrip() if said else value):
                    kept += self._declaration(each, f"{other}!important" if said else other)
            else:
                kept += self._declaration(name, value)
        if body[end:].strip():
            kept.append(body[end:])
        self.ignored += unheard.values()
        return ";".join(kept)

    def _listen(self, name: str, value: str, found: Ignored, unheard: dict[str, Ignored]) -> None:
        """Record an unsupported declaration; a later one in the same rule replaces it."""
        plain = value.lower().removesuffix("!important").strip()
        if name[0] in "*_" or is_foreign(plain) or (not self._backgrounds and _is_background(name)):
            return
        layered = name in ("background", "background-image") and _layers(plain) > 1
        layered = layered and not (name == "background" and gradients.stacked(plain))
        heard = [is_heard(each, other) for each, other in translated(name, plain)]
        if (any(heard) and not layered) or (
            name == "box-shadow" and (_RING.fullmatch(value) or _FILLING.fullmatch(value))
        ):
            unheard.pop(name, None)
        else:
            unheard[name] = found

    def _with_plain_colours(self, value: str) -> str:
        """The value with colours as PlutoPrint reads them, where these can be computed."""
        return _COLOUR.sub(_computed, value) if _COLOUR.search(value) and "var(" not in value else value

    def _declaration(self, name: str, value: str) -> Iterator[str]:
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
            yield from self._known(name, value, plain)
        elif name in GRID or name in WORDS:
            yield f"{name}:{value}"

    def _known(self, name: str, value: str, plain: str) -> Iterator[str]:
        if name in ("font", "font-family"):
            self.fonts.append((name, value))
        if name in ("font", "font-size"):
            value = self._bounded(value)
        if "radius" in name:
            value = _ENDLESS.sub("9999px", value)
        important = "!important" if value.lower().endswith("!important") else ""
        if name in ("background", "background-image") and "gradient(" in plain:
            yield from (f"{each}{important}" for each in self._gradient(name, value.removesuffix("!important")))
            return
        if name == "background" and _layers(plain) > 1:
            first, last = _split(value)[0], _split(value)[-1]
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
        if "%" in plain and any(f"{each}(" in plain for each in ("calc", "min", "max", "clamp")):
            yield from self._share(name, plain, important)
            return
        if name == "overflow" and " " in plain:
            yield f"overflow:{'hidden' if 'hidden' in plain else plain.split()[0]}{important}"
            return
        yield f"{name}:{value}"

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

    def _gradient(self, name: str, value: str) -> Iterable[str]:
        """A background with a gradient, with the page's custom properties substituted."""
        for _ in range(_DEEPEST if "var(" in value else 0):
            value = _VARIABLE.sub(lambda match: self._variables.get(match[1], match[0]), value)
        drawn = gradients.lowered(name, value)
        if drawn is None and (first := _VARIABLE.search(value)):
            # Those of a rule are only known where it applies: text on such a background needs a fallback colour.
            self._report(say("{name}: a gradient of variables is drawn as its first colour.", name=name))
            return (f"background-color:{first[0].replace('--tw-gradient-stops', '--tw-gradient-from')}",)
        if drawn is None:
            self._unsupported(name, value.lower())
        elif inexact := gradients.inexact(value.lower()):
            self._report(f"{name}: {inexact}")
        return drawn or ()

    def _share(self, name: str, plain: str, important: str) -> Iterator[str]:
        """A calc() with a percentage, which PlutoPrint can't compute, as the percentage."""
        outer = re.sub(r"(?:calc|min|max|clamp)\((?:[^()]|\([^()]*\))*\)", _percentage, plain)
        if "(" in outer:
            self._unsupported(name, plain)
            return
        self._report(say("{name}: {plain} is taken as {outer}.", name=name, plain=plain[:60], outer=outer[:40]))
        yield f"{name}:{outer}{important}"

    def _display(self, plain: str, important: str) -> Iterator[str]:
        words = {
            "flow-root": "block", "block flow": "block", "block flow-root": "block", "inline flow-root": "inline-block",
            "block flex": "flex", "inline flex": "inline-flex", "-webkit-box": "flex", "-webkit-flex": "flex",
            "-ms-flexbox": "flex", "contents": "inline", "math": "inline", "ruby": "inline",
            "inline-grid": "grid", "block grid": "grid",
        }  # fmt: skip
        if plain in ("contents", "run-in"):
            self._report(
                say("display: {plain} is not supported; the element is laid out as an inline one.", plain=plain)
            )
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

    def _flattened(self, text: str) -> str:
        """A sheet without @layer and @supports: layered rules first, in layer order, then the others."""
        layers: dict[str, list[str]] = {}
        rest: list[str] = []
        self._collect(
            tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), "", layers, rest, "", 0
        )
        return "".join(part for parts in layers.values() for part in parts) + "".join(rest)

    def _collect(
        self, rules: Any, layer: str, layers: dict[str, list[str]], rest: list[str], media: str, depth: int
    ) -> None:
        for rule in rules:
            name = rule.lower_at_keyword if rule.type == "at-rule" else ""
            prelude = tinycss2.serialize(rule.prelude).strip() if name else ""
            if name == "layer":
                for each in prelude.split(","):
                    layers.setdefault(_inner(layer, each), [])
                if rule.content is not None:
                    inner = _inner(layer, prelude or f"<{len(layers)}>")
                    layers.setdefault(inner, [])
                    self._collect(_list(rule), inner, layers, rest, media, depth + 1)
            elif name == "supports" and rule.content is not None:
                if _supported([each for each in rule.prelude if each.type not in ("whitespace", "comment")]):
                    self._collect(_list(rule), layer, layers, rest, media, depth + 1)
            elif name == "container" and rule.content is not None:
                self._warn(
                    "CSS_UNSUPPORTED",
                    say("@container {prelude} is taken as asking for the page's width.", prelude=prelude[:60]),
                )
                query = prelude[prelude.find("(") :] if "(" in prelude else ""
                self._collect(_list(rule), layer, layers, rest, _media(media, query), depth + 1)
            elif name == "media" and rule.content is not None and _STRUCTURED.search(tinycss2.serialize(rule.content)):
                self._collect(_list(rule), layer, layers, rest, _media(media, prelude), depth + 1)
            elif name in ("scope", "starting-style", "-moz-document"):
                self._warn(
                    "CSS_UNSUPPORTED",
                    say("@{name} {prelude} is not supported and was ignored.", name=name, prelude=prelude[:60]),
                )
            elif rule.type != "error" and name != "property":
                text = rule.serialize()
                where = layers.setdefault(layer, []) if layer else rest
                where.append(f"@media {media}{{{text}}}" if media else text)


def _named(kind: str, name: str, _: str, __: str, element: str) -> str:
    """The page's name for what a selector names."""
    if element:
        return element.lower()
    return kind + (_ESCAPE.sub(_unescaped, name) if "\\" in name else name)


def _spelled(text: str) -> str:
    """The same sheet with letters in place of their escapes, which names may have (CSS Syntax 3, 4.3.7)."""

    def letter(match: re.Match[str]) -> str:
        found = _unescaped(match)
        return found if found.isascii() and found.isalpha() else match[0]

    return _ESCAPE.sub(letter, text) if "\\" in text else text


def _unescaped(match: re.Match[str]) -> str:
    return chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else match[2]


def _ring_of_variables(body: str) -> str:
    """Return a declaration block with its ring set directly if its shadow uses custom properties, as Tailwind's do."""
    shadow, ring = _OF_VARIABLES.search(body), _RING_VARIABLE.search(body)
    if not (shadow and ring and f"var({ring[1]})" in shadow[2]):
        return body
    width, color = ring[2], ring[3]
    return f"{body[: shadow.start()]}{shadow[1]}outline:{width} solid {color};{body[shadow.end() :]}"


def _lightning(text: str) -> str:
    try:
        return _lowered(text)
    except Exception:  # a parser error in one rule does not affect the others
        return "".join(map(_rule_alone, tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)))


def _lowered(text: str) -> str:
    return str(
        lightningcss.process_stylesheet(
            text, error_recovery=True, parser_flags=_FLAGS, browsers_list=_TARGETS, minify=True
        )
    )


def _rule_alone(rule: Any) -> str:
    if rule.type == "error":
        return ""
    text = str(rule.serialize())
    try:
        return _lowered(text)
    except Exception:  # PlutoPrint's own parser continues after it
        return text


@functools.lru_cache(maxsize=500)
def _plain_colour(colour: str) -> str:
    """Return a colour in sRGB; unchanged if it can't be computed."""
    found = re.match(r"x\{color:([^;}]*)", _lightning(f"x{{color:{colour}}}"))
    return found[1] if found else colour


def _computed(match: re.Match[str]) -> str:
    return _plain_colour(match[0])


def _is_background(name: str) -> bool:
    return name.startswith("background") or name == "color"


def _list(rule: Any) -> Any:
    return tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)


def _inner(layer: str, name: str) -> str:
    return f"{layer}.{name.strip()}" if layer else name.strip()


def _media(outer: str, inner: str) -> str:
    return f"{outer} and {inner}" if outer and inner else outer or inner


def _supported(tokens: list[Any]) -> bool:
    """Whether PlutoPrint meets an @supports condition (CSS Conditional Rules 3, 6.1)."""
    words = [each.lower_value if each.type == "ident" else "" for each in tokens]
    if "or" in words:
        at = words.index("or")
        return _supported(tokens[:at]) or _supported(tokens[at + 1 :])
    if "and" in words:
        at = words.index("and")
        return _supported(tokens[:at]) and _supported(tokens[at + 1 :])
    if words and words[0] == "not":
        return not _supported(tokens[1:])
    if len(tokens) != 1:
        return False
    token = tokens[0]
    if token.type == "function":
        return bool(token.lower_name == "selector")
    if token.type != "() block":
        return False
    inner = [each for each in token.content if each.type not in ("whitespace", "comment")]
    if len(inner) > 1 and inner[0].type == "ident" and inner[1] == ":":
        name = inner[0].value if inner[0].value.startswith("--") else inner[0].lower_value
        value = tinycss2.serialize(inner[2:]).lower()
        lost = any(each in value for each in ("contents", "subgrid", "masonry", "lab(", "lch(", "color-mix("))
        return not lost and is_heard(standard(RENAMED.get(name, name)), value.strip())
    return _supported(inner)


def _split(value: str) -> list[str]:
    """The layers of a background."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(value):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            parts.append(value[start:at].strip())
            start = at + 1
    return [*parts, value[start:].strip()]


def _layers(value: str) -> int:
    return len(_split(value)) if "," in value else 1


def _percentage(match: re.Match[str]) -> str:
    """The percentage of a calc(); the first one of several."""
    found = re.search(r"-?[\d.]+%", match[0])
    return found[0] if found else match[0]
