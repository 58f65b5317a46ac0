"""Remove and report includes of other files before pandoc reads a text."""

from __future__ import annotations

import re

from engine.families.documents.markup import comments
from engine.toolkit.formats import ASCIIDOC, LATEX, ORG, TYPST, Format
from engine.toolkit.office_links import blocked
from engine.toolkit.warnings import Warn

_ASCIIDOC = re.compile(r"^include::([^\[\n]{1,500})\[[^\n]*$", re.MULTILINE)
_MEDIA = re.compile(r"^(?:video|audio)::([^\[\n]{1,500})\[[^\n]*$", re.MULTILINE)
_CONTENTS = re.compile(r"^toc::\[[^\n]*$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"^:(!?)([\w][\w-]*)(!?):(?:[ \t]|$)", re.MULTILINE)
_CONDITION = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\[\n]*)\[([^\n]*)\][ \t]*")
_TYPST = re.compile(
    r"#?(?:include|import)[ \t]+\"([^\"\n]{1,500})\"(?:[ \t]*(?::[ \t]*(?:\([^()]{0,2000}\)|[^\n]*)|as[ \t]+[^\n]*))?"
)
_TYPST_LINE = re.compile(r"^[ \t]*(?=#(?:include|import)[ \t]+\")", re.MULTILINE)
_TYPST_FILES = re.compile(r"#bibliography\([ \t]*\(?[ \t\n]*\"([^\"\n]{1,500})\"[^()\n]{0,1000}\)?[^()\n]{0,1000}\)")
_SETUP = re.compile(r"^#\+(?:SETUPFILE|BIBLIOGRAPHY):[ \t]*(.{1,500})$", re.MULTILINE | re.IGNORECASE)
_BIBLIOGRAPHY = re.compile(r"\\(?:bibliography|addbibresource)\{([^{}\n]{1,500})\}")


def without_includes(text: str, format: Format, warn: Warn) -> str:
    """`text` without its includes, each of which is reported by `warn`."""
    if format is ASCIIDOC:
        text = _conditions(comments.without_comments(text))
        text = _named(_ASCIIDOC, text, warn)
        text = _named(_MEDIA, text, warn)
        return _CONTENTS.sub("", text)
    if format is TYPST:
        text = _named(_TYPST_FILES, text, warn)
        return _typst(text, warn)
    if format in (ORG, LATEX):
        for found in (_SETUP if format is ORG else _BIBLIOGRAPHY).finditer(text):
            warn("REMOTE_RESOURCE_BLOCKED", blocked(found[1].strip().strip('"')))
    return text


def _named(pattern: re.Pattern[str], text: str, warn: Warn) -> str:
    for found in pattern.finditer(text):
        warn("REMOTE_RESOURCE_BLOCKED", blocked(found[1].strip()))
    return pattern.sub("", text)


def _typst(text: str, warn: Warn) -> str:
    made, at = [], 0
    for line in _TYPST_LINE.finditer(text):
        found = _TYPST.match(text, line.end())
        if found is not None and line.start() >= at:
            warn("REMOTE_RESOURCE_BLOCKED", blocked(found[1]))
            made.append(text[at : line.start()])
            at = found.end()
    return "".join((*made, text[at:]))


def _conditions(text: str) -> str:
    """An AsciiDoc text without the conditional parts whose attributes are not set in it (or are, for `ifndef`)."""
    if not any(each in text for each in ("ifdef::", "ifndef::", "ifeval::", "endif::")):
        return text
    kept: list[str] = []
    given: set[str] = set()
    shown: list[bool] = []
    for line in text.split("\n"):
        found = _CONDITION.fullmatch(line)
        if found is None:
            if all(shown):
                kept.append(line)
                if attribute := _ATTRIBUTE.match(line):
                    (given.discard if attribute[1] or attribute[3] else given.add)(attribute[2])
        elif found[1] == "endif":
            del shown[-1:]
        else:
            any_of = "," in found[2] or "+" not in found[2]
            names = [each.strip() in given for each in re.split(r"[,+]", found[2])]
            true = any(names) if any_of else all(names)
            true = found[1] == "ifeval" or true == (found[1] == "ifdef")
            if found[1] != "ifeval" and found[3]:
                kept += [found[3]] if true and all(shown) else []
            else:
                shown.append(true)
    return "\n".join(kept)
