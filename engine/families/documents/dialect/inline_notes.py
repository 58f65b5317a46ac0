"""Rewrite notes that stand within the text, `^[note]`, as footnotes."""

from __future__ import annotations

import re

from engine.families.documents.dialect.ends import Ends

_BLOCKS = (
    "address|article|aside|blockquote|body|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|"
    "form|h[1-6]|header|html|li|main|menu|nav|ol|p|pre|script|section|style|summary|table|tbody|td|textarea|tfoot|th|"
    "thead|tr|ul"
)
_LINES = r"[^\n]*(?:\n[^\n]*\S[^\n]*)*"
_WITHOUT = "|".join(
    (
        rf"^[ \t>]*</?(?i:{_BLOCKS})(?=[\s/>]){_LINES}",  # text in which nothing is marked up (CommonMark, 4.6)
        r"^[ \t>]*<[A-Za-z/][^<>\n]*>[ \t]*$(?:\n[^\n]*\S[^\n]*)*",
        rf"^ {{0,3}}\[\^[^\]\n]+\]:{_LINES}",  # a note has no notes in most formats
        r"<[A-Za-z/!?][^<>]*>",
        r"\]\([^\s()]*\)",
    )
)
"""Where notes are left as they are written, so that their words stay."""
_START = re.compile(
    rf"\\.|^[ \t>]*(?:```+|~~~+)|^(?: {{4}}|\t).*|{_WITHOUT}|(?P<address>(?:https?://|ftp://|www\.)[^\s<^]*)|`+|\^\[",
    re.MULTILINE,
)
_BRACKET = re.compile(r"\\.|`+|[\[\]]|\n[ \t>]*\n")
_LABEL = "inline-note-"
_DEEPEST = 20


def numbered(text: str) -> str:
    """The text with a reference for each inline note outside code, HTML and notes, and their footnotes at its end.

    The label of a note is `inline-note-` and a number, with more hyphens where the text has such labels.
    """
    if "^[" not in text:
        return text
    label = _LABEL
    while f"[^{label}" in text:
        label += "-"
    ends = Ends(text)
    made, notes, done, at, address = [], [], 0, 0, -1
    while found := _START.search(text, at):
        at = found.end()
        if found["address"]:
            address = at
        fence = found[0].strip(" \t>")[:3]
        if found[0] == "^[":
            end = _end(text, at, ends)
            if end is not None and text[at:end].strip():
                notes.append(" ".join(text[at:end].split()))
                made += [text[done : found.start()], " " * (address == found.start()), f"[^{label}{len(notes)}]"]
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
