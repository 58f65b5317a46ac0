"""A worker with the standard library's thread pool, which hands out requests in turn, to compare our worker with."""

from __future__ import annotations

from gunicorn.workers.gthread import ThreadWorker

from config.server.worker import PatientWorker


class RoundRobin(PatientWorker):
    """Serves as the service does, except that each request goes to the thread that has been idle longest."""

    get_thread_pool = ThreadWorker.get_thread_pool
