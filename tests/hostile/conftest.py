"""The real server, for hostile files and requests, the meter of their cost, and the report of the soak."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.hostile.costs import Meter, meter
from tests.hostile.figures import Report
from tests.server.conftest import own_server, server, shared_server

__all__ = ["own_server", "server", "shared_server"]


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Report:
    """The one report of this run, to which each of its processes adds what it has found.

    `make soak` has several runs of pytest add to one, by the file that SOAK_KNOWN names.
    """
    own = tmp_path_factory.getbasetemp()
    known = os.environ.get("SOAK_KNOWN") or (own if worker_id == "master" else own.parent) / "soak.json"
    return Report(connection.vendor, Path(known))


@pytest.fixture(scope="module")
def measured() -> Iterator[Meter]:
    """A meter of the processor time that conversions take."""
    with meter() as made:
        yield made
