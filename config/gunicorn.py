"""Settings of the web server, from the environment: `gunicorn -c config/gunicorn.py`.

HOST (127.0.0.1) and PORT (8000) to listen on, WEB_CONCURRENCY (2) processes of THREADS (4) requests at once each.
TRUSTED_PROXY_COUNT above 0 says that clients come through a proxy, which then bounds what one address may do. With
PREPARE_SANDBOX (yes) nobody's first conversion waits for the libraries of its family.
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

# What is imported from here on stays: searches for garbage among it would be an eighth of the start.
gc.disable()

_server = env.server()
_descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]

bind = f"[{_server.host}]:{_server.port}" if ":" in _server.host else f"{_server.host}:{_server.port}"
wsgi_app = "config.wsgi:application"
# Imported once, and what the workers do not write to is in memory once.
preload_app = True
worker_class = "config.server.worker.PatientWorker"
workers = _server.workers
threads = _server.threads
# A connection needs a descriptor, some need another for the file that is sent.
worker_connections = 1_000 if _descriptors == resource.RLIM_INFINITY else min(1_000, _descriptors // 3)

keepalive = 20
graceful_timeout = 30
# The event loop reports every second, however long a request takes.
timeout = 30
control_socket_disable = True

# Whether the scheme of a proxy is believed; none is believed to rename the path.
forwarded_allow_ips = "*" if _server.proxies else ""
forwarder_headers = ""


_REPLACED = "WORKERS_TO_REPLACE"
_replaced = [int(each) for each in os.environ.pop(_REPLACED, "").split()]

# A reload starts the new workers before the old ones have ended.
_tallies = tallies.Shared(2 * workers)


def pre_fork(server: Any, worker: Any) -> None:
    """Give the worker to be a part of what the workers count together."""
    _tallies.take(worker)


def post_fork(server: Any, worker: Any) -> None:
    """Count in that part, and keep what the process is told before it listens as a worker does."""
    _tallies.join(worker)
    worker.told = server.SIG_QUEUE


def when_ready(server: Any) -> None:
    """Leave what the start has made, most of the memory, out of every search for garbage, and search less often.

    A search writes to all that it looks at, and each worker that is forked would have pages of its own then.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()


def post_worker_init(worker: Any) -> None:
    """Let the workers end that this one takes the place of, each when it has answered what it was asked.

    One that was to stop while it still heard as its parent does, which put it on a list that nobody reads, stops now.
    """
    while not worker.told.empty():
        if worker.told.get_nowait() in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            worker.alive = False
    share = _replaced if worker.age > workers else _replaced[worker.age - 1 :: workers]
    for each in share:
        if _parent(each) == worker.ppid:
            os.kill(each, signal.SIGTERM)
    if _server.prepares:
        threading.Thread(target=_prepare, name="prepare", daemon=True).start()


def _prepare() -> None:
    from conversions import runner  # no part of what gunicorn needs to read this file

    runner.prepare()


def on_reload(server: Any) -> None:
    """Begin anew, in the same process, with the code as it is now; the workers serve until there are others.

    Code that can't be imported is not begun with: the workers are made anew of what is in memory.
    """
    module = server.app.app_uri.partition(":")[0]
    if subprocess.run([sys.executable, "-c", f"import {module}"], stdin=subprocess.DEVNULL, check=False).returncode:
        server.log.error("%s can't be imported: what was loaded before goes on", module)
        return
    environment = {**os.environ, _REPLACED: " ".join(map(str, server.WORKERS))}
    # As for gunicorn's own re-execution in another process; this one is its own parent in a manner of speaking.
    if server.systemd:
        environment |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(server.LISTENERS))}
    else:
        environment |= {"GUNICORN_FD": ",".join(str(each.fileno()) for each in server.LISTENERS)}
    environment["GUNICORN_PID"] = str(os.getpid())
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # another one would end what can't hear it yet
    os.chdir(server.START_CTX["cwd"])
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)  # noqa: S606  # no shell is meant


def _parent(process: int) -> int | None:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def child_exit(server: Any, worker: Any) -> None:
    """Keep what a dead worker has counted, but not what it was doing."""
    _tallies.leave(worker)
