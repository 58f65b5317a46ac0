"""Style sheets: their rules, fonts and pages, and which declarations count for an element (CSS Cascade 4, 6)."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.dom.minidom import Node
from xml.etree.ElementTree import Element as Plain

import cssselect2
import tinycss2

from conversions.families.html_pdf.css.base_styles import BASE_STYLES
from conversions.families.html_pdf.css.declarations import declaration
from conversions.families.html_pdf.css.media import media_matches
from conversions.families.html_pdf.source.references import blocked, data_of, is_inline
from conversions.families.html_pdf.source.tree import Element
from conversions.toolkit.failures import OverLimit
from conversions.toolkit.warnings import Warn

MOST_RULES = 30_000
MOST_MATCHING_RULES = 3_000
MOST_MATCHES = 4_000_000
MOST_EXPANDED = 50_000
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_UNSAID = ("charset", "keyframes", "-webkit-keyframes", "-moz-keyframes", "namespace", "property", "viewport")
(_COMMA,) = tinycss2.parse_component_value_list(",")
_PSEUDOS = ("before", "after")

Declared = dict[str, str]
"""Property names to values in the layout engine's words, in the order in which they count."""


@dataclass(frozen=True)
class Said:
    """What is declared for one element, for its `::before` and for its `::after`."""

    own: Declared
    before: Declared | None = None
    after: Declared | None = None


@dataclass
class Body:
    """The declarations of a rule or of a `style` attribute as they are written."""

    written: list[Any]
    warn: Warn
    has_variables: bool = False
    _translated: list[tuple[str, str, bool]] | None = None

    def __post_init__(self) -> None:
        self.has_variables = any("var(" in tinycss2.serialize(each.value).lower() for each in self.written)

    def custom(self) -> Iterator[tuple[str, str]]:
        for each in self.written:
            if each.name.startswith("--"):
                yield each.name, tinycss2.serialize(each.value).strip()

    def translated(self, custom: dict[str, str]) -> list[tuple[str, str, bool]]:
        """Names, values and importance, with custom properties filled in."""
        if self.has_variables:
            return list(self._say(custom))
        if self._translated is None:
            self._translated = list(self._say(custom))
        return self._translated

    def _say(self, custom: dict[str, str]) -> Iterator[tuple[str, str, bool]]:
        for each in self.written:
            if each.name.startswith("--"):
                continue
            value = tinycss2.serialize(each.value)
            if "var(" in value.lower():
                filled = fill(value, custom)
                each = filled and tinycss2.parse_one_declaration(f"{each.name}: {filled}")
                if not each or each.type == "error":
                    continue
            text = declaration(each, self.warn)
            if text:
                name, _, said = text.partition(": ")
                yield name, said.removesuffix(" !important"), each.important


def fill(value: str, custom: dict[str, str]) -> str:
    """A value with its `var()` replaced; empty where one has no value."""

    def found(match: re.Match[str]) -> str:
        text = custom.get(match[1], match[2])
        if text is None:
            raise LookupError(match[1])
        return fill(text, custom) if "var(" in text and text is match[2] else text

    try:
        return _VARIABLE.sub(found, value)
    except LookupError:
        return ""


def resolved(own: dict[str, str], inherited: dict[str, str]) -> dict[str, str]:
    """Custom properties with their own `var()` replaced; a cycle is no value (CSS Custom Properties 1, 2.3).

    Raises OverLimit where one grows too large.
    """
    done = {name: text for name, text in inherited.items() if name not in own}
    waiting = list(own)
    begun: set[str] = set()
    while waiting:
        name = waiting[-1]
        needed = [each for each, _ in _VARIABLE.findall(own[name]) if each in own and each not in begun]
        begun.add(name)
        if needed:
            waiting += needed
            continue
        waiting.pop()
        if name not in done:
            text = fill(own[name], done)
            if len(text) > MOST_EXPANDED:
                raise OverLimit("memory", "The page's style variables (var()) grow too large when they are filled in.")
            if text:
                done[name] = text
    return done


@dataclass
class PageRule:
    """One `@page` rule: its selector, its declarations, and those of its margin boxes by name."""

    selector: str
    own: Declared
    boxes: dict[str, Declared]


