"""Replace declarations that PlutoPrint does not support by equivalent ones that it does."""

from __future__ import annotations

import re

_FLEX = ("justify-content", "align-items", "align-content", "align-self")
_ENDS = {"end": "flex-end", "start": "flex-start", "self-end": "flex-end", "self-start": "flex-start"}
_SIDES = {**_ENDS, "right": "flex-end", "left": "flex-start", "normal": "stretch"}
_PLACES = {
    "place-content": ("align-content", "justify-content"),
    "place-items": ("align-items", "justify-items"),
    "place-self": ("align-self", "justify-self"),
}
_OUT_OF_PLANE = re.compile(r"(?:translatez|scalez|perspective)\([^()]*\)", re.IGNORECASE)
_IN_SPACE = re.compile(r"(translate|scale)3d\(([^(),]*),([^(),]*),[^(),]*\)", re.IGNORECASE)
_THICKNESS = re.compile(r"(?<![\w#.-])(?:[\d.]+(?:[a-z]+|%)?|from-font)(?![\w(])", re.IGNORECASE)
_SHARE = re.compile(r"(-?[\d.]+)%")
_VALUES = {
    ("overflow", "clip"): "hidden",
    ("overflow", "visible clip"): "hidden",
    ("overflow", "clip visible"): "hidden",
    ("white-space", "break-spaces"): "pre-wrap",
    ("overflow-wrap", "anywhere"): "break-word",  # else words that fit on the next line are torn as well
    ("text-align", "-webkit-center"): "center",
    ("text-align", "-webkit-left"): "left",
    ("text-align", "-webkit-right"): "right",
    ("float", "inline-start"): "left",
    ("float", "inline-end"): "right",
}
_REPLACED = {
    ("text-wrap", "nowrap"): ("white-space", "nowrap"),
    ("line-break", "anywhere"): ("word-break", "break-all"),
    ("white-space-collapse", "preserve"): ("white-space", "pre-wrap"),
    ("white-space-collapse", "preserve-breaks"): ("white-space", "pre-line"),
}

PAGE_OF_TARGET = "fc-page"
"""The attribute that a link gets with the number of the page of its target; a counter style follows the name."""
TEXT_OF_TARGET = "fc-text"
_TARGET = re.compile(
    r"target-(?:counter\(\s*attr\(\s*href(?:\s+url)?\s*\)\s*,\s*page\s*(?:,\s*([a-z-]+)\s*)?\)"
    r"|text\(\s*attr\(\s*href(?:\s+url)?\s*\)\s*(?:,\s*content\s*)?\))",
    re.IGNORECASE,
)

_CLIPPED = re.compile(r"background-clip\s*:\s*text\b", re.IGNORECASE)
_FIRST_COLOUR = re.compile(
    r"gradient\((?:\s*(?:to [a-z ]+|-?[\d.]+(?:deg|turn|rad|grad)"
    r"|(?:circle|ellipse|closest|farthest|at|from|in)\b[^,]*),)?"
    r"\s*((?:rgba?|hsla?|var)\([^()]*\)|#[0-9a-f]+|[a-z]+)",
    re.IGNORECASE,
)


def translated(name: str, value: str) -> list[tuple[str, str]]:
    """Return the declarations that replace this one; most are unchanged. `value` must not have `!important`."""
    plain = " ".join(value.lower().split())
    if (name, plain) in _REPLACED:
        return [_REPLACED[name, plain]]
    if name == "hyphens" and plain == "auto":
        return [(name, value), ("overflow-wrap", "break-word")]  # as long words would run over their box
    if name == "content" and "target-" in plain:
        return [(name, _TARGET.sub(_of_target, value))]
    if name in _PLACES:
        first, _, second = plain.partition(" ")
        both = zip(_PLACES[name], (first, second or first), strict=True)
        return [(name, value), *((each, word) for each, given in both for _, word in translated(each, given))]
    if name in _FLEX:
        return [(name, (_SIDES if name == "justify-content" else _ENDS).get(plain, value))]
    if name == "transform":
        return [(name, _IN_SPACE.sub(r"\1(\2,\3)", _OUT_OF_PLANE.sub("", value)).strip() or "none")]
    if name == "letter-spacing" and (share := _SHARE.fullmatch(plain)):
        return [(name, f"{float(share[1]) / 100:g}em")]
    if name == "text-decoration" and _THICKNESS.search(plain):
        return [(name, " ".join(_THICKNESS.sub(" ", value).split()))]
    return [(name, _VALUES.get((name, plain), value))]


def _of_target(match: re.Match[str]) -> str:
    if "text" in match[0][:12].lower():
        return f"attr({TEXT_OF_TARGET})"
    return f"attr({PAGE_OF_TARGET}{f'-{match[1].lower()}' if match[1] else ''})"


def legible(body: str) -> str:
    """A rule whose background is clipped to its text (`background-clip: text`), with the text in the background's first
    colour."""
    if not _CLIPPED.search(body):
        return body
    found = _FIRST_COLOUR.search(body)
    colour = found[1] if found else "var(--tw-gradient-from,#000)"
    return f"{body.rstrip('; ')};background:none!important;color:{colour}!important"
