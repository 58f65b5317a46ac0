"""Write the package of a Word document except its body, reproducibly (ECMA-376)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from engine.families.pdf.writers.runs import cleaned
from engine.toolkit import archive

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
NAMESPACES = (
    f'xmlns:w="{MAIN}" xmlns:r="{_OFFICE}" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
_BULLETS = ("•", "–", "▪")
_LEVELS = 9
_HEADINGS = (20, 16, 14, 12, 11, 11)
BULLETED = 1
"""The id of the bulleted list; numbered ones continue from there."""


class Relations:
    """The relationships of the body: pictures, links, headers and footers, each with a unique id."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def id(self, kind: str, target: str) -> str:
        """The id of a part (`image`, `header`, `footer`, `styles` ...) or of an address (`hyperlink`)."""
        return self._known.setdefault((kind, target), f"rId{len(self._known) + 1}")

    def xml(self) -> str:
        outside = ' TargetMode="External"'
        lines = (
            f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{escape(cleaned(target))}"'
            f"{outside if kind == 'hyperlink' else ''}/>"
            for (kind, target), name in self._known.items()
        )
        return f'{HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(lines)}</Relationships>'


def write(
    target: Path,
    body: Iterable[str],
    relations: Relations,
    *,
    numbered: list[tuple[int, int]],
    parts: dict[str, str],
    pictures: list[Path],
    title: str,
    font: str,
    size: float,
    headings: Mapping[int, tuple[float, bool]],
    twofold: bool,
) -> None:
    """Write the package: `numbered` are the level and first number of each numbered list.

    `parts` are its headers and footers; `headings` the size and weight by level, if known. `twofold` is whether even
    pages have their own headers and footers.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as file:
        for kind, name in (("styles", "styles.xml"), ("numbering", "numbering.xml"), ("settings", "settings.xml")):
            relations.id(kind, name)
        file.writestr(archive.entry("[Content_Types].xml"), _types(parts))
        file.writestr(archive.entry("_rels/.rels"), _root())
        file.writestr(archive.entry("docProps/core.xml"), _core(title))
        with file.open(archive.entry("word/document.xml"), "w") as part:
            for piece in body:
                part.write(piece.encode())
        file.writestr(archive.entry("word/styles.xml"), _styles(font, size, headings))
        file.writestr(archive.entry("word/numbering.xml"), _numbering(numbered))
        even = "<w:evenAndOddHeaders/>" if twofold else ""
        file.writestr(
            archive.entry("word/settings.xml"),
            f'{HEAD}<w:settings xmlns:w="{MAIN}">{even}<w:compat><w:compatSetting w:name="compatibilityMode" '
            'w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>',
        )
        for name, content in parts.items():
            file.writestr(archive.entry(f"word/{name}"), content)
        for path in pictures:
            relations.id("image", f"media/{path.name}")
            with (
                path.open("rb") as source,
                file.open(archive.entry(f"word/media/{path.name}", stored=True), "w") as part,
            ):
                while block := source.read(1 << 20):
                    part.write(block)
        file.writestr(archive.entry("word/_rels/document.xml.rels"), relations.xml())


def _types(parts: Iterable[str]) -> str:
    named = {"document": "document.main", "styles": "styles", "numbering": "numbering", "settings": "settings"}
    named |= {name.partition(".")[0]: name.rstrip("0123456789.xml") for name in parts}
    overrides = "".join(
        f'<Override PartName="/word/{part}.xml" ContentType="{_TYPE}.{kind}+xml"/>' for part, kind in named.items()
    )
    return (
        f'{HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="png" ContentType="image/png"/><Default Extension="jpg" ContentType="image/jpeg"/>'
        '<Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
        f"{overrides}</Types>"
    )


def _root() -> str:
    return (
        f'{HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>'
        f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/></Relationships>'
    )


def _core(title: str) -> str:
    return (
        f'{HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(cleaned(title))}</dc:title></cp:coreProperties>'
    )


def _styles(font: str, size: float, known: Mapping[int, tuple[float, bool]]) -> str:
    name = escape(cleaned(font))
    formats = [known.get(level, (points, True)) for level, points in enumerate(_HEADINGS, 1)]
    headings = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/>'
        '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/>'
        f'<w:pPr><w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
        f'<w:rPr>{"<w:b/>" * bold}<w:sz w:val="{round(points * 2)}"/></w:rPr></w:style>'
        for level, (points, bold) in enumerate(formats, 1)
    )
    return (
        f'{HEAD}<w:styles xmlns:w="{MAIN}"><w:docDefaults><w:rPrDefault><w:rPr>'
        f'<w:rFonts w:ascii="{name}" w:hAnsi="{name}" w:cs="{name}"/><w:sz w:val="{round(size * 2)}"/>'
        "</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>"
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/>'
        '<w:pPr><w:spacing w:after="120"/></w:pPr></w:style>'
        f"{headings}"
        '<w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/>'
        '<w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="40"/></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Cell"><w:name w:val="Cell"/><w:basedOn w:val="Normal"/>'
        '<w:pPr><w:spacing w:before="20" w:after="20"/></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Code"/><w:basedOn w:val="Normal"/>'
        '<w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Header"><w:name w:val="header"/><w:basedOn w:val="Normal"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Footer"><w:name w:val="footer"/><w:basedOn w:val="Normal"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="FootnoteText"><w:name w:val="footnote text"/>'
        '<w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="40"/></w:pPr></w:style>'
        '<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr>'
        '<w:vertAlign w:val="superscript"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr>'
        '<w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>'
        '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>'
        + "".join(
            f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>'
            for side in ("top", "left", "bottom", "right", "insideH", "insideV")
        )
        + "</w:tblBorders></w:tblPr></w:style></w:styles>"
    )


def _numbering(numbered: list[tuple[int, int]]) -> str:
    def levels(kind: str) -> str:
        return "".join(
            f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
            f'<w:lvlText w:val="{_BULLETS[level % 3] if kind == "bullet" else f"%{level + 1}."}"/>'
            '<w:lvlJc w:val="left"/>'
            f'<w:pPr><w:ind w:left="{360 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
            for level in range(_LEVELS)
        )

    lists = "".join(
        f'<w:num w:numId="{BULLETED + at}"><w:abstractNumId w:val="1"/>'
        f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{first}"/></w:lvlOverride></w:num>'
        for at, (level, first) in enumerate(numbered, 1)
    )
    return (
        f'{HEAD}<w:numbering xmlns:w="{MAIN}">'
        '<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="hybridMultilevel"/>'
        f"{levels('bullet')}</w:abstractNum>"
        '<w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="multilevel"/>'
        f"{levels('decimal')}</w:abstractNum>"
        f'<w:num w:numId="{BULLETED}"><w:abstractNumId w:val="0"/></w:num>{lists}</w:numbering>'
    )
