"""Archives packed by a method that is not read are refused by that method, not as damaged."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from engine.conversion import convert
from engine.toolkit.failures import Unreadable

_METHOD_XZ = 95


def _archive(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, b"some bytes")
    data = bytearray(file.getvalue())
    data[8] = _METHOD_XZ  # in the header of the file, then in the directory (APPNOTE 4.3.7, 4.3.12)
    data[data.index(b"PK\1\2") + 10] = _METHOD_XZ
    return bytes(data)


@pytest.mark.parametrize("target", ["output.gif", "output.mp4", "output.pdf", "output.tar"])
def test_the_method_is_named(target: str, tmp_path: Path) -> None:
    source = tmp_path / "input.zip"
    source.write_bytes(_archive("a.png"))
    with pytest.raises(Unreadable, match=r"compression method that is not supported \(95\)"):
        convert(source, tmp_path / target, sandbox=False)
