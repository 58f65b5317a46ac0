"""The child: one process, confined before it knows its job, that does this one job and ends."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import faulthandler
import functools
import math
import os
import resource
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from conversions.sandbox import canary, launcher
from conversions.sandbox.place import NO_ROOM, Place
from conversions.sandbox.protocol import FrameReader, send_frame
from conversions.sandbox.reports import Reporter
from conversions.toolkit import gzipped, lookalikes, programs
from conversions.toolkit.declaring import Converter
from conversions.toolkit.failures import MAX_REASON, ConversionError, InvalidOption, OverLimit, Unreadable
from conversions.toolkit.formats import HEAD_BYTES, Format
from conversions.toolkit.options import build
from conversions.toolkit.versions import version_of
from conversions.toolkit.warnings import Warn, shortened

_STDERR, _CHANNEL, _RULES = 2, 3, 4
_CHUNK = 1 << 30
_DESCRIPTORS = 1 << 16


def serve(
    channel: socket.socket,
    stderr: int,
    folder: str,
    *,
    rules: int | None,
    parent: int,
    processes: int,
    place: Place,
    converters: Mapping[str, Converter],
) -> NoReturn:
    """Confine this process to `folder`, wait for a job on `channel`, do it, and exit. Never returns, never raises.

    What is done here is done for each job, and in memory that was the zygote's and is copied page by page: as little as
    can be. What can be had from the zygote `inherit` prepares there, and `rules` is Landlock's ruleset by descriptor.
    """
    status = 1
    try:
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        channel = _keep_only(channel, stderr, rules)
        os.chdir(folder)
        os.environ["TMPDIR"] = os.environ["HOME"] = tempfile.tempdir = folder
        if place.confinement.launched:
            programs.through(launcher.start(place.confinement, folder, processes=processes))
        place.confinement.apply(None if rules is None else _RULES, parent=parent, processes=processes)
        _, descriptors, _, _ = socket.recv_fds(channel, 1, 1, socket.MSG_CMSG_CLOEXEC)
        if descriptors:
            channel.close()
            work(_stream(descriptors[0]), Path(folder), converters, place, place.limits.output)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def inherit() -> None:
    """Prepare this process, a zygote, for its children to have from it what is the same for all of them."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # libraries in C and Rust don't all report a failed write
    faulthandler.enable(_STDERR)


def _keep_only(channel: socket.socket, stderr: int, rules: int | None) -> socket.socket:
    """Close all that the zygote had open: its control channel, other jobs' sockets, its folder's lock."""
    os.dup2(stderr, _STDERR)
    # The numbers are those of what a zygote opens first, its folders' locks: none of the three is among them.
    os.dup2(channel.fileno(), _CHANNEL, inheritable=False)
    if rules is not None:
        os.dup2(rules, _RULES, inheritable=False)
    # The objects that own the closed descriptors are kept alive by the frames below, and so never close them again.
    os.closerange(_RULES if rules is None else _RULES + 1, _DESCRIPTORS)
    return _stream(_CHANNEL)


def _stream(descriptor: int) -> socket.socket:
    """A socket, named in full: Python would ask the kernel what it is, with calls that a job must not make."""
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptor)


def work(
    channel: socket.socket, folder: Path, converters: Mapping[str, Converter], place: Place, most: int | None
) -> None:
    """Do the one job that comes; `most` is the size of its result in bytes, and a limit that stays.

    None is no limit, for a job of the zygote's own.
    """
    reader = FrameReader(channel)
    while (job := reader.pump()) is None:
        pass
    if job.get("canary"):
        send_frame(channel, {"possible": canary.probe(forks=place.confinement.forks)})
        return
    source = reader.take_descriptor()
    if source is None:
        raise ValueError("job without a source")
    converter = converters[job["slug"]]
    if job.get("look"):
        converter = dataclasses.replace(converter, run=functools.partial(_look, converter))
    output: int | None = None
    reporter = Reporter(channel) if job.get("progress") else None
    try:
        answer, output = _convert(converter, source, job["options"], folder, most, Warn(reporter))
    except ConversionError as error:
        answer = _refusal(error)
        if answer["error"] == "unreadable" and place.is_full():
            answer = {"error": place.filled}
    except BaseException as error:
        _widen_memory()
        kind = _limit_behind(error, place)
        if kind is None:
            answer = {"error": "crashed"}
            print(f"{converter.slug} failed", file=sys.stderr)
            traceback.print_exc()
        else:
            answer = {"error": kind}
    if reporter is not None:
        reporter.close()
    send_frame(channel, answer, () if output is None else (output,))