@dataclass
class StyleSheets:
    """Collects the style sheets of one page; raises OverLimit for more rules than a page can have.

    `names` are what its elements are called, as `.class` and `#id`: a rule for any other is not looked at; None is for
    all rules.
    """

    warn: Warn
    names: frozenset[str] | None = None
    fonts: list[str] = field(default_factory=list)
    pages: list[PageRule] = field(default_factory=list)
    _matcher: cssselect2.Matcher = field(default_factory=cssselect2.Matcher)
    _rules: int = 0

    def add(self, text: str, *, depth: int = 0) -> None:
        """Take one style sheet."""
        if len(text) > 4_000_000:
            raise OverLimit("memory", "The page's style sheets are too large: keep them below 4 MB.")
        self._collect(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), depth)

    def styles(self, root: Element) -> dict[Element, Said]:
        """What counts for each element of a tree."""
        elements: list[Element] = []
        wrapped = cssselect2.ElementWrapper.from_html_root(_plain(root, elements))
        bodies_of: dict[str, Body] = {}
        custom: dict[Element, dict[str, str]] = {}
        made: dict[Any, Said] = {}
        found: dict[Element, Said] = {}
        matches = 0
        for element, each in zip(elements, wrapped.iter_subtree(), strict=True):
            hints, style = _hints(element), element.getAttribute("style")
            for text in (hints, style):
                if text not in bodies_of:
                    bodies_of[text] = body(text, self.warn)
            bodies = [(pseudo, payload) for _, _, pseudo, payload in _user_agent().match(each)]
            bodies.append((None, bodies_of[hints]))
            bodies += [(pseudo, payload) for _, _, pseudo, payload in self._matcher.match(each)]
            bodies.append((None, bodies_of[style]))
            matches += len(bodies)
            if matches > MOST_MATCHES or len(bodies) > MOST_MATCHING_RULES:
                raise OverLimit(
                    "timeout", "More style rules apply to the page than can be counted: simplify its style sheets."
                )
            inherited = custom.get(element.parentNode, {})
            own = dict(item for pseudo, payload in bodies if pseudo is None for item in payload.custom())
            custom[element] = resolved(own, inherited) if own else inherited
            key = (tuple(id(payload) for _, payload in bodies if payload.written), id(custom[element]))
            if key not in made:
                parts = {name: _merged(bodies, name, custom[element]) for name in (None, *_PSEUDOS)}
                made[key] = Said(parts[None], *(parts[name] if "content" in parts[name] else None for name in _PSEUDOS))
            found[element] = made[key]
        return found

    def _collect(self, rules: Any, depth: int) -> None:
        for rule in rules:
            self._rules += 1
            if self._rules > MOST_RULES:
                raise OverLimit(
                    "timeout", f"The page has more than {MOST_RULES} style rules: remove those it does not use."
                )
            if rule.type == "qualified-rule":
                self._qualified(rule)
            elif rule.type == "at-rule":
                self._at_rule(rule, depth)

    def _qualified(self, rule: Any) -> None:
        prelude = [token for each in _split(rule.prelude) if self._may_match(each) for token in (*each, _COMMA)][:-1]
        if not prelude:
            return
        try:
            selectors = cssselect2.compile_selector_list(prelude)
        except cssselect2.SelectorError:
            return  # a selector that nobody knows makes a rule that says nothing (CSS 2.1, 4.1.7)
        payload = body(rule.content, self.warn, nested=tinycss2.serialize(rule.prelude).strip())
        for each in selectors:
            if each.pseudo_element in (None, *_PSEUDOS):
                self._matcher.add_selector(each, payload)

    def _may_match(self, selector: list[Any]) -> bool:
        """Whether the page has an element for every class and id in a selector, those in pseudo-classes excepted."""
        before = ""
        for token in selector:
            named = token.type == "ident" and before == "."
            name = ("." if named else "#") + token.value if named or token.type == "hash" else None
            if self.names is not None and name is not None and name not in self.names:
                return False
            before = token.value if token.type == "literal" else ""
        return True

    def _at_rule(self, rule: Any, depth: int) -> None:
        name = rule.lower_at_keyword
        prelude = tinycss2.serialize(rule.prelude).strip()
        if name in ("media", "layer"):
            if rule.content is not None and depth < 8 and (name == "layer" or media_matches(prelude)):
                inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                self._collect(inner, depth + 1)
        elif name == "import":
            self._import(rule.prelude, depth)
        elif name == "page":
            self._page(rule, prelude.lower())
        elif name == "font-face":
            self._font_face(rule)
        elif name not in _UNSAID:
            self.warn("CSS_UNSUPPORTED", f"@{name} {prelude[:60]} is not supported and was ignored.")

    def _import(self, prelude: list[Any], depth: int) -> None:
        token = next((each for each in prelude if each.type in ("string", "url", "function")), None)
        if token is None:
            return
        inner = token.arguments if token.type == "function" else [token]
        url = "".join(each.value for each in inner if each.type in ("string", "url"))
        if is_inline(url) and depth < 4:
            self.add(data_of(url).decode("utf-8", "replace"), depth=depth + 1)
        else:
            blocked(url, self.warn)

    def _page(self, rule: Any, selector: str) -> None:
        inside = _blocks(rule.content)
        boxes = {
            each.lower_at_keyword: _declared(_blocks(each.content), self.warn)
            for each in inside
            if each.type == "at-rule"
        }
        self.pages.append(PageRule(selector, _declared(inside, self.warn), boxes))

    def _font_face(self, rule: Any) -> None:
        said = {each.lower_name: each for each in _blocks(rule.content) if each.type == "declaration"}
        tokens = [each for token in (said["src"].value if "src" in said else ()) for each in _url_tokens(token)]
        source = next(filter(is_inline, tokens), None)
        if source is None:
            for url in tokens:
                blocked(url, self.warn)
        family = said.get("font-family")
        if source is None or family is None or '"' in source:
            return
        others = []
        for name in ("font-weight", "font-style"):
            if name in said:
                text = tinycss2.serialize(said[name].value).strip().lower()
                others.append(f"{name}: {'normal' if text in ('100', '200', '300', '400') else text[:20]}")
        named = declaration(family, self.warn)
        self.fonts.append(f'@font-face {{ {named}; src: url("{source.strip()}"); {"; ".join(others)} }}')


