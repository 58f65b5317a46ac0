"""Apply style sheets to elements, as the engines don't support custom properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element

import cssselect2
import tinycss2

from engine.families.images.drawings import matching, values
from engine.families.images.drawings.values import Unknown
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.selectors import compiled
from engine.toolkit.warnings import Warn

MAX_RULES = 20_000

_STYLE_TYPES = ("", "text/css")
_SCREEN = re.compile(r"\s*(?:only\s+)?(?:screen|all)\b\s*(?:and\b)?|\s*", re.IGNORECASE)
_LIGHT = {"prefers-color-scheme": "light", "prefers-reduced-motion": "reduce", "prefers-contrast": "no-preference"}
_FEATURE = re.compile(r"\(\s*+([\w-]++)\s*+(?::\s*+((?:[^()\s]++|\s++(?!\)))*+)\s*+)?\)")
_POLYFILL = {"--lightningcss-dark": "", "--lightningcss-light": "initial"}
_MOVING = ("animation", "animation-name", "transition")
_LENGTH = re.compile(r"([\d.]+)(px|em|rem)?")

Winners = dict[str, str]


def name_of(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def inline(root: Element, size: tuple[float, float], warn: Warn) -> None:
    """Write the style sheets of a drawing into `style` attributes and remove the sheets (CSS Cascade 4, 6).

    Values are resolved as in `values`. `size` is the drawing's own in CSS pixels, for its media queries. Rules without
    effect in a still picture, and invalid ones, are reported. Raises OverLimit for too many rules.
    """
    sheets = list(_taken(root))
    text = "\n".join(sheets)
    attributes = any(
        "(" in value and ("var(" in value or values.plain(value) != value)
        for element in root.iter()
        for value in element.attrib.values()
        if len(value) < values.MAX_VALUE
    )
    if not text.strip() and not attributes:
        return
    matcher = _matcher(text, size, warn)
    _apply(root, matcher, warn)


def _taken(root: Element) -> Iterator[str]:
    for parent in list(root.iter()):
        for child in [each for each in parent if name_of(each) == "style"]:
            if (child.get("type") or "").strip().lower() in _STYLE_TYPES:
                media = (child.get("media") or "").strip()
                sheet = "".join(child.itertext())
                yield f"@media {media}{{{sheet}}}" if media else sheet
            parent.remove(child)


def _matcher(text: str, size: tuple[float, float], warn: Warn) -> cssselect2.Matcher | None:
    matcher, count = cssselect2.Matcher(), 0
    rules = tinycss2.parse_stylesheet(values.lowered(text), skip_comments=True, skip_whitespace=True)
    for prelude, content in _style_rules(rules, size, warn):
        try:
            selectors = compiled(prelude)
        except cssselect2.SelectorError:
            shown = " ".join(str(tinycss2.serialize(prelude)).split())[:80]
            warn("CSS_UNSUPPORTED", say("The selector “{shown}” can't be read; its rule was ignored.", shown=shown))
            continue
        declared = values.declarations(tinycss2.serialize(content))
        count += len(selectors)
        if count > MAX_RULES:
            raise OverLimit(
                "timeout", say("The style sheets have more than {max_rules} selectors.", max_rules=MAX_RULES)
            )
        for each in selectors:
            if each.pseudo_element is None:
                matcher.add_selector(each, declared)
    return matcher if count else None


def _style_rules(rules: Any, size: tuple[float, float], warn: Warn) -> Iterator[tuple[Any, Any]]:
    """The prelude and content of each rule that applies to a still picture on a screen."""
    for rule in rules:
        if rule.type == "qualified-rule":
            yield rule.prelude, rule.content
        elif rule.type == "at-rule" and rule.content is not None:
            prelude = str(tinycss2.serialize(rule.prelude))
            kind = rule.lower_at_keyword
            if kind == "font-face":
                warn("FONT_SUBSTITUTED", "Fonts embedded in the drawing were replaced.")
            elif kind.endswith("keyframes"):
                warn("ANIMATION_DROPPED", "The drawing is animated; only its first frame was kept.")
            elif (
                kind == "layer"
                or (kind == "media" and on_screen(prelude, size))
                or (kind == "supports" and not values.WIDE.search(prelude) and "not" not in prelude.lower())
            ):
                inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                yield from _style_rules(inner, size, warn)


def on_screen(queries: str, size: tuple[float, float]) -> bool:
    """Whether a media query list (Media Queries 4) matches a light screen of this size in CSS pixels."""
    return any(_holds(each, size) for each in queries.split(","))


def _holds(query: str, size: tuple[float, float]) -> bool:
    kind = _SCREEN.match(query)
    rest = query[kind.end() :] if kind else query
    if _FEATURE.sub("", rest).replace("and", "").strip():
        return False
    for name, value in _FEATURE.findall(rest.lower()):
        bound, _, side = name.rpartition("-")
        if name in _LIGHT:
            if value != _LIGHT[name]:
                return False
        elif side in ("width", "height") and bound in ("min", "max", ""):
            length = _LENGTH.fullmatch(value)
            own = size[side == "height"]
            wanted = float(length[1]) * (16 if length[2] in ("em", "rem") else 1) if length else -1.0
            if not {"min": own >= wanted, "max": own <= wanted, "": own == wanted}[bound] or not length:
                return False
        else:
            return False
    return True


def _apply(root: Element, matcher: cssselect2.Matcher | None, warn: Warn) -> None:
    """Walk the tree with inherited custom properties, and write the cascaded values of each element."""
    known: dict[Element, Mapping[str, str]] = {}
    for wrapped, found in matching.matched(root, matcher):
        element = wrapped.etree_element
        around = known[wrapped.parent.etree_element] if wrapped.parent is not None else _POLYFILL
        won = _winners(element, found)
        own = {name: value for name, value in won.items() if name.startswith("--")}
        known[element] = {**around, **own} if own else around
        _write(element, won, known[element], warn)


def _winners(element: Element, matched: Any) -> Winners:
    """The cascaded value of each property of an element; those with the highest precedence come last."""
    declared = [each for *_, rule in matched for each in rule]
    declared += values.declarations(element.get("style") or "") if element.get("style") else []
    won: Winners = {}
    for important in (False, True):
        for name, value, weighs in declared:
            if weighs == important and not values.WIDE.search(value):
                won.pop(name, None)
                won[name] = value
    return won


def _write(element: Element, won: Winners, known: Mapping[str, str], warn: Warn) -> None:
    kept = []
    for name, value in won.items():
        if name.startswith("--"):
            continue
        if name in _MOVING:
            if name != "transition" and value.split()[:1] not in ([], ["none"]):
                warn("ANIMATION_DROPPED", "The drawing is animated; only its first frame was kept.")
            continue
        try:
            kept.append(f"{name}:{values.plain(values.resolved(value, known))}")
        except Unknown:
            warn("CSS_UNSUPPORTED", "A style refers to a missing custom property and was ignored.")
    if kept:
        element.set("style", ";".join(kept))
    elif "style" in element.attrib:
        del element.attrib["style"]
    for name, value in element.attrib.items():
        if name != "style" and "(" in value and len(value) < values.MAX_VALUE:
            try:
                element.set(name, values.plain(values.resolved(value, known)))
            except Unknown:
                warn("CSS_UNSUPPORTED", "A style refers to a missing custom property and was ignored.")
