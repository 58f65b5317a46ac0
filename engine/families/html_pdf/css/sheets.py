"""Lower style sheets to the CSS that PlutoPrint supports, and report the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.families.html_pdf.css import lightning
from engine.families.html_pdf.css.declarations import ESCAPED, QUOTED, Declarations
from engine.families.html_pdf.css.flattening import flattened
from engine.families.html_pdf.css.ignored import Ignored, unselected
from engine.families.html_pdf.css.layers import Layers
from engine.families.html_pdf.css.unused_rules import sifted
from engine.families.html_pdf.source import fields, gauges, limits
from engine.families.html_pdf.source.references import blocked, is_inline, sheet_of
from engine.families.html_pdf.source.set_aside import SetAside
from engine.families.html_pdf.source.style_addresses import IMPORT
from engine.toolkit.warnings import Warn

_RESET = ":root{--lightningcss-light:initial;--lightningcss-dark: }"
_TEXT = rf'(?:[^{{}}"\'\\]|{ESCAPED}|{QUOTED})*+'
_RULE = re.compile(rf"({_TEXT})(?:\{{({_TEXT})\}}|.?)", re.DOTALL)
"""A rule, or a text that has none: up to a brace, the end, or a quotation mark that has no other."""
_BOX = re.compile(r"([^@]+);\s*+(@[\w-]++)\s*+")
"""The beginning of a margin box in an `@page` rule, behind declarations of the rule."""
_ESCAPED = r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))"
_ESCAPE = re.compile(_ESCAPED, re.DOTALL)
_NAME = re.compile(rf"([.#])((?:[\w\-\x80-\U0010ffff]|{_ESCAPED})+)|(?<![\w\\.#-])([A-Za-z][\w-]*)", re.DOTALL)
_PSEUDO = re.compile(r"(?<!\\)(?:::?[\w-]+(?:\((?:[^()]|\([^()]*\))*+\))?|\[(?:[^\[\]\"']|\"[^\"]*\"|'[^']*')*+\])")
_COMMA = re.compile(r"(?<!\\),")
_NAMED_PAGE = re.compile(r"@page\s+[\w-]+\s*\{")
"""The page of a section; without others, as in files of office programs, it applies to all pages."""
_OF_ROOT = re.compile(r"(?::root|\bhtml)\b(?:(?!:root|\bhtml\b)[^{}])*+\{([^{}]*)\}")
_CUSTOM = re.compile(r"(?<![\w-])(?:(?!--[\w-])[\w-])*+(--[\w-]++)\s*+:\s*+([^;]*+)")


class Sheets:
    """Lowers the style sheets of one page, which uses the `names` `p`, `.class`, `#id`, and whose `sheets` have layers.

    Without `backgrounds`, these are dropped, and text colours that may need them. If `as_written`, declarations are
    lowered, but neither translated nor checked against PlutoPrint's features. With `set_aside`, lowered texts have
    short addresses for long embedded files.
    """

    def __init__(
        self,
        names: frozenset[str],
        warn: Warn,
        sheets: Iterable[str] = (),
        *,
        backgrounds: bool = True,
        as_written: bool = False,
        set_aside: SetAside | None = None,
    ) -> None:
        self._shortened = set_aside.shortened if set_aside is not None else str
        self.set_aside = set_aside or SetAside()
        self._layers = Layers(sheets)
        self._as_written = as_written
        self._names = names
        self._warn = warn
        self._inline: dict[str, str] = {}
        self._lowering = Declarations(warn, backgrounds=backgrounds)
        self.lowered: list[str] = []
        self.read: list[str] = []
        """The sheets before their declarations were lowered."""
        self.ignored = self._lowering.ignored
        self.fonts = self._lowering.fonts

    @property
    def has_grids(self) -> bool:
        return self._lowering.has_grids

    @property
    def has_shares(self) -> bool:
        """Whether lengths mix a share of the room with other units."""
        return self._lowering.has_shares

    def sheet(self, text: str, media: str = "") -> str:
        """Lower a style sheet, for `media` only. Raises OverLimit for one that is too large."""
        text = self._shortened(text)
        if text.count("{") > limits.MOST_RULES and len(text) <= limits.MOST_SHEETS:
            text = sifted(text, self.may_select)  # the size of a whole framework's sheet
        limits.check_sheet(text)
        text = _spelled(text)
        if media.strip() not in ("", "all"):
            text = f"@media {media}{{{text}}}"
        text = self._imports(lightning.lowered(text), 0)
        if self._as_written and text.count("@page") == 1:
            text = _NAMED_PAGE.sub("@page{", text)
        for body in _OF_ROOT.findall(text) if "gradient(" in text else ():
            self._lowering.variables = {**dict(reversed(_CUSTOM.findall(body))), **self._lowering.variables}
        lowered = self._rules(text)
        if "--lightningcss-light" in lowered:
            lowered = _RESET + lowered
        self.lowered.append(lowered)
        return lowered

    def inline(self, text: str) -> str:
        """Lower a `style` attribute."""
        if text not in self._inline:
            short = self._shortened(text)
            limits.check_sheet(short)
            found = _spelled(short)
            if lightning.has_new_syntax(short):
                lowered = lightning.lowered(f"x{{{found}}}").strip()
                found = lowered[2:-1] if lowered.startswith("x{") and lowered.count("{") == 1 else found
            self._inline[text] = self._declarations(found, "")
            self.lowered.append(f"x{{{self._inline[text]}}}")
        return self._inline[text]

    def may_select(self, selector: str) -> bool:
        """Whether the page has an element for every name in one of the selectors."""
        if "@" in selector:
            return True
        for each in _COMMA.split(_PSEUDO.sub("", selector)):
            if all(_named(*found) in self._names for found in _NAME.findall(each)):
                return True
        return False

    def _imports(self, text: str, depth: int) -> str:
        def imported(match: re.Match[str]) -> str:
            url = match[1].strip("\"' ")
            if not is_inline(url) or depth > 3:
                blocked(url, self._warn)
                return ""
            sheet = self._shortened(sheet_of(url))
            limits.check_sheet(sheet)
            sheet = self._imports(lightning.lowered(sheet), depth + 1)
            return f"@media {match[2]}{{{sheet}}}" if match[2].strip() else sheet

        return IMPORT.sub(imported, text) if "@import" in text else text

    def _rules(self, text: str) -> str:
        text = flattened(text, self._warn, self._layers).replace(":where(", ":is(")
        self.read.append(text)
        return _RULE.sub(self._rule, text)

    def _rule(self, match: re.Match[str]) -> str:
        """A rule, or nothing if the page has no element for it."""
        selector, body = match[1], match[2]
        if body is None:
            return self._of_page(selector) + "}" if selector.strip() and match[0].endswith("}") else match[0]
        if (within := _BOX.fullmatch(selector)) is not None:
            return f"{self._of_page(within[1])};{within[2]}{{{self._declarations(body, within[2])}}}"
        if not self.may_select(selector):
            return ""
        selector = selector.strip()
        if (not_selected := unselected(selector)) and not self._as_written:
            self.ignored.append(Ignored(selector, body, f":{not_selected}", ""))
        return f"{gauges.selectors(fields.selectors(selector))}{{{self._declarations(body, selector)}}}"

    def _of_page(self, body: str) -> str:
        """The declarations of an `@page` rule that stand before or behind one of its margin boxes."""
        return self._declarations(body, "@page")

    def _declarations(self, body: str, selector: str) -> str:
        return body if self._as_written else self._lowering.lowered(body, selector)


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
