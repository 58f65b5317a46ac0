"""Notebooks (nbformat 3 and 4) with their output as one page of safe HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from engine.families.documents import commonmark, safe_html
from engine.families.documents.dialect.formulas import Formulas
from engine.toolkit import encodings, json_values
from engine.toolkit.data_uris import data_uri
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9+#.-]{0,30}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_ATTACHMENT = re.compile(r"""(src=["'])attachment:([^"']{1,300})(["'])""")
# pandas writes this around each table; it does not affect the table's content
_PANDAS = re.compile(r"<style scoped>[^<]{0,2000}</style>|(?<=<tr) style=\"text-align: right;\"")
_ACTIVE = re.compile(r"<(?:script|iframe|object|embed)\b", re.IGNORECASE)
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
_OLD = {"png": "image/png", "jpeg": "image/jpeg", "svg": "image/svg+xml", "html": "text/html", "latex": "text/latex"}

_INTERACTIVE = Kind(
    "CONTENT_DROPPED", "Interactive cell outputs became the text or picture stored with them: {count}{places}."
)
_GONE = Kind("CONTENT_DROPPED", "Cell outputs that can't be shown were left out: {count}{places}.")
_MISSING = Kind("CONTENT_DROPPED", "Attached pictures are missing from the notebook: {count}{places}.")
_PROMPTS = Kind(
    "METADATA_DROPPED", "Numbers that say in which order cells were run are missing from the result: {count}{places}."
)


@dataclass(frozen=True)
class Notebook:
    """A notebook as a page: `body` is safe HTML; `title` and `authors` come from its metadata."""

    body: str
    title: str | None
    authors: tuple[str, ...]


@dataclass
class _Page:
    """The page made from a notebook, and the warnings collected for it."""

    warn: Warn
    language: str
    formulas: Formulas = field(default_factory=lambda: Formulas(brackets=True))
    parts: list[str] = field(default_factory=list)
    unsafe: list[str] = field(default_factory=list)
    interactive: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    def html(self, markup: str) -> str:
        """Raw HTML of the notebook, sanitised."""
        markup = _PANDAS.sub("", markup)
        self.unsafe.append(markup)
        return safe_html.cleaned(markup)

    def markdown(self, text: str, attachments: Mapping[str, Any]) -> str:
        made = commonmark.unsafe(self.formulas.keep(_plain(text)))
        made = _ATTACHMENT.sub(lambda found: f"{found[1]}{self._attached(found[2], attachments)}{found[3]}", made)
        return self.formulas.restore(self.html(made))

    def _attached(self, name: str, attachments: Mapping[str, Any]) -> str:
        bundle = attachments.get(name)
        for kind in _PICTURES:
            if isinstance(bundle, Mapping) and (address := _address(kind, _joined(bundle.get(kind)))):
                return address
        self.missing.append(name)
        return escape(name)


def read(data: bytes, warn: Warn, *, outputs: bool) -> Notebook:
    """Parse notebook `data`, with cell outputs only if `outputs`. Raises Unreadable if it isn't a notebook."""
    given = _parsed(data)
    metadata = _mapping(given.get("metadata"))
    info, kernel = _mapping(metadata.get("language_info")), _mapping(metadata.get("kernelspec"))
    language = str(info.get("name") or kernel.get("language") or metadata.get("language") or "python").lower()
    page = _Page(warn, language if _LANGUAGE.fullmatch(language) else "text")
    for number, cell in enumerate(_cells(given), start=1):
        _cell(cell, f"cell {number}", page, outputs=outputs)
    safe_html.report("\n".join(page.unsafe), warn)
    for kind, places in (
        (_INTERACTIVE, page.interactive),
        (_GONE, page.gone),
        (_MISSING, page.missing),
        (_PROMPTS, page.prompts),
    ):
        warn.tally(kind, len(places), places)
    if not any(page.parts):
        raise Unreadable("The notebook has no cells with content.", reason="empty")
    title, authors = metadata.get("title"), metadata.get("authors")
    names = [each.get("name") for each in authors if isinstance(each, Mapping)] if isinstance(authors, list) else []
    return Notebook(
        "\n".join(page.parts),
        _plain(title)[:300] if isinstance(title, str) and title.strip() else None,
        tuple(_plain(each)[:300] for each in names if isinstance(each, str)),
    )


def _parsed(data: bytes) -> Mapping[str, Any]:
    try:
        text = data.decode("utf-8-sig")
        given = json_values.document(text, parse_constant=float)
    except UnicodeDecodeError as error:
        raise Unreadable("The notebook is not UTF-8 text.", reason="format") from error
    except json_values.Fault as fault:
        line, column = encodings.place(text, fault.position)
        raise Unreadable(
            say("The notebook is not JSON: {msg}.", msg=fault.message), line=line, column=column, reason="damaged"
        ) from fault
    except ValueError as error:  # numbers with thousands of digits
        raise Unreadable("The notebook has numbers that are too long.", reason="limit") from error
    if not isinstance(given, Mapping) or not isinstance(given.get("nbformat"), int):
        raise Unreadable("The file is JSON, but not a notebook: it has no nbformat.", reason="format")
    if given["nbformat"] not in (3, 4):
        raise Unreadable(
            say("The notebook uses version {given}. Save it as version 4 and try again.", given=given["nbformat"]),
            reason="unsupported_feature",
        )
    return given


