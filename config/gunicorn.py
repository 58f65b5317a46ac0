"""Settings of the web server, from the environment: `gunicorn -c config/gunicorn.py`.

HOST (127.0.0.1) and PORT (8000) to listen on, WEB_CONCURRENCY (2) processes of THREADS (4) requests at once each.
TRUSTED_PROXY_COUNT above 0 says that clients come through a proxy, which then bounds what one address may do.
"""

from __future__ import annotations

import gc
import resource
from typing import Any

from config import environment as env
from config import tallies

_server = env.server()
_descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]

bind = f"[{_server.host}]:{_server.port}" if ":" in _server.host else f"{_server.host}:{_server.port}"
wsgi_app = "config.wsgi:application"
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


# A reload starts the new workers before the old ones have ended.
_tallies = tallies.Shared(2 * workers)


def pre_fork(server: Any, worker: Any) -> None:
    """Give the worker to be a part of what the workers count together."""
    _tallies.take(worker)


def post_fork(server: Any, worker: Any) -> None:
    """Count in that part."""
    _tallies.join(worker)


def post_worker_init(worker: Any) -> None:
    """Leave what the start has made, most of the memory, out of every search for garbage, and search less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def child_exit(server: Any, worker: Any) -> None:
    """Keep what a dead worker has counted, but not what it was doing."""
    _tallies.leave(worker)
