"""References: the bibliography that a LaTeX file may carry inside, for what it cites."""

from __future__ import annotations

import re

_INSIDE = re.compile(
    r"\\begin\{filecontents(\*?)\}(?:\[[^\]\n]{0,100}\])?\{([^{}\n]{1,300})\.bib\}(.*?)\\end\{filecontents\1\}",
    re.DOTALL,
)
_NAMED = re.compile(r"\\(?:bibliography|addbibresource)(?:\[[^\]\n]{0,200}\])?\{([^{}\n]{1,500})\}")


def taken_out(text: str) -> tuple[str, str]:
    """`text` without the files of BibTeX inside and the commands that name only them, and what is in these files."""
    found = list(_INSIDE.finditer(text))
    if not found:
        return text, ""
    names = {each[2].strip() for each in found}
    rest = _INSIDE.sub("", text)

    def known(command: re.Match[str]) -> str:
        return "" if {each.strip().removesuffix(".bib") for each in command[1].split(",")} <= names else command[0]

    return _NAMED.sub(known, rest), "\n".join(each[3] for each in found)
