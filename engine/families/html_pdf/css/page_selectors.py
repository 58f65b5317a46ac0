"""The `@page` rules of named pages, resolved to the numbers of pages (CSS Paged Media 3, 4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.families.html_pdf.css.counters import number
from engine.families.html_pdf.css.pages import page_rules

_NESTED = re.compile(r"@[\w-]+\s*\{(?:[^{}\"']|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')*\}")
_RULE = re.compile(r"@page\b[^@{}]*\{(?:[^{}\"']|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|" + _NESTED.pattern + r")*\}")
_PAPER = re.compile(r"(?:^|(?<=;))\s*(?:size|margin(?:-(?:top|right|bottom|left))?)\s*:[^;{}]*;?")
_BOX = re.compile(r"@[\w-]+\s*\{(?:[^{}\"']|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')*\}")
_STRING = re.compile(r"string\(\s*([\w-]+)\s*(?:,\s*([a-z-]+)\s*)?\)", re.IGNORECASE)
_PAGES = re.compile(r"counter\(\s*pages\s*(?:,\s*([a-z-]+)\s*)?\)", re.IGNORECASE)
_SPECIFIC = {"first": 100, "blank": 100, "left": 1, "right": 1}
_NTH = re.compile(r"nth\(\s*+(?:(odd|even)|([+-]?\d{0,5})n\s*+(?:([+-])\s*+(\d{1,5}))?|\+?(\d{1,5}))\s*+\)")
_NAMED = 10_000


@dataclass(frozen=True)
class PageRule:
    """An `@page` rule for pages of a name, or of any name if that is empty, and of the given kinds."""

    name: str
    kinds: tuple[str, ...]
    body: str
    order: int

    @property
    def specificity(self) -> tuple[int, int]:
        """Its place in the cascade (CSS Paged Media 3, 4.4)."""
        return _NAMED * bool(self.name) + sum(_SPECIFIC.get(each, 100) for each in self.kinds), self.order

    @property
    def has_strings(self) -> bool:
        return _STRING.search(self.body) is not None


@dataclass(frozen=True)
class Stretch:
    """Pages that follow one another, from `first` to `last` in the layout, with the same name and named strings.

    `number` is that of the first one. `string` gives the text of a named string, with its keyword.
    """

    name: str
    first: int
    last: int
    number: int
    string: Callable[[str, str], str]
    restarts: bool = False
    """Whether the number of the first page is not that of the page before plus one."""


def rules(sheets: Iterable[str]) -> list[PageRule]:
    """The `@page` rules of these style sheets, later ones and those of more specific selectors last."""
    found: list[PageRule] = []
    for selectors, body in (each for sheet in sheets for each in page_rules(sheet)):
        for selector in selectors.split(","):
            name, *kinds = (each.strip() for each in selector.strip().split(":"))
            found.append(PageRule(name, tuple(kinds), body, len(found)))
    return sorted(found, key=lambda each: each.specificity)


def first_is_right(sheets: Iterable[str]) -> str:
    """Rules that give the first page the margin boxes of right pages, as it is one (CSS Paged Media 3, 3.3).

    They come before those of the page: PlutoPrint applies either kind to it.
    """
    rules = (each for sheet in sheets for each in page_rules(sheet))
    boxes = [each for selector, body in rules if selector == ":right" for each in _BOX.findall(body)]
    return f"@page :first{{{''.join(boxes)}}}" if boxes else ""


def without_rules(sheet: str) -> str:
    """A style sheet without its `@page` rules."""
    return _RULE.sub("", sheet)


def resolved(found: Sequence[PageRule], stretches: Iterable[Stretch], total: int) -> str:
    """The rules by page number, without size and margins; `total` is the number of all pages."""
    plain = [each for each in found if not each.name and not each.kinds and not each.has_strings]
    rest = [each for each in found if each.name or each.kinds or each.has_strings]
    made = [f"@page{{{_PAPER.sub('', each.body)}}}" for each in plain]
    for stretch in stretches:
        if stretch.restarts:
            made.append(f"@page {_pages(stretch.first, stretch.first)}{{counter-reset:page {stretch.number}}}")
        for each in rest:
            if each.name in ("", stretch.name.lower()):
                made += _of_stretch(each, stretch)
    return with_total("".join(made), total)


def with_total(text: str, total: int) -> str:
    """Rules in which the number of all pages is written out."""
    return _PAGES.sub(lambda match: f'"{number(total, match[1] or "")}"', text)


def _of_stretch(rule: PageRule, stretch: Stretch) -> Iterator[str]:
    first, last = stretch.first, stretch.last
    step = 1
    for kind in rule.kinds:
        if kind == "first":
            last = first if stretch.number == 1 and first == 1 else 0
        elif kind in ("left", "right"):
            first += _off(stretch.number, kind)
            step = 2
        elif step == 1 and (wanted := _NTH.fullmatch(kind)) is not None:
            first, last, step = _among(wanted, first, last)
        else:
            return  # blank pages and others
    if first <= last:
        body = _STRING.sub(lambda match: stretch.string(match[1], (match[2] or "first").lower()), rule.body)
        yield f"@page {_pages(first, last, step)}{{{_PAPER.sub('', body)}}}"


def _among(nth: re.Match[str], first: int, last: int) -> tuple[int, int, int]:
    """The first and last of the pages from `first` to `last` that `:nth()` selects, and the step between them."""
    word, step, sign, offset, single = nth.groups()
    if single:
        return (int(single), int(single), 1) if first <= int(single) <= last else (1, 0, 1)
    each = 2 if word else int(step if step.strip("+-") else f"{step}1")
    start = int(word == "odd") if word else int(f"{sign or ''}{offset or 0}")
    if each <= 0:
        last = min(last, start)
        each = abs(each) or 1
    else:
        first = max(first, start)
    return first + (start - first) % each, last, each


def _off(number: int, kind: str) -> int:
    """How many pages after one of a `number` the first left or right one is: right pages have odd numbers."""
    return int((number % 2 == 1) != (kind == "right"))


def _pages(first: int, last: int, step: int = 1) -> str:
    return f":nth({'' if step == 1 else step}n+{first}):nth(-n+{last})"
