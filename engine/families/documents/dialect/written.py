"""Write definitions, callouts, lists of contents and emoji of a Markdown text into its HTML."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

from engine.families.documents.dialect.blocks import CALLOUTS, CONTENTS, TERM

_LIST = re.compile(r"<(/?)(ul|ol|li)\b[^<>]*>\n?")
_TERM = re.compile(rf"\s*<li>\s*(?:<p>)?{TERM} ?")
_CALLOUT = re.compile(
    rf"<blockquote>\s*+<p>\[!({'|'.join(CALLOUTS)})\][+-]?[ \t]*+"
    r"((?:(?!<blockquote>\s*+<p>\[!)[^\n])*?)(?:<br ?/?>)?(?:\n|(?=</p>))(</p>\n?)?",
    re.IGNORECASE,
)
_HEADING = re.compile(r'<h([1-3]) id="([^"]*)">((?:(?!<h[1-3] id=).)*?)</h\1>', re.DOTALL)
_NO_LINK = re.compile(r'<sup class="footnote-ref">(?:(?!<sup\b).)*?</sup>|</?a\b[^<>]*>')
_EMOJI = re.compile(r"</?(code|pre)\b[^<>]*>|<[^<>]*>|(?<![\w:]):([a-z0-9_+-]+):(?![\w:])")
LISTED = 3
"""The levels of headings in a list of contents, as in pandoc's."""


def blocks(body: str) -> str:
    """`body` with its marked lists as definitions, its quotes as callouts and the names of emoji as emoji."""
    if TERM in body:
        body = "".join(_definitions(body))
    if "[!" in body:
        body = _CALLOUT.sub(_callout, body)
    return emoji(body)


def contents(body: str) -> str:
    """`body`, whose headings have ids, with a list of links to them at the first mark.

    A text may ask for thousands of lists of as many headings.
    """
    mark = f"<p>{CONTENTS}</p>"
    return body.replace(mark, "".join(_contents(body)), 1).replace(f"{mark}\n", "") if mark in body else body


def emoji(body: str) -> str:
    """`body` with GitHub's names of emoji outside code replaced by the emoji."""
    if body.count(":") < 2:
        return body
    depth = 0

    def one(found: re.Match[str]) -> str:
        nonlocal depth
        if found[1]:
            depth += -1 if found[0][1] == "/" else 1
        return _names().get(found[2], found[0]) if found[2] and not depth else found[0]

    return _EMOJI.sub(one, body)


@functools.cache
def _names() -> dict[str, str]:
    lines = Path(__file__).with_name("emoji.txt").read_text("utf-8").splitlines()
    return dict(each.split(" ", 1) for each in lines)


def _callout(found: re.Match[str]) -> str:
    kind = found[1].lower()
    title = found[2].strip() or kind.capitalize()
    rest = "" if found[3] else "<p>"
    return f'<blockquote class="callout {kind}">\n<p class="callout-title"><strong>{title}</strong></p>\n{rest}'


def _definitions(body: str) -> Iterator[str]:
    """The parts of `body`; within a marked list an item is a term, and the items of the list in it its definitions."""
    kinds: list[str] = []
    done = 0
    for found in _LIST.finditer(body):
        text = body[done : found.start()]
        around = kinds[-1] if kinds else ""
        yield text.replace(f"{TERM} ", "").replace("<p>", "").replace("</p>", "").strip() if around == "dt" else text
        done = found.end()
        if found[1]:
            yield {"dl": "</dl>\n", "dt": "</dt>\n", "dd": "</dd>\n", "dds": "", "after": ""}.get(around, found[0])
            if kinds:
                kinds.pop()
        elif found[2] == "li":
            kind = {"dl": "dt", "dds": "dd"}.get(around, "li")
            yield found[0] if kind == "li" else f"<{kind}>"
            kinds.append(kind)
        elif around == "dt":
            kinds[-1] = "after"
            kinds.append("dds")
            yield "</dt>\n"
        elif found[2] == "ul" and _TERM.match(body, found.end()):
            kinds.append("dl")
            yield "<dl>\n"
        else:
            kinds.append(found[2])
            yield found[0]
    yield body[done:]


def _contents(body: str) -> Iterator[str]:
    yield '<nav class="contents">\n'
    levels: list[int] = []
    for found in _HEADING.finditer(body):
        level = int(found[1])
        while len(levels) > 1 and levels[-1] > level:
            levels.pop()
            yield "</li>\n</ul>\n"
        if not levels or levels[-1] < level:
            levels.append(level)
            yield "<ul>\n"
        else:
            levels[-1] = level
            yield "</li>\n"
        yield f'<li><a href="#{found[2]}">{_NO_LINK.sub("", found[3])}</a>'
    yield "</li>\n</ul>\n" * len(levels)
    yield "</nav>\n"
