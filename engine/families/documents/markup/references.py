"""Extract the embedded bibliography of a LaTeX file for its citations."""

from __future__ import annotations

import re

_INSIDE = re.compile(
    r"\\begin\{filecontents(\*?)\}(?:\[[^\]\n]{0,100}\])?\{([^{}\n]{1,300})\.bib\}((?:(?!\\begin\{filecontents).)*?)\\end\{filecontents\1\}",
    re.DOTALL,
)
_NAMED = re.compile(r"\\(?:bibliography|addbibresource)(?:\[[^\]\n]{0,200}\])?\{([^{}\n]{1,500})\}")


def split_bibliography(text: str) -> tuple[str, str]:
    """`text` without embedded BibTeX files and the commands that only name them, and the contents of these files."""
    found = list(_INSIDE.finditer(text))
    if not found:
        return text, ""
    names = {each[2].strip() for each in found}
    rest = _INSIDE.sub("", text)

    def known(command: re.Match[str]) -> str:
        return "" if {each.strip().removesuffix(".bib") for each in command[1].split(",")} <= names else command[0]

    return _NAMED.sub(known, rest), "\n".join(each[3] for each in found)
