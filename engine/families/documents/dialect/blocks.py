"""Rewrite blocks that only other kinds of Markdown have in terms of CommonMark's, with marks for what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

TERM, CONTENTS = "\ufdd2", "\ufdd4"
"""Marks before the term of a definition, and in place of a list of contents: noncharacters."""
CALLOUTS = frozenset((
    "abstract", "attention", "bug", "caution", "danger", "error", "example", "failure", "hint", "important", "info",
    "note", "question", "quote", "seealso", "success", "summary", "tip", "todo", "warning",
))  # fmt: skip
"""The kinds of callouts of GitHub, Obsidian and Docusaurus."""

_MAY_OCCUR = re.compile(r"^[ \t]{0,3}:|^[ \t]{0,3}\[\[?_?toc_?\]", re.MULTILINE | re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_CONTENTS = re.compile(r" {0,3}(?:\[TOC\]|\[\[_?TOC_?\]\])[ \t]*", re.IGNORECASE)
_DIVISION = re.compile(r" {0,3}:{3,}+[ \t]*+\{?\.?([A-Za-z]++)\}?[ \t]*+(?:\[([^\]]*+)\]|([^\n{]*+))")
_CLOSING = re.compile(r" {0,3}:{3,}[ \t]*")
_DEFINITION = re.compile(r" {0,3}:[ \t]{1,3}(\S.*)")
_NO_TERM = re.compile(r" {4}|\t| {0,3}(?:[#>|:]|[-*+][ \t]|\d+[.)][ \t]|```|~~~|<)|[ \t]*$")
_CONTINUED = re.compile(r"(?: {2,}|\t)\S")
_DEEPEST = 20


def rewritten(text: str) -> str:
    """The text with lists of contents as marks, `:::note` as `> [!note]`, and definitions as marked nested lists."""
    text = text.replace(TERM, "").replace(CONTENTS, "")
    if not _MAY_OCCUR.search(text):
        return text
    return "\n".join(_definitions(list(_callouts(text.split("\n"))), _bullet(text)))


def _bullet(text: str) -> str:
    """A mark of items that the text doesn't use: its own lists end before definitions."""
    return next((each for each in "+*-" if f"\n{each} " not in f"\n{text}"), "+")


def _callouts(lines: list[str]) -> Iterator[str]:
    fence, open_at = "", 0
    closings = sum(bool(_CLOSING.fullmatch(each)) for each in lines)
    for line in lines:
        mark = _FENCE.match(line)
        fenced = bool(fence)
        if mark:
            fence = mark[1] if not fence else "" if line.strip().startswith(fence) else fence
        quoted = "> " * open_at
        if fenced or fence:
            yield quoted + line
        elif _CLOSING.fullmatch(line):
            closings -= 1
            yield "" if open_at else line
            open_at = max(open_at - 1, 0)
        elif open_at < min(closings, _DEEPEST) and (opening := _callout(line)) is not None:
            open_at += 1
            yield quoted.rstrip()
            yield f"{quoted}> {opening}"
        elif not open_at and _CONTENTS.fullmatch(line):
            yield from ("", CONTENTS, "")
        else:
            yield quoted + line


def _callout(line: str) -> str | None:
    """What `:::note` is in GitHub's notation; None for another line."""
    found = _DIVISION.fullmatch(line)
    if found is None or found[1].lower() not in CALLOUTS:
        return None
    title = (found[2] or found[3] or "").strip(" :")
    return f"[!{found[1].lower()}] {title}".rstrip()


def _definitions(lines: list[str], bullet: str) -> list[str]:
    made: list[str] = []
    fence, term, inside = "", -1, False
    for line in lines:
        mark = _FENCE.match(line)
        found = _DEFINITION.fullmatch(line) if not fence else None
        if mark:
            fence = mark[1] if not fence else "" if line.strip().startswith(fence) else fence
        if found and (inside or _is_term(made, term)):
            if not inside or term >= 0:
                made[term] = f"{bullet} {TERM} {made[term].strip()}"
            made.append(f"  {bullet} {found[1]}")
            inside, term = True, -1
            continue
        if line.strip() and not fence and not (inside and _CONTINUED.match(line)):
            lone = not made or not made[-1].strip() or (inside and term < 0 and made[-1].startswith(f"  {bullet} "))
            if _NO_TERM.match(line) or not lone:
                inside, term = False, -1
            else:
                term = len(made)
        made.append(line)
    return made


def _is_term(made: list[str], term: int) -> bool:
    return term >= 0 and len(made) - term <= 2 and not any(each.strip() for each in made[term + 1 :])
