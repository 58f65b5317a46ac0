"""The house's import rules, read from the source."""

from __future__ import annotations

import ast
import functools
import os
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
PURE = ("toolkit", "families", "sandbox", "shell.py")
LIGHT = ("options", "converters", "adapters", "features")
"""What the web process imports of a family."""
INTERFACES = {
    "data": ("preflight", "given"),
    "documents": ("citations", "exchange", "html_document", "opening", "pandoc", "safe_html", "word.pages"),
    "html_pdf": ("looks", "render"),
    "images": ("pdf", "raster", "reading"),
    "ocr": ("read",),
    "pdf": ("read", "pdfium", "pictures"),
}
"""The modules of a family, beside its options, that other families may import: one for each thing they ask of it."""


def sources(folder: Path) -> Iterator[Path]:
    return (path for path in ([folder] if folder.is_file() else sorted(folder.rglob("*.py"))))


@functools.cache
def read(path: Path) -> tuple[str | None, tuple[ast.Import | ast.ImportFrom, ...]]:
    """What a module says of itself and its imports, also those inside functions; the rest of its tree is not kept."""
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


@pytest.mark.parametrize("part", PURE)
def test_what_runs_in_the_sandbox_knows_no_framework(part: str) -> None:
    for path in sources(ROOT / "conversions" / part):
        for name, line in imports(path):
            root = name.partition(".")[0]
            assert root not in {"django", "rest_framework", "accounts", "apikeys", "storage", "config"}, (
                f"{path}:{line}"
            )
            if root == "conversions":
                inner = name.split(".")[1]
                assert inner in PURE or f"{inner}.py" in PURE, f"{path}:{line}: {name}"


def test_only_urls_and_other_wiring_in_config_imports_apps() -> None:
    wiring = {
        "urls.py",
        "health.py",
        "site.py",
        "pages.py",
        "serve.py",
        "shortage.py",
        "crawlers.py",
        "installing.py",
        "gunicorn.py",
        "telling.py",
    }
    for path in sources(ROOT / "config"):
        for name, line in imports(path):
            if path.name not in wiring and "migrations" not in path.parts:
                assert name.partition(".")[0] not in APPS, f"{path}:{line}: {name}"


def test_what_the_service_says_no_with_knows_no_app() -> None:
    assert {name.partition(".")[0] for name, _ in imports(ROOT / "errors.py")} == {
        "__future__",
        "typing",
        "django",
        "rest_framework",
    }


def test_the_web_process_declares_converters_without_loading_their_libraries() -> None:
    heavy = ("polars", "PIL", "xhtml2pdf", "reportlab", "pikepdf", "pypdfium2", "pyvips", "cmarkgfm", "yaml", "django")
    code = f"import sys, conversions.families.registry; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_web_process_imports_only_options_and_converters_of_a_family() -> None:
    code = (
        "import django; django.setup(); import sys, config.urls; "
        "print(*(name for name in sys.modules if name.startswith('conversions.families.')))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env=environment
    )
    loaded = {name for name in result.stdout.split() if (ROOT / f"{name.replace('.', '/')}.py").is_file()}
    assert "conversions.families.data.converters" in loaded
    assert {name for name in loaded if name.rpartition(".")[2] not in LIGHT} == {"conversions.families.registry"}


def modules() -> dict[str, Path]:
    """Every module of the project by its dotted name; a package has the name of its folder."""
    found = {}
    for folder in (*APPS, "config"):
        for path in sources(ROOT / folder):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if path.stem == "__init__" else parts)] = path
    return found


@functools.cache
def graph() -> dict[str, set[str]]:
    """Which modules each one imports, anywhere in it: those inside functions count too, empty packages do not."""
    found = modules()
    arrows: dict[str, set[str]] = {name: set() for name in found}
    for name, path in found.items():
        for node in read(path)[1]:
            given = [each.name for each in node.names]
            if isinstance(node, ast.ImportFrom):
                given = [str(node.module), *(f"{node.module}.{each}" for each in given)]
            arrows[name] |= {each for each in given if each != name and each in found and found[each].stat().st_size}
    return arrows


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


def family_of(name: str) -> str:
    parts = name.split(".")
    return parts[2] if parts[:2] == ["conversions", "families"] and len(parts) > 3 else ""


def test_a_family_imports_another_through_its_interface_only() -> None:
    for name, others in graph().items():
        for other in others:
            theirs = family_of(other)
            if theirs and name != "conversions.families.registry" and theirs != family_of(name):
                allowed = {f"conversions.families.{theirs}.{each}" for each in ("options", *INTERFACES.get(theirs, ()))}
                assert other in allowed, f"{name} imports {other}"


def test_the_toolkit_imports_nothing_above_it() -> None:
    for name, others in graph().items():
        if name.startswith("conversions.toolkit"):
            assert all(each.startswith("conversions.toolkit") for each in others), name


def test_every_module_begins_with_its_one_concern() -> None:
    for folder in (*APPS, "config"):
        for path in sources(ROOT / folder):
            if path.stat().st_size and "migrations" not in path.parts:
                assert read(path)[0], f"{path} has no docstring"
