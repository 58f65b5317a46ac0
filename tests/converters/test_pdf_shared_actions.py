"""Splitting a PDF whose pages share a list of actions is bounded by the objects that are copied."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pikepdf
import pytest
from pikepdf import Name

from engine.families.pdf.tasks import split
from engine.families.pdf.tasks.options import SplitOptions
from engine.toolkit.failures import OverLimit
from engine.toolkit.warnings import Warn


def with_shared_actions(pages: int, actions: int) -> pikepdf.Pdf:
    pdf = pikepdf.new()
    listed = [pdf.make_indirect(pikepdf.Dictionary(S=Name.URI, URI=f"http://a/{number}")) for number in range(actions)]
    first = pdf.make_indirect(
        pikepdf.Dictionary(S=Name.URI, URI="http://b", Next=pdf.make_indirect(pikepdf.Array(listed)))
    )
    for _ in range(pages):
        link = pikepdf.Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], A=first)
        pdf.add_blank_page(page_size=(99, 99)).obj.Annots = pikepdf.Array([pdf.make_indirect(link)])
    return pdf


def test_actions_that_all_pages_share_are_copied_to_each_file(tmp_path: Path) -> None:
    target = tmp_path / "parts.zip"
    split.split(with_shared_actions(20, 20), target, SplitOptions(), Warn())
    with ZipFile(target) as parts:
        assert len(parts.namelist()) == 20


def test_a_square_of_shared_actions_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "_MOST_COPIED", 1_000)
    monkeypatch.setattr(split, "_OF_EACH", 5)
    split.split(with_shared_actions(5, 100), tmp_path / "few.zip", SplitOptions(), Warn())
    with pytest.raises(OverLimit) as raised:
        split.split(with_shared_actions(100, 100), tmp_path / "many.zip", SplitOptions(), Warn())
    assert raised.value.reason == "timeout"
