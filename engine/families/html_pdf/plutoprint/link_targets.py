"""Name the targets of links and the outline, so that PlutoPrint writes them into the PDF."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import unquote

import pikepdf

from engine.families.html_pdf.plutoprint.finishing import Heading
from engine.families.html_pdf.source.cleaning import Element, Page

BASE = "https://page.invalid/"
"""The page's address during layout; nothing is there (RFC 6761, 6.4)."""
ELSEWHERE = "https://elsewhere.invalid/#"
"""The prefix of links to another page of the same document: PlutoPrint only writes links to known targets."""
_LIKE_A_SCHEME = re.compile(r"/|[^/?#:]*:")
"""A relative address that would be an absolute one without a base, such as that of `./javascript:x`."""
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]{1,200}")
_MARK = "fc-place"
_SPOT = "display:inline-block;width:1px;height:1px;margin-right:-1px"
"""The style of an element without content: an empty box has no position."""
MOST_HEADINGS = 5_000


def name(page: Page, elsewhere: frozenset[str] = frozenset()) -> list[Heading]:
    """Name the page's link targets and headings, and return the headings.

    Links to targets that are `elsewhere`, in another page of the same document, are written for `join` to resolve.
    """
    if not (page.headings or "a" in page.names or "area" in page.names):
        return []
    by_name: dict[str, Element] = {}
    ids = Counter(element.get("id") for element in page.root.iter() if element.get("id"))
    for element in page.root.iter():
        for attribute in ("id", "name"):
            if element.get(attribute) and (attribute == "id" or element.tag == "a"):
                by_name.setdefault(element.get(attribute), element)
    places: dict[Element, str] = {}

    def place(element: Element) -> str:
        if element not in places:
            own = element.get("id")
            if own is None:
                own = f"{_MARK}-{len(places) + 1}"
                element.set("id", own)
            elif not _PLAIN.fullmatch(own) or ids[own] > 1:
                # Link targets are compared in their URL-encoded form, and only the first one of a name counts.
                own = f"{_MARK}-{len(places) + 1}"
                mark = element.makeelement("fc-run", id=own)
                mark.text, element.text = element.text, None
                if not (mark.text and mark.text.strip()):
                    mark.set("style", _SPOT)
                element.insert(0, mark)
            elif element.tag in ("a", "span") and not len(element) and not (element.text or "").strip():
                element.set("style", f"{element.get('style') or ''};{_SPOT}".lstrip(";"))
            places[element] = own
        return places[element]

    for link in page.root.iter("a", "area"):
        href = (link.get("href") or "").strip()
        if href.startswith("#"):
            target = by_name.get(href[1:])
            target = target if target is not None else by_name.get(unquote(href[1:]))
            if target is None:
                if href[1:] in elsewhere:
                    link.set("href", ELSEWHERE + href[1:])
                else:
                    link.set("href", "")  # it keeps the look of a link
            else:
                link.set("href", f"#{place(target)}")
    headings = []
    for heading in page.headings[:MOST_HEADINGS]:
        text = " ".join(heading.text_content().split())[:300]
        if text and heading.getparent() is not None:
            headings.append(Heading(int(heading.tag[1]), text, place(heading)))
    if headings:
        _refer(page, headings)
    return headings


def join(pdf: pikepdf.Pdf) -> None:
    """Resolve links to other pages of the same document, and write relative addresses as they were."""
    for page in pdf.pages:
        for each in page.obj.get("/Annots", []):
            address = str(each.A.get("/URI", "")) if "/A" in each else ""
            if address.startswith(ELSEWHERE):
                del each.A
                each.Dest = pikepdf.String(address.removeprefix(ELSEWHERE))
            elif address.startswith(BASE):
                relative = address.removeprefix(BASE)
                each.A.URI = pikepdf.String(f"./{relative}" if _LIKE_A_SCHEME.match(relative) else relative)


def _refer(page: Page, headings: list[Heading]) -> None:
    """Insert invisible links: PlutoPrint names only positions that some link targets."""
    head = page.root.find("head")
    hidden = head.makeelement("fc-run", hidden="")
    for each in headings:
        hidden.append(head.makeelement("a", href=f"#{each.place}"))
    page.root.find("body").append(hidden)
