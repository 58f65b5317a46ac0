"""The browser's default style sheet (HTML, 15.3)."""

from __future__ import annotations

import functools

from engine.families.html_pdf.css.cascade import Declaration, declarations
from engine.families.html_pdf.source.cleaning import Element

_BLOCKS = (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol optgroup option p pre search"
    " section summary table caption tr td th thead tbody tfoot ul fc-textarea"
)
_BASE_STYLES = {
    "html": "font-family:sans-serif;font-size:12pt;line-height:120%;color:#000;overflow-wrap:break-word",
    "p dl": "margin:1em 0",
    "b strong th dt": "font-weight:bold", "i em cite dfn var address": "font-style:italic",
    "u ins": "text-decoration:underline", "s strike del": "text-decoration:line-through",
    "pre code kbd samp tt": "font-family:monospace", "pre": "white-space:pre;margin:1em 0;font-size:10pt",
    "h1": "font-size:2em;margin:.67em 0", "h2": "font-size:1.5em;margin:.83em 0", "h3": "font-size:1.17em;margin:1em 0",
    "h4": "margin:1.33em 0", "h5": "font-size:.83em;margin:1.67em 0", "h6": "font-size:.67em;margin:2.33em 0",
    "h1 h2 h3 h4 h5 h6": "font-weight:bold", "center caption th": "text-align:center",
    "ul ol menu": "margin:1em 0 1em 30pt", "dd": "margin-left:30pt", "blockquote figure": "margin:1em 30pt",
    "small sub sup": "font-size:83%", "big": "font-size:120%", "sub": "vertical-align:sub",
    "sup": "vertical-align:super",
    "mark": "background-color:#ff0", "td th": "padding:1px 2px;vertical-align:middle", "dt": "font-weight:normal",
    "hr": "border-top:1px solid #808080;margin:.5em 0", "q::before": "content:'“'", "q::after": "content:'”'",
    "fc-input fc-select fc-textarea button": "border:1px solid #767676;padding:1px 4px;white-space:pre-wrap",
}  # fmt: skip


@functools.cache
def base() -> dict[str, list[Declaration]]:
    """The default declarations of each element; generated content under `name::before` and `name::after`."""
    found: dict[str, list[Declaration]] = {name: [("display", "block", False)] for name in _BLOCKS.split()}
    for names, text in _BASE_STYLES.items():
        for name in names.split():
            found.setdefault(name, []).extend(declarations(text))
    return found


def is_block(element: Element) -> bool:
    """Whether an element is a block by default."""
    return ("display", "block", False) in base().get(element.tag, ())
