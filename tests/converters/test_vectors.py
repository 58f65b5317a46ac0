"""Every vector through the converter's function itself, and some of them through the sandbox, as HTTP calls it."""

from __future__ import annotations

import hashlib
import importlib
import os
import pkgutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from conversions.work import runner
from engine.families import auditing
from engine.families.registry import CONVERTERS, DECLARED
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.options import build, describe
from engine.toolkit.warnings import Warn, Warning
from tests import families
from tests.conftest import Person
from tests.converters import doors, machine_names
from tests.converters.declared_messages import is_known
from tests.converters.vector import Vector
from tests.converters.vectors import BY_FAMILY, VECTORS

INSTALLED = [each for each in VECTORS if each.slug in CONVERTERS]


def _runs_here(converter: Converter) -> bool:
    """Not so where it starts LibreOffice, which then is in the process until it ends: that is for children alone."""
    return converter.profile != "libreoffice"


HERE = [each for each in INSTALLED if _runs_here(CONVERTERS[each.slug])]
CHOSEN = doors.cover(HERE)


def _through_doors(vector: Vector) -> Any:
    """The vector as a parameter of the test of all doors, in the tier that it belongs to."""
    here = _runs_here(CONVERTERS[vector.slug])
    marks = () if vector.id in CHOSEN else pytest.mark.full if here else pytest.mark.ci
    return pytest.param(vector, id=vector.id, marks=marks)


def _by_function(vector: Vector, folder: Path) -> bytes | None:
    """The bytes that the converter's function makes in this process, looked at; None where it has to refuse."""
    converter = CONVERTERS[vector.slug]
    source = folder / f"input.{converter.input.id}"
    source.write_bytes(vector.source())
    target = folder / f"output.{converter.output.id}"
    options = build(converter.options, dict(vector.options))
    warn = Warn()
    if vector.error == "VALIDATION_ERROR":
        with pytest.raises(InvalidOption) as refused:
            auditing.run(converter, source, target, options, warn)
        assert refused.value.option in {each.name for each in describe(converter.options)}
        assert is_known(refused.value.message)
        return None
    if vector.error:
        if not source.stat().st_size or not converter.input.recognises(source.read_bytes()[:4096]):
            return None
        with pytest.raises((Unreadable, OverLimit)) as raised:
            auditing.run(converter, source, target, options, warn)
        assert is_known(raised.value.message)
        assert vector.line is None or getattr(raised.value, "line", None) == vector.line
        assert vector.column is None or getattr(raised.value, "column", None) == vector.column
        return None
    written = auditing.run(converter, source, target, options, warn)
    assert (written or converter.output).id == (vector.output or converter.output.id)
    assert vector.check is not None
    made = target.read_bytes()
    vector.check(made)
    folders = [os.fsencode(folder), os.fsencode(tempfile.gettempdir()) + b"/suite-"]
    assert machine_names.told(made, *folders) == []
    assert machine_names.told(_messages(warn.warnings), *folders) == []
    assert [each.message for each in warn.warnings if not is_known(each.message)] == []
    codes = {each.code for each in warn.warnings}
    assert vector.warnings <= codes if vector.more_warnings else vector.warnings == codes
    return made


def test_every_slug_has_an_ordinary_an_awkward_and_a_failing_vector() -> None:
    kinds: dict[str, set[str]] = {
        # A container is read in one way and written in one, whatever the other side is.
        slug: set()
        for slug, each in CONVERTERS.items()
        if each.profile != "media"
    }
    for each in VECTORS:
        if each.slug in kinds:
            kinds[each.slug].add(each.kind)
    assert {slug: met for slug, met in kinds.items() if met != {"ordinary", "awkward", "failing"}} == {}


def test_vectors_lie_with_the_family_that_declares_their_conversions() -> None:
    declared: dict[str, set[str]] = {}
    for each in DECLARED:
        declared.setdefault(each.slug, set()).add(each.declared_in.split(".", 2)[2].removesuffix(".converters"))
    assert {
        (family, each.slug)
        for family, vectors in BY_FAMILY.items()
        for each in vectors
        if not any(f"{other}.".startswith(f"{family}.") for other in declared[each.slug])
    } == set()


def test_the_vectors_of_every_module_are_found() -> None:
    names = [each.name for each in pkgutil.walk_packages(families.__path__, f"{families.__name__}.")]
    held = (vector for name in names for vector in getattr(importlib.import_module(name), "VECTORS", ()))
    assert {each.id for each in held} == {each.id for each in VECTORS}
    assert len({each.id for each in VECTORS}) == len(VECTORS)


FUNCTIONS = sorted({each.run.__name__: each.run for each in CONVERTERS.values() if each.profile == "media"}.items())


