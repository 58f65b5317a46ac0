"""What a zygote has imported, no job has to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.families.registry import CONVERTERS
from tests.converters.vectors import VECTORS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.ci
@pytest.mark.parametrize("profile", ["text", "image", "pdf", "ocr"])
def test_an_ordinary_job_imports_nothing_of_ours(profile: str, tmp_path: Path) -> None:
    seen: set[tuple[str, str, str]] = set()
    for vector in VECTORS:
        converter = CONVERTERS.get(vector.slug)
        if vector.kind != "ordinary" or converter is None or converter.profile != profile:
            continue
        # Each reader and each writer of a family once: a pair of two that were seen has nothing else to import.
        module = converter.declared_in
        ends = {(module, "from", converter.input.id), (module, "to", converter.output.id)}
        if ends <= seen:
            continue
        seen |= ends
        folder = tmp_path / vector.slug
        folder.mkdir()
        (folder / f"input.{converter.input.id}").write_bytes(vector.source())
        (folder / "options.json").write_text(json.dumps(dict(vector.options)))
    assert seen
    command = [sys.executable, "-m", "tests.sandbox.imports", profile, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
