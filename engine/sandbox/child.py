"""The child: a process that is confined before it knows its job, does this one job and exits."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import faulthandler
import functools
import os
import resource
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from engine.families import auditing, verifying
from engine.sandbox import canary, groups, launcher
from engine.sandbox.place import NO_ROOM, Place
from engine.sandbox.protocol import FrameReader, send_frame
from engine.sandbox.reports import Reporter
from engine.toolkit import gzipped, last_words, lookalikes, minutes, programs
from engine.toolkit.declaring import Converter
from engine.toolkit.failures import MAX_REASON, ConversionError, InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import HEAD_BYTES, Format
from engine.toolkit.messages import Message, say
from engine.toolkit.options import build
from engine.toolkit.versions import version_of
from engine.toolkit.warnings import Warn

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
    processes: int | None,
    group: int | None,
    place: Place,
    converters: Mapping[str, Converter],
) -> NoReturn:
    """Confine this process to `folder`, wait for a job on `channel`, do it and exit. Never returns, never raises.

    This runs once per job, in memory shared with the zygote that is copied page by page on write: keep it minimal, and
    prepare what can be inherited in `inherit`. `rules` is the Landlock ruleset, and `group` the control group to join,
    as descriptors.
    """
    status = 1
    try:
        os.setpgid(0, 0)
        if group is not None:
            groups.enter(group)
        signal.set_wakeup_fd(-1)
        channel = _keep_only(channel, stderr, rules)
        os.chdir(folder)
        os.environ["TMPDIR"] = os.environ["HOME"] = tempfile.tempdir = folder
        if place.confinement.launched:
            programs.run_through(launcher.start(place.confinement, folder, processes=processes))
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
    """Prepare, in the zygote, what its children inherit."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # some C and Rust libraries don't report a failed write
    faulthandler.enable(_STDERR)


def _keep_only(channel: socket.socket, stderr: int, rules: int | None) -> socket.socket:
    """Close all inherited descriptors: the zygote's control channel, other jobs' sockets, the folder lock."""
    os.dup2(stderr, _STDERR)
    # The lowest numbers belong to the locks on the zygote's folders, which it opens first: none of the three is among
    # them.
    os.dup2(channel.fileno(), _CHANNEL, inheritable=False)
    if rules is not None:
        os.dup2(rules, _RULES, inheritable=False)
    # The frames below keep the objects that own these descriptors alive, so that they don't close them again.
    os.closerange(_RULES if rules is None else _RULES + 1, _DESCRIPTORS)
    return _stream(_CHANNEL)


def _stream(descriptor: int) -> socket.socket:
    """A socket with explicit family and type: Python would query the kernel with calls that a job may not make."""
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptor)


def work(
    channel: socket.socket, folder: Path, converters: Mapping[str, Converter], place: Place, most: int | None
) -> None:
    """Do the job that arrives; `most` limits the size in bytes of its result, and of every file written from then on.

    None sets no limit, for the zygote's own rehearsals.
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
    if job.get("detect_only"):
        converter = dataclasses.replace(converter, run=functools.partial(_look, converter))
    if job.get("verify"):
        check = functools.partial(verifying.verify, converter, converters)
        converter = dataclasses.replace(converter, input=verifying.PAIR, run=check)
    output: int | None = None
    reporter = Reporter(channel) if job.get("progress") else None

    def send(answer: dict[str, Any], output: int | None) -> None:
        if reporter is not None:
            reporter.close()
        send_frame(channel, answer, () if output is None else (output,))

    try:
        alone = job.get("detect_only") or job.get("verify")
        warn = Warn(reporter)
        answer, output = _convert(converter, source, job["options"], folder, most, warn, None if alone else send)
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
    send(answer, output)
    last_words.take_back()


def _look(converter: Converter, source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Report what the file is, its minutes if it is paid by the minute, and the estimated duration."""
    format = converter.input
    version = version_of(format, source)
    if converter.measure is not None:
        warn.detect(minutes=minutes.started_minutes(converter.measure(source, options, warn)))
    if converter.predict is not None:
        warn.detect(predictedSeconds=round(converter.predict(source, converter.output, options), 3))
    warn.detect(format=format.id, **({} if version is None else {"version": version}))
    target.write_bytes(b"")


