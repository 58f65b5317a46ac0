"""Metrics: credits spent, and limits that could not be checked."""

from __future__ import annotations

from prometheus_client import Counter

JOB_SLOTS_FULL = Counter("fileconv_job_slots_full", "Conversions that found all job slots of their payer taken.")
FAILED_SECONDS = Counter(
    "fileconv_failed_processor_seconds",
    "Seconds of processor that failed work has taken, by who has it done.",
    ["payer"],
)
CREDITS = Counter("fileconv_credits_spent", "Credits that conversions were charged.")
CACHE_ERRORS = Counter("fileconv_cache_errors", "Limits that could not be checked without the shared cache.", ["limit"])
MAILS = Counter("fileconv_mails", "Mails by what became of them: sent, failed, refused.", ["outcome"])
