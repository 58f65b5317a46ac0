"""Order cascade layers by specificity, as PlutoPrint has no layers (CSS Cascade 5, 6.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import tinycss2

_LAYER = re.compile(r"@layer\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?|([{};])|@([\w-]+)([^{};\"'/]*)|[^{};\"'/@]+|.",
    re.DOTALL,
)
_NO_ID = "#_"
"""An ID that elements don't have: each in a `:not()` outweighs all classes and names of a selector."""
_PSEUDO_ELEMENT = re.compile(r"(?:::[\w-]+(?:\([^()]*\))?|:(?:before|after|first-line|first-letter))$")
_MOST = 600
"""The maximum IDs that a selector gets; with more layers, these are only in order."""
_DEEPEST = 20
"""The layers in one another that are told apart."""


class Layers:
    """The layers of all style sheets of a page: those that win over others come later."""

    def __init__(self, sheets: Iterable[str] = ()) -> None:
        texts = [*sheets]
        self._names: dict[str, dict[str, Any]] = {}
        self._unnamed = 0
        self._ranks: dict[str, int] = {}
        self._weight = 0
        if any(_LAYER.search(each) for each in texts):
            for each in texts:
                self._collect(each)
            self._rank(self._names, "")
            self._unnamed = 0
            selectors = (before for each in texts for before in each.split("{"))
            self._weight = 2 + max(each.rpartition("}")[2].rpartition(";")[2].count("#") for each in selectors)
        if self._weight * len(self._ranks) > _MOST:
            self._weight = 0

    @property
    def are_weighed(self) -> bool:
        """Whether rules are ordered by their specificity."""
        return self._weight > 0

    def inner(self, layer: str, name: str) -> str:
        """The full name of a layer in another; one without a name is different each time."""
        name = name.strip()
        if not name:
            self._unnamed += 1
            name = f"<{self._unnamed}>"
        if layer.count(".") >= _DEEPEST:
            return layer
        return f"{layer}.{name}" if layer else name

    def rank(self, layer: str) -> int:
        """The place of a layer among all; rules outside of layers are the last."""
        return self._ranks.get(layer, len(self._ranks)) if layer else len(self._ranks)

    def weighed(self, rule: Any, layer: str) -> str:
        """A style rule with the specificity of its layer; important declarations count the other way round."""
        rank, last = self.rank(layer), len(self._ranks)
        usual, important = list[str](), list[str]()
        for each in tinycss2.parse_declaration_list(rule.content, skip_comments=True, skip_whitespace=True):
            if each.type == "declaration":
                (important if each.important else usual).append(each.serialize())
        pairs = ((usual, rank), (important, last - rank))
        return "".join(f"{self._heavier(rule.prelude, level)}{{{';'.join(found)}}}" for found, level in pairs if found)

    def _heavier(self, selectors: list[Any], level: int) -> str:
        ids = level * self._weight * _NO_ID
        parts: list[list[Any]] = [[]]
        for each in selectors:
            if each == ",":
                parts.append([])
            else:
                parts[-1].append(each)
        found = (tinycss2.serialize(part).strip() for part in parts)
        return ",".join(self._with_ids(each, ids) if ids else each for each in found)

    def _with_ids(self, selector: str, ids: str) -> str:
        at = _PSEUDO_ELEMENT.search(selector)
        end = at.start() if at else len(selector)
        return f"{selector[:end]}:not({ids}){selector[end:]}"

    def _collect(self, text: str) -> None:
        """Find the layers of a sheet, in order, without parsing what is in them."""
        opened = [""]
        layers: list[str] | None = None
        for mark, name, prelude in (token.groups() for token in _TOKEN.finditer(text)):
            if name:
                layers = prelude.split(",") if name.lower() == "layer" else None
            elif mark == "}":
                opened = opened[:-1] or [""]
            elif mark:
                inner = [self.inner(opened[-1], each) for each in layers or ()]
                for each in inner:
                    self._put(each)
                if mark == "{":
                    opened.append(inner[0] if inner else opened[-1])
            if mark:
                layers = None

    def _put(self, layer: str) -> None:
        names = self._names
        for each in layer.split("."):
            names = names.setdefault(each, {})

    def _rank(self, names: dict[str, Any], layer: str) -> None:
        """Number the layers, those inside another before it, as its own rules win over them."""
        for name, inside in names.items():
            full = f"{layer}.{name}" if layer else name
            self._rank(inside, full)
            self._ranks[full] = len(self._ranks)
