"""A sandbox that is ready before anybody asks for a conversion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Person
from tests.sandbox.conftest import children, eventually, sandbox_of
from tests.server.conftest import Server, start_server
from tests.server.test_races import convert


@pytest.fixture
def prepared(transactional_db: None) -> Iterator[Server]:
    running = start_server(workers=2, PREPARE_SANDBOX="yes")
    yield running
    running.stop()


def families(server: Server) -> set[str]:
    """Of which families a worker has said in the log that a child is confined."""
    return set(re.findall(r'"sandbox of (\w+): confined', server.log.read_text()))


def imported(pid: int) -> str:
    return Path(f"/proc/{pid}/maps").read_text()


def test_the_common_families_wait_for_their_first_job(prepared: Server, guest: Person) -> None:
    assert eventually(lambda: len(families(prepared)) == 4)
    supervisor, *_ = sandbox_of(prepared.process.pid)
    zygotes = children(supervisor)
    # One for texts, and one for what pictures, PDF and office share: none begins anew for the first job.
    assert sorted("pdfium" in imported(each) for each in zygotes) == [False, True]
    assert convert(prepared, guest.headers).status_code == 201
    assert children(supervisor) == zygotes


def test_without_prepare_sandbox_nothing_starts_in_advance(own_server: Server, program: Person) -> None:
    assert not sandbox_of(own_server.process.pid)
    assert convert(own_server, program.headers).status_code == 201
    assert sandbox_of(own_server.process.pid)
