"""Settings of the web server, from the environment: `gunicorn -c config/gunicorn.py`.

HOST (127.0.0.1) and PORT (8000) to listen on, WEB_CONCURRENCY (2) processes of THREADS (4) requests at once each.
TRUSTED_PROXY_COUNT above 0 says that clients come through a proxy, which then bounds what one address may do.
"""

from __future__ import annotations

import gc
import importlib
import resource
from typing import Any

from config import environment as env

_host = env.text("HOST", "127.0.0.1")
_port = env.integer("PORT", 8000, minimum=1, maximum=65_535)
_metrics = env.share_metrics()
_descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]

bind = f"[{_host}]:{_port}" if ":" in _host else f"{_host}:{_port}"
wsgi_app = "config.wsgi:application"
worker_class = "config.worker.PatientWorker"
workers = env.integer("WEB_CONCURRENCY", 2, minimum=1, maximum=256)
threads = env.integer("THREADS", 4, minimum=1, maximum=64)
# A connection needs a descriptor, some need another for the file that is sent.
worker_connections = 1_000 if _descriptors == resource.RLIM_INFINITY else min(1_000, _descriptors // 3)

keepalive = 20
graceful_timeout = 30
# The event loop reports every second, however long a request takes.
timeout = 30
control_socket_disable = True

# Whether the scheme of a proxy is believed; none is believed to rename the path.
forwarded_allow_ips = "*" if env.integer("TRUSTED_PROXY_COUNT", 0, minimum=0, maximum=10) else ""
forwarder_headers = ""


def on_starting(server: Any) -> None:
    """Forget what the workers of an earlier start have counted."""
    for each in _metrics.glob("*.db"):
        each.unlink(missing_ok=True)


def post_worker_init(worker: Any) -> None:
    """Leave what the start has made, most of the memory, out of every search for garbage, and search less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def child_exit(server: Any, worker: Any) -> None:
    """Keep what a dead worker has counted, but not what it was doing."""
    # Imported late: the library looks at the environment when it is imported.
    importlib.import_module("prometheus_client.multiprocess").mark_process_dead(worker.pid)
