"""Costs: the processor time that one conversion takes, in a process of its own."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from engine.families.registry import CONVERTERS
from engine.sandbox.limits import LIMITS, NOT_PRELOADED
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import ConversionError, OverLimit
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

REFERENCE = 0.022
"""Seconds of processor that the work of `slowness` took where the bounds of the tests were measured."""

End = Literal["written", "refused", "failed", "stopped"]


@dataclass(frozen=True)
class Cost:
    """Seconds of processor time, programs that were started included, and what came of them.

    `stopped` is a conversion that took more than it was given; `reason` is the limit that a refusal named, `warned` has
    the codes of the warnings.
    """

    seconds: float
    end: End
    reason: str = ""
    said: str = ""
    warned: tuple[str, ...] = ()


@dataclass
class Meter:
    """Runs conversions one after another, each in a fork of a process that has imported what they need."""

    process: subprocess.Popen[str]
    folder: Path
    _number: int = field(default=0)

    def cost(self, slug: str, data: bytes, options: Mapping[str, Any] | None = None, *, most: float) -> Cost:
        """What the conversion of `data` costs; it is stopped after `most` seconds at the reference pace."""
        source = self.folder / f"input.{CONVERTERS[slug].input.id}"
        source.write_bytes(data)
        task = {"slug": slug, "source": str(source), "options": dict(options or {}), "most": most}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return Cost(**{**answer, "warned": tuple(answer["warned"])})


@contextlib.contextmanager
def meter() -> Iterator[Meter]:
    """A meter, whose process ends with the block."""
    command = [sys.executable, "-m", "tests.hostile.costs"]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        with process:
            try:
                yield Meter(process, Path(folder))
            finally:
                process.kill()


def slowness() -> float:
    """How many times slower than the reference this machine is now; 1 if it is as fast or faster.

    The same conversions took up to 2.6 times the processor time on the slowest machine that has run these tests.
    """
    began = time.process_time()
    made = json.loads(json.dumps({f"key {number}": [number, str(number)] for number in range(20_000)}))
    assert len(made) == 20_000
    return max(1.0, (time.process_time() - began) / REFERENCE)


def _measured(task: Mapping[str, Any]) -> Cost:
    most = task["most"] * slowness()
    converter = CONVERTERS[task["slug"]]
    for module in converter.engine.modules:
        if module.partition(".")[0] not in NOT_PRELOADED[converter.profile]:
            importlib.import_module(module)
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        os.setsid()
        os.close(ours)
        _convert(converter, task, most, theirs)
    os.close(theirs)
    # What sleeps or starts others has no processor time of its own that the kernel would stop it by.
    ready, _, _ = select.select([ours], [], [], most * 3 + 5)
    with contextlib.suppress(ProcessLookupError):
        if not ready:
            os.killpg(pid, signal.SIGKILL)
    said = b""
    while ready and (block := os.read(ours, 65_536)):
        said += block
    os.close(ours)
    _, status, usage = os.wait4(pid, 0)
    seconds = usage.ru_utime + usage.ru_stime
    if seconds >= most or os.waitstatus_to_exitcode(status) in (-signal.SIGXCPU, -signal.SIGKILL):
        return Cost(seconds, "stopped")
    if not said:
        return Cost(seconds, "failed", said=f"exit status {os.waitstatus_to_exitcode(status)}")
    return Cost(seconds, **json.loads(said))


def _convert(converter: Converter, task: Mapping[str, Any], most: float, answer: int) -> None:
    whole = int(most) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))
    memory = LIMITS[converter.profile].memory
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    options = build(converter.options, task["options"])
    warn = Warn()
    said: dict[str, Any] = {"end": "written"}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        source = Path(folder, Path(task["source"]).name)
        source.symlink_to(task["source"])
        try:
            converter.run(source, Path(folder, f"output.{converter.output.id}"), options, warn)
        except ConversionError as error:
            reason = error.reason if isinstance(error, OverLimit) else ""
            said = {"end": "refused", "reason": reason, "said": str(error)[:200]}
        except BaseException as error:
            said = {"end": "failed", "said": f"{type(error).__name__}: {error}"[:200]}
    said["warned"] = sorted({each.code for each in warn.warnings})
    os.write(answer, json.dumps(said).encode())
    os._exit(0)


def main() -> None:
    """Answer each line of the standard input, a task, with a line: what it cost."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer
    for line in sys.stdin:
        print(json.dumps(vars(_measured(json.loads(line)))), file=answers, flush=True)


if __name__ == "__main__":
    main()