@pytest.mark.parametrize(("name", "run"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_every_function_of_media_writes_all_that_it_can(name: str, run: Any) -> None:
    pairs = {slug: each for slug, each in CONVERTERS.items() if each.run is run}
    vectors = [each for each in VECTORS if each.slug in pairs]
    assert {each.kind for each in vectors} == {"ordinary", "awkward", "failing"}
    written = {pairs[each.slug].output.id for each in vectors if each.kind == "ordinary"}
    assert written == {each.output.id for each in pairs.values()}


def test_every_container_is_read() -> None:
    every = [each for each in CONVERTERS.values() if each.profile == "media"]
    slugs = {each.slug for each in VECTORS if each.kind == "ordinary"}
    assert {each.input.id for each in every} == {each.input.id for each in every if each.slug in slugs}


@pytest.fixture
def sandboxed(monkeypatch: pytest.MonkeyPatch) -> list[runner.Outcome | Exception]:
    """What the sandbox, still the real one, has said of each job."""
    outcomes: list[runner.Outcome | Exception] = []
    convert = runner.convert

    def listening(*given: Any, **named: Any) -> runner.Outcome:
        try:
            outcome = convert(*given, **named)
        except Exception as error:
            outcomes.append(error)
            raise
        if not named.get("detect_only"):
            outcomes.append(outcome)
        return outcome

    monkeypatch.setattr(runner, "convert", listening)
    return outcomes


# The chosen ones are given to the function by the test of all doors.
@pytest.mark.parametrize("vector", [pytest.param(each, id=each.id) for each in HERE if each.id not in CHOSEN])
def test_the_function_gives_what_the_vector_demands(vector: Vector, tmp_path: Path) -> None:
    _by_function(vector, tmp_path)


def test_the_vectors_that_go_through_all_doors_read_and_write_all_that_there_is() -> None:
    converted = [CONVERTERS[each.slug] for each in HERE if each.id in CHOSEN and not each.error]
    assert set().union(*map(doors.parts, converted)) >= set().union(
        *(doors.parts(each) for each in CONVERTERS.values() if _runs_here(each))
    )


@pytest.mark.parametrize("vector", [_through_doors(each) for each in INSTALLED])
def test_function_sandbox_and_http_give_the_same_that_the_vector_demands(
    vector: Vector, paying: Person, sandboxed: list[runner.Outcome | Exception], tmp_path: Path
) -> None:
    converter = CONVERTERS[vector.slug]
    made = _by_function(vector, tmp_path) if _runs_here(converter) else None
    fields = {name: _field(value) for name, value in vector.options.items() if value is not None}
    answer = paying.convert(vector.slug, vector.source(), f"input.{converter.input.extension}", headers=None, **fields)
    body = answer.json()
    if vector.error:
        assert all(isinstance(each, InvalidOption | Unreadable | OverLimit) for each in sandboxed)
        assert sandboxed or vector.error == "VALIDATION_ERROR"
        for error in sandboxed:
            assert vector.line is None or getattr(error, "line", None) == vector.line
            assert vector.column is None or getattr(error, "column", None) == vector.column
        assert (answer.status_code, body["code"]) == (400 if vector.error == "VALIDATION_ERROR" else 422, vector.error)
        place = body["details"][0] if "details" in body else {}
        assert vector.line is None or place["line"] == vector.line
        assert vector.column is None or place["column"] == vector.column
        return
    assert answer.status_code == 201, body
    data = body["data"]
    (outcome,) = sandboxed
    assert isinstance(outcome, runner.Outcome)
    assert outcome.format.id == (vector.output or converter.output.id)
    assert outcome.format is converter.output or converter.packs
    assert (outcome.size, {each.code for each in outcome.warnings}) == (
        data["outputBytes"], {each["code"] for each in data["warnings"]},
    )  # fmt: skip
    content = paying.download(data["downloadUrl"])
    assert machine_names.told(content, *machine_names.FOLDERS) == []
    assert machine_names.told(_messages(outcome.warnings), *machine_names.FOLDERS) == []
    assert (len(content), hashlib.sha256(content).hexdigest()) == (data["outputBytes"], data["sha256"])
    if made is None or not vector.repeatable:
        assert vector.check is not None
        vector.check(content)
    else:
        assert content == made, "the same input and options gave other bytes in another process"
    codes = {each["code"] for each in data["warnings"]}
    assert vector.warnings <= codes if vector.more_warnings else vector.warnings == codes


def _messages(warnings: Iterable[Warning]) -> bytes:
    return "\n".join(str(each.message) for each in warnings).encode()


def _field(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
