"""Read XML (1.0, fifth edition) safely as documents.

Attributes get a prefix, text besides them is `#text`, repeated elements become a list. Internal entities are expanded,
up to a limit; external ones are never loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from engine.families.data.features import Feature
from engine.families.data.row_lists import TEXT
from engine.families.data.table import Documents
from engine.families.data.values import Value
from engine.toolkit.failures import Unreadable
from engine.toolkit.json_values import MAX_DEPTH
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_GROWTH = 10_000_000
"""Characters by which entities may make a document longer than its file."""

_APART = Kind(
    "VALUE_CONVERTED",
    "Elements with the same name became one list, so their order among other elements is lost: {count}{places}.",
)
_CODES = expat.errors.messages


def read(source: Path, options: Any, warn: Warn) -> Documents:
    """Return the document of an XML file: an object with the root element's name as its one key.

    Raises Unreadable, with line and column, for XML that is not well-formed, refers to an external entity, expands too
    much, or nests too deep.
    """
    builder = _Builder(options, warn)
    handlers: dict[str, Callable[..., None]] = {
        "CommentHandler": builder.comment,
        "ProcessingInstructionHandler": builder.instruction,
        "StartCdataSectionHandler": builder.literal,
        "EndCdataSectionHandler": builder.literal_ended,
    }
    parse(source.read_bytes(), builder.start, builder.end, builder.text, warn, handlers)
    builder.report()
    documents = Documents(lambda: iter([[builder.root]]), many=False)
    documents.found.put(Feature.COMMENT, builder.comments)
    return documents


def parse(
    data: bytes,
    start: Callable[[str, list[str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None],
    warn: Warn,
    others: dict[str, Callable[..., None]],
) -> None:
    """Run handlers over an untrusted document; attributes come as a list of names and values in turn."""
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    most = len(data) + MAX_GROWTH
    depth = grown = 0

    def refuse(reason: str) -> NoReturn:
        _fail(reason, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def doctype(name: str, system: str | None, public: str | None, declarations: int) -> None:
        if system:
            warn("CONTENT_DROPPED", "The document type (<!DOCTYPE>) was left out and its definition not loaded.")
        elif declarations:
            warn("CONTENT_DROPPED", "The document type (<!DOCTYPE>) was left out; its entities were written out.")
        else:
            warn("CONTENT_DROPPED", "The document type (<!DOCTYPE>) was left out.")

    def skipped(name: str, parameter: int) -> None:
        mark = "%" if parameter else "&"
        refuse(
            say(
                "The entity {mark}{name}; is not defined in the file. Replace it with its value",
                mark=mark,
                name=name,
            )
        )

    def outside(context: str | None, base: str | None, system: str | None, public: str | None) -> NoReturn:
        refuse(say("An entity refers to another file, which is not loaded; write out its content"))

    def grow(count: int) -> None:
        nonlocal grown
        grown += count
        if grown > most:
            refuse(say("Entities expand to too much text; use fewer of them"))

    def enter(name: str, attributes: list[str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            refuse(say("Elements are nested more than {max_depth} deep", max_depth=MAX_DEPTH))
        grow(len(name) + sum(map(len, attributes)))
        start(name, attributes)

    def content(content: str) -> None:
        grow(len(content))
        text(content)

    def leave(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name)

    parser.StartDoctypeDeclHandler = doctype
    parser.SkippedEntityHandler = skipped
    parser.StartElementHandler = enter
    parser.EndElementHandler = leave
    parser.CharacterDataHandler = content
    parser.ExternalEntityRefHandler = outside
    for name, handler in others.items():
        setattr(parser, name, handler)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = _CODES.get(error.code, "the syntax is wrong").capitalize()
        _fail(reason, error.lineno, error.offset + 1)
    except (LookupError, ValueError) as error:
        raise Unreadable(
            "The file's encoding is unknown. Save it as UTF-8 and try again.", line=1, reason="unsupported_feature"
        ) from error


def _fail(reason: str, line: int, column: int) -> NoReturn:
    raise Unreadable(
        say(
            "The XML can't be read at line {line}, column {column}: {reason}.", line=line, column=column, reason=reason
        ),
        line=line,
        column=column,
        reason="damaged",
    )


def _stripped_around(texts: list[str], first: int, last: int) -> str:
    """Join pieces of text, without blanks before the piece `first` and after those up to `last`, which are literal."""
    return "".join(texts[:first]).lstrip() + "".join(texts[first:last]) + "".join(texts[last:]).rstrip()


class _Builder:
    """Builds values from the events of one document; `root` is the result."""

    def __init__(self, options: Any, warn: Warn) -> None:
        self.prefix = options.attribute_prefix
        self.lists = {name.strip() for name in options.force_list.split(",")} - {""}
        self.strip = options.strip_whitespace
        self.warn = warn
        self.root: dict[str, Value] = {}
        self.stack: list[tuple[dict[str, Value], list[str]]] = [(self.root, [])]
        self.literals: dict[int, tuple[int, int]] = {}
        """The pieces of text from the first to the last CDATA section of an open element, by its depth."""
        self.comments = 0
        self.apart: Counter[str] = Counter()
        self.mixed: set[str] = set()

    def start(self, name: str, attributes: list[str]) -> None:
        prefix = self.prefix
        names = iter(attributes)
        self.stack.append(({prefix + key: value for key, value in zip(names, names, strict=True)}, []))

    def text(self, text: str) -> None:
        self.stack[-1][1].append(text)

    def literal(self) -> None:
        pieces = len(self.stack[-1][1])
        self.literals.setdefault(len(self.stack), (pieces, pieces))

    def literal_ended(self) -> None:
        depth = len(self.stack)
        self.literals[depth] = (self.literals[depth][0], len(self.stack[-1][1]))

    def comment(self, text: str) -> None:
        self.comments += 1

    def instruction(self, name: str, text: str) -> None:
        self.warn("CONTENT_DROPPED", say("The processing instruction <?{name}?> is not in the output.", name=name))

    def end(self, name: str) -> None:
        literal = self.literals.pop(len(self.stack), None)
        element, texts = self.stack.pop()
        text = texts[0] if len(texts) == 1 else "".join(texts)
        stripped = text.strip() if literal is None else _stripped_around(texts, *literal)
        value: Value = element
        if not element:
            value = (stripped if self.strip else text) or None
        elif stripped:
            if any(not key.startswith(self.prefix) for key in element) if self.prefix else len(texts) > 1:
                self.mixed.add(name)
            element[TEXT] = stripped if self.strip else text
        parent = self.stack[-1][0]
        if name not in parent:
            parent[name] = [value] if name in self.lists else value
        else:
            if next(reversed(parent)) != name:
                self.apart[name] += 1
            if type(parent[name]) is list:
                parent[name].append(value)
            else:
                parent[name] = [parent[name], value]

    def report(self) -> None:
        self.warn.tally(_APART, self.apart.total(), (f"<{name}>" for name in self.apart))
        for name in sorted(self.mixed):
            self.warn(
                "VALUE_CONVERTED",
                say("In <{name}>, text between elements was joined under {text}.", name=name, text=TEXT),
            )
