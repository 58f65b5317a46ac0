"""Settings of a service with two places for conversions of texts, for which everybody waits as long as a test may."""

from config.settings import *  # noqa: F403

SANDBOX_LIMITS = {"text": {"jobs": 2, "wall": 900, "cpu": 900, "wait": 900}}
