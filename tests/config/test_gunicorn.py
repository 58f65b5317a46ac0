"""What the web server's worker relies on in gunicorn: `make gunicorn` runs this with the newest of the series."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import gunicorn
import pytest
from gunicorn.config import Config
from gunicorn.http import wsgi
from gunicorn.workers.gthread import TConn, ThreadWorker

from config.server.connection import Connection
from config.server.worker import SERIES, PatientWorker
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
OWN = ("accept", "set_accept_enabled", "handle", "handle_request", "handle_error", "finish_request", "load_wsgi",
       "get_thread_pool", "check_config", "notify", "murder_keepalived", "murder_pending")  # fmt: skip
"""The methods of gunicorn's worker that ours has in their place."""


def start(version: str) -> subprocess.CompletedProcess[str]:
    """gunicorn's own command where this version of it is installed."""
    arguments = ["gunicorn", "-c", "config/gunicorn.py", "tests.config.plain_app:application"]
    code = (
        f"import sys, gunicorn; gunicorn.__version__ = {version!r}; sys.argv = {arguments!r}; "
        "from gunicorn.app.wsgiapp import run; run()"
    )
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PORT": str(free_port())},
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_another_series_stops_the_start_and_both_are_named() -> None:
    refused = start("99.1.2")
    assert refused.returncode != 0
    assert "99.1.2" in refused.stderr
    assert SERIES in refused.stderr


def test_what_is_installed_with_the_service_is_of_the_series() -> None:
    pinned = re.findall(r"^gunicorn==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert [each.startswith(SERIES) for each in pinned] == [True]
    assert gunicorn.__version__.startswith(SERIES)


@pytest.mark.parametrize("name", OWN)
def test_a_method_in_the_place_of_one_of_gunicorns_takes_what_that_takes(name: str) -> None:
    ours, theirs = (list(inspect.signature(getattr(each, name)).parameters) for each in (PatientWorker, ThreadWorker))
    assert name in vars(PatientWorker)
    assert ours == theirs


def test_no_other_method_of_gunicorns_is_replaced() -> None:
    assert {each for each in vars(PatientWorker) if hasattr(ThreadWorker, each) and not each.startswith("_")} == {*OWN}


def test_the_state_that_the_worker_uses_is_there() -> None:
    worker = ThreadWorker(1, os.getppid(), [], None, 30, Config(), None)
    used = ("alive", "nr", "nr_conns", "max_requests", "worker_connections", "sockets", "cfg", "log", "_accepting")
    assert [each for each in used if not hasattr(worker, each)] == []
    worker.tmp.close()
    source = inspect.getsource(ThreadWorker)
    for name in ("self.poller", "self.method_queue.defer", "self.tpool"):
        assert name in source, name


def test_a_connection_is_made_of_what_ours_is_made_of() -> None:
    assert list(inspect.signature(TConn.__init__).parameters) == ["self", "cfg", "sock", "client", "server"]
    ours = list(inspect.signature(Connection.__init__).parameters)
    assert ours == ["self", "cfg", "channel", "client", "server", "trusted_proxies"]


def test_a_response_is_made_and_sent_by_the_same_calls() -> None:
    assert list(inspect.signature(wsgi.create).parameters)[:5] == ["req", "sock", "client", "server", "cfg"]
    for name in ("start_response", "write", "sendfile", "close", "should_close", "force_close"):
        assert hasattr(wsgi.Response, name), name
