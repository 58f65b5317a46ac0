"""Families: all of them make the registry, and one conversion imports no more of them than it needs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.convert import families, find
from engine.families import registry
from engine.toolkit.options import NoOptions, OptionGroups, build, combine, describe, option


def test_find_and_registry_give_the_same_converters() -> None:
    assert [find(slug) for slug in registry.CONVERTERS] == list(registry.CONVERTERS.values())


def test_all_families_are_searched_and_listed() -> None:
    assert set(families("json-to-csv")) == set(registry.FAMILIES)


def test_no_slug_that_nobody_declares_is_found() -> None:
    with pytest.raises(KeyError, match="json-to-nothing"):
        find("json-to-nothing")


def test_every_module_that_declares_conversions_is_of_a_listed_family() -> None:
    assert {each.run for each in registry.DECLARED} == {each.run for each in registry.CONVERTERS.values()} | {
        each.run for each in registry.DECLARED if each.alternative is not None or not each.engine.available
    }
    folder = Path(registry.__file__).parent
    found = {".".join(path.relative_to(folder).parts[:-1]) for path in folder.rglob("converters.py")}
    assert found == set(registry.FAMILIES)


def test_a_process_for_json_to_csv_imports_no_other_family() -> None:
    code = "import sys; from benchmarks.convert import find; find('json-to-csv'); print(*sorted(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(result.stdout.split())
    assert "engine.families.data.json_csv.converters" in modules
    assert {each for each in modules if each.startswith("engine.families.") and each.endswith(".converters")} == {
        "engine.families.data.json_csv.converters"
    }


def test_a_slug_that_is_declared_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "DECLARED", (*registry.DECLARED, registry.CONVERTERS["json-to-csv"]))
    with pytest.raises(RuntimeError, match="json-to-csv is declared twice"):
        registry._load()


def test_conversions_that_may_give_an_archive_declare_it() -> None:
    for each in registry.CONVERTERS.values():
        run = getattr(each.run, "func", each.run)
        if each.packs:
            assert run.__annotations__["return"] == "Format | None", each.slug
    packing = {slug for slug, each in registry.CONVERTERS.items() if each.packs}
    assert {"epub-to-latex", "pdf-to-png", "tiff-to-jpg", "xlsx-to-csv", "mp4-to-png"} <= packing
    assert packing.isdisjoint({"json-to-csv", "docx-to-pdf", "xlsx-to-ods", "png-to-jpg", "tiff-to-tiff", "eml-to-zip"})


@dataclass(frozen=True)
class Size:
    width: int = option(1, "Width.", minimum=1, maximum=9)


@dataclass(frozen=True)
class Look:
    frame: bool = option(True, "Draw a frame.")


def test_groups_of_options_become_one_class_in_their_order() -> None:
    both = combine("Both", Size, Look)
    assert isinstance(both, OptionGroups)
    assert both.options is both.options
    assert [each.name for each in describe(both.options)] == ["width", "frame"]
    assert build(both.options, {"frame": False}) == both.options(width=1, frame=False)


def test_one_group_of_options_needs_no_class_of_its_own() -> None:
    assert combine("Alone", Size) is Size
    assert combine("None") is NoOptions


@pytest.mark.parametrize(
    "family", ["agenda", "arrow", "avro", "bibliographies", "databases", "feeds", "pages", "places", "settings"]
)
def test_conversions_are_of_the_module_that_declares_them(family: str) -> None:
    name = f"engine.families.data.{family}.converters"
    code = (
        f"import sys; from engine.sandbox.preload import converter_of; import {name};"
        f"from engine.toolkit.declaring import declared;"
        f"slugs = [each.slug for each in declared() if each.declared_in == {name!r}];"
        f"print(len(slugs), all(list(converter_of({name!r}, slug)) == [slug] for slug in slugs))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    count, found = result.stdout.split()
    assert int(count) > 3
    assert found == "True"
