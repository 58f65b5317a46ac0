"""Assemble a complete Word document: body, headers, footers, notes and pictures, packaged as Word does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.office import styles
from benchmarks.office.package import package, relations
from benchmarks.office.wordml import SPACES, p, run, section

_TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml"


@dataclass
class Word:
    """A document: its body, headers and footers by kind ("default", "first"), notes and pictures."""

    body: list[str] = field(default_factory=list)
    heads: Mapping[str, str] = field(default_factory=dict)
    feet: Mapping[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    font: tuple[str, str] = ("Calibri", "Calibri Light")

    def note(self, text: str) -> str:
        """Add a footnote with a text, and return its reference mark."""
        self.notes.append(text)
        number = len(self.notes)
        return f'<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="{number}"/></w:r>'

    def references(self) -> str:
        """The references of a section to the headers and footers."""
        return "".join(
            f'<w:{kind}Reference w:type="{which}" r:id="{kind}{which}"/>'
            for kind, parts in (("header", self.heads), ("footer", self.feet))
            for which in parts
        )

    def write(self, path: Path, last: str = "") -> None:
        """Write the document; `last` are the page settings of its last section."""
        related: list[tuple[str, str, str]] = [
            ("styles", "styles", "styles.xml"),
            ("numbering", "numbering", "numbering.xml"),
            ("theme", "theme", "theme/theme1.xml"),
            ("settings", "settings", "settings.xml"),
        ]
        parts: dict[str, str | bytes] = {
            "styles.xml": styles.sheet(),
            "numbering.xml": styles.numbering(),
            "theme/theme1.xml": styles.theme(*self.font),
            "settings.xml": f'<w:settings {SPACES}><w:defaultTabStop w:val="708"/><w:compat><w:compatSetting '
            'w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>'
            "</w:settings>",
        }
        for kind, tag, found in (("header", "hdr", self.heads), ("footer", "ftr", self.feet)):
            for which, content in found.items():
                related.append((f"{kind}{which}", kind, f"{kind}{which}.xml"))
                parts[f"{kind}{which}.xml"] = f"<w:{tag} {SPACES}>{content}</w:{tag}>"
        if self.notes:
            related.append(("footnotes", "footnotes", "footnotes.xml"))
            parts["footnotes.xml"] = _footnotes(self.notes)
        for name, data in self.pictures.items():
            related.append((name, "image", f"media/{name}.jpeg"))
            parts[f"media/{name}.jpeg"] = data
        last = last or section(references=self.references())
        parts["document.xml"] = f"<w:document {SPACES}><w:body>{''.join(self.body)}{last}</w:body></w:document>"
        kinds = {"document.xml": "document.main", "theme/theme1.xml": ""} | {
            name: name.removesuffix("default.xml").removesuffix("first.xml").removesuffix(".xml")
            for name in parts
            if "/" not in name and name != "document.xml"
        }
        overrides = "".join(
            f'<Override PartName="/word/{name}" ContentType="'
            + (f"{_TYPES}.{kind}+xml" if kind else "application/vnd.openxmlformats-officedocument.theme+xml")
            + '"/>'
            for name, kind in kinds.items()
        )
        package(
            path,
            overrides,
            {
                "_rels/.rels": relations([("r", "officeDocument", "word/document.xml")]),
                "word/_rels/document.xml.rels": relations(related),
            }
            | {f"word/{name}": data for name, data in parts.items()},
        )


def _footnotes(notes: Iterable[str]) -> str:
    mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
    usual = (
        '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p>'
        "</w:footnote>"
    )
    made = "".join(
        f'<w:footnote w:id="{number}">{p(mark, run(f" {text}"), style="FootnoteText")}</w:footnote>'
        for number, text in enumerate(notes, 1)
    )
    return f"<w:footnotes {SPACES}>{usual}{made}</w:footnotes>"
