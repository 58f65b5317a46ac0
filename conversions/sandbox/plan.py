"""The plan: what a zygote is told to be, before it is anything."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass

from conversions.sandbox.limits import MEMORY_FOLDER, Limits
from conversions.toolkit.declaring import Profile


@dataclass(frozen=True)
class Plan:
    """What a zygote is told, as JSON: whom it serves, and how it confines. One that is shared may be told more of them.

    One that serves a single converter is told in `only` the module that declares it, and the slug. Children `drop` to
    the user that they have where this is root. It ends when it has been `alone`, without a client, for so many seconds;
    `pressure` is the file that tells whether memory is short, where that is not the kernel's; it is one of `share` that
    do all jobs of its profile.
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
