"""Find the declarations of a few elements, to know where browser defaults still apply."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import cssselect2

from engine.families.html_pdf.css.rules import rules
from engine.families.html_pdf.source.cleaning import Element, Page
from engine.toolkit.selectors import compiled, of_elements, visited

Declared = dict[Element, dict[str, str]]
"""The declarations of each element by name, as written; shorthands are not expanded."""
Pair = tuple[str, str]


def declared(
    root: Element,
    sheets: Iterable[str],
    names: Iterable[str],
    elements: Iterable[Element] | None,
    *,
    media: str,
    merged: Callable[[list[Pair]], dict[str, str]] = dict,
) -> Declared:
    """The properties `names` of `elements`, or of all that a rule sets them for (CSS Cascade 4, 6).

    Of several declarations of one property the last is used, unless they are `merged` in another way.
    """
    read = re.compile(rf"(?:^|;)\s*({'|'.join(map(re.escape, names))})\s*:\s*([^;]*)")
    matcher = cssselect2.Matcher()
    found: Declared = {}
    any_rule = False
    for order, (selectors, body) in enumerate(rules(sheets, media)):
        block = read.findall(body)
        if not block or selectors == "x":  # a `style` attribute, which is read from its element
            continue
        for each in of_elements(selectors):
            matcher.add_selector(each, (order, block))
            any_rule = True
    wanted = None if elements is None else set(elements)
    if wanted is not None:
        found = {each: merged(read.findall(each.get("style") or "")) for each in wanted}
    if not any_rule or wanted == set():
        return found
    for wrapped in visited(root):
        element = wrapped.etree_element
        if wanted is not None and element not in wanted:
            continue
        matched = matcher.match(wrapped)
        if matched:
            pairs = [pair for _, _, _, (_, block) in matched for pair in block]
            found[element] = merged([*pairs, *read.findall(element.get("style") or "")])
    return found


def of_page(
    page: Page,
    sheets: Iterable[str],
    names: Iterable[str],
    *,
    media: str,
    merged: Callable[[list[Pair]], dict[str, str]] = dict,
) -> Declared:
    """The properties `names` of all elements for which a rule or a `style` attribute sets them."""
    found = declared(page.root, sheets, names, None, media=media, merged=merged)
    styled = [each for each in page.styled if each not in found]
    return found | declared(page.root, (), names, styled, media=media, merged=merged)


def in_order(pairs: list[Pair]) -> dict[str, str]:
    """The values that apply by name, in the order in which they have to be declared."""
    kept: dict[str, str] = {}
    for name, value in sorted(pairs, key=lambda pair: pair[1].rstrip().lower().endswith("!important")):
        kept.pop(name, None)
        kept[name] = value.strip()
    return kept


def reached(root: Element, sheets: Iterable[str], selecting: re.Pattern[str], parent: Element, *, media: str) -> bool:
    """Whether a rule whose selector contains one of `selecting` applies to anything in `parent`."""
    found = selected(root, sheets, selecting, media=media)
    return found is None or not found.isdisjoint(parent.iter())


def selected(root: Element, sheets: Iterable[str], selecting: re.Pattern[str], *, media: str) -> set[Element] | None:
    """The elements to which a rule applies whose selector contains one of `selecting`; None if that is unknown."""
    matcher = cssselect2.Matcher()
    any_rule = False
    for selectors, _ in rules(sheets, media):
        if not selecting.search(selectors):
            continue
        try:
            parsed = compiled(selectors)
        except cssselect2.SelectorError:
            return None
        for each in parsed:
            matcher.add_selector(each, None)
            any_rule = True
    return {each.etree_element for each in visited(root) if matcher.match(each)} if any_rule else set()


def word_of(declarations: Declared, element: Element, name: str) -> str:
    """The value that an element declares for a property, in small letters and without `!important`; or empty."""
    return declarations.get(element, {}).get(name, "").replace("!important", "").strip().lower()
