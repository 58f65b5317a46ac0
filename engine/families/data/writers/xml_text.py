"""Write documents as XML, and reformat XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.families.data.readers.xml_text import parse
from engine.families.data.row_lists import TEXT
from engine.families.data.table import Documents
from engine.families.data.values import Value, text
from engine.families.data.writers.cells import FORBIDDEN
from engine.families.data.writers.xml_names import NAME, NOT_IN_NAME, STARTS_NAME
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_RENAMED = Kind("COLUMN_RENAMED", "Names that XML doesn't allow were changed: {count}{places}.")
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_MARKUP = re.compile("[&<>\r\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write an XML document; a list, and a document without a single root, get a root element named `root`.

    Keys that begin with `attribute_prefix` and hold a scalar are attributes; `#text` is an element's text.
    """
    writer = _Writer(options, warn)
    with target.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_HEAD + writer.end)
        root = writer.name(options.root)
        if documents.many:
            item = writer.name(options.item)
            file.write(f"<{root}>")
            for batch in documents.batches():
                file.write("".join(piece for value in batch for piece in writer.element(item, value, 1)))
            file.write(f"{writer.end}</{root}>\n")
            return
        value = next(documents.batches())[0]
        if isinstance(value, dict) and len(value) == 1:
            (key, inner), *_ = value.items()
            if not isinstance(inner, list) and not writer.is_attribute(key, inner) and key != TEXT:
                writer.declare(inner)
                root, value = writer.name(key), inner
        pieces = "".join(writer.element(root, value, 0))
        file.write(pieces.removeprefix(writer.end) + "\n")


class _Writer:
    """Makes the text of elements; names that XML does not allow are changed, once each, with a warning."""

    def __init__(self, options: Any, warn: Warn) -> None:
        self.warn = warn
        self.prefix = options.attribute_prefix
        self.indent = " " * options.indent
        self.end = "\n" if options.indent else ""
        self.item = options.item
        self.names: dict[str, str] = {}
        self.renamed: list[str] = []
        self.namespaces = {"xml", "xmlns"}

    def name(self, key: str) -> str:
        known = self.names.get(key)
        if known is None:
            known = self.names[key] = self._allowed(key)
        return known

    def _allowed(self, key: str) -> str:
        prefix, colon, _ = key.partition(":")
        if NAME.fullmatch(key) and (not colon or prefix in self.namespaces):
            return key
        name = NOT_IN_NAME.sub("_", key)
        if not STARTS_NAME.match(name):
            name = "_" + name
        self.renamed.append(f"“{key}” as <{name}>")
        self.warn.tally(_RENAMED, len(self.renamed), self.renamed)
        return name

    def declare(self, value: Value) -> None:
        """Record the namespaces that an element declares, before names inside it are resolved."""
        if self.prefix and isinstance(value, dict):
            mark = self.prefix + "xmlns:"
            for key in value:
                if key.startswith(mark):
                    self.namespaces.add(key[len(mark) :])

    def is_attribute(self, key: str, value: Value) -> bool:
        return bool(self.prefix) and key.startswith(self.prefix) and not isinstance(value, dict | list)

    def element(self, name: str, value: Value, level: int) -> Iterator[str]:
        lead = self.end + self.indent * level
        if isinstance(value, dict):
            yield from self._object(name, value, level, lead)
        elif isinstance(value, list):
            if not value:
                yield f"{lead}<{name}/>"
                return
            yield f"{lead}<{name}>"
            for each in value:
                yield from self.element(self.name(self.item), each, level + 1)
            yield f"{lead}</{name}>"
        else:
            content = escaped(text(value), self.warn)
            yield f"{lead}<{name}>{content}</{name}>" if content else f"{lead}<{name}/>"

    def _object(self, name: str, value: dict[str, Value], level: int, lead: str) -> Iterator[str]:
        pairs: dict[str, str] = {}
        for key, inner in value.items():
            if self.is_attribute(key, inner):
                own = self.name(key[len(self.prefix) :])
                while own in pairs:
                    own += "_"
                pairs[own] = quoted(text(inner), self.warn)
        attributes = "".join(f' {own}="{quoted}"' for own, quoted in pairs.items())
        children = [(key, inner) for key, inner in value.items() if not self.is_attribute(key, inner)]
        content = "".join(escaped(text(inner), self.warn) for key, inner in children if key == TEXT)
        children = [(key, inner) for key, inner in children if key != TEXT]
        if not children:
            yield f"{lead}<{name}{attributes}>{content}</{name}>" if content else f"{lead}<{name}{attributes}/>"
            return
        yield f"{lead}<{name}{attributes}>{content}"
        for key, inner in children:
            for each in inner if isinstance(inner, list) else (inner,):
                self.declare(each)
            child = self.name(key)
            if not isinstance(inner, list):
                yield from self.element(child, inner, level + 1)
                continue
            if not inner:
                self.warn("CONTENT_DROPPED", say("The empty list “{key}” has no element in XML.", key=key))
            for each in inner:
                yield from self.element(child, each, level + 1)
        yield f"{lead}</{name}>"


