"""What is replaced in the libraries under HTML to PDF: each name once, and only where it is still what it was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conversions.families.html_pdf.xhtml2pdf import patches
from conversions.families.html_pdf.xhtml2pdf.patching import LibraryChanged, Patch, apply_all, fingerprint

ROOT = Path(__file__).parents[2]
LIBRARY = """
def area(width, height):
    return width * height

def volume(width, height, depth):
    return width * height * depth
"""
MakeLibrary = Callable[[str], str]


@pytest.fixture
def make_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeLibrary:
    """Makes modules of these texts, each under a name of its own."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made: list[str] = []

    def make(text: str) -> str:
        name = f"library_of_{tmp_path.name.replace('-', '_')}_{len(made)}"
        made.append(name)
        (tmp_path / f"{name}.py").write_text(text)
        return name

    return make


def looked_at(owner: str, name: str) -> str:
    return fingerprint(getattr(__import__(owner), name))


def patch(owner: str, name: str, expected: str) -> Patch:
    return Patch(owner, name, expected, "textwrap:dedent", "a test wants it", "pytest 1.0")


def in_a_process(code: str) -> str:
    """The last line that a fresh interpreter writes on standard error."""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    return result.stderr.splitlines()[-1]


def test_few_names_are_replaced_each_once_with_its_reason_and_release() -> None:
    names = [(each.owner, each.name) for each in patches.PATCHES]
    assert len(names) == len(set(names)) <= 10
    assert all(each.why and each.expected and each.checked for each in patches.PATCHES)


def test_the_whole_table_is_applied_to_the_installed_libraries() -> None:
    patches.apply()
    import xhtml2pdf.builders.flex

    from conversions.families.html_pdf.xhtml2pdf import paragraphs

    assert xhtml2pdf.builders.flex._paragraph_widths is paragraphs.paragraph_widths


@pytest.mark.parametrize(
    ("before", "named"),
    [
        ("import xhtml2pdf.context; xhtml2pdf.context.shape_frag_text = len", ("xhtml2pdf.context", "shape_frag_text")),
        (
            "import xhtml2pdf.builders.flex as f; del f._paragraph_widths",
            ("xhtml2pdf.builders.flex", "_paragraph_widths"),
        ),
    ],
    ids=["changed", "moved"],
)
def test_a_changed_library_stops_the_first_page_with_its_name(before: str, named: tuple[str, str]) -> None:
    code = (
        f"{before}; import pathlib; from conversions.families.html_pdf import options; "
        "from conversions.families.html_pdf.xhtml2pdf import engine as render; "
        "from conversions.toolkit.warnings import Warn; "
        "render.render('<p>x', pathlib.Path('/dev/null'), options.PageOptions(), Warn())"
    )
    line = in_a_process(code)
    assert "LibraryChanged" in line
    entry = next(each for each in patches.PATCHES if (each.owner, each.name) == named)
    for part in (*named, entry.expected, entry.checked, "installed is"):
        assert part in line


def test_what_is_as_expected_is_replaced(make_library: MakeLibrary) -> None:
    import textwrap

    library = make_library(LIBRARY)
    apply_all([patch(library, "area", looked_at(library, "area"))])
    assert __import__(library).area is textwrap.dedent
    assert __import__(library).volume is not textwrap.dedent


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("width * height\n", "width + height\n"),
        ("(width, height)", "(height, width)"),
        ("def area", "area = 1\ndef size"),
    ],
)
def test_what_is_not_as_expected_is_named_and_nothing_is_replaced(
    was: str, becomes: str, make_library: MakeLibrary
) -> None:
    first, second = make_library(LIBRARY), make_library(LIBRARY.replace(was, becomes))
    good = patch(first, "area", looked_at(first, "area"))
    expected = looked_at(first, "area").replace(first, second)
    with pytest.raises(LibraryChanged) as raised:
        apply_all([good, patch(second, "area", expected)])
    for part in (f"{second}: area", expected, "pytest 1.0", f"installed is {pytest.__version__}"):
        assert part in str(raised.value)
    assert looked_at(first, "area") == good.expected


def test_a_module_or_function_that_is_gone_is_named(make_library: MakeLibrary) -> None:
    library = make_library(LIBRARY)
    entries = [patch(f"{library}_gone", "area", "x"), patch(library, "surface", "x")]
    with pytest.raises(LibraryChanged) as raised:
        apply_all(entries)
    for each in entries:
        assert f"{each.owner}: {each.name}" in str(raised.value)
