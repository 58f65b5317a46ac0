"""Count the elements of an XML part that its reader does not support."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.toolkit.messages import say
from engine.toolkit.warnings import MAX_EXAMPLES, Warn

_OFF = frozenset(("0", "false", "off", "none", "nil", "clear"))


@dataclass(frozen=True)
class Vocabulary:
    """The elements of a markup language that a reader supports, by name as `prefix:name`.

    `prefixes` map the language's namespaces; elements of other namespaces are ignored. `understood` elements have an
    effect, the loss of `unseen` ones is not visible; the content of both is searched. `conditions` map an understood
    name to a test whether an element requires something unsupported; `branch` returns the content to read of an element
    with alternatives.
    """

    prefixes: Mapping[str, str]
    understood: frozenset[str]
    unseen: frozenset[str]
    conditions: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    branch: Callable[[Any], Any | None] = lambda element: None

    def unknown(self, roots: Iterable[Any]) -> Counter[str]:
        """Count the occurrences of each unsupported name, without the content of such elements."""
        found: Counter[str] = Counter()
        stack = list(roots)
        while stack:
            element = stack.pop()
            name = self._name(element)
            if not name:
                continue
            condition = self.conditions.get(name)
            if name not in self.understood and name not in self.unseen:
                found[name] += not _is_off(element)
                continue
            if condition is not None and condition(element):
                found[name] += 1
            chosen = self.branch(element)
            stack += element if chosen is None else chosen
        return found

    def _name(self, element: Any) -> str:
        if not isinstance(element.tag, str):
            return ""
        namespace, _, name = element.tag.rpartition("}")
        prefix = self.prefixes.get(namespace[1:])
        return f"{prefix}:{name}" if prefix else ""


def report(found: Counter[str], warn: Warn) -> None:
    """Warn of the elements that were counted, the most frequent first."""
    if shown := most_frequent(found):
        warn(
            "NOT_UNDERSTOOD",
            say("Elements in the file have no effect here: {count} ({shown}).", count=found.total(), shown=shown),
        )


def most_frequent(found: Counter[str]) -> str:
    """The first few names, the most frequent first, with their counts; empty if there are none."""
    names = [f"{name} × {count}" if count > 1 else name for name, count in found.most_common() if count]
    return f"{', '.join(names[:MAX_EXAMPLES])}{', …' if len(names) > MAX_EXAMPLES else ''}"


def _is_off(element: Any) -> bool:
    """Return whether an element only turns something off."""
    said = [value for name, value in element.attrib.items() if name.rpartition("}")[2] == "val"]
    return bool(said) and said[0].lower() in _OFF and not len(element)
