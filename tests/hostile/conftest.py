"""The real server, for hostile files and requests, and the report of the soak."""

from __future__ import annotations

import functools

import pytest
from django.db import connection

from tests.hostile.figures import Report
from tests.server.conftest import own_server, server, shared_server

__all__ = ["own_server", "server", "shared_server"]


@functools.cache
def _report() -> Report:
    return Report(database=connection.vendor)


@pytest.fixture
def report() -> Report:
    """The one report of this run."""
    return _report()
