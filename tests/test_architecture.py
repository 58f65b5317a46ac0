"""The import rules of the project, checked on the source."""

from __future__ import annotations

import ast
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
APPS = ("accounts", "apikeys", "billing", "storage", "conversions", "teams", "backoffice", "languages")
ALLOWED = {
    "languages": {"languages"},
    "accounts": {"accounts", "languages"},
    "storage": {"storage", "languages"},
    "apikeys": {"apikeys", "languages", "accounts"},
    "billing": {"billing", "languages", "accounts"},
    "conversions": {"conversions", "languages", "accounts", "apikeys", "storage"},
    "teams": {"teams", "languages", "conversions", "accounts", "apikeys", "storage"},
    "backoffice": {"backoffice", "languages", "conversions", "accounts", "apikeys", "storage"},
}
FRAMEWORKS = {"django", "rest_framework"}
LIGHT = ("options", "converters", "adapters", "features", "census")
"""What the web process imports of a family."""
ORDER = (
    "archives", "images", "html_pdf", "fonts", "documents", "saved_pages", "data", "ocr", "pdf", "mail", "books",
    "subtitles", "media", "geo", "models", "libreoffice",
)  # fmt: skip
"""The families from the ground up: each imports only those before it."""
INTERFACES = {
    "data": ("agenda.content_lines", "counting.delimited", "preflight", "workbook_from_rows"),
    "documents": (
        "citations", "counting.rich_text", "exchange", "html_document", "opening", "pandoc", "safe_html",
        "slides.converters", "slides.options", "slides.pages", "slides.speaker_notes", "word.page_borders",
        "word.pages", "word.shown_parts",
    ),
    "html_pdf": (
        "census", "fonts.bundled", "fonts.runs", "formulas", "page_choice", "paper", "source.cleaning",
        "source.reading", "source.references", "source.style_addresses",
        "styles", "parts", "render", "tagged.identification", "tagged.output_intent", "visibility.against_html",
        "visibility.pages",
    ),
    "images": (
        "converters", "drawing_png", "drawings.effects", "drawings.expansion", "drawings.references", "drawings.styles",
        "jpeg2000_data", "jpeg_data", "metadata", "pdf", "raster", "reading", "svg",
    ),
    "ocr": ("page", "reader"),
    "pdf": ("pdfium", "pictures", "read"),
    "saved_pages": ("exchange", "folders"),
    "subtitles": ("exchange",),
}  # fmt: skip
"""The modules of a family, beside its options, that others may import: one for each thing that they ask of it."""


def sources(folder: Path) -> Iterator[Path]:
    return (path for path in ([folder] if folder.is_file() else sorted(folder.rglob("*.py"))))


@functools.cache
def read(path: Path) -> tuple[str | None, tuple[ast.Import | ast.ImportFrom, ...]]:
    """The docstring of a module and its imports, also those inside functions; the rest of its tree is not kept."""
    tree = ast.parse(path.read_text())
    found: list[ast.Import | ast.ImportFrom] = []
    ahead: list[ast.AST] = [tree]
    while ahead:
        node = ahead.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            # Those of expressions, as of `a if b else c`, are no lists.
            inside = getattr(node, part, None)
            ahead += inside if isinstance(inside, list) else ()
    return ast.get_docstring(tree), tuple(found)


def imports(path: Path) -> Iterator[tuple[str, int]]:
    for node in read(path)[1]:
        if isinstance(node, ast.Import):
            yield from ((each.name, node.lineno) for each in node.names)
        else:
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            yield str(node.module), node.lineno


@pytest.mark.parametrize("app", APPS)
def test_apps_import_only_what_is_below_them(app: str) -> None:
    for path in sources(ROOT / app):
        for name, line in imports(path):
            root = name.partition(".")[0]
            assert root not in {*APPS, "config"} - ALLOWED[app], f"{path}:{line}: {app} must not import {name}"


def test_the_engine_knows_no_framework_and_no_app() -> None:
    paths = list(sources(ROOT / "engine"))
    assert paths
    for path in paths:
        for name, line in imports(path):
            assert name.partition(".")[0] not in {*FRAMEWORKS, *APPS, "config", "errors", "tests"}, f"{path}:{line}"


def test_only_urls_and_other_wiring_in_config_imports_apps() -> None:
    wiring = {
        "urls.py",
        "health.py",
        "status.py",
        "clients.py",
        "site.py",
        "pages.py",
        "serve.py",
        "shortage.py",
        "crawlers.py",
        "web_app.py",
        "gunicorn.py",
        "wsgi.py",
        "translation.py",
    }
    for path in sources(ROOT / "config"):
        for name, line in imports(path):
            if path.name not in wiring and "migrations" not in path.parts:
                assert name.partition(".")[0] not in APPS, f"{path}:{line}: {name}"


def test_the_public_error_codes_know_no_app() -> None:
    assert {name.partition(".")[0] for name, _ in imports(ROOT / "errors.py")} == {
        "__future__",
        "typing",
        "django",
        "rest_framework",
    }


