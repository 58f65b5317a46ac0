"""No warning names a folder of this machine, even if a library does."""

from __future__ import annotations

from pathlib import Path

from tests.engine.test_false_alarms import warned


def test_a_reference_that_leads_nowhere_is_named_by_its_line_alone(tmp_path: Path) -> None:
    found = warned(tmp_path, "rst-to-html", b"Title\n=====\n\nSee missing_ and |gone|.\n").warnings
    assert [each.code for each in found] == ["CONTENT_DROPPED", "CONTENT_DROPPED"]
    assert not [each for each in found if "/" in each.message or "prepared" in each.message]
