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

from conversions.sandbox import canary, launcher, libc
from conversions.sandbox.place import NO_ROOM, Place
from conversions.sandbox.protocol import FrameReader, send_frame
from conversions.sandbox.reports import Reporter
from conversions.toolkit import gzipped, programs
from conversions.toolkit.declaring import Converter, Engine
from conversions.toolkit.failures import ConversionError, InvalidOption, OverLimit, Unreadable
from conversions.toolkit.formats import HEAD_BYTES, TXT
from conversions.toolkit.options import NoOptions, build
from conversions.toolkit.versions import version_of
from conversions.toolkit.warnings import Warn

_CHANNEL = 3
_CHUNK = 1 << 30
_DESCRIPTORS = 1 << 16


def serve(
    channel: socket.socket,
    stderr: int,
    folder: str,
    *,
    parent: int,
    processes: int,
    place: Place,
    converters: Mapping[str, Converter],
) -> NoReturn:
    """Confine this process to `folder`, wait for a job on `channel`, do it, and exit. Never returns, never raises."""
    status = 1
    try:
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)
        os.setpgid(0, 0)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # libraries in C and Rust don't all report a failed write
        channel = _keep_only(channel, stderr)
        faulthandler.enable()
        os.chdir(folder)
        os.environ.update(TMPDIR=folder, HOME=folder)
        tempfile.tempdir = None
        try:
            _rehearse(Path(folder), place)
        except OSError as error:
            if error.errno not in NO_ROOM:  # there may be some when the job comes; else it is told so
                raise
        if place.confinement.launched:
            programs.through(launcher.start(place.confinement, folder, processes=processes))
        place.confinement.apply(folder, processes=processes)
        _, descriptors, _, _ = socket.recv_fds(channel, 1, 1, socket.MSG_CMSG_CLOEXEC)
        if descriptors:
            channel.close()
            # Named in full, or Python would ask the kernel with calls that are no longer allowed.
            job = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptors[0])
            _work(job, Path(folder), converters, place, place.limits.output)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _keep_only(channel: socket.socket, stderr: int) -> socket.socket:
    """Close all that the zygote had open: its control channel, other jobs' sockets, its folder's lock."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(stderr, 2)
    os.dup2(null, 0)
    os.dup2(null, 1)
    kept = os.dup2(channel.fileno(), _CHANNEL, inheritable=False)
    # The objects that own the closed descriptors are kept alive by the frames below, and so never close them again.
    os.closerange(_CHANNEL + 1, _DESCRIPTORS)
    return socket.socket(fileno=kept)


def _rehearse(folder: Path, place: Place) -> None:
    """Go through the motions of a job, so that the one that comes does not wait for the memory that they write to.

    All of it is the zygote's until then, and copied page by page.
    """
    ours, theirs = socket.socketpair()
    script = folder / "rehearsal"
    with ours, theirs, script.open("w+b") as source:
        source.write(b"rehearsal")
        source.flush()
        send_frame(theirs, {"slug": _REHEARSAL.slug, "options": {}}, (source.fileno(),))
        _work(ours, folder, {_REHEARSAL.slug: _REHEARSAL}, place, place.limits.scratch)
    script.unlink()
    (folder / f"input.{_REHEARSAL.input.id}").unlink(missing_ok=True)


def _play(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_bytes(source.read_bytes())


_REHEARSAL = Converter(
    slug="rehearsal",
    input=TXT,
    output=TXT,
    summary="",
    declared=NoOptions,
    profile="text",
    engine=Engine("Python"),
    run=_play,
)


def _work(channel: socket.socket, folder: Path, converters: Mapping[str, Converter], place: Place, most: int) -> None:
    """Do the one job that comes; `most` is the size of its result in bytes, and a limit that stays."""
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
    match error:
        case Unreadable():
            return {"error": "unreadable", "message": str(error), "line": error.line, "column": error.column}
        case InvalidOption():
            return {"error": "option", "message": str(error), "option": error.option}
        case OverLimit():
            return {"error": error.reason, "message": str(error), "suggestions": list(error.suggestions)}
    return {"error": "unreadable", "message": str(error)}


def _convert(
    converter: Converter, source: int, values: dict[str, Any], folder: Path, most: int, warn: Warn
) -> tuple[dict[str, Any], int]:
    path = folder / f"input.{converter.input.id}"
    target = folder / f"output.{converter.output.id}"
    _copy(source, path)
    os.close(source)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    if converter.input.gzipped:
        gzipped.unpack(path, warn)
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise Unreadable("The file is empty.")
    if not converter.input.recognises(head):
        raise Unreadable(f"The file's content is not {converter.input.name}.")
    options = build(converter.options, values)
    started = time.perf_counter()
    written = converter.run(path, target, options, warn)
    elapsed = time.perf_counter() - started
    output = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    if os.fstat(output).st_size > most:
        raise OSError(errno.EFBIG, "the result is too large")
    os.unlink(target)
    return {
        "format": (written or converter.output).id,
        "warnings": [[each.code, each.message] for each in warn.warnings],
        "detected": warn.detected,
        "milliseconds": elapsed * 1000,
    }, output


def _copy(source: int, path: Path) -> None:
    """Copy a file by descriptor inside the kernel: shared blocks where the file system can, else one pass."""
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    size, done = os.fstat(source).st_size, 0
    with contextlib.suppress(OSError):  # between file systems, and on old kernels
        while done < size and (count := os.copy_file_range(source, target, min(_CHUNK, size - done), done, done)):
            done += count
    os.lseek(target, done, os.SEEK_SET)
    while done < size and (count := os.sendfile(target, source, done, min(_CHUNK, size - done))):
        done += count
    os.close(target)


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
