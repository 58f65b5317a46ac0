"""Parse and write the content lines of vCard (2.1, RFC 2426, RFC 6350) and iCalendar (RFC 5545)."""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.families.data.values import plain
from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_NESTED = 10
_HEAD = re.compile(r"(?:([\w-]++)\.)?+([\w-]++)")
_PARAMETER = re.compile(r';++\s*+([\w-]++)(?:=((?:"[^"]*+"|[^",;:]++)?+(?:,(?:"[^"]*+"|[^",;:]++)?+)*+))?+')
_VALUE = re.compile(r'(?:\A|,)("[^"]*"|[^",]*)')
_LINE_END = re.compile(r"\r{0,2}\n|\r")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CARET = re.compile(r"\^([n^'])")
_ENCODINGS = {"QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT"}
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_OCTETS = 75
_LOST = Kind(
    "CONTENT_DROPPED",
    "Lines without a property name and value, or outside any component, were left out: {count}{places}.",
)


@dataclass(frozen=True)
class Property:
    """One line: its name and parameters in upper case, and its value with escapes."""

    name: str
    value: str
    parameters: dict[str, list[str]] = field(default_factory=dict)
    group: str = ""

    def parameter(self, name: str) -> str:
        """The value of a parameter, or an empty text; one with commas outside of quotes is put together again."""
        return ",".join(self.parameters.get(name, ()))

    @property
    def text(self) -> str:
        """The value without its escapes."""
        return unescaped(self.value)

    @property
    def is_binary(self) -> bool:
        named = {each.upper() for each in self.parameters.get("ENCODING", ())}
        return bool(named & {"B", "BASE64"}) or self.value[:5].lower() == "data:"


@dataclass
class Component:
    """The content between a BEGIN and its END; `line` is that of its BEGIN."""

    name: str
    line: int
    properties: list[Property] = field(default_factory=list)
    children: list[Component] = field(default_factory=list)


def components(data: bytes, warn: Warn) -> list[Component]:
    """The outermost components of a file.

    Malformed lines, and lines after the last component, are reported. Raises Unreadable, with the line, for a component
    that does not end, and for a file that does not start with one.
    """
    found: list[Component] = []
    stack: list[Component] = []
    lost: list[int] = []
    line = 0
    for line, text in _unfolded(encodings.read(data, warn)):
        each = _property(text)
        if each is None:
            if not stack and not found:
                raise Unreadable(
                    say("Line {line} has no property name and value.", line=line), line=line, reason="damaged"
                )
            lost.append(line)
        elif each.name == "BEGIN":
            if len(stack) == MAX_NESTED:
                raise Unreadable("Components are nested too deeply.", line=line, reason="limit")
            stack.append(Component(each.value.strip().upper(), line))
        elif not stack:
            if not found or each.name == "END":
                raise Unreadable(say("Line {line} is outside BEGIN and END.", line=line), line=line, reason="damaged")
            lost.append(line)
        elif each.name == "END":
            done = stack.pop()
            if each.value.strip().upper() != done.name:
                raise Unreadable(
                    say("Line {line} ends a component that never began: {name} is open.", line=line, name=done.name),
                    line=line,
                    reason="damaged",
                )
            (stack[-1].children if stack else found).append(done)
        else:
            stack[-1].properties.append(each)
    if stack:
        raise Unreadable(
            say("{name} on line {line} has no END: the file is incomplete.", name=stack[-1].name, line=stack[-1].line),
            line=line,
            reason="damaged",
        )
    warn.tally(_LOST, len(lost), (f"line {each}" for each in lost))
    return found


def _unfolded(text: str) -> Iterator[tuple[int, str]]:
    """Each unfolded line with its number.

    Empty lines are left out, inside of folded ones as well; CR CR LF, which comes of converting line ends twice, is one
    line end.
    """
    parts: list[str] = []
    begun, soft = 0, False
    for number, line in enumerate(_LINE_END.split(text), 1):
        if parts and soft:
            parts.append(line)
        elif parts and line[:1] in (" ", "\t"):
            parts.append(line[1:])
        elif line.strip():
            if parts:
                yield begun, "".join(parts)
            parts, begun = [line], number
        # vCard 2.1 breaks quoted-printable values as mails do.
        soft = bool(parts) and parts[-1].endswith("=") and "QUOTED-PRINTABLE" in parts[0].partition(":")[0].upper()
        if soft:
            parts[-1] = parts[-1][:-1]
    if parts:
        yield begun, "".join(parts)