def escaped(value: str, warn: Warn) -> str:
    """Escape text for element content."""
    if _MARKUP.search(value) is None:
        return value
    if FORBIDDEN.search(value):
        warn("ENCODING_REPLACED", "Control characters, which XML does not allow, became U+FFFD.")
        value = FORBIDDEN.sub("\ufffd", value)
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def quoted(value: str, warn: Warn) -> str:
    """Escape text for an attribute, where a parser would turn line breaks and tabs into spaces."""
    return escaped(value, warn).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")


def reformat(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Write the same XML document with even indentation, or with none; comments, order and mixed text stay."""
    layout = _Layout(options, warn)
    parse(
        source.read_bytes(),
        layout.start,
        layout.close,
        layout.text,
        warn,
        {
            "CommentHandler": layout.comment,
            "ProcessingInstructionHandler": layout.instruction,
            "StartCdataSectionHandler": layout.open_cdata,
            "EndCdataSectionHandler": layout.close_cdata,
        },
    )
    with target.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_HEAD)
        for node in layout.top:
            file.write("".join(layout.written(node, 0, spread=True)))
        file.write("\n")


class _Node:
    """An element, which has `children`, or a ready piece of text, which is `spaced` if it may move to another line."""

    __slots__ = ("children", "opening", "spaced")

    def __init__(self, opening: str, *, spaced: bool = True, children: list[_Node] | None = None) -> None:
        self.opening = opening
        self.spaced = spaced
        self.children = children

    @property
    def blank(self) -> bool:
        return self.children is None and not self.opening.strip()


class _Layout:
    """Collects the nodes of one document and writes them with new white space between elements."""

    def __init__(self, options: Any, warn: Warn) -> None:
        self.warn = warn
        self.indent = " " * options.indent
        self.end = "\n" if options.indent else ""
        self.top: list[_Node] = []
        self.stack = [self.top]
        self.cdata: list[str] | None = None

    def start(self, name: str, attributes: list[str]) -> None:
        names = iter(attributes)
        pairs = "".join(f' {key}="{quoted(value, self.warn)}"' for key, value in zip(names, names, strict=True))
        children: list[_Node] = []
        self.stack[-1].append(_Node(f"<{name}{pairs}", children=children))
        self.stack.append(children)

    def close(self, name: str) -> None:
        self.stack.pop()

    def text(self, content: str) -> None:
        if self.cdata is not None:
            self.cdata.append(content)
        else:
            self.stack[-1].append(_Node(escaped(content, self.warn), spaced=not content.strip()))

    def comment(self, content: str) -> None:
        self.stack[-1].append(_Node(f"<!--{content}-->"))

    def instruction(self, name: str, content: str) -> None:
        self.stack[-1].append(_Node(f"<?{name} {content}?>"))

    def open_cdata(self) -> None:
        self.cdata = []

    def close_cdata(self) -> None:
        content = "".join(self.cdata or ())
        self.cdata = None
        self.stack[-1].append(_Node(f"<![CDATA[{content}]]>", spaced=False))

    def written(self, node: _Node, level: int, *, spread: bool) -> Iterator[str]:
        lead = self.end + self.indent * level if spread else ""
        if node.children is None:
            yield lead + node.opening
            return
        # White space is insignificant only in elements without text.
        free = all(each.spaced for each in node.children)
        inner = [each for each in node.children if not each.blank] if free else node.children
        if not inner:
            yield f"{lead}{node.opening}/>"
            return
        yield f"{lead}{node.opening}>"
        for each in inner:
            yield from self.written(each, level + 1, spread=free)
        name = node.opening[1:].partition(" ")[0]
        yield f"{self.end + self.indent * level if free else ''}</{name}>"