def _refusal(error: ConversionError) -> dict[str, Any]:
    """The answer for an error that is about the input."""
    message = error.message.cut(MAX_REASON).packed()
    match error:
        case Unreadable():
            place = {"line": error.line, "column": error.column}
            return {"error": "unreadable", "message": message, "reason": error.reason, **place}
        case InvalidOption():
            return {"error": "option", "message": message, "option": error.option}
        case OverLimit():
            return {"error": error.reason, "message": message, "suggestions": list(error.suggestions)}
    return {"error": "unreadable", "message": message}


def _convert(
    converter: Converter,
    source: int,
    values: dict[str, Any],
    folder: Path,
    most: int | None,
    warn: Warn,
    send: Callable[[dict[str, Any], int], None] | None,
) -> tuple[dict[str, Any], int]:
    """Return the answer for a conversion, and its result.

    A result that is going to be counted is sent beforehand with `send`: counting is the work of libraries too, which
    may crash, hang, or reach a limit, and the client then has the result all the same. Without `send` it is not
    counted.
    """
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
        raise Unreadable("The file is empty.", reason="empty")
    if not converter.input.recognises(head):
        raise _misnamed(converter.input, head)
    options = build(converter.options, values)
    started = time.perf_counter()

    def send_uncounted(written: Format | None, kinds: frozenset[str]) -> None:
        output = _opened(target, most)
        answer = _answer(written or converter.output, warn, seconds=time.perf_counter() - started)
        answer["detected"]["notCounted"] = ", ".join(sorted(kinds))
        assert send is not None
        send({"uncounted": True, **answer}, output)
        os.close(output)

    if send is None:
        written = converter.run(path, target, options, warn)
    else:
        written = auditing.run(converter, path, target, options, warn, converted=send_uncounted)
    answer = _answer(written or converter.output, warn, seconds=time.perf_counter() - started)
    output = _opened(target, most)
    os.unlink(target)
    return answer, output


def _opened(target: Path, most: int | None) -> int:
    """The descriptor of the result, open for reading."""
    output = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    if most is not None and os.fstat(output).st_size > most:
        raise OSError(errno.EFBIG, "the result is too large")
    return output


def _answer(format: Format, warn: Warn, *, seconds: float) -> dict[str, Any]:
    return {
        "format": format.id,
        "warnings": [[each.code, each.message.packed()] for each in warn.warnings],
        "undrawn": warn.undrawn,
        "detected": {
            name: each.packed() if isinstance(each, Message) else each for name, each in warn.detected.items()
        },
        "milliseconds": seconds * 1000,
        "processor_milliseconds": _processor_seconds() * 1000,
    }


def _processor_seconds() -> float:
    """What this child has taken since it was forked, with the programs that it waited for."""
    each = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in each)


def _misnamed(expected: Format, head: bytes) -> Unreadable:
    other = lookalikes.recognised(head)
    if other is None:
        return Unreadable(say("The file's content is not {name}.", name=expected.name), reason="format")
    return Unreadable(
        say(
            "The file's content is {name2}, not {name}. Rename the file to .{extension}, or choose a "
            "conversion for that format.",
            name=expected.name,
            name2=other.name,
            extension=other.extension,
        ),
        reason="format",
    )


def _copy(source: int, path: Path) -> None:
    """Copy a file inside the kernel: sharing blocks if the file system supports it, else in one pass."""
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    status, done = os.fstat(source), 0
    if status.st_dev == os.fstat(target).st_dev:
        with contextlib.suppress(OSError):  # older kernels, and file systems without support
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
    """Which limit made a converter fail, judging by an error or its causes."""
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