def _property(line: str) -> Property | None:
    """The property on a line, or None if it has no name and value."""
    head = _HEAD.match(line)
    if head is None:
        return None
    parameters: dict[str, list[str]] = {}
    at = head.end()
    while match := _PARAMETER.match(line, at):
        name, values = match[1].upper(), match[2]
        if values is None:  # vCard 2.1 may omit parameter names
            name, values = ("ENCODING" if name in _ENCODINGS else "TYPE"), match[1]
        split = _VALUE.findall(values)
        parameters.setdefault(name, []).extend(_CARET.sub(_caret_decoded, each.strip('"')) for each in split)
        at = match.end()
    if line[at : at + 1] != ":":
        return None
    value = line[at + 1 :]
    if any(each.upper() == "QUOTED-PRINTABLE" for each in parameters.get("ENCODING", ())):
        value = _from_quoted_printable(value, parameters)
    return Property(head[2].upper(), value, parameters, (head[1] or "").lower())


def _from_quoted_printable(value: str, parameters: dict[str, list[str]]) -> str:
    charset = next(iter(parameters.get("CHARSET", ())), "utf-8")
    data = quopri.decodestring(value.encode("utf-8", "surrogatepass"))
    try:
        decoded = data.decode(encodings.python_name(charset), "replace")
    except LookupError:
        decoded = data.decode("utf-8", "replace")
    return decoded.replace("\r\n", "\\n").replace("\n", "\\n")


def _parameter(value: str) -> str:
    """A value of a parameter, with quotes where it needs them (RFC 6868)."""
    clean = _CONTROL.sub("", plain(value).replace("^", "^^").replace('"', "^'").replace("\n", "^n"))
    return clean if re.fullmatch(r"[\w./+-]+", clean) else f'"{clean}"'


def _caret_decoded(match: re.Match[str]) -> str:
    return {"n": "\n", "^": "^", "'": '"'}[match[1]]  # RFC 6868


def unescaped(value: str) -> str:
    """A text with its escapes resolved (RFC 6350, section 3.4)."""
    return _ESCAPE.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)


def split(value: str, mark: str) -> list[str]:
    """The parts of a value between unescaped marks, each with its escapes resolved."""
    parts: list[list[str]] = [[]]
    for token in re.findall(rf"\\.|[^\\{mark}]+|.", value, re.DOTALL):
        if token == mark:
            parts.append([])
        else:
            parts[-1].append(token)
    return [unescaped("".join(each)) for each in parts]


def escaped(text: str) -> str:
    """A text escaped as a value."""
    lines = plain(text).replace("\\", "\\\\").replace("\r\n", "\n").replace("\r", "\n")
    return lines.replace("\n", "\\n").replace(",", "\\,").replace(";", "\\;")


def property_name(given: str) -> str:
    """The property name for a column: the standard one, else `X-` and its allowed characters."""
    bare = re.sub(r" \d+$", "", given)  # a numbered column, such as “email 2”
    if re.fullmatch(r"[A-Z][A-Z0-9-]*", bare) and bare not in ("BEGIN", "END"):
        return bare
    return f"X-{re.sub('[^A-Z0-9]+', '-', given.upper()).strip('-') or 'COLUMN'}"


def kept(value: str) -> str:
    """A raw property value: structured ones keep their escapes."""
    return value.replace("\n", "\\n") if ";" in value else escaped(value)


def written(name: str, value: str, **parameters: str | list[str]) -> bytes:
    """One folded line with its line end; empty parameters are left out, and the value must be escaped.

    Of a parameter with a list, each value is quoted by itself.
    """
    head = name
    for key, given in parameters.items():
        if values := [each for each in ([given] if isinstance(given, str) else given) if each]:
            head += f";{key}={','.join(map(_parameter, values))}"
    value = _CONTROL.sub("", value)
    data, lines, most = f"{head}:{value}".encode(), [], _OCTETS
    while len(data) > most:
        cut = most
        while data[cut] & 0xC0 == 0x80:  # not inside a character
            cut -= 1
        lines.append(data[:cut])
        data, most = data[cut:], _OCTETS - 1
    return b"\r\n ".join([*lines, data]) + b"\r\n"
