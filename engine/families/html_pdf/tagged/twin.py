"""Colour each element of a page differently, so that a second drawing of it tells what belongs to which element.

Colours change nothing else: both drawings have the same letters at the same places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from engine.families.html_pdf.source.cleaning import Element

_PICTURE, _LABEL = 0x400000, 0x800000
_MOST = 0x3FFFFF
_LINK = "https://element.invalid/"
BASE = "https://page.invalid/"
"""The address of the page during layout."""
_PICTURES = frozenset(("img", "svg"))
_UNSEEN = frozenset(("style", "title", "script", "template"))
_BEFORE = ":not(#fc-a#fc-b#fc-c)"
"""A selector of a specificity that no page has, so that what is generated is like its element."""
_STYLE = (
    f"{_BEFORE}::before,{_BEFORE}::after{{color:inherit!important}}{_BEFORE}::marker{{color:var(--fc-label)!important}}"
)


@dataclass(frozen=True)
class Owner:
    """An element that something drawn belongs to: as its text, or as the `label` of a list item, or as a `picture`."""

    element: Element
    part: str = "text"


@dataclass
class Twin:
    """The elements of a page by their colours."""

    elements: list[Element] = field(default_factory=list)
    _addresses: dict[str, list[Element]] = field(default_factory=dict)
    """The elements by their links."""

    def owner(self, colour: int | None) -> Owner | None:
        """The owner of a text or background of a colour; None if it is none of ours."""
        if colour is None:
            return None
        part = {0: "text", _PICTURE: "picture", _LABEL: "label"}.get(colour & ~_MOST)
        number = (colour & _MOST) - 1
        if part is None or not 0 <= number < len(self.elements):
            return None
        return Owner(self.elements[number], part)

    def linked(self, address: str) -> Element | None:
        """The element that has a link to an address of the twin; of several, the one that was not asked for yet."""
        number = address.removeprefix(_LINK)
        if number != address:
            return self.elements[int(number) - 1] if number.isdigit() and int(number) <= len(self.elements) else None
        elements = self._addresses.get(_whole(address), [])
        return elements.pop(0) if len(elements) > 1 else next(iter(elements), None)

    def colour(self, root: Element, *, links: bool) -> None:
        """Colour a page's elements in place, and give links addresses of their own; without `links` not those within
        the page.
        """
        body = root.find("body")
        asked = any("href" in (each.text or "") for each in root.iter("style"))  # rules may ask for addresses
        sheet = body.makeelement("style")
        sheet.text = _STYLE
        body.append(sheet)
        ahead = [body]
        while ahead:
            element = ahead.pop()
            if not isinstance(element.tag, str) or element.tag in _UNSEEN:
                continue
            self.elements.append(element)
            number = len(self.elements)
            style = [element.get("style") or "", f"color:#{number:06x}!important"]
            if element.tag in _PICTURES:
                colour = f"#{_PICTURE + number:06x}"
                style.append(f"background-color:{colour}!important;background-image:none!important")
            else:
                style.append(f"--fc-label:#{_LABEL + number:06x}")
                ahead.extend(reversed(element))
            if element.tag == "a" and element.get("href"):
                self._addresses.setdefault(_whole(element.get("href")), []).append(element)
                if not asked and (links or not element.get("href").lstrip().startswith("#")):
                    element.set("href", f"{_LINK}{number}")
            element.set("style", ";".join(filter(None, style)))


def _whole(address: str) -> str:
    """An address in the form in which the pages have it (WHATWG URL, 4.4)."""
    try:
        parts = urlsplit(urljoin(BASE, address.strip()))
    except ValueError:
        return address
    return unquote(urlunsplit(parts._replace(netloc=parts.netloc.lower(), path=parts.path or (parts.netloc and "/"))))
