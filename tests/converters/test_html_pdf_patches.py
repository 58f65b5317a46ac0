"""What is replaced in the libraries under HTML to PDF: each name once, and only where it is still what it was."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conversions.families.html_pdf.xhtml2pdf import patches
from conversions.families.html_pdf.xhtml2pdf.patching import (
    NOTHING,
    LibraryChanged,
    Patch,
    Release,
    StandIn,
    apply_all,
    fingerprint,
    standing_in,
)

ROOT = Path(__file__).parents[2]
LIBRARY = """
def area(width, height):
    return width * height

class Shape:
    @staticmethod
    def name():
        return "shape"

    def size(self):
        return sum(each for each in (1, 2))

KINDS = {"round": "o"}
"""
ENTRIES: tuple[Patch | StandIn, ...] = (*patches.STAND_INS, *patches.PATCHES)
PYTEST = Release("pytest", "1.0")
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
    module, _, inner = owner.partition(":")
    found = getattr(__import__(module), inner) if inner else __import__(module)
    return fingerprint(found[name] if isinstance(found, dict) else getattr(found, name))


def patch(owner: str, name: str, expected: str) -> Patch:
    return Patch(owner, name, expected, "math:pi", "a test wants it", PYTEST)


def in_a_process(code: str) -> str:
    """The last line that a fresh interpreter writes on standard error."""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    return result.stderr.splitlines()[-1]


def test_no_name_stands_twice_in_the_table() -> None:
    names = [(each.owner, each.name) for each in ENTRIES]
    assert len(names) == len(set(names))
    assert len(names) > 50


def test_every_entry_says_why_and_with_which_version() -> None:
    for each in ENTRIES:
        assert each.why, each
        assert each.expected, each
        assert each.checked.version, each


def test_the_whole_table_is_applied_to_the_installed_libraries() -> None:
    patches.apply()
    import xhtml2pdf.parser
    from xhtml2pdf.builders.flex import FlexContainer

    from conversions.families.html_pdf.xhtml2pdf import cascade, flex

    assert xhtml2pdf.parser.CSS2Frag is cascade.styled
    assert FlexContainer._cut is flex.cut_in_pieces


@pytest.mark.parametrize(
    ("before", "named"),
    [
        ("import xhtml2pdf.parser; xhtml2pdf.parser.CSS2Frag = len", ("xhtml2pdf.parser", "CSS2Frag")),
        ("import xhtml2pdf.parser; del xhtml2pdf.parser.FlexData", ("xhtml2pdf.parser", "FlexData")),
        (
            "import xhtml2pdf.builders.flex as f; del f.FlexContainer._cut",
            ("xhtml2pdf.builders.flex:FlexContainer", "_cut"),
        ),
        (
            "from xml.dom.minidom import Element; Element.cssElement = None",
            ("xml.dom.minidom:Element", "cssElement"),
        ),
    ],
    ids=["changed", "moved", "a method moved", "there already"],
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
    for part in (*named, entry.expected, f"{entry.checked.library} {entry.checked.version}", "installed is"):
        assert part in line


def test_a_library_that_takes_more_of_what_it_does_not_need_is_noticed() -> None:
    code = (
        "import dataclasses; from conversions.families.html_pdf.xhtml2pdf import patches; "
        "first, *rest = patches.STAND_INS; "
        "patches.STAND_INS = (dataclasses.replace(first, expected='PdfReader'), *rest); patches.apply()"
    )
    line = in_a_process(code)
    assert "LibraryChanged" in line
    assert "pypdf" in line
    assert patches.XHTML2PDF.version in line


@pytest.mark.parametrize(("owner", "name"), [("", "area"), ("", "Shape"), (":Shape", "name"), (":KINDS", "round")])
def test_what_is_as_expected_is_replaced(owner: str, name: str, make_library: MakeLibrary) -> None:
    import math

    library = make_library(LIBRARY)
    apply_all([patch(library + owner, name, looked_at(library + owner, name))])
    assert looked_at(library + owner, name) == fingerprint(math.pi)


@pytest.mark.parametrize(
    ("owner", "name", "was", "becomes"),
    [
        ("", "area", "width * height", "width + height"),
        ("", "area", "width, height", "height, width"),
        ("", "Shape", 'return "shape"', 'return "Shape"'),
        ("", "Shape", "(1, 2)", "(1, 3)"),
        ("", "Shape", "class Shape:", "class Shape(dict):"),
        (":Shape", "name", "@staticmethod\n    def name():", "def name(self=None):"),
        (":Shape", "size", "def size", "def extent"),
        (":KINDS", "round", '"o"', '"O"'),
    ],
)
def test_what_is_not_as_expected_is_named_and_nothing_is_replaced(
    owner: str, name: str, was: str, becomes: str, make_library: MakeLibrary
) -> None:
    first, second = make_library(LIBRARY), make_library(LIBRARY.replace(was, becomes))
    good = patch(first, "area", looked_at(first, "area"))
    expected = looked_at(first + owner, name).replace(first, second)
    with pytest.raises(LibraryChanged) as raised:
        apply_all([good, patch(second + owner, name, expected)])
    for part in (f"{second}{owner}: {name}", expected, "pytest 1.0", f"installed is {pytest.__version__}"):
        assert part in str(raised.value)
    assert looked_at(first, "area") == good.expected


def test_a_module_or_class_that_is_gone_is_named(make_library: MakeLibrary) -> None:
    library = make_library(LIBRARY)
    entries = [patch(f"{library}.inner", "area", "x"), patch(f"{library}:Circle", "size", "x")]
    with pytest.raises(LibraryChanged) as raised:
        apply_all(entries)
    for each in entries:
        assert f"{each.owner}: {each.name}" in str(raised.value)


def test_what_was_not_there_may_be_added_and_what_is_there_not(make_library: MakeLibrary) -> None:
    library = make_library(LIBRARY)
    apply_all([patch(library, "volume", NOTHING)])
    with pytest.raises(LibraryChanged):
        apply_all([patch(library, "volume", NOTHING)])


def test_a_stand_in_is_there_for_one_import_and_refuses_to_work(make_library: MakeLibrary) -> None:
    user = make_library("from json.tool import main\n")
    entry = StandIn("json.tool", "main", "a test wants it", PYTEST)
    sys.modules.pop("json.tool", None)
    with standing_in([entry]):
        used = __import__(user)
    with pytest.raises(NotImplementedError):
        used.main()
    assert "json.tool" not in sys.modules
    with pytest.raises(LibraryChanged), standing_in([dataclasses.replace(entry, expected="Main")]):
        __import__(make_library("from json.tool import main\n"))
