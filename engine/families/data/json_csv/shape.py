"""A tree of the keys of all rows, which grows while reading, and the columns derived from it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from engine.families.data.json_input.syntax import NULL, Members
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MAX_COLUMNS = 65_536
MAX_NAMES = 1 << 24
"""Total characters that the names of all columns may have."""


class Node:
    """A key at one path: a column, a group of nested columns, or both.

    `order` is its rank by first appearance among all columns, None while it has only nested keys. `valued` is true once
    it had a value other than null and nested keys. `at` is its column index in the output, or one past the last. `size`
    is the byte length of its key in the shortest spelling, with quotes and colon.
    """

    __slots__ = ("at", "key", "kids", "order", "path", "size", "valued")

    def __init__(self, key: str, path: tuple[str, ...]) -> None:
        self.key = key
        self.path = path
        self.kids: dict[str, Node] = {}
        self.order: int | None = None
        self.valued = False
        self.at = 0
        self.size = len(json.dumps(key, ensure_ascii=False).encode(errors="replace")) + 1


@dataclass
class Cells:
    """Sparse rows: the nodes of their values, and the index at which each row ends.

    The values are `tokens`, or, if given, `joined` with line feeds.
    """

    nodes: list[Node] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    joined: str | None = None


@dataclass(frozen=True)
class Batch:
    """Decoded rows: either finished lines, or cells to be arranged in columns."""

    count: int
    lines: str | None
    cells: Cells | None


class Shape:
    """All keys seen so far, and the columns last derived from them."""

    def __init__(self) -> None:
        self.root = Node("", ())
        self.columns: list[Node] = []
        self._appeared = 0
        self._touched = True
        self._names = 0

    def spread(self, rows: Iterable[Members]) -> Cells:
        """Return the cells of `rows`; new keys are added to the shape."""
        cells = Cells()
        for row in rows:
            self._spread(row, self.root, cells)
            cells.ends.append(len(cells.nodes))
        return cells

    def _spread(self, members: Members, parent: Node, cells: Cells) -> None:
        kids = parent.kids
        for key, value in members.items():
            node = kids.get(key)
            if node is None:
                node = self.add(parent, key)
            if isinstance(value, dict):
                self._spread(value, node, cells)
            else:
                self.see(node, value)
                cells.nodes.append(node)
                cells.tokens.append(value)

    def see(self, node: Node, token: str) -> None:
        """Record that the node itself has a value in some row."""
        if node.order is None:
            node.order = self._appeared
            self._appeared += 1
            self._touched = True
        if not node.valued and token != NULL:
            node.valued = True
            self._touched = True

    def add(self, parent: Node, key: str) -> Node:
        """Add a key below `parent` and return its node. Raises OverLimit if there are too many."""
        node = parent.kids[key] = Node(key, (*parent.path, key))
        self._touched = True
        self._names += sum(map(len, node.path))
        if self._names > MAX_NAMES or self._appeared > MAX_COLUMNS:
            raise OverLimit(
                "memory",
                say("The items have too many different keys: over {appeared} columns.", appeared=self._appeared),
            )
        return node

    @property
    def settled(self) -> bool:
        """Whether `columns` has all keys seen so far."""
        if self._touched:
            self._touched = False
            if self._current() != self.columns:
                self._touched = True
        return not self._touched

    def settle(self) -> None:
        """Set the columns to all keys seen so far, in order of first appearance."""
        self.columns = self._current()
        for node in self._walk(self.root):
            node.at = len(self.columns)
        for at, node in enumerate(self.columns):
            node.at = at
        self._touched = False

    def _current(self) -> list[Node]:
        # A key that is either null or has nested keys has no values itself, so no column.
        found = [node for node in self._walk(self.root) if node.order is not None and (node.valued or not node.kids)]
        return sorted(found, key=lambda node: cast(int, node.order))

    def _walk(self, parent: Node) -> Iterable[Node]:
        waiting = [parent]
        while waiting:
            node = waiting.pop()
            waiting.extend(node.kids.values())
            yield node
