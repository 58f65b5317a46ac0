"""How many random examples a test tries: a quarter of them in the suite, all in the soak."""

from __future__ import annotations

import os

ALL = os.environ.get("EXAMPLES") == "all"


def examples(number: int) -> int:
    """As many of `number` as are tried now; tests that ask have the marker `examples`, by which the soak finds them."""
    return number if ALL else -(-number // 4)
