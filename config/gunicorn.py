"""gunicorn's settings, from the environment: `gunicorn -c config/gunicorn.py`.

HOST (127.0.0.1) and PORT (8000) to listen on, WEB_CONCURRENCY (2) processes with THREADS (4) concurrent requests each.
TRUSTED_PROXY_COUNT above 0 means that clients connect through a proxy, which must then limit each
address's connections. With PREPARE_SANDBOX (yes) the first conversion of a family need not wait for its libraries.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from config import environment as env
from config import tallies

# Imports stay in memory: collecting garbage during them would be an eighth of the start-up time.
gc.disable()

_server = env.server()
_descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]

bind = f"[{_server.host}]:{_server.port}" if ":" in _server.host else f"{_server.host}:{_server.port}"
wsgi_app = "config.wsgi:application"
# Preloaded, so that workers share unwritten memory.
preload_app = True
worker_class = "config.server.worker.PatientWorker"
workers = _server.workers
threads = _server.threads
# A connection needs a descriptor, and another for a file being sent.
worker_connections = 1_000 if _descriptors == resource.RLIM_INFINITY else min(1_000, _descriptors // 3)

keepalive = 20
graceful_timeout = 30
# The event loop reports every second, however long a request takes.
timeout = 30
control_socket_disable = True

# Whether to trust the proxy's scheme; a proxy is never trusted to change the path.
forwarded_allow_ips = "*" if _server.proxies else ""
forwarder_headers = ""


_REPLACED = "WORKERS_TO_REPLACE"
_replaced = [int(each) for each in os.environ.pop(_REPLACED, "").split()]

# A reload starts new workers before the old ones have ended.
_tallies = tallies.Shared(2 * workers)


def pre_fork(server: Any, worker: Any) -> None:
    """Assign the worker its part of the shared metrics."""
    _tallies.reserve(worker)


def post_fork(server: Any, worker: Any) -> None:
    """Use that part, and record signals that arrive before the worker's own handlers are installed."""
    _tallies.join(worker)
    worker.queued_signals = server.SIG_QUEUE


def when_ready(server: Any) -> None:
    """Freeze what start-up has created, and collect garbage less often.

    A collection writes to every object, and each forked worker would get its own copy of the pages.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()


def post_worker_init(worker: Any) -> None:
    """End the workers that this one replaces, each after its current requests.

    A worker told to stop while it still had the parent's handlers, which only queue the signal, stops now.
    """
    while not worker.queued_signals.empty():
        if worker.queued_signals.get_nowait() in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            worker.alive = False
    share = _replaced if worker.age > workers else _replaced[worker.age - 1 :: workers]
    for each in share:
        if _parent(each) == worker.ppid:
            os.kill(each, signal.SIGTERM)
    if _server.prepares:
        threading.Thread(target=_prepare, name="prepare", daemon=True).start()


def _prepare() -> None:
    from conversions.work import runner  # not needed to read this file

    runner.prepare()


def on_reload(server: Any) -> None:
    """Re-execute with the current code, in the same process; workers serve until new ones are ready.

    If the code can't be imported, the new workers use what is in memory.
    """
    module = server.app.app_uri.partition(":")[0]
    if subprocess.run([sys.executable, "-c", f"import {module}"], stdin=subprocess.DEVNULL, check=False).returncode:
        server.log.error("%s can't be imported: what was loaded before goes on", module)
        return
    environment = {**os.environ, _REPLACED: " ".join(map(str, server.WORKERS))}
    # As in gunicorn's own re-execution, but this process is its own parent.
    if server.systemd:
        environment |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(server.LISTENERS))}
    else:
        environment |= {"GUNICORN_FD": ",".join(str(each.fileno()) for each in server.LISTENERS)}
    environment["GUNICORN_PID"] = str(os.getpid())
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a further signal would kill the process before it has handlers again
    os.chdir(server.START_CTX["cwd"])
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)  # noqa: S606  # no shell is meant


def _parent(process: int) -> int | None:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def child_exit(server: Any, worker: Any) -> None:
    """Keep a dead worker's counters, but reset its gauges."""
    _tallies.release(worker)
