"""What a format has no place for is named, even if its writer says nothing of it."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.census import LOSSES
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.engine import rich_files, rich_models

_BESIDE = frozenset({"iptc", "gains", "makers"})
"""What no writer of pictures keeps."""
_DEPTH = frozenset({"ranges", "bits"})
_TAGS = frozenset({"exif", "profiles"})
PICTURES: dict[tuple[str, str], frozenset[str]] = {
    ("photo", "jpg"): _BESIDE,
    **{("photo", each): _BESIDE | {"remarks"} for each in ("png", "webp", "avif", "tiff", "heic")},
    ("photo", "bmp"): _BESIDE | _TAGS | {"remarks", "xmp"},
    ("photo", "gif"): _BESIDE | _TAGS | {"resolutions", "xmp"},
    ("photo", "ico"): _BESIDE | _TAGS | {"resolutions", "remarks", "xmp"},
    ("drawing", "jpg"): frozenset({"transparency", "remarks"}),
    **{("drawing", each): frozenset({"remarks"}) for each in ("webp", "avif", "tiff", "heic")},
    ("drawing", "bmp"): _TAGS | {"transparency", "remarks"},
    **{("drawing", each): _TAGS | {"resolutions", "remarks"} for each in ("gif", "ico")},
    **{("deep", each): _DEPTH for each in ("jpg", "webp", "avif", "heic")},
    ("deep", "tiff"): frozenset({"ranges"}),
    **{("deep", each): _DEPTH | {"profiles"} for each in ("bmp", "gif", "ico")},
    **{("film", each): frozenset({"frames"}) for each in ("jpg", "tiff", "bmp", "ico", "heic")},
}
"""The kinds of a rich picture that an output has no place for."""
_ON_SHEETS = frozenset({"comments", "formulas", "pictures"})
_ROWS = ("csv", "tsv", "json", "ndjson", "yaml", "toml", "xml", "parquet", "sqlite")
SHEETS: dict[tuple[str, str], frozenset[str]] = {
    ("xlsx", "ods"): frozenset({"formulas", "pictures", "charts"}),
    ("ods", "xlsx"): frozenset({"formulas", "pictures", "charts"}),
    **{("xlsx", each): _ON_SHEETS | {"charts", "links"} for each in (*_ROWS, "arrow")},
    **{("ods", each): _ON_SHEETS | {"charts", "links"} for each in _ROWS},
}
"""The kinds of a rich workbook that an output has no place for."""
_COLOURS, _TEXTURES = frozenset({"colours"}), frozenset({"textures"})
_PLAIN_MODELS = ("stl", "off", "3mf")
MODELS: dict[tuple[str, bytes], tuple[frozenset[str], tuple[str, ...]]] = {
    ("ply", rich_models.COLOURED): (_COLOURS, _PLAIN_MODELS),
    ("obj", rich_models.OBJ_COLOURED): (_COLOURS, _PLAIN_MODELS),
    ("off", rich_models.OFF_FACES): (_COLOURS, ("stl", "3mf", "obj", "ply", "glb")),
    ("off", rich_models.OFF_CORNERS): (_COLOURS, ("stl", "3mf", "obj", "ply", "glb")),
    ("stl", rich_models.STL_COLOURED): (_COLOURS, ("off", "3mf", "obj", "ply", "glb")),
    ("3mf", rich_models.three_mf()): (_COLOURS | _TEXTURES, ("stl", "off", "obj", "ply", "glb")),
    ("glb", rich_models.glb("baseColorTexture")): (_TEXTURES, (*_PLAIN_MODELS, "obj", "ply")),
    ("glb", rich_models.glb("normalTexture")): (_TEXTURES, (*_PLAIN_MODELS, "obj", "ply")),
}
"""The kind of a model that outputs have no place for, or that is not read."""
KINDS = {
    *((output, kind) for table in (PICTURES, SHEETS) for (_, output), kinds in table.items() for kind in kinds),
    *((output, kind) for kinds, outputs in MODELS.values() for output in outputs for kind in kinds),
}


def open_workbook() -> bytes:
    """The rich workbook in OpenDocument, with what the writer of it has no place for."""
    made, out = _converted("xlsx-to-ods", rich_files.workbook()), io.BytesIO()
    beside = (
        b'<office:annotation office:display="false"><text:p>Who is that?</text:p></office:annotation>'
        b'<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>'
        b'<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="Replacements/1"/></draw:frame>'
    )
    with zipfile.ZipFile(io.BytesIO(made)) as before, zipfile.ZipFile(out, "w") as after:
        for each in before.infolist():
            data = before.read(each)
            if each.filename == "content.xml":
                data = re.sub(
                    rb"(<table:table-cell)([^>]*>)(<text:p>name)",
                    rb'\1 table:formula="of:=1"\2' + beside + rb"\3",
                    data,
                )
            after.writestr(each, data)
        after.writestr("Pictures/a.png", rich_files.PNG)
    return out.getvalue()


def _converted(slug: str, data: bytes) -> bytes:
    converter = CONVERTERS[slug]
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, f"input.{converter.input.id}"), Path(folder, f"output.{converter.output.id}")
        source.write_bytes(data)
        converter.run(source, target, build(converter.options, {}), Warn())
        return target.read_bytes()


def unsaid(folder: Path, slug: str, data: bytes) -> set[str]:
    """The kinds that are named as lost where the warnings of the converter itself are thrown away."""
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)

    def run(given: Path, made: Path, values: Any, warn: Warn) -> Any:
        own = Warn()
        written = converter.run(given, made, values, own)
        warn.thumbnails = own.thumbnails
        return written

    warn = Warn()
    auditing.run(replace(converter, run=run), source, target, build(converter.options, {}), warn)
    assert "notCounted" not in warn.detected
    said = {str(each.message.template) for each in warn.warnings}
    return {kind for kind, loss in LOSSES.items() if loss.template in said}


def _needs(slug: str) -> None:
    if slug not in CONVERTERS:
        pytest.skip("what converts it is an extra")
    if slug.endswith("-heic"):
        pytest.importorskip("pillow_heif").register_heif_opener()


@pytest.mark.parametrize(("name", "output"), PICTURES, ids=str)
def test_what_a_picture_has_no_place_for_is_named(tmp_path: Path, name: str, output: str) -> None:
    given, source = rich_files.PICTURES[name]
    _needs(f"{given}-to-{output}")
    assert unsaid(tmp_path, f"{given}-to-{output}", source()) == PICTURES[name, output]


@pytest.mark.parametrize(("given", "output"), SHEETS, ids=str)
def test_what_a_table_has_no_place_for_is_named(tmp_path: Path, given: str, output: str) -> None:
    slug = f"{given}-to-{output}"
    lost = unsaid(tmp_path, slug, open_workbook() if given == "ods" else rich_files.workbook())
    assert SHEETS[given, output] & auditing.audited_kinds(CONVERTERS[slug]) <= lost


LOST_OF_MODELS = [
    (given, data, kinds, output) for (given, data), (kinds, outputs) in MODELS.items() for output in outputs
]


@pytest.mark.parametrize(
    ("given", "data", "kinds", "output"),
    LOST_OF_MODELS,
    ids=[f"{given}-{at}-{output}" for at, (given, _, _, output) in enumerate(LOST_OF_MODELS)],
)
def test_what_a_model_has_no_place_for_is_named(
    tmp_path: Path, given: str, data: bytes, kinds: frozenset[str], output: str
) -> None:
    _needs(f"{given}-to-{output}")
    assert unsaid(tmp_path, f"{given}-to-{output}", data) >= kinds
