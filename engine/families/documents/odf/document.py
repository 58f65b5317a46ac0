"""Convert an OpenDocument text (ISO/IEC 26300) to a Word document in memory, to share its layout code."""

from __future__ import annotations

from pathlib import Path

from engine.families.documents.odf import form_fields, hidden_text, opening, paint, vocabulary
from engine.families.documents.odf.job import Job
from engine.families.documents.odf.names import CONFIG, DC, OFFICE, STYLE, TEXT, XML
from engine.families.documents.odf.sheets import Masters
from engine.families.documents.odf.story import Story
from engine.families.documents.odf.styles import Scope, Styles
from engine.families.documents.odf.text import part_of
from engine.families.documents.ooxml.made import MAIN, Made, add, element
from engine.families.documents.ooxml.package import Element, Package
from engine.families.documents.word.hidden_text import report
from engine.families.documents.word.job import CONTROL
from engine.toolkit import vocabulary as elements
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn

_ROOT = "{urn:oasis:names:tc:opendocument:xmlns:"


def opened(path: Path, warn: Warn) -> Made:
    """Read a document. Raises Unreadable if it is damaged, protected or not a text, OverLimit as its check does."""
    with Package(path) as file:
        content, body = opening.content(
            file,
            "text",
            warn,
            no_content=Unreadable("The file is an archive, but not an OpenDocument text document.", reason="format"),
            other=Unreadable("The file is an OpenDocument file, but not a text document.", reason="format"),
        )
        sheets = [content, *(file.xml(each) for each in ("styles.xml",) if each in file.names)]
        report(hidden_text.leave_out(body, sheets), warn)
        warn.tally(CONTROL, form_fields.write(body))
        elements.report(vocabulary.unknown(content, body), warn)
        return _made(file, content, body)


def _made(file: Package, content: Element, body: Element) -> Made:
    made = Made()
    root = file.xml("styles.xml") if "styles.xml" in file.names else None
    asked = _settings(file)
    common = Styles(root, content, relative_tabs=asked.get("TabsRelativeToIndent", True))
    scope, running = Scope(common, content, "c"), Scope(common, root, "s")
    lists = {
        "s": _list_styles(root, "automatic-styles"),
        "c": _list_styles(content, "automatic-styles"),
        "": _list_styles(root, "styles"),
    }
    job = Job(file, made, running, lists, paint.named(root, content))
    for region in body.iterfind(f"{TEXT}tracked-changes/{TEXT}changed-region"):
        change = next((each for each in region if isinstance(each.tag, str)), None)
        for id in (region.get(TEXT + "id"), region.get(XML + "id")):
            if change is not None and id:
                job.regions[id] = change

    def fill(source: Element, target: Element, part: str, room: int) -> None:
        Story(job, running, part, room=room).blocks(source, target)

    masters = Masters(root, made, fill)
    main = element("document")
    story = Story(job, scope, MAIN, room=0)
    story.outline = job.lists.outline(scope, root)
    story.write_body(body, add(main, "body"), masters)
    job.lists.close()
    settings = element("settings")
    if masters.even:
        add(settings, "evenAndOddHeaders")
    if asked.get("AddParaTableSpacing", not asked):  # LibreOffice's default
        add(add(settings, "compat"), "doNotUseHTMLParagraphAutoSpacing")
    parts = {"styles": common.written, "numbering": job.lists.written, "settings": settings}
    parts |= {part_of(kind): part for kind, part in job.notes.items()}
    for kind, part in parts.items():
        made.put(kind, part, source=MAIN, kind=kind)
    _name(file, made)
    made.put(MAIN, main, source="", kind="officeDocument")
    made.close()
    return made


def _name(file: Package, made: Made) -> None:
    """Set title and author."""
    meta = file.xml("meta.xml").find(OFFICE + "meta") if "meta.xml" in file.names else None
    if meta is None:
        return
    core = element("core")
    author = meta.findtext(f"{_ROOT}meta:1.0}}initial-creator") or meta.findtext(DC + "creator")
    for name, text in (("title", meta.findtext(DC + "title")), ("creator", author)):
        if text:
            each = add(core, name)
            each.tag, each.text = DC + name, text
    made.put("core", core, source="", kind="core-properties")


def _list_styles(root: Element | None, where: str) -> dict[str, Element]:
    found = () if root is None else root.iterfind(f"{OFFICE}{where}/{TEXT}list-style")
    return {each.get(STYLE + "name") or "": each for each in found}


def _settings(file: Package) -> dict[str, bool]:
    """The document's layout settings by name."""
    if "settings.xml" not in file.names:
        return {}
    found = file.xml("settings.xml").iter(CONFIG + "config-item")
    return {each.get(CONFIG + "name") or "": each.text == "true" for each in found}
