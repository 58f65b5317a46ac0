"""What a camera or a program alone understands of a JPEG is named where it is lost, and nothing else is."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.engine.test_picture_census import picture, saved
from tests.engine.test_torn_results import told

_PLAIN = saved(picture(), "JPEG", dpi=(72, 72))


def with_segment(marker: int, body: bytes) -> bytes:
    return _PLAIN[:2] + struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body + _PLAIN[2:]


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (_PLAIN, None),
        (_PLAIN + bytes(500) + b"\r\n", None),
        (with_segment(0xEE, b"Adobe\0d\0\0\0\0\1"), None),
        (with_segment(0xE1, b"FLIR\0\1\0\0" + bytes(90)), "APP1 FLIR"),
        (with_segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + b"0" * 60), "APP1 http://ns.adobe.com/xmp/extension/"),
        (_PLAIN + b"\0\0\0\x18ftypmp42" + bytes(range(1, 200)), "data behind the picture"),
    ],
    ids=["plain", "padded", "how it is coded", "heat", "long XMP", "a film"],
)  # fmt: skip
@pytest.mark.parametrize("target", ["png", "webp"])
def test_data_of_cameras_is_named(tmp_path: Path, data: bytes, named: str | None, target: str) -> None:
    said = "Data that only some cameras and programs understand is missing from the result: 1"
    assert told(tmp_path, f"jpg-to-{target}", data, None) == ([] if named is None else [f"{said} (“{named}”)."])