def _split(tokens: list[Any]) -> list[list[Any]]:
    """The selectors of a selector list."""
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def body(content: Any, warn: Warn, *, nested: str = "") -> Body:
    """The declarations in the text or the tokens of a block; the rules `nested` in it are reported."""
    written = []
    for each in _blocks(content):
        if each.type == "declaration":
            written.append(each)
        elif each.type != "error" and nested:
            warn("CSS_UNSUPPORTED", f"Rules nested in {nested[:60]} are not supported and were ignored.")
    return Body(written, warn)


def _blocks(content: Any) -> list[Any]:
    return list(tinycss2.parse_blocks_contents(content or [], skip_comments=True, skip_whitespace=True))


def _declared(inside: list[Any], warn: Warn) -> Declared:
    """Declarations as they are written, with what they refer to outside reported."""
    found = {}
    for each in inside:
        if each.type == "declaration":
            for token in each.value:
                for url in _url_tokens(token):
                    blocked(url, warn)
            found[each.lower_name] = tinycss2.serialize(each.value).strip()
    return found


def _url_tokens(token: Any) -> list[str]:
    if token.type == "url":
        return [token.value]
    if token.type == "function" and token.lower_name == "url":
        return [each.value for each in token.arguments if each.type == "string"]
    return []


def _merged(bodies: list[tuple[str | None, Body]], pseudo: str | None, custom: dict[str, str]) -> Declared:
    plain: Declared = {}
    strong: Declared = {}
    for each, payload in bodies:
        if each == pseudo:
            for name, value, important in payload.translated(custom):
                into = strong if important else plain
                into.pop(name, None)
                into[name] = value
    for name in strong:
        plain.pop(name, None)
    return {**plain, **strong}


@functools.cache
def _user_agent() -> cssselect2.Matcher:
    sheets = StyleSheets(Warn())
    sheets.add(BASE_STYLES)
    return sheets._matcher


def _plain(root: Element, elements: list[Element]) -> Plain:
    """The tree as selectors are matched with it; its elements are added to `elements` in document order."""

    def made(element: Element) -> Plain:
        elements.append(element)
        plain = Plain(element.tagName.lower(), dict(element.attributes.items()))
        last: Plain | None = None
        for child in element.childNodes:
            if child.nodeType == Node.ELEMENT_NODE:
                last = made(child)
                plain.append(last)
            elif child.nodeType == Node.TEXT_NODE:
                if last is None:
                    plain.text = (plain.text or "") + child.data
                else:
                    last.tail = (last.tail or "") + child.data
        return plain

    return made(root)


_ALIGNED = frozenset(("td", "th", "tr", "thead", "tbody", "tfoot", "p", "div", "h1", "h2", "h3", "h4", "h5", "h6"))
_TABLED = frozenset(("td", "th", "tr", "table", "thead", "tbody", "tfoot", "body", "col"))


@functools.lru_cache(maxsize=4096)
def _length(value: str) -> str:
    return value if value.endswith(("%", "px")) else f"{value}px"


def _hints(element: Element) -> str:
    """What the attributes of an element say about how it looks (HTML, 15.3), as declarations."""
    if not element.hasAttributes():
        return ""
    name, said = element.tagName.lower(), []
    if name in _TABLED and element.hasAttribute("bgcolor"):
        said.append(f"background-color: {element.getAttribute('bgcolor')}")
    align = element.getAttribute("align").strip().lower()
    if name in _ALIGNED and align in ("left", "right", "center", "justify"):
        said.append(f"text-align: {align}")
    elif name == "table" and align == "center":
        said.append("margin-left: auto; margin-right: auto")
    if name in ("td", "th", "tr") and element.hasAttribute("valign"):
        said.append(f"vertical-align: {element.getAttribute('valign')}")
    if name in ("td", "th", "table", "hr"):
        said += [
            f"{side}: {_length(element.getAttribute(side))}"
            for side in ("width", "height")
            if element.hasAttribute(side)
        ]
    if name in ("td", "th"):
        table = element.parentNode
        while table is not None and getattr(table, "tagName", "table") != "table":
            table = table.parentNode
        if table is not None and table.nodeType == Node.ELEMENT_NODE:
            if table.hasAttribute("cellpadding"):
                said.append(f"padding: {_length(table.getAttribute('cellpadding'))}")
            if table.getAttribute("border") not in ("", "0"):
                said.append("border: 1px solid #808080")
        if element.hasAttribute("nowrap"):
            said.append("white-space: nowrap")
    if name == "font":
        said += [f"color: {element.getAttribute('color')}"] if element.hasAttribute("color") else []
        said += [f"font-family: {element.getAttribute('face')}"] if element.hasAttribute("face") else []
    return "; ".join(said)
