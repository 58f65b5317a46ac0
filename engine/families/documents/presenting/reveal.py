"""Write a document as a self-contained reveal.js page, with a slide for each heading."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html import escape
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from lxml import html

from engine.families.documents.html_document import HtmlDocument, plain
from engine.families.documents.presenting.tree import tree_of
from engine.toolkit import office_links
from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

MAX_SLIDES = 2_000
_FOLDER = Path(find_spec("pyreveal").submodule_search_locations[0]) / "revealjs"  # type: ignore[union-attr, index]
"""reveal.js as in its package; nothing else from the package is used."""
_VERSION = json.loads((_FOLDER / "package.json").read_text("utf-8"))["version"]
_BOXES = frozenset(("div", "section", "article", "main", "header", "hgroup", "body"))
_SIZES = {"16:9": (1280, 720), "4:3": (960, 720)}
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-src 'self' file:"
)
"""The page may fetch nothing; its frames are for the speaker view of itself."""
_LOOK = """
html,body,.reveal,.reveal-viewport{height:100%;margin:0}
.reveal-viewport{background:#ffffff;color:#1c1e21}
.reveal{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;font-size:32px;line-height:1.35}
.reveal .slides{text-align:left}
.reveal .slides section:not(.stack){box-sizing:border-box;max-height:100%;overflow-y:auto;padding:24px 40px}
.reveal h1,.reveal h2,.reveal h3,.reveal h4,.reveal h5,.reveal h6{line-height:1.2;margin:0 0 0.5em}
.reveal h1{font-size:1.7em}.reveal h2{font-size:1.4em}.reveal h3{font-size:1.15em}
.reveal h4,.reveal h5,.reveal h6{font-size:1em}
.reveal .opening{text-align:center}.reveal .opening h1,.reveal .opening h2{font-size:2em;padding-top:20%}
.reveal p,.reveal ul,.reveal ol,.reveal dl,.reveal table,.reveal pre,.reveal blockquote{margin:0 0 0.6em}
.reveal ul,.reveal ol{display:block;padding-left:1.2em}
.reveal pre{background:#f5f6f8;padding:0.6em;overflow-x:auto;white-space:pre}
.reveal pre,.reveal code,.reveal kbd,.reveal samp{font-family:Consolas,Menlo,monospace;font-size:0.85em}
.reveal pre code{font-size:1em}
.reveal blockquote{border-left:4px solid #c8ccd2;color:#4a4f57;padding-left:0.8em;margin-left:0}
.reveal table{border-collapse:collapse}
.reveal th,.reveal td{border:1px solid #c8ccd2;padding:0.2em 0.5em;text-align:left;vertical-align:top}
.reveal th{background:#f0f2f5}
.reveal img{max-width:100%;max-height:60vh;height:auto}
.reveal a{color:#0b57a4}
"""


@dataclass
class _Chapter:
    """The content of one slide: its heading, if any, and everything below."""

    heading: Any = None
    level: int = 0
    elements: list[Any] = field(default_factory=list)


def write(
    page: HtmlDocument,
    target: Path,
    warn: Warn,
    *,
    level: int | None,
    ratio: str,
    title: str | None,
    language: str | None,
) -> None:
    """Write `page`, whose body is safe, as slides; headings of `level` start one, those above it a stack of them.

    Raises OverLimit for more than MAX_SLIDES of them.
    """
    root = tree_of(page.body)
    _without_far_pictures(root, warn)
    blocks = _flat(root)
    front = _front(blocks)
    level = level or _level(blocks[front:])
    chapters = [_Chapter(blocks[0], 0, blocks[1:front])] if front else []
    chapters += _chapters(blocks[front:], level)
    if len(chapters) > MAX_SLIDES:
        raise OverLimit("output", say("The document needs more than {max_slides} slides.", max_slides=MAX_SLIDES))
    named = title or page.title or ""
    if named and not (chapters and _is_heading(chapters[0].heading) and plain(_text(chapters[0].heading)) == named):
        opening = html.fromstring(f"<h1>{escape(named, quote=False)}</h1>")
        by = [html.fromstring(f"<p>{escape(each, quote=False)}</p>") for each in page.authors]
        chapters.insert(0, _Chapter(opening, 0, by))
    called = named or page.heading or "Presentation"
    wanted = language or page.language
    width, height = _SIZES[ratio]
    scripts, sheet = (_part("reveal.js"), _part("plugin/notes.js")), _part("reveal.css")
    lang = f' lang="{escape(wanted)}"' if wanted else ""
    target.write_text(
        f'<!DOCTYPE html>\n<html{lang}>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="reveal.js {_VERSION}">\n'
        f"<title>{escape(called, quote=False)}</title>\n"
        f"<style>\n{sheet}\n{_LOOK}</style>\n</head>\n<body>\n"
        f'<div class="reveal"><div class="slides">\n{_sections(chapters, level)}</div></div>\n'
        + "".join(f"<script>\n{each}\n</script>\n" for each in scripts)
        + f"<script>Reveal.initialize({{width:{width},height:{height},margin:0.03,center:false,hash:true,"
        "pdfSeparateFragments:false,plugins:[RevealNotes]});</script>\n</body>\n</html>\n",
        "utf-8",
        newline="",
    )


def _part(name: str) -> str:
    # A string in the script must not close its script element.
    return (
        (_FOLDER / "dist" / name).read_text("utf-8").replace("</script", "<\\/script").replace("</style", "<\\/style")
    )


def _without_far_pictures(root: Any, warn: Warn) -> None:
    for each in list(root.iter("img")):
        address = (each.get("src") or "").strip()
        if not address.lower().startswith("data:"):
            if address:
                warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
            mark = html.fragment_fromstring(escape(each.get("alt") or "", quote=False), create_parent="span")
            mark.tail = each.tail
            each.getparent().replace(each, mark)


def _is_heading(element: Any) -> bool:
    return element is not None and isinstance(element.tag, str) and element.tag in ("h1", "h2", "h3", "h4", "h5", "h6")


def _flat(parent: Any) -> list[Any]:
    """The blocks of a document in order; a box that contains headings is replaced by its content."""
    found: list[Any] = []
    pending = [parent]
    while pending:
        element = pending.pop()
        if element is parent or (element.tag in _BOXES and any(_is_heading(each) for each in element.iter())):
            texts = [element.text, *(each.tail for each in element)]
            for each in element:
                each.tail = None
            children: list[Any] = []
            for text, child in zip(texts, [*element, None], strict=True):
                if text and text.strip():
                    children.append(html.fromstring(f"<p>{escape(text, quote=False)}</p>"))
                if child is not None:
                    children.append(child)
            pending += reversed(children)
        else:
            found.append(element)
    return [each for each in found if isinstance(each.tag, str)]


def _front(blocks: list[Any]) -> int:
    """The number of blocks on the title slide: a first heading alone on its level, and what follows it."""
    levels = [int(each.tag[1]) for each in blocks if _is_heading(each)]
    if not blocks or not _is_heading(blocks[0]) or len(levels) < 2 or levels[0] >= min(levels[1:]):
        return 0
    return next(at for at, each in enumerate(blocks) if at and (_is_heading(each) or each.tag == "hr"))


def _level(blocks: list[Any]) -> int:
    """The highest heading level that is followed by anything but a heading."""
    found = [int(one.tag[1]) for one, after in pairwise([*blocks, None])
             if _is_heading(one) and after is not None and not _is_heading(after) and after.tag != "hr"]  # fmt: skip
    return min(found, default=1)


def _chapters(blocks: list[Any], level: int) -> list[_Chapter]:
    found = [_Chapter()]
    for each in blocks:
        if _is_heading(each) and int(each.tag[1]) <= level:
            found.append(_Chapter(each, int(each.tag[1])))
        elif each.tag == "hr":
            found.append(_Chapter(level=level))
        else:
            found[-1].elements.append(each)
    return [each for each in found if each.heading is not None or each.elements]


def _sections(chapters: list[_Chapter], level: int) -> str:
    """The slides as sections; those below a higher-level heading are a vertical stack under it."""
    columns: list[list[_Chapter]] = []
    for each in chapters:
        if columns and each.level == level and 0 < columns[-1][0].level < level:
            columns[-1].append(each)
        else:
            columns.append([each])
    found = []
    for column in columns:
        inside = "".join(map(_section, column))
        found.append(f"<section>\n{inside}</section>\n" if len(column) > 1 else inside)
    return "".join(found)


def _section(chapter: _Chapter) -> str:
    notes = [each for each in chapter.elements if "notes" in (each.get("class") or "").split()]
    shown = [each for each in chapter.elements if each not in notes]
    opening = chapter.heading is not None and not any(each.tag != "p" for each in shown) and len(shown) < 3
    opening = opening and (chapter.level == 0 or not shown)
    elements = [*([chapter.heading] if chapter.heading is not None else []), *shown, *notes]
    inside = "".join(f"{_text(each)}\n" for each in elements)
    return f'<section class="opening">\n{inside}</section>\n' if opening else f"<section>\n{inside}</section>\n"


def _text(element: Any) -> str:
    return str(html.tostring(element, encoding="unicode", with_tail=False))
