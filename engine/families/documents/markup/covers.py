"""Put FictionBook covers in front of the text, as pandoc's reader loses them."""

from __future__ import annotations

from typing import Any

_SPACE = "{http://www.gribuser.ru/xml/fictionbook/2.0}"


def to_front(root: Any) -> None:
    """Move the pictures of a book's cover from its description to the beginning of its text."""
    page = root.find(f"{_SPACE}description/{_SPACE}title-info/{_SPACE}coverpage")
    body = root.find(f"{_SPACE}body")
    if page is None or body is None:
        return
    page.getparent().remove(page)
    for place, each in enumerate(page.findall(f"{_SPACE}image")):
        each.tail = None
        body.insert(place, each)
