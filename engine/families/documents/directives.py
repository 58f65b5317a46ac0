"""Read code in directives of MyST Markdown as code, and show other directives as they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.toolkit.warnings import Kind, Warn

_OPTIONS = Kind("METADATA_DROPPED", "Options of code cells were left out: {count}{places}.")
_FENCE = re.compile(r"([ \t>]*+)(`{3,}+|~{3,}+)(?:\{([\w:.+-]++)\}[ \t]*+([^`\n]*+))?(.*)")
_ANY = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})\{", re.MULTILINE)
_OPTION = re.compile(r"[ \t>]*:[\w-]+:.*")
_LANGUAGE = re.compile(r"[\w+#.-]*")
_CODE = frozenset({"code", "code-block", "code-cell", "sourcecode"})
_SPELLED = {"ipython": "python", "ipython3": "python", "": "python"}
"""The languages of code cells by the names of their kernels."""


@dataclass
class Directives:
    """A Markdown text without directives of code and their `options`; others are `shown` as they are written."""

    text: str
    shown: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)

    def report(self, warn: Warn) -> None:
        """Warn of what is left out."""
        warn.tally(_OPTIONS, len(self.options), self.options)
        warn.leave_out(self.options)


def read(text: str) -> Directives:
    """Return the text with code of directives in its language, and other directives inside their own blocks.

    CommonMark takes the name of a directive for a language and drops what is behind it, such as the name of a picture.
    """
    if not _ANY.search(text):
        return Directives(text)
    lines: list[str] = []
    found = Directives("")
    mark = ""
    leading = after = False
    for line in text.split("\n"):
        if leading and _OPTION.fullmatch(line):
            found.options.append(line.strip(" \t>"))
            after = True
            continue
        leading = False
        if after and not line.strip():
            after = False
            continue
        after = False
        fence = _FENCE.fullmatch(line) if line.lstrip(" \t>")[:1] in ("`", "~") else None
        if fence is None:
            lines.append(line)
        elif mark:
            if fence[2].startswith(mark) and not (fence[3] or fence[5].strip()):
                mark = ""
            lines.append(line)
        else:
            mark = fence[2]
            indent, name, argument = fence[1], fence[3], (fence[4] or "").strip()
            if name is None:
                lines.append(line)
            elif name.lower() in _CODE:
                language = (_LANGUAGE.match(argument) or [""])[0]
                cell = name.lower() == "code-cell"
                lines.append(f"{indent}{mark}{_SPELLED.get(language, language) if cell else language}")
                leading = True
            else:
                whole = f"{{{name}}} {argument}".strip()
                found.shown.append(whole)
                lines += [indent + mark, indent + whole]
    found.text = "\n".join(lines)
    return found
