"""Style sheets: the rules that can match this page and that paper can show, in small pieces for the layout engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import tinycss2

from conversions.families.html_pdf.css.declarations import declaration, declarations
from conversions.families.html_pdf.css.media import media_matches
from conversions.families.html_pdf.source.references import blocked, data_of, is_inline
from conversions.toolkit.failures import OverLimit
from conversions.toolkit.warnings import Warn

MOST_RULES = 30_000
MOST_MATCHING_RULES = 3_000
MOST_EXPANDED = 50_000
_VARIABLE = re.compile(r"var\(\s*(--[^\s,)]+)")
_PIECE = 2_000  # characters; the engine's parser copies what is left of a piece at every step
_PAGE_PROPERTIES = frozenset(("size", "marks", "bleed", "top", "left", "right", "bottom"))
_MARGINS = ("margin", "top:", "left:", "right:", "bottom:", "width", "height", "-pdf-frame")
DEFAULT_MARGIN = "15mm"


@dataclass(frozen=True)
class Names:
    """What the elements of a page are called: tags in lower case, classes and ids as written."""

    tags: frozenset[str]
    classes: frozenset[str]
    ids: frozenset[str]


class StyleSheets:
    """Collects the style sheets of one page; raises OverLimit for more rules than a page can have."""

    def __init__(self, names: Names, warn: Warn) -> None:
        self._names = names
        self._warn = warn
        self._rules = self._matching = 0
        self._inline: dict[str, str] = {}
        self._variables: dict[str, tuple[int, tuple[str, ...]]] = {}
        self.pieces: list[str] = []

    def add(self, text: str, *, depth: int = 0) -> None:
        """Take one style sheet."""
        if len(text) > 4_000_000:
            raise OverLimit("memory", "The page's style sheets are too large: keep them below 4 MB.")
        self._collect(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), depth)

    def inline(self, text: str) -> str:
        """A `style` attribute as the engine reads it."""
        if text not in self._inline:
            kept, _ = declarations(text, self._warn)
            self._note_variables(kept)
            self._inline[text] = "; ".join(kept)
        return self._inline[text]

    def check(self) -> None:
        """Raise OverLimit where custom properties grow beyond bounds when each is replaced by its value."""
        sizes: dict[str, int] = {}

        def size(name: str, path: tuple[str, ...]) -> int:
            if name in path or len(path) > 100:
                return 0  # a cycle is no value (CSS Custom Properties 1, 2.3)
            if name not in sizes:
                own, references = self._variables.get(name, (0, ()))
                sizes[name] = own + sum(size(each, (*path, name)) for each in references)
            return sizes[name]

        if any(size(name, ()) > MOST_EXPANDED for name in self._variables):
            raise OverLimit("memory", "The page's style variables (var()) grow too large when they are filled in.")

    def _note_variables(self, kept: list[str]) -> None:
        for text in kept:
            name, _, value = text.partition(":")
            if name.startswith("--"):
                own, references = self._variables.get(name, (0, ()))
                found = tuple(_VARIABLE.findall(value))
                if len(found) >= len(references) or len(value) > own:
                    self._variables[name] = max(own, len(value)), max(found, references, key=len)

    def _collect(self, rules: Any, depth: int) -> None:
        piece: list[str] = []
        size = 0
        for rule in rules:
            for text in self._rule(rule, depth):
                piece.append(text)
                size += len(text)
                if size > _PIECE:
                    self.pieces.append("\n".join(piece))
                    piece, size = [], 0
        if piece:
            self.pieces.append("\n".join(piece))

    def _rule(self, rule: Any, depth: int) -> Iterator[str]:
        self._rules += 1
        if self._rules > MOST_RULES:
            raise OverLimit(
                "timeout", f"The page has more than {MOST_RULES} style rules: remove those it does not use."
            )
        if rule.type == "qualified-rule":
            yield from self._qualified(rule, depth)
        elif rule.type == "at-rule":
            yield from self._at_rule(rule, depth)

    def _qualified(self, rule: Any, depth: int) -> Iterator[str]:
        selectors = [_written(each).strip() for each in _split(rule.prelude) if self._matches(each)]
        if not selectors:
            return
        kept, nested = declarations(rule.content, self._warn)
        self._note_variables(kept)
        if nested:
            self._warn("CSS_UNSUPPORTED", f"Rules nested in {selectors[0][:60]} are not supported and were ignored.")
        if kept:
            self._matching += len(selectors)
            if self._matching > MOST_MATCHING_RULES:
                raise OverLimit(
                    "timeout",
                    f"More than {MOST_MATCHING_RULES} style rules apply to the page: simplify its style sheets.",
                )
            yield f"{', '.join(selectors)} {{ {'; '.join(kept)} }}"

    def _matches(self, selector: list[Any]) -> bool:
        """Whether the page has an element for every name in a selector; what is in a pseudo-class does not count."""
        before: Any = None
        for token in selector:
            after = "" if before is None else getattr(before, "value", "")
            starts = before is None or before.type == "whitespace" or after in (">", "+", "~")
            if (
                (token.type == "hash" and token.value not in self._names.ids)
                or (token.type == "ident" and after == "." and token.value not in self._names.classes)
                or (token.type == "ident" and starts and token.lower_value not in self._names.tags)
            ):
                return False
            before = token
        return bool(selector)

    def _at_rule(self, rule: Any, depth: int) -> Iterator[str]:
        name = rule.lower_at_keyword
        prelude = tinycss2.serialize(rule.prelude).strip()
        if name == "media":
            if rule.content is not None and depth < 8 and media_matches(prelude):
                yield from self._inside(rule.content, depth)
        elif name == "layer":
            if rule.content is not None and depth < 8:
                yield from self._inside(rule.content, depth)
        elif name == "import":
            self._import(rule.prelude, depth)
        elif name == "page":
            yield from self._page(rule, prelude)
        elif name == "font-face":
            yield from self._font_face(rule)
        elif name not in (
            "charset",
            "keyframes",
            "-webkit-keyframes",
            "-moz-keyframes",
            "namespace",
            "property",
            "viewport",
        ):
            self._warn("CSS_UNSUPPORTED", f"@{name} {prelude[:60]} is not supported and was ignored.")

    def _inside(self, content: Any, depth: int) -> Iterator[str]:
        for each in tinycss2.parse_rule_list(content, skip_comments=True, skip_whitespace=True):
            yield from self._rule(each, depth + 1)

    def _import(self, prelude: list[Any], depth: int) -> None:
        token = next((each for each in prelude if each.type in ("string", "url", "function")), None)
        if token is None:
            return
        url = (
            token.value
            if token.type != "function"
            else "".join(each.value for each in token.arguments if each.type == "string")
        )
        if is_inline(url) and depth < 4:
            self.add(data_of(url).decode("utf-8", "replace"), depth=depth + 1)
        else:
            blocked(url, self._warn)

    def _page(self, rule: Any, prelude: str) -> Iterator[str]:
        kept, nested = declarations(rule.content or [], self._warn, inside=_PAGE_PROPERTIES)
        frames = []
        for each in nested:
            if each.type == "at-rule" and each.lower_at_keyword == "frame":
                inner, _ = declarations(each.content or [], self._warn, inside=_PAGE_PROPERTIES)
                frames.append(f"@frame {tinycss2.serialize(each.prelude).strip()} {{ {'; '.join(inner)} }}")
            elif each.type == "at-rule":
                self._warn(
                    "CSS_UNSUPPORTED",
                    f"@page @{each.lower_at_keyword[:40]} is not supported; use the header and footer options.",
                )
        if prelude.lower() not in ("", ":left", ":right") and prelude.startswith(":"):
            self._warn("CSS_UNSUPPORTED", f"@page {prelude[:60]} is not supported and was ignored.")
            return
        if not frames and not any(text.startswith(_MARGINS) for text in kept):
            kept.insert(0, f"margin: {DEFAULT_MARGIN}")
        yield f"@page {prelude} {{ {'; '.join(kept)}; {' '.join(frames)} }}"

    def _font_face(self, rule: Any) -> Iterator[str]:
        family, source, others = None, None, []
        for each in tinycss2.parse_blocks_contents(rule.content or [], skip_comments=True, skip_whitespace=True):
            if each.type != "declaration":
                continue
            if each.lower_name == "src":
                urls = [token.value for token in each.value if token.type == "url"]
                urls += [
                    inner.value
                    for token in each.value
                    if token.type == "function" and token.lower_name == "url"
                    for inner in token.arguments
                    if inner.type == "string"
                ]
                source = next(filter(is_inline, urls), source)
                if source is None:
                    for url in urls:
                        blocked(url, self._warn)
            elif each.lower_name == "font-family":
                family = declaration(each, self._warn)
            elif each.lower_name in ("font-weight", "font-style"):
                text = tinycss2.serialize(each.value).strip().lower()
                others.append(f"{each.lower_name}: {'normal' if text in ('100', '200', '300', '400') else text[:20]}")
        if family and source and '"' not in source:
            yield f'@font-face {{ {family}; src: url("{source.strip()}"); {"; ".join(others)} }}'


def _written(selector: list[Any]) -> str:
    """A selector as the engine reads it: where an attribute has no element before it, it would end the selector."""
    text, begins = "", True
    for token in selector:
        if token.type == "[] block" and begins:
            text += "*"
        if token.type == "function":
            text += f"{token.name}({_written(token.arguments)})"
        else:
            text += token.serialize()
        begins = token.type in ("whitespace", "comment") or (token.type == "literal" and token.value in ">+~,")
    return text


def _split(tokens: list[Any]) -> list[list[Any]]:
    """A selector list's selectors."""
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]
