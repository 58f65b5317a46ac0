"""Write a page with its files as one HTML file that runs and loads nothing."""

from __future__ import annotations

from pathlib import Path

from lxml.html import Element as new_element

from engine.families.html_pdf.source.cleaning import Element
from engine.families.saved_pages import inlining
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_POLICY = "default-src 'none'; img-src data:; font-src data:; style-src data: 'unsafe-inline'"
"""The page's Content-Security-Policy: whatever a parser of another opinion finds in it, no script runs."""
_SCRIPTS = ("script", "noscript")
_PLAYED = ("audio", "video", "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "bgsound", "canvas")
_LEFT_OUT = Kind("CONTENT_DROPPED", "Embedded pages, audio and video were left out: {count}{places}.")
_ADDRESSES = frozenset(("href", "src", "action", "formaction", "xlink:href", "data", "cite"))
_ACTIVE = ("javascript:", "vbscript:", "data:text")


def write(root: Element, target: Path, warn: Warn) -> None:
    """Write the tree of a page, in place without active content, which is reported."""
    removed = sum(map(_take_out, [each for each in root.iter("script") if _is_program(each)]))
    for each in [*root.iter(*_SCRIPTS)]:
        _take_out(each)
    played = list(root.iter(*_PLAYED))
    warn.tally(_LEFT_OUT, len(played), (f"<{each.tag}>" for each in played))
    for each in played:
        _take_out(each)
    for each in [*root.iter("meta")]:
        if each.get("http-equiv") is not None or each.get("charset") is not None:
            _take_out(each)
    for element in root.iter():
        if isinstance(element.tag, str):
            removed += sum(_deactivate(element, name, value) for name, value in element.attrib.items())
    if removed:
        warn(
            "SCRIPT_REMOVED",
            say("{scripts} scripts, event handlers or script addresses were removed.", scripts=removed),
        )
    head = root.find("head")
    head.insert(0, new_element("meta", {"charset": "utf-8"}))
    head.insert(1, new_element("meta", {"http-equiv": "Content-Security-Policy", "content": _POLICY}))
    target.write_text(inlining.written(root), "utf-8", newline="")


def _is_program(script: Element) -> bool:
    return (script.get("type") or "").strip().lower() not in ("application/ld+json", "application/json")


def _take_out(element: Element) -> bool:
    """Remove an element, but not the text after it."""
    if element.getparent() is None:
        return False
    element.drop_tree()
    return True


def _deactivate(element: Element, name: str, value: str) -> bool:
    """Remove an attribute that runs a script, or that another element could load a page with; return if it was one."""
    small = "".join(value.split()).lower()
    if name.startswith("on") or name == "srcdoc" or (name in _ADDRESSES and small.startswith(_ACTIVE)):
        del element.attrib[name]
        return True
    if name == "ping":
        del element.attrib[name]
    return False