def _look(converter: Converter, source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Tell what the file is, how many minutes it has where these are paid for, and how long its work would take."""
    format = converter.input
    version = version_of(format, source)
    if converter.measure is not None:
        warn.detect(minutes=max(1, math.ceil(converter.measure(source, options) / 60)))
    if converter.predict is not None:
        warn.detect(predictedSeconds=round(converter.predict(source, converter.output, options), 3))
    warn.detect(format=format.id, **({} if version is None else {"version": version}))
    target.write_bytes(b"")


def _refusal(error: ConversionError) -> dict[str, Any]:
    """The answer to an error that says by itself what is wrong with the input."""
    message = shortened(str(error), MAX_REASON)
    match error:
        case Unreadable():
            return {"error": "unreadable", "message": message, "line": error.line, "column": error.column}
        case InvalidOption():
            return {"error": "option", "message": message, "option": error.option}
        case OverLimit():
            return {"error": error.reason, "message": message, "suggestions": list(error.suggestions)}
    return {"error": "unreadable", "message": message}


def _convert(
    converter: Converter, source: int, values: dict[str, Any], folder: Path, most: int | None, warn: Warn
) -> tuple[dict[str, Any], int]:
    path = folder / f"input.{converter.input.id}"
    target = folder / f"output.{converter.output.id}"
    _copy(source, path)
    os.close(source)
    if most is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    if converter.input.gzipped:
        gzipped.unpack(path, warn)
    head = _head(path)
    if not head:
        raise Unreadable("The file is empty.")
    if not converter.input.recognises(head):
        raise _misnamed(converter.input, head)
    options = build(converter.options, values)
    started = time.perf_counter()
    written = converter.run(path, target, options, warn)
    elapsed = time.perf_counter() - started
    output = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    if most is not None and os.fstat(output).st_size > most:
        raise OSError(errno.EFBIG, "the result is too large")
    os.unlink(target)
    return {
        "format": (written or converter.output).id,
        "warnings": [[each.code, each.message] for each in warn.warnings],
        "detected": warn.detected,
        "milliseconds": elapsed * 1000,
    }, output


def _misnamed(expected: Format, head: bytes) -> Unreadable:
    other = lookalikes.seen(head)
    if other is None:
        return Unreadable(f"The file's content is not {expected.name}.")
    return Unreadable(
        f"The file's content is not {expected.name}, but {other.name}. "
        f"Give the file the extension .{other.extension}, or choose a conversion of that format."
    )


def _copy(source: int, path: Path) -> None:
    """Copy a file by descriptor inside the kernel: shared blocks where the file system can, else one pass."""
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    status, done = os.fstat(source), 0
    if status.st_dev == os.fstat(target).st_dev:
        with contextlib.suppress(OSError):  # file systems that can't, and old kernels
            while done < status.st_size and (count := _copied(source, target, done, status.st_size)):
                done += count
        os.lseek(target, done, os.SEEK_SET)
    while done < status.st_size and (count := os.sendfile(target, source, done, min(_CHUNK, status.st_size - done))):
        done += count
    os.close(target)


def _copied(source: int, target: int, done: int, size: int) -> int:
    return os.copy_file_range(source, target, min(_CHUNK, size - done), done, done)


def _head(path: Path) -> bytes:
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, HEAD_BYTES)
    finally:
        os.close(file)


def _widen_memory() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _limit_behind(error: BaseException | None, place: Place) -> str | None:
    """Which limit made a converter fail, where an error or what caused it says so."""
    depth = 0
    while error is not None and depth < 20:
        if isinstance(error, MemoryError):
            return "memory"
        if isinstance(error, RecursionError):
            return "depth"
        if isinstance(error, OSError) and error.errno == errno.EFBIG:
            return place.over
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return place.filled
        ended = getattr(error, "returncode", None)
        if ended in (-signal.SIGXCPU, -signal.SIGXFSZ):
            return "timeout" if ended == -signal.SIGXCPU else place.over
        error, depth = error.__cause__ or error.__context__, depth + 1
    return place.filled if place.is_full() else None
