"""Find what a word processor file holds besides its text, by inspecting its parts."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from engine.families.documents.ooxml.package import Package
from engine.toolkit import archive, office_links, office_macros, office_objects
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import DOCX, EPUB, ODT, Format
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

_MAIN_PART = {DOCX: "[Content_Types].xml", ODT: "content.xml", EPUB: "META-INF/container.xml"}
_TEXT = re.compile(rb"<w:t[ >]")
_INSERTED, _DELETED = re.compile(rb"<w:(?:ins|moveTo) "), re.compile(rb"<w:(?:del|moveFrom) ")
_FORMULA_FIELD = re.compile(rb"<w:instrText[^<>]*>\s*EQ\b")
_SHAPE = re.compile(rb"<wps:wsp[\s>]")
_DRAWN = Kind("CONTENT_DROPPED", "Drawn shapes without text were left out: {count}{places}.")
_DIAGRAM = re.compile(rb'\buri="[^"<>]*drawingml/2006/diagram"')
_HELD = (
    (re.compile(rb"<o:OLEObject"), say("Embedded objects")),
    (re.compile(rb"<w:control "), say("Form fields")),
    (re.compile(rb"<w:altChunk[\s/>]"), say("Other documents within the file (altChunk)")),
)
_ODT_MARGINS = re.compile(
    rb"<style:(?:header|footer)(?:-left|-first)?\b[^<>]*>(?:(?!<style:(?:header|footer)).)*?<text:p[^<>]*>[^<]*\S[^<]*<",
    re.DOTALL,
)
_FONT_OBFUSCATION = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")
_STYLES = re.compile(rb"<style\b|<[^<>]*\sstyle\s*=")
_ALONG = Kind("CONTENT_DROPPED", "Page headers and footers were left out: {count}{places}.")
_ALONG_REFERENCE = re.compile(rb"""<w:(?:header|footer)Reference\b[^<>]*\bid\s*=\s*["']([^"'<>]*)""")


def inspect(path: Path, format: Format, warn: Warn, *, track_changes: str, headed: bool = False) -> None:
    """Check the file, and warn of everything in it that converting its text leaves out.

    Page headers and footers are not reported if they are transferred separately (`headed`). Raises Unreadable for a
    file that is damaged, protected or of another kind; OverLimit for an archive that unpacks to too much.
    """
    archive.preflight(path)
    with zipfile.ZipFile(path) as parts:
        names = parts.namelist()
        if _MAIN_PART[format] not in names:
            raise Unreadable(say("The file is an archive, but not {name}.", name=format.name), reason="format")
        for name in names:
            if format is not EPUB and name.endswith((".rels", "content.xml", "styles.xml")):
                for address in office_links.external_addresses(name, parts.read(name)):
                    warn("REMOTE_RESOURCE_BLOCKED", office_links.blocked(address))
        if format is not EPUB:
            office_macros.report(names, warn)
        if format is DOCX:
            main, along = text_part(path, format), [] if headed else _along_pages(path)
            _docx(parts, names, main, along, warn, track_changes)
        elif format is ODT:
            _odt(parts, names, warn)
        else:
            _epub(parts, names, warn)


def text_part(path: Path, format: Format) -> str:
    """The part of a docx or odt that holds its text. Raises Unreadable if there is none."""
    if format is not DOCX:
        return _MAIN_PART[format]
    with Package(path) as package:
        main = package.main()
    if main is None:
        raise Unreadable("The file is an archive, but not a Word document.", reason="format")
    return main


def _read(parts: zipfile.ZipFile, names: list[str], pattern: str) -> list[bytes]:
    return [parts.read(name) for name in names if re.fullmatch(pattern, name)]


def _along_pages(path: Path) -> list[str]:
    """The parts of a Word document that are headers and footers of its sections, whatever their names."""
    with Package(path) as package:
        main = package.main() or ""
        used = {each.decode("utf-8", "replace") for each in _ALONG_REFERENCE.findall(package.read(main))}
        relations = [each for id, each in package.relations(main).items() if id in used]
        found = (each.target for each in relations if each.kind in ("header", "footer"))
        return [each for each in dict.fromkeys(found) if each in package.names]


def _docx(
    parts: zipfile.ZipFile, names: list[str], main: str, along: list[str], warn: Warn, track_changes: str
) -> None:
    body = parts.read(main) + b"".join(_read(parts, names, r"word/(footnotes|endnotes)\.xml"))
    warn.tally(_ALONG, sum(_TEXT.search(parts.read(each)) is not None for each in along))
    inserted, deleted = len(_INSERTED.findall(body)), len(_DELETED.findall(body))
    if inserted or deleted:
        text = {
            "accept": say(
                "{inserted} tracked insertions were accepted and {deleted} deletions left out.",
                inserted=inserted,
                deleted=deleted,
            ),
            "reject": say(
                "{inserted} tracked insertions were left out and {deleted} deletions kept.",
                inserted=inserted,
                deleted=deleted,
            ),
            "all": say(
                "{inserted} tracked insertions are underlined and {deleted} deletions struck out.",
                inserted=inserted,
                deleted=deleted,
            ),
        }
        warn("CONTENT_DROPPED" if track_changes != "all" else "VALUE_CONVERTED", text[track_changes], drawn=True)
    comments = b"".join(_read(parts, names, r"word/comments\.xml")).count(b"<w:comment ")
    if comments and track_changes != "all":
        warn("COMMENTS_DROPPED", say("{comments} comments were left out.", comments=comments))
    if _FORMULA_FIELD.search(body):
        warn("CONTENT_DROPPED", "Formulas written as fields (EQ) were left out.")
    shapes = (each.partition(b"</wps:wsp>")[0] for each in _SHAPE.split(body)[1:])
    warn.tally(_DRAWN, sum(b"<wps:txbx>" not in each and b"<wps:txbx " not in each for each in shapes))
    if _DIAGRAM.search(body):
        warn("VALUE_CONVERTED", "Diagrams became lists of their text.")
    for pattern, what in _HELD:
        if count := len(pattern.findall(body)):
            warn("CONTENT_DROPPED", say("{name} were left out: {count}.", name=what, count=count))


def _odt(parts: zipfile.ZipFile, names: list[str], warn: Warn) -> None:
    if b"manifest:encryption-data" in b"".join(_read(parts, names, r"META-INF/manifest\.xml")):
        raise Unreadable(
            "The document is protected by a password. Save it without one and try again.", reason="password"
        )
    body = parts.read("content.xml")
    if b"office:text" not in body:
        raise Unreadable("The file is an OpenDocument file, but not a text document.", reason="format")
    warn.tally(_ALONG, sum(len(_ODT_MARGINS.findall(each)) for each in _read(parts, names, r"styles\.xml")))
    if changes := body.count(b"<text:changed-region"):
        warn("CONTENT_DROPPED", say("{changes} tracked changes were accepted.", changes=changes), drawn=True)
    if comments := len(re.findall(rb"<office:annotation[ >]", body)):
        warn("COMMENTS_DROPPED", say("{comments} comments were left out.", comments=comments))
    if objects := sum(
        office_objects.in_part(name, parts.read(name)) for name in names if name == office_objects.MANIFEST
    ):
        warn("CONTENT_DROPPED", say("{name} were left out: {count}.", name=say("Embedded objects"), count=objects))
    if any(re.fullmatch(r"Object \d+/content\.xml", name) and b"office:chart" in parts.read(name) for name in names):
        warn("CONTENT_DROPPED", "Charts were replaced by their preview pictures, if they have any.")


def _epub(parts: zipfile.ZipFile, names: list[str], warn: Warn) -> None:
    for each in _read(parts, names, r"META-INF/encryption\.xml"):
        methods = re.findall(rb"EncryptionMethod[^>]*Algorithm=[\"']([^\"']*)", each)
        if any(method not in _FONT_OBFUSCATION for method in methods):
            raise Unreadable("The book is copy protected (DRM) and can't be converted.", reason="unsupported_feature")
    if scripts := sum(name.lower().endswith(".js") for name in names):
        warn("SCRIPT_REMOVED", say("Scripts in the book were removed: {count}.", count=scripts))
    if any(name.lower().endswith(".css") or _has_styles(parts, name) for name in names):
        warn("CSS_UNSUPPORTED", "The book's styles were ignored; its structure was kept.")
    media = [name for name in names if name.lower().endswith((".mp3", ".mp4", ".m4a", ".m4v", ".ogg", ".webm"))]
    if media:
        warn("CONTENT_DROPPED", say("{count} audio or video files were left out.", count=len(media)))


def _has_styles(parts: zipfile.ZipFile, name: str) -> bool:
    return name.lower().endswith((".xhtml", ".html", ".htm")) and _STYLES.search(parts.read(name)) is not None
