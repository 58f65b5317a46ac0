"""Metrics of conversions: outcomes, durations, and waiting times."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

CONVERSIONS = Counter("fileconv_conversions", "Conversions that were worked on.", ["slug", "outcome"])
CONVERSION_SECONDS = Histogram("fileconv_conversion_seconds", "The converter's own time.", ["slug"], buckets=BUCKETS)
SANDBOX_SECONDS = Histogram(
    "fileconv_sandbox_wait_seconds", "Time for a child beside the converter's own.", ["family"], buckets=BUCKETS
)
SANDBOX_JOBS = Gauge(
    "fileconv_sandbox_jobs", "Jobs that are in the sandbox or wait for it.", ["family"], multiprocess_mode="livesum"
)