def test_the_web_process_declares_converters_without_loading_their_libraries() -> None:
    heavy = ("polars", "PIL", "xhtml2pdf", "reportlab", "pikepdf", "pypdfium2", "pyvips", "cmarkgfm", "yaml", "django")
    code = f"import sys, engine.families.registry; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_web_process_imports_only_options_and_converters_of_a_family() -> None:
    code = (
        "import django; django.setup(); import sys, config.urls; "
        "print(*(name for name in sys.modules if name.startswith('engine.families.')))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env=environment
    )
    loaded = {name for name in result.stdout.split() if (ROOT / f"{name.replace('.', '/')}.py").is_file()}
    assert "engine.families.data.converters" in loaded
    assert {name for name in loaded if name.rpartition(".")[2] not in LIGHT} == {
        "engine.families.auditing",
        "engine.families.registry",
        "engine.families.verifying",
    }


def modules() -> dict[str, Path]:
    """Every module of the project by its dotted name; a package has the name of its folder."""
    found = {}
    for folder in (*APPS, "config", "engine"):
        for path in sources(ROOT / folder):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if path.stem == "__init__" else parts)] = path
    return found


def by_name(path: Path) -> Iterator[re.Pattern[str]]:
    """The modules that importlib is asked for in strings; what varies in one may be any name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            parts = node.args[0].values if isinstance(node.args[0], ast.JoinedStr) else [node.args[0]]
            texts = [re.escape(str(each.value)) if isinstance(each, ast.Constant) else r"\w+" for each in parts]
            if any(isinstance(each, ast.Constant) for each in parts):
                yield re.compile("".join(texts))


@functools.cache
def graph() -> dict[str, set[str]]:
    """Which modules each one imports, anywhere in it: inside functions and by name count too, empty packages do not."""
    found = modules()
    arrows: dict[str, set[str]] = {name: set() for name in found}
    for name, path in found.items():
        given = [each for pattern in by_name(path) for each in found if pattern.fullmatch(each)]
        for node in read(path)[1]:
            if isinstance(node, ast.ImportFrom):
                given += [str(node.module), *(f"{node.module}.{each.name}" for each in node.names)]
            else:
                given += [each.name for each in node.names]
        arrows[name] |= {each for each in given if each != name and each in found and found[each].stat().st_size}
    return arrows


def rooms(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same between what stands side by side: modules and packages of one folder, at every level."""
    found: dict[str, set[str]] = {}
    for name, others in arrows.items():
        for other in others:
            parts = list(zip(name.split("."), other.split("."), strict=False))
            depth = next((at for at, (one, two) in enumerate(parts) if one != two), None)
            if depth is not None:  # else one is inside the other
                here, there = (".".join(each.split(".")[: depth + 1]) for each in (name, other))
                found.setdefault(here, set()).add(there)
                found.setdefault(there, set())
    return found


def without_ends(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """What is left when all that imports nothing has been taken away, again and again: circles and the ways there."""
    left = dict(arrows)
    while ends := [name for name, others in left.items() if not others & left.keys()]:
        for name in ends:
            del left[name]
    return left


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Ways from a module back to itself, one for each that has to be broken."""
    found: list[list[str]] = []
    left = without_ends(arrows)
    while left:
        way = [min(left)]
        while (step := min(left[way[-1]] & left.keys())) not in way:
            way.append(step)
        found.append(way[way.index(step) :])
        left = without_ends({name: others for name, others in left.items() if name != step})
    return found


def test_a_circle_of_imports_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == [["b", "c"]]


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles(graph()) == []


def test_a_circle_between_packages_is_found() -> None:
    arrows = {"a.b.x": {"a.c.y"}, "a.c.y": set(), "a.c.z": {"a.b.w"}, "a.b.w": {"a"}, "a": set()}
    assert circles(arrows) == []
    assert circles(rooms(arrows)) == [["a.b", "a.c"]]


def test_no_package_imports_one_beside_it_that_imports_it() -> None:
    assert circles(rooms(graph())) == []


def family_of(name: str) -> str:
    parts = name.split(".")
    return parts[2] if parts[:2] == ["engine", "families"] and len(parts) > 3 else ""


def test_a_family_imports_those_before_it_through_their_interface_only() -> None:
    assert {family_of(name) for name in graph()} - {""} == set(ORDER)
    for name, others in graph().items():
        for other in others:
            ours, theirs = family_of(name), family_of(other)
            if theirs and theirs != ours and name.startswith("engine.families.") and ours:
                assert ORDER.index(theirs) < ORDER.index(ours), f"{name} imports {other}"
                allowed = {f"engine.families.{theirs}.{each}" for each in ("options", *INTERFACES.get(theirs, ()))}
                assert other in allowed, f"{name} imports {other}"


def test_the_toolkit_imports_nothing_above_it() -> None:
    for name, others in graph().items():
        if name.startswith("engine.toolkit"):
            assert all(each.startswith("engine.toolkit") for each in others), name


def test_every_module_begins_with_its_one_concern() -> None:
    for folder in (*APPS, "config", "engine"):
        for path in sources(ROOT / folder):
            if path.stat().st_size and "migrations" not in path.parts:
                assert read(path)[0], f"{path} has no docstring"