def _cells(given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    sheets = [given] if given["nbformat"] == 4 else given.get("worksheets")
    for sheet in sheets if isinstance(sheets, list) else []:
        cells = _mapping(sheet).get("cells")
        yield from (_mapping(each) for each in (cells if isinstance(cells, list) else []))


def _cell(cell: Mapping[str, Any], place: str, page: _Page, *, outputs: bool) -> None:
    kind, text = cell.get("cell_type"), _joined(cell.get("source", cell.get("input")))
    metadata = _mapping(cell.get("metadata"))
    if kind == "heading":
        level = cell.get("level")
        text = "#" * (level if isinstance(level, int) and 0 < level < 7 else 1) + " " + " ".join(text.split())
    raw = str(metadata.get("format") or metadata.get("raw_mimetype") or "")
    if kind in ("markdown", "heading") or (kind == "raw" and raw == "text/markdown"):
        page.parts.append(page.markdown(text, _mapping(cell.get("attachments"))))
    elif kind == "raw" and raw == "text/html":
        page.parts.append(page.html(text))
    elif text.strip():
        named = f' class="language-{page.language}"' if kind == "code" else ""
        page.parts.append(f"<pre><code{named}>{_escaped(text.strip(chr(10)))}</code></pre>")
    prompt = cell.get("execution_count", cell.get("prompt_number"))
    if kind == "code" and isinstance(prompt, int):
        page.prompts.append(f"[{prompt}]")
    given = cell.get("outputs")
    if outputs and kind == "code" and isinstance(given, list):
        shown = "".join(_output(_mapping(each), place, page) for each in _streams(given))
        page.parts.append(f'<div class="output">\n{shown}</div>' if shown else "")


def _streams(given: list[Any]) -> Iterator[Any]:
    """The outputs, with consecutive writes to the same stream joined."""
    last: dict[str, Any] | None = None
    for each in given:
        output = _mapping(each)
        if output.get("output_type") == "stream":
            if last is not None and last.get("name") == output.get("name"):
                last["text"].append(_joined(output.get("text")))
                continue
            if last is not None:
                yield last
            last = {**output, "text": [_joined(output.get("text"))]}
            continue
        if last is not None:
            yield last
            last = None
        yield output
    if last is not None:
        yield last


def _output(output: Mapping[str, Any], place: str, page: _Page) -> str:
    kind = output.get("output_type")
    if kind == "stream":
        return _preformatted(_overwritten(_joined(output.get("text"))))
    if kind in ("error", "pyerr"):
        traceback = "\n".join(each for each in _listed(output.get("traceback")) if isinstance(each, str))
        return _preformatted(
            traceback if _plain(traceback).strip() else f"{output.get('ename')}: {output.get('evalue')}"
        )
    data = _mapping(output.get("data"))
    if kind in ("pyout", "display_data") and not data:
        data = {_OLD.get(name, "text/plain" if name == "text" else name): output[name] for name in output}
    shown = _shown(data, place, page)
    if not shown and data:
        page.gone.append(f"{place}: {next(iter(data))}"[:80])
    return shown


def _shown(data: Mapping[str, Any], place: str, page: _Page) -> str:
    """The best displayable representation of an output, which may have several media types."""
    html = _joined(data.get("text/html"))
    active = bool(_ACTIVE.search(html)) or any("widget" in kind or "javascript" in kind for kind in data)
    if active:
        page.interactive.append(place)
    if html.strip() and not active:
        made = page.html(html)
        if made.strip():
            return made
    latex = _joined(data.get("text/latex")).strip()
    if latex.startswith(("$", "\\[", "\\begin")):
        return page.markdown(latex, {})
    if (text := _joined(data.get("text/markdown"))).strip():
        return page.markdown(text, {})
    for kind in _PICTURES:
        if address := _address(kind, _joined(data.get(kind))):
            return f'<p><img src="{address}" alt=""></p>\n'
    if active and (made := page.html(html)).strip():
        return made
    for kind in ("text/plain", "text/latex"):
        if (text := _joined(data.get(kind))).strip():
            return _preformatted(text)
    if "application/json" in data:
        return _preformatted(json.dumps(data["application/json"], indent=2, ensure_ascii=False))
    return ""


def _address(kind: str, content: str) -> str | None:
    """A picture as a data URI."""
    if kind == "image/svg+xml" and "<svg" in content:
        return data_uri(kind, _plain(content).encode())
    packed = "".join(content.split())
    return f"data:{kind};base64,{packed}" if _BASE64.fullmatch(packed) and kind in _PICTURES else None


def _preformatted(text: str) -> str:
    return f"<pre>{_escaped(text.rstrip())}</pre>\n" if text.strip() else ""


def _overwritten(text: str) -> str:
    """The text that a terminal finally shows after carriage returns overwrite parts of lines, as progress bars do."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def _escaped(text: str) -> str:
    return escape(_plain(text), quote=False)


def _plain(text: str) -> str:
    return _CONTROLS.sub("", _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))


def _joined(value: Any) -> str:
    """A notebook text, which is a string or a list of lines."""
    if isinstance(value, list):
        return "".join(each for each in value if isinstance(each, str))
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
