"""What a zygote has imported, no job has to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conversions.families.registry import CONVERTERS
from tests.converters.vectors import VECTORS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("profile", ["text", "image", "pdf", "ocr"])
def test_an_ordinary_job_imports_nothing_of_ours(profile: str, tmp_path: Path) -> None:
    slugs = set()
    for vector in VECTORS:
        converter = CONVERTERS.get(vector.slug)
        if vector.kind != "ordinary" or converter is None or converter.profile != profile or vector.slug in slugs:
            continue
        slugs.add(vector.slug)
        folder = tmp_path / vector.slug
        folder.mkdir()
        (folder / f"input.{converter.input.id}").write_bytes(vector.source())
        (folder / "options.json").write_text(json.dumps(dict(vector.options)))
    assert slugs
    command = [sys.executable, "-m", "tests.sandbox.imports", profile, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
