"""Whose fault a failed layout is: a document's that the libraries refuse, or the service's own."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdf
import pytest
from prometheus_client import REGISTRY

from conversions.models import Conversion
from conversions.work import runner
from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.render import render
from engine.families.html_pdf.xhtml2pdf import engine
from engine.sandbox.client import Zygote
from engine.toolkit.failures import Unreadable
from engine.toolkit.warnings import Warn
from tests.conftest import Person

LOGGED_WITHIN = 20.0
"""Seconds within which a log line must be there; far more than it takes on a busy machine."""


def draw(html: str, folder: Path) -> None:
    engine.render(html, folder / "output.pdf", PageOptions(), Warn())


def counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("fileconv_conversions_total", {"slug": "html-to-pdf", "outcome": outcome}) or 0.0


@contextlib.contextmanager
def drawing(module: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The service with a zygote that has the converters of a module of tests."""
    limits = runner._limits("pdf")
    zygote = Zygote("pdf", limits, modules=(module,))
    monkeypatch.setitem(runner._zygotes, ("pdf", limits), zygote)
    monkeypatch.delitem(runner._reports, "pdf", raising=False)
    with contextlib.closing(zygote):
        yield


@pytest.fixture
def mistaken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The service with a zygote whose HTML to PDF has a mistake."""
    with drawing("tests.converters.faulty", monkeypatch):
        yield


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The service with a zygote whose library refuses a page."""
    with drawing("tests.converters.refusing", monkeypatch):
        yield


@pytest.mark.django_db(transaction=True)
def test_a_bug_is_500_with_its_traceback_in_the_log_and_counted(
    paying: Person, mistaken: None, capfd: pytest.CaptureFixture[str]
) -> None:
    before = counted("INTERNAL_ERROR")
    answer = paying.convert("html-to-pdf", b"<p>A page like any other.", "page.html")
    assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL_ERROR")
    assert "fonts" not in answer.content.decode()
    logged, until = "", time.monotonic() + LOGGED_WITHIN
    while "NAMES" not in logged and time.monotonic() < until:  # the zygote writes it after the child's end
        logged += capfd.readouterr().err
        time.sleep(0.02)
    assert "html-to-pdf failed" in logged
    assert "Traceback" in logged
    assert "AttributeError: 'NoneType' object has no attribute 'NAMES'" in logged
    assert "html_pdf/xhtml2pdf/context.py" in logged
    assert counted("INTERNAL_ERROR") == before + 1
    failed = Conversion.objects.get()
    assert (failed.status, failed.error_code, failed.credits) == ("failed", "INTERNAL_ERROR", 0)


@pytest.mark.django_db(transaction=True)
def test_a_document_that_the_library_refuses_is_422(paying: Person, refused: None) -> None:
    before = counted("INTERNAL_ERROR")
    answer = paying.convert("html-to-pdf", b"<p>A page like any other.", "page.html")
    assert (answer.status_code, answer.json()["code"]) == (422, "UNSUPPORTED_FORMAT")
    assert counted("INTERNAL_ERROR") == before


def test_what_the_library_refuses_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw("<p>x", tmp_path)
    import xhtml2pdf.context

    def refuse(*args: Any, **settings: Any) -> Any:
        raise ValueError("theirs")

    monkeypatch.setattr(xhtml2pdf.context.pisaContext, "addFrag", _in_file(refuse, xhtml2pdf.context.__file__))
    with pytest.raises(Unreadable) as raised:
        draw("<p>x", tmp_path)
    assert isinstance(raised.value.__cause__, ValueError)


def test_an_endless_number_is_no_value_and_the_page_is_drawn(tmp_path: Path) -> None:
    draw("<p style='font: Infinity serif'>A size that no number of the PDF can be.", tmp_path)
    assert "A size" in pypdf.PdfReader(tmp_path / "output.pdf").pages[0].extract_text()


@pytest.mark.parametrize("mistake", [AttributeError, TypeError, KeyError, IndexError, ValueError, ZeroDivisionError])
def test_what_a_module_of_ours_raises_is_no_fault_of_the_document(
    mistake: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw("<p>x", tmp_path)
    from engine.families.html_pdf.xhtml2pdf import tables

    def column_widths(*args: Any) -> Any:
        raise mistake("ours")

    # Called by ours, which is called by the library, which is called by ours.
    monkeypatch.setattr(tables, "column_widths", _in_file(column_widths, tables.__file__))
    with pytest.raises(mistake, match="ours"):
        draw("<table><tr><td>x<td>y</table>", tmp_path)


@pytest.mark.parametrize("mistake", [AttributeError, TypeError, KeyError])
def test_what_no_library_raises_on_purpose_is_no_fault_of_the_document(
    mistake: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw("<p>x", tmp_path)
    import xhtml2pdf.context

    def begin(*args: Any, **settings: Any) -> Any:
        raise mistake("theirs")

    monkeypatch.setattr(xhtml2pdf.context.pisaContext, "addFrag", begin)
    with pytest.raises(mistake, match="theirs"):
        draw("<p>x", tmp_path)


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>kept<hr>kept<td>kept</table>",
        "<div style='display: flex'><div>kept<hr>kept</div></div>",
        "<div style='position: absolute'>kept<hr width=50%>kept</div>",
        "<div style='-pdf-keep-in-frame-mode: shrink'>kept<div style='break-inside: avoid'>kept</div></div>",
        "<p style='-pdf-keep-in-frame-mode: shrink; break-inside: avoid'>kept",
        "<hr color=left>kept",
        "<hr width=10px>kept",
        "<p style='counter-increment: inf'>kept",
        "<p style='counter-reset: c Infinity'>kept",
        "<style>@page { left: 50% row }</style>kept",
        "<style>@page { bottom: auto 9px always }</style>kept",
        "<style>* { --x: 1/2; list-style-image: var(--x) disc }</style><p>kept",
        "<ul style='--x: rgb(1, 2, 3); list-style-image: var(--x)'><li>kept</ul>",
        "<p style='--x: rgb(1, 2, 3); background-image: var(--x)'>kept",
        "<style>@page { background-image: counter(x) }</style>kept",
        "<p style='background-image: rgb(1, 2, 3)'>kept",
        "<math><th>kept</th><tr>kept</tr><tbody>kept</tbody></math>",
        "kept<svg><a:b:c /></svg>",
    ],
)
def test_a_page_that_once_met_a_bug_is_drawn(html: str, tmp_path: Path) -> None:
    import pypdf

    draw(html, tmp_path)
    drawn = pypdf.PdfReader(tmp_path / "output.pdf").pages[0].extract_text()
    assert drawn.count("kept") == html.count("kept")


def _in_file(function: Any, file: str) -> Any:
    """The function as if it were written in that file."""
    function.__code__ = function.__code__.replace(co_filename=file)
    return function


def test_the_picture_after_a_source_is_drawn(tmp_path: Path) -> None:
    # The parser takes an element without an end tag that it does not know for the parent of what follows.
    pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    page = f"<p><picture><source srcset='a.avif'><source srcset='b.webp'><img src='{pixel}' width=50></picture><p>after"
    render(page, tmp_path / "out.pdf", PageOptions(), warn := Warn())
    assert len(pypdf.PdfReader(tmp_path / "out.pdf").pages[0].images) == 1
    assert warn.warnings == ()
