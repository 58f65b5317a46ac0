"""The worker with the standard library's threads, which take requests in turn: what ours are measured against."""

from __future__ import annotations

from gunicorn.workers.gthread import ThreadWorker

from config.server.worker import PatientWorker


class HandedRound(PatientWorker):
    """Serves as the service does, but that each request goes to the thread that has rested longest."""

    get_thread_pool = ThreadWorker.get_thread_pool
