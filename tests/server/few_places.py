"""Settings of a service with two slots for text conversions, and a wait as long as a test may take."""

from config.settings import *  # noqa: F403

SANDBOX_LIMITS = {"text": {"jobs": 2, "wall": 900, "cpu": 900, "wait": 900}}
