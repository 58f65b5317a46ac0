"""What an office file names outside of itself is told by every conversion that reads the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.registry import CONVERTERS
from engine.toolkit import office_links
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.vector import SAMPLES

RELATIONS = "word/_rels/document.xml.rels"
IMAGE, EXTERNAL = 'Type="x/image"', 'TargetMode="External"'
NEEDING_COLUMNS = ("geojson", "ics", "rss", "vcf")  # of meanings that the sample's do not have
# LibreOffice is for the sandbox alone: its slugs are among the vectors.
READING = [
    slug
    for slug, each in CONVERTERS.items()
    if each.input.id in ("docx", "odt", "xlsx", "ods")
    and each.output.id not in NEEDING_COLUMNS
    and each.profile != "libreoffice"
]


@pytest.mark.parametrize("slug", READING)
def test_a_linked_picture_is_reported(slug: str, tmp_path: Path) -> None:
    converter = CONVERTERS[slug]
    source, target = tmp_path / f"input.{converter.input.id}", tmp_path / f"output.{converter.output.id}"
    source.write_bytes((SAMPLES / f"linked.{converter.input.id}").read_bytes())
    warn = Warn()
    converter.run(source, target, build(converter.options, {}), warn)
    messages = [each.message for each in warn.warnings if each.code == "REMOTE_RESOURCE_BLOCKED"]
    assert any("http://192.0.2.1/logo.png" in each for each in messages)
    assert target.stat().st_size


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        (RELATIONS, f"<Relationship {IMAGE} Target='http://a/b.png' {EXTERNAL}/>", ["http://a/b.png"]),
        (RELATIONS, f'<r:Relationship {EXTERNAL} {IMAGE} Target="file:///C:/&amp;"/>', ["file:///C:/&"]),
        (RELATIONS, f"<Relationship Type='x/hyperlink' Target='http://a/' {EXTERNAL}/>", []),
        (RELATIONS, f"<Relationship Type='x/attachedTemplate' Target='file:///C:/a.dotx' {EXTERNAL}/>", []),
        (RELATIONS, f"<Relationship {IMAGE} Target='media/image1.png'/>", []),
        ("word/document.xml", f"<Relationship {IMAGE} Target='http://a/b.png' {EXTERNAL}/>", []),
        ("content.xml", '<draw:image xlink:href="http://a/b.png"/>', ["http://a/b.png"]),
        ("content.xml", '<draw:image xlink:href="../b.png"/><draw:image xlink:href="Pictures/c.png"/>', ["../b.png"]),
        ("content.xml", '<text:a xlink:href="http://a/b.png"/>', []),
    ],
)
def test_what_counts_as_outside(name: str, data: str, found: list[str]) -> None:
    assert list(office_links.external_addresses(name, data.encode())) == found
