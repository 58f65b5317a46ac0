"""One hostile file through the whole service, and what must hold afterwards."""

from __future__ import annotations

import time
from dataclasses import dataclass

import httpx

from conversions.work import runner
from engine.families.registry import CONVERTERS, resolve
from tests.conversions.samples import PEOPLE
from tests.hostile.inputs import Hostile


@dataclass(frozen=True)
class Verdict:
    """What came of one hostile file; `seconds` is the whole request."""

    hostile: Hostile
    status: int
    code: str
    seconds: float
    limit: float


def send(client: httpx.Client, url: str, hostile: Hostile, headers: dict[str, str]) -> Verdict:
    """POST one hostile file and say what came of it."""
    converter = resolve(hostile.slug)
    assert converter is not None
    name = hostile.filename if hostile.filename is not None else f"input.{converter.input.extension}"
    content = hostile.make()
    started = time.perf_counter()
    answer = client.post(
        f"{url}/api/v1/converter/{hostile.slug}",
        files={"file": (name, content)},
        data=dict(hostile.options),
        headers=headers,
        timeout=150,
    )
    seconds = time.perf_counter() - started
    code = answer.json().get("code", "") if answer.status_code != 201 else ""
    return Verdict(hostile, answer.status_code, code, seconds, runner.wall_limit(CONVERTERS[converter.slug]))


def still_works(client: httpx.Client, url: str, headers: dict[str, str]) -> bool:
    """Whether a good job works now."""
    answer = client.post(
        f"{url}/api/v1/converter/json-to-csv", files={"file": ("a.json", PEOPLE)}, headers=headers, timeout=60
    )
    return answer.status_code == 201
