"""What a page's style sheets say of a few elements: enough to know where browsers' own rules still count."""

from __future__ import annotations

import re
from collections.abc import Iterable

import cssselect2

from conversions.families.html_pdf.css.rules import rules
from conversions.families.html_pdf.source.cleaning import Element
from conversions.toolkit.selectors import compiled

Declared = dict[Element, dict[str, str]]
"""The declarations of each element by name, as they are written; of shorthands only the shorthand."""


def declared(
    root: Element, sheets: Iterable[str], names: Iterable[str], elements: Iterable[Element] | None, *, media: str
) -> Declared:
    """The properties that are called `names`, of `elements`, or of all that a rule says them of (CSS Cascade 4, 6)."""
    read = re.compile(rf"(?:^|;)\s*({'|'.join(map(re.escape, names))})\s*:\s*([^;]*)")
    matcher = cssselect2.Matcher()
    found: Declared = {}
    any_rule = False
    for order, (selectors, body) in enumerate(rules(sheets, media)):
        said = read.findall(body)
        if not said or selectors == "x":  # a `style` attribute, which is read at its element
            continue
        try:
            parsed = compiled(selectors)
        except cssselect2.SelectorError:
            continue
        for each in parsed:
            if each.pseudo_element is None:
                matcher.add_selector(each, (order, said))
                any_rule = True
    wanted = None if elements is None else set(elements)
    if wanted is not None:
        found = {each: dict(read.findall(each.get("style") or "")) for each in wanted}
    if not any_rule or wanted == set():
        return found
    for wrapped in cssselect2.ElementWrapper.from_html_root(root).iter_subtree():
        element = wrapped.etree_element
        if wanted is not None and element not in wanted:
            continue
        matched = matcher.match(wrapped)
        if matched:
            merged: dict[str, str] = {}
            for _, _, _, (_, said) in matched:
                merged.update(said)
            found[element] = {**merged, **dict(read.findall(element.get("style") or ""))}
    return found


def reached(root: Element, sheets: Iterable[str], selecting: re.Pattern[str], parent: Element, *, media: str) -> bool:
    """Whether a rule whose selector has something of `selecting` in it applies to anything in `parent`."""
    matcher = cssselect2.Matcher()
    any_rule = False
    for selectors, _ in rules(sheets, media):
        if not selecting.search(selectors):
            continue
        try:
            parsed = compiled(selectors)
        except cssselect2.SelectorError:
            return True
        for each in parsed:
            matcher.add_selector(each, None)
            any_rule = True
    if not any_rule:
        return False
    within = set(parent.iter())
    return any(
        each.etree_element in within and matcher.match(each)
        for each in cssselect2.ElementWrapper.from_html_root(root).iter_subtree()
    )
