"""Rewrite notes that stand within the text, `^[note]`, as footnotes."""

from __future__ import annotations

import re

from engine.families.documents.dialect.ends import Ends

_START = re.compile(r"\\.|^[ \t>]*(?:```+|~~~+)|^(?: {4}|\t).*|`+|\^\[", re.MULTILINE)
_BRACKET = re.compile(r"\\.|`+|[\[\]]|\n[ \t>]*\n")
_LABEL = "inline-note-"
_DEEPEST = 20


def numbered(text: str) -> str:
    """The text with a reference in place of each inline note outside code, and their footnotes at its end.

    The label of a note is `inline-note-` and a number, with more hyphens where the text has such labels.
    """
    if "^[" not in text:
        return text
    label = _LABEL
    while f"[^{label}" in text:
        label += "-"
    ends = Ends(text)
    made, notes, done, at = [], [], 0, 0
    while found := _START.search(text, at):
        at = found.end()
        fence = found[0].strip(" \t>")[:3]
        if found[0] == "^[":
            end = _end(text, at, ends)
            if end is not None and text[at:end].strip():
                notes.append(" ".join(text[at:end].split()))
                made += [text[done : found.start()], f"[^{label}{len(notes)}]"]
                done = at = end + 1
        elif fence in ("```", "~~~") and (found.start() == 0 or text[found.start() - 1] == "\n"):
            closing = ends.closing(f"\n{fence}", at)
            at = len(text) if closing is None else text.find("\n", closing + 1) + 1 or len(text)
        elif found[0][0] == "`":
            closing = ends.closing(found[0], at)
            at = at if closing is None else closing + len(found[0])
    if not notes:
        return text
    definitions = "\n\n".join(f"[^{label}{number}]: {note}" for number, note in enumerate(notes, 1))
    return f"{''.join(made)}{text[done:]}\n\n{definitions}\n"


def _end(text: str, at: int, ends: Ends) -> int | None:
    """Where the note's bracket closes, in the same paragraph; None if it doesn't."""
    depth = 1
    while found := _BRACKET.search(text, at):
        at = found.end()
        if found[0][0] == "\n":
            return None
        if found[0][0] == "`":
            closing = ends.closing(found[0], at)
            at = at if closing is None else closing + len(found[0])
        elif found[0] in "[]":
            depth += 1 if found[0] == "[" else -1
            if depth == 0:
                return found.start()
            if depth > _DEEPEST:
                return None
    return None
