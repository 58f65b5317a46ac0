"""Metrics of requests; the apps have their own."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

REQUESTS = Counter("fileconv_requests", "Requests by route and status.", ["method", "route", "status"])
REQUEST_SECONDS = Histogram("fileconv_request_seconds", "How long requests took.", ["route"], buckets=BUCKETS)
REFUSALS = Counter("fileconv_refusals", "Requests that were answered with an error, by its code.", ["code"])
