"""A program that a launcher runs gets no further than the child beside it: nothing else becomes a program by it."""

from __future__ import annotations

import contextlib
import os
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.families.media.options import PROGRAM
from engine.sandbox import elf
from engine.sandbox.client import Zygote
from engine.sandbox.errors import Crashed
from engine.sandbox.identity import NOBODY
from engine.sandbox.limits import limits_for
from tests.sandbox.attempts import ATTEMPTS, STARTS_PROGRAMS, Context
from tests.sandbox.launched import INTERPRETER
from tests.sandbox.test_escape import ROOT, attempt, surroundings

pytestmark = pytest.mark.skipif(
    not ROOT or not os.path.exists(INTERPRETER), reason="needs an interpreter that every user can run, and root"
)
OF_THE_CHILD = {
    # What is tried with descriptors, processes and libraries that only the child has.
    "connect_through_job_channel", "run_from_error_log", "signal_parent", "trace_parent",
}  # fmt: skip
USUAL = ("run_", "read_", "connect_", "trace_", "call_as")


@pytest.fixture(scope="module", params=[None, pytest.param(1, marks=pytest.mark.soak)], ids=["newest", "abi1"])
def launching(request: pytest.FixtureRequest) -> Iterator[tuple[Zygote, Context]]:
    zygote = Zygote(
        "media",
        limits_for("media", {"media": {"wall": 20}}),
        modules=("tests.sandbox.launched",),
        child_uid=NOBODY,
        abi_at_most=request.param,
    )
    report = zygote.canary()
    assert report.confined, report
    assert report.seccomp
    assert zygote.pid is not None
    with contextlib.closing(zygote), surroundings(NOBODY, zygote.pid, Path(zygote.folders[-1])) as context:
        yield zygote, context


REFUSED = [
    pytest.param(each, marks=() if each.startswith(USUAL) else pytest.mark.soak)
    for each in sorted(ATTEMPTS.keys() - STARTS_PROGRAMS - OF_THE_CHILD)
]


@pytest.mark.parametrize("name", REFUSED)
def test_a_program_that_was_taken_over_is_refused(name: str, launching: tuple[Zygote, Context]) -> None:
    zygote, context = launching
    outcome = attempt(zygote, context, name)
    assert outcome.startswith(("refused", "-31", "1 ")), outcome  # SIGSYS, and what Python itself does not let pass


@pytest.mark.parametrize("name", sorted(STARTS_PROGRAMS))
def test_a_program_may_start_processes_of_itself(name: str, launching: tuple[Zygote, Context]) -> None:
    zygote, context = launching
    assert attempt(zygote, context, name) == "escaped", "the interpreter does not run, so nothing above was tried"


@pytest.mark.parametrize("name", ["/bin/true", "/lib64/ld-linux-x86-64.so.2", "input.json"])
def test_a_launcher_runs_no_other_program(name: str, launching: tuple[Zygote, Context]) -> None:
    zygote, _ = launching
    with tempfile.TemporaryFile() as source:
        source.write(b"{}")
        source.flush()
        with pytest.raises(Crashed):
            zygote.convert("another", {"name": name}, source.fileno())


def test_the_loader_is_the_one_that_the_program_names(tmp_path: Path) -> None:
    assert PROGRAM is not None
    loader = elf.loader_of(PROGRAM)
    assert loader is not None
    assert Path(loader).name.startswith("ld-linux")
    short = tmp_path / "short"
    for content in (b"", b"#!/bin/sh\n", b"\x7fELF\x02\x01" + struct.pack("<58x")):
        short.write_bytes(content)
        assert elf.loader_of(str(short)) is None
