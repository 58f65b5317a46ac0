"""Flatten the conditional and layered rules of a style sheet (CSS Cascade 5, 6.4; CSS Conditional Rules 3, 6)."""

from __future__ import annotations

import re
from typing import Any

import tinycss2

from engine.families.html_pdf.css.ignored import is_handled, standard
from engine.families.html_pdf.css.layers import Layers
from engine.families.html_pdf.css.properties import RENAMED
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_STRUCTURED = re.compile(r"@(?:layer|supports|container|scope|starting-style|property|-moz-document)\b", re.IGNORECASE)


def flattened(text: str, warn: Warn, layers: Layers) -> str:
    """A sheet without @layer and @supports: layered rules first, in layer order, then the others."""
    if not (layers.are_weighed or _STRUCTURED.search(text)):
        return text
    found: dict[str, list[str]] = {}
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    _collect(rules, "", layers, found, "", 0, warn)
    return "".join(part for layer in sorted(found, key=layers.rank) for part in found[layer])


def _collect(
    rules: Any,
    layer: str,
    layers: Layers,
    found: dict[str, list[str]],
    media: str,
    depth: int,
    warn: Warn,
) -> None:
    for rule in rules:
        name = rule.lower_at_keyword if rule.type == "at-rule" else ""
        prelude = tinycss2.serialize(rule.prelude).strip() if name else ""
        if name == "layer":
            if rule.content is not None:
                _collect(_list(rule), layers.inner(layer, prelude), layers, found, media, depth + 1, warn)
        elif name == "supports" and rule.content is not None:
            if _supported([each for each in rule.prelude if each.type not in ("whitespace", "comment")]):
                _collect(_list(rule), layer, layers, found, media, depth + 1, warn)
        elif name == "container" and rule.content is not None:
            warn(
                "CSS_UNSUPPORTED",
                say("@container {prelude} was applied to the page's width.", prelude=prelude[:60]),
            )
            query = prelude[prelude.find("(") :] if "(" in prelude else ""
            _collect(_list(rule), layer, layers, found, _media(media, query), depth + 1, warn)
        elif (
            name == "media"
            and rule.content is not None
            and (layers.are_weighed or _STRUCTURED.search(tinycss2.serialize(rule.content)))
        ):
            _collect(_list(rule), layer, layers, found, _media(media, prelude), depth + 1, warn)
        elif name in ("scope", "starting-style", "-moz-document"):
            warn(
                "CSS_UNSUPPORTED",
                say("@{name} {prelude} is not supported and was ignored.", name=name, prelude=prelude[:60]),
            )
        elif rule.type != "error" and name != "property":
            is_weighed = layers.are_weighed and rule.type == "qualified-rule"
            text = layers.weighed(rule, layer) if is_weighed else rule.serialize()
            found.setdefault(layer, []).append(f"@media {media}{{{text}}}" if media else text)


def _list(rule: Any) -> Any:
    return tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)


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
        return not lost and is_handled(standard(RENAMED.get(name, name)), value.strip())
    return _supported(inner)
