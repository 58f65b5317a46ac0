"""Every vector through the converter's function itself, and through the sandbox, as HTTP calls it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from conversions import runner
from conversions.families.registry import CONVERTERS
from conversions.toolkit.failures import InvalidOption, OverLimit, Unreadable
from conversions.toolkit.options import build
from conversions.toolkit.warnings import Warn
from tests.conftest import Person
from tests.converters.told import is_known
from tests.converters.vector import Vector
from tests.converters.vectors import VECTORS

INSTALLED = [pytest.param(each, id=each.id) for each in VECTORS if each.slug in CONVERTERS]


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
            converter.run(source, target, options, warn)
        assert is_known(str(refused.value))
        return None
    if vector.error:
        if not source.stat().st_size or not converter.input.recognises(source.read_bytes()[:4096]):
            return None
        with pytest.raises((Unreadable, OverLimit)) as raised:
            converter.run(source, target, options, warn)
        assert is_known(str(raised.value))
        assert vector.line is None or getattr(raised.value, "line", None) == vector.line
        assert vector.column is None or getattr(raised.value, "column", None) == vector.column
        return None
    written = converter.run(source, target, options, warn)
    assert (written or converter.output).id == (vector.output or converter.output.id)
    assert vector.check is not None
    made = target.read_bytes()
    vector.check(made)
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
    said: list[runner.Outcome | Exception] = []
    convert = runner.convert

    def listening(*given: Any, **named: Any) -> runner.Outcome:
        try:
            outcome = convert(*given, **named)
        except Exception as error:
            said.append(error)
            raise
        if not named.get("look"):
            said.append(outcome)
        return outcome

    monkeypatch.setattr(runner, "convert", listening)
    return said


@pytest.mark.parametrize("vector", INSTALLED)
def test_function_sandbox_and_http_give_the_same_that_the_vector_demands(
    vector: Vector, paying: Person, sandboxed: list[runner.Outcome | Exception], tmp_path: Path
) -> None:
    converter = CONVERTERS[vector.slug]
    # Once started, LibreOffice is in a process until it ends: it is for children alone, never for the one that tests.
    alone = converter.profile == "libreoffice"
    made = None if alone else _by_function(vector, tmp_path)
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
    assert (len(content), hashlib.sha256(content).hexdigest()) == (data["outputBytes"], data["sha256"])
    if made is None or not vector.repeatable:
        assert vector.check is not None
        vector.check(content)
    else:
        assert content == made, "the same input and options gave other bytes in another process"
    codes = {each["code"] for each in data["warnings"]}
    assert vector.warnings <= codes if vector.more_warnings else vector.warnings == codes


def _field(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
