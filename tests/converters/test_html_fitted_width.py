"""Pages that are scaled to the width of their paper are named where a reader would notice it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import convert


@pytest.mark.parametrize(("beyond", "named"), [(15, False), (300, True)])
def test_a_scale_that_nobody_notices_is_not_named(tmp_path: Path, beyond: int, named: bool) -> None:
    source = tmp_path / "page.html"
    source.write_text(f"<body><p>Text</p><div style='margin-right:-{beyond}px'>a row of the page</div>", "utf-8")

    found = convert(source, tmp_path / "page.pdf", sandbox=False)

    assert ("WIDTH_FITTED" in {each.code for each in found.warnings}) == named
