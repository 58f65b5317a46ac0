"""The plan a zygote receives on start."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass

from engine.sandbox.limits import MEMORY_FOLDER, Limits
from engine.toolkit.declaring import Profile


@dataclass(frozen=True)
class Plan:
    """What a zygote serves and how it confines, sent as JSON; a shared zygote may receive more than one.

    `only` is the declaring module and the slug of a zygote for a single converter. If `drop`, children change to a user
    of their own (requires root), or to one from the first to before the second of `users`. `groups` is the control
    group for those of jobs, by default the delegated one. The zygote ends after `alone` seconds without a client.
    `pressure` is the file that reports memory pressure, by default the kernel's; `share` is the number of zygotes that
    divide the jobs of the profile.
    """

    profile: Profile
    limits: Limits
    parent: int
    folder: str
    memory: str | None = MEMORY_FOLDER
    modules: tuple[str, ...] = ()
    only: tuple[str, str] | None = None
    abi_at_most: int | None = None
    filtered: bool = True
    drop: bool = False
    users: tuple[int, int] | None = None
    groups: str | None = None
    pressure: str | None = None
    share: int = 1
    alone: float | None = None

    @classmethod
    def parse(cls, text: bytes) -> Plan:
        body = json.loads(text)
        limits = Limits(**body["limits"])
        limits = dataclasses.replace(limits, jobs=math.ceil(limits.jobs / body.get("share", 1)))
        body |= {"limits": limits, "modules": tuple(body.get("modules", ()))}
        return cls(**body)
