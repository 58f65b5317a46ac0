"""Tiny converters for the tests of the sandbox, given to a zygote by name and never registered."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import mmap
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.families import auditing
from engine.sandbox.protocol import send_frame
from engine.toolkit import last_words
from engine.toolkit.declaring import Converter, Engine, Profile
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import JSON, MARKDOWN, TXT, ZIP, Format
from engine.toolkit.options import NoOptions, option
from engine.toolkit.warnings import Warn

_spec = importlib.util.find_spec("pypandoc")
assert _spec is not None
assert _spec.origin is not None
PANDOC = str(Path(_spec.origin).with_name("files") / "pandoc")
"""Found without an import of pypandoc, which loads an HTTP client in each zygote."""


@dataclass(frozen=True)
class EchoOptions:
    prefix: str = option("", "Text before the rest.", max_length=100_000)


@dataclass(frozen=True)
class LieOptions:
    lie: str = option("", "What to claim.", max_length=20)


@dataclass(frozen=True)
class MarkOptions:
    end: str = option("result", "How to end.", max_length=20)


@dataclass(frozen=True)
class CrowdOptions:
    most: int = option(4000, "How many threads to start at most.", minimum=0, maximum=100_000)
    seconds: float = option(0.0, "How long to hold them.", minimum=0, maximum=3600)


@dataclass(frozen=True)
class WriteOptions:
    size: int = option(0, "How many bytes to write.", minimum=0, maximum=1_000_000_000)
    files: int = option(0, "How many more files of this size to write.", minimum=0, maximum=10)
    seconds: float = option(0.0, "How long to wait before that.", minimum=0, maximum=10)


@dataclass(frozen=True)
class HideOptions:
    way: str = option("descriptors", "How to keep the files.", max_length=20)
    files: int = option(0, "How many of them.", minimum=0, maximum=100)
    size: int = option(0, "Bytes of each.", minimum=0, maximum=1_000_000_000)
    seconds: float = option(0.0, "How long to hold them.", minimum=0, maximum=60)


@dataclass(frozen=True)
class NestOptions:
    depth: int = option(0, "Folders within folders.", minimum=0, maximum=100_000)
    mode: int = option(0o700, "Mode of the folders.", minimum=0, maximum=0o777)
    width: int = option(0, "Files in the last one.", minimum=0, maximum=100_000)
    seconds: float = option(0.0, "How long to wait after that.", minimum=0, maximum=60)


@dataclass(frozen=True)
class BadCountOptions:
    way: str = option("fault", "How counting ends.", max_length=20)


def echo(source: Path, target: Path, options: EchoOptions, warn: Warn) -> None:
    warn("NO_TEXT", f"in {os.getcwd() == os.environ['TMPDIR']}")
    warn.detect(delimiter=";", rows=3)
    target.write_bytes(options.prefix.encode() + source.read_bytes())


def writes(source: Path, target: Path, options: WriteOptions, warn: Warn) -> None:
    warn.detect(folder=os.getcwd())
    time.sleep(options.seconds)
    for number in range(options.files):
        Path(f"more-{number}").write_bytes(bytes(options.size))
    target.write_bytes(bytes(options.size))


def names(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_text(f"{source.name} {target.name} {sorted(os.listdir(os.curdir))}")


def environment(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_text("\n".join(sorted(os.environ)))


def who(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_text(str(os.getpid()))


def moment(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_text(str(time.monotonic_ns()))


def modules(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_text("\n".join(sys.modules))


def zipped(source: Path, target: Path, options: Any, warn: Warn) -> Format:
    target.write_bytes(b"PK\x05\x06" + bytes(18))
    return ZIP


def unreadable(source: Path, target: Path, options: Any, warn: Warn) -> None:
    raise Unreadable("Line 3 is not JSON.", line=3, column=7)


def refused(source: Path, target: Path, options: Any, warn: Warn) -> None:
    raise InvalidOption("pageRange", "There is no page 9.")


def too_much(source: Path, target: Path, options: Any, warn: Warn) -> None:
    raise OverLimit("output", "There would be too many columns.")


def nested(source: Path, target: Path, options: Any, warn: Warn) -> None:
    nested(source, target, options, warn)


_LOUD = 100_000


def marks(source: Path, target: Path, options: MarkOptions, warn: Warn) -> None:
    """Leave what the file says wherever something could stay, then end in one of several ways."""
    mark = source.read_text()
    if options.end == "nothing":
        target.write_text("nothing")
        return
    os.environ["MARK"] = mark
    sys.modules[f"of {mark}"] = sys
    ctypes.CDLL(None).prctl(15, mark[10:24].encode(), 0, 0, 0)
    for place in (".", "/dev/shm", "/tmp", "/var/tmp", ".."):
        with contextlib.suppress(OSError):
            Path(place, "conversions-mark").write_text(mark)
    libc, key = ctypes.CDLL(None), 0x6D61726B
    for call, *arguments in (
        (libc.shmget, key, 4096, 0o1666), (libc.msgget, key, 0o1666), (libc.semget, key, 1, 0o1666),
        (libc.syscall, 248, b"user", mark.encode(), mark.encode(), len(mark), ctypes.c_long(-4)),  # add_key
        (libc.ioctl, 0, 0x5412, mark[:1].encode()),  # TIOCSTI
    ):  # fmt: skip
        call(*arguments)
    for _ in range(_LOUD // len(mark)):
        os.write(2, mark.encode())
    os.write(1, mark.encode())
    print(mark, file=sys.stderr, flush=True)
    warn("NO_TEXT", mark)
    Path("marked").write_text(str(os.getpid()))
    match options.end:
        case "refusal":
            raise Unreadable(mark)
        case "panic":
            os.write(2, f"thread panicked: {mark}\n".encode())
            os.abort()
        case "failure":
            raise LookupError(mark)
        case "wait":
            time.sleep(3600)
    target.write_text(mark)


def crowds(source: Path, target: Path, options: CrowdOptions, warn: Warn) -> None:
    """Start threads until no more can be had, say how many there are, and hold them."""
    threading.stack_size(64 << 10)
    held = threading.Event()
    count = 0
    with contextlib.suppress(RuntimeError):
        while count < options.most:
            threading.Thread(target=held.wait, daemon=True).start()
            count += 1
    (target.parent / "crowd").write_text(str(count))
    target.write_text(str(count))
    time.sleep(options.seconds)


def sleeps(source: Path, target: Path, options: Any, warn: Warn) -> None:
    time.sleep(3600)


def begins(source: Path, target: Path, options: Any, warn: Warn) -> None:
    (target.parent / "begun").mkdir()
    time.sleep(3600)


def counts(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Say far more often than anybody needs how far it is, for about a second."""
    until = time.monotonic() + 1.0
    while (left := until - time.monotonic()) > 0:
        warn.progress(int(1000 * (1.0 - left)), 1000, "pages")
    target.write_text("counted")


def naps(source: Path, target: Path, options: Any, warn: Warn) -> None:
    time.sleep(0.3)
    target.write_text("rested")


def spins(source: Path, target: Path, options: Any, warn: Warn) -> None:
    while True:
        pass


def hoards(source: Path, target: Path, options: Any, warn: Warn) -> None:
    held = []
    while True:
        held.append(bytearray(16 << 20))


def aborts_on_memory(source: Path, target: Path, options: Any, warn: Warn) -> None:
    os.write(2, b"memory allocation of 549755813888 bytes failed\n")
    os.abort()


def floods(source: Path, target: Path, options: Any, warn: Warn) -> None:
    with target.open("wb") as file:
        while True:
            file.write(bytes(1 << 20))


def litters(source: Path, target: Path, options: Any, warn: Warn) -> None:
    number = 0
    while True:
        number += 1
        (target.parent / str(number)).write_bytes(bytes(1 << 20))
        time.sleep(0.02)


_CLONE_THREAD_WITHOUT_FILES = 0x10000 | 0x800 | 0x100


def hides(source: Path, target: Path, options: HideOptions, warn: Warn) -> None:
    """Hold files that have no name any more, and say how many bytes they are."""
    held: list[object] = []
    taken = 0
    for number in range(options.files):
        path = Path(f"hidden-{number}")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
        if options.way == "fallocate":
            os.posix_fallocate(descriptor, 0, options.size)
        else:
            for _ in range(options.size >> 20):
                os.write(descriptor, bytes(1 << 20))
        taken += os.fstat(descriptor).st_blocks * 512
        if options.way == "mapped":
            held.append(mmap.mmap(descriptor, 4096))
            path.unlink()
            os.close(descriptor)  # the map has a duplicate, which its file would be counted by
            os.closerange(5, 120)
        elif options.way != "named":
            path.unlink()
    time.sleep(options.seconds)
    target.write_text(str(taken))


def clones(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Try to start a thread whose descriptors are its own, and an ordinary one."""
    libc = ctypes.CDLL(None, use_errno=True)
    stack = ctypes.create_string_buffer(1 << 16)
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: 0)
    top = ctypes.c_void_p(ctypes.addressof(stack) + (1 << 16) - 64)
    started = libc.clone(function, top, _CLONE_THREAD_WITHOUT_FILES, None)
    found = f"{started} {ctypes.get_errno()}"
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    target.write_text(found)


def allocates(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Ask for 500 MB at once, past the C library, which would write zeros instead."""
    descriptor = os.open("room", os.O_RDWR | os.O_CREAT)
    libc = ctypes.CDLL(None, use_errno=True)
    done = libc.fallocate(descriptor, 0, ctypes.c_long(0), ctypes.c_long(500_000_000))
    target.write_text(f"{done} {os.fstat(descriptor).st_blocks}")


def nests(source: Path, target: Path, options: NestOptions, warn: Warn) -> None:
    """Make folders in folders, with names that are no text, and leave them."""
    warn.detect(folder=os.getcwd())
    names = [b"\xff\n\t", b"x" * 255, b"-rf *", b"\xe2\x80\xae"]
    for number in range(options.depth):
        name = names[number % 2]
        os.mkdir(name)
        for other in names[2:]:
            os.close(os.open(other, os.O_WRONLY | os.O_CREAT, options.mode))
        if options.mode != 0o700 and number == options.depth - 1:
            os.mkdir(b"closed", options.mode)
        os.chdir(name)
    for number in range(options.width):
        os.close(os.open(str(number), os.O_WRONLY | os.O_CREAT))
    time.sleep(options.seconds)
    target.write_text("left")


def segfaults(source: Path, target: Path, options: Any, warn: Warn) -> None:
    ctypes.string_at(8)


def faults_behind(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Fail, while a thread that a library has left behind faults."""
    last_words.leave("This is a std::bad_alloc.\n")
    threading.Thread(target=ctypes.string_at, args=(8,)).start()
    try:
        raise Unreadable("It is damaged.")
    finally:
        time.sleep(60)


def fails(source: Path, target: Path, options: Any, warn: Warn) -> None:
    raise LookupError("secret of the converter\x1b[2J")


def exits(source: Path, target: Path, options: Any, warn: Warn) -> None:
    os._exit(0)


def soon(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.write_bytes(b"done")


def counted_badly(source: Path, target: Path, options: BadCountOptions, warn: Warn) -> None:
    """Convert well, and have the counting of the result end this process."""
    target.write_bytes(b"done")

    def count(*given: Any) -> None:
        match options.way:
            case "fault":
                ctypes.string_at(8)
            case "exit":
                os._exit(1)
            case "output":
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))
                Path("part").write_bytes(b"xx")
            case "hang":
                ctypes.PyDLL(None).sleep(60)  # as a library that holds the interpreter and looks at no signal
            case "work":
                hashlib.pbkdf2_hmac("sha256", b"", b"", 1 << 30)  # minutes in a library that looks at no signal
            case "frame":
                warn.detect(**{str(number): "x" * 500 for number in range(3_000)})

    auditing._audit = count  # type: ignore[assignment]


def writes_nothing(source: Path, target: Path, options: Any, warn: Warn) -> None:
    pass


def runs_pandoc(source: Path, target: Path, options: Any, warn: Warn) -> None:
    command = [PANDOC, "--sandbox", "-f", "json", "-t", "html", "-o", str(target)]
    subprocess.run(
        command, input=b'{"pandoc-api-version":[1,23,1],"meta":{},"blocks":[{"t":"HorizontalRule"}]}', check=True
    )


def waits_for_pandoc(source: Path, target: Path, options: Any, warn: Warn) -> None:
    reading, _writing = os.pipe()
    subprocess.run([PANDOC, "-o", str(target)], stdin=reading, check=True)


def leaves_pandoc_behind(source: Path, target: Path, options: Any, warn: Warn) -> None:
    reading, writing = os.pipe()
    subprocess.Popen([PANDOC], stdin=reading, pass_fds=[writing], start_new_session=True)
    target.write_text("left")


def burns_in_pandoc(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Have a program work for far longer than any test, and wait for it."""
    Path("endless.lua").write_text("while true do end")
    subprocess.run([PANDOC, "lua", "endless.lua"], check=True, stdin=subprocess.DEVNULL)


def fails_and_goes_on(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Say that the job has failed, as one would that was taken over, and work on."""
    send_frame(
        _channel(),
        {"error": "unreadable", "message": ["It is damaged.", {}], "reason": "damaged", "line": None, "column": None},
    )
    while True:
        pass


def _channel() -> socket.socket:
    """The job's own socket, which hostile code finds among its descriptors."""
    for descriptor in range(3, 100):
        try:
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptor)
        except OSError:
            continue
    raise LookupError


A_WHILE = 0.6
"""Seconds of processor time."""


def _work_a_while() -> None:
    while time.process_time() < A_WHILE:
        pass


def lies(source: Path, target: Path, options: LieOptions, warn: Warn) -> None:
    """Answer in the converter's own words and end."""
    channel = _channel()
    claim = {"format": "txt", "warnings": [], "detected": {}, "milliseconds": 1.0, "processor_milliseconds": 1.0}
    claim["undrawn"] = False
    target.write_text("result")
    own = os.open(target, os.O_RDONLY)
    match options.lie:
        case "library":
            send_frame(channel, claim, [os.open(os.__file__, os.O_RDONLY)])
        case "folder":
            send_frame(channel, claim, [os.open(".", os.O_RDONLY)])
        case "pipe":
            send_frame(channel, claim, [os.pipe()[0]])
        case "socket":
            send_frame(channel, claim, [channel.fileno()])
        case "device":
            send_frame(channel, claim, [os.open("/dev/null", os.O_RDONLY)])
        case "none":
            send_frame(channel, claim)
        case "many":
            target.unlink()
            send_frame(channel, {**claim, "format": "nothing"}, [own] * 100)
        case "huge":
            channel.sendmsg([b"\xff\xff\xff\xff" + bytes(1 << 16)])
        case "short":
            channel.sendmsg([b"\x00\x00\x01\x00{}"])
        case "garbage":
            channel.sendmsg([b"\x00\x00\x00\x04\xff\xfe{}"])
        case "deep":
            channel.sendmsg([(100_000).to_bytes(4, "big") + b"[" * 100_000])
        case "twice":
            target.unlink()
            send_frame(channel, claim, [own])
            send_frame(channel, {"error": "crashed"})
        case "reports":
            for number in range(100_000):
                send_frame(channel, {"progress": [number, None, "pages"]})
        case "long report":
            send_frame(channel, {"progress": [1, 2, "pages"], "more": "x" * 200})
        case "other unit":
            send_frame(channel, {"progress": [1, 2, "<b>"]})
        case "negative":
            send_frame(channel, {"progress": [-1, 2, "pages"]})
        case "beyond":
            send_frame(channel, {"progress": [3, 2, "pages"]})
        case "no number":
            send_frame(channel, {"progress": [True, "2", "pages"]})
        case "full":
            _work_a_while()
            send_frame(channel, {"error": "full"})
        case "little":
            _work_a_while()
            target.unlink()
            send_frame(channel, claim, [own])
        case "report behind":
            channel.sendmsg([b"".join(len(each).to_bytes(4, "big") + each for each in (b'{"error":"depth"}', b"{}"))])
    os._exit(0)


def links(source: Path, target: Path, options: Any, warn: Warn) -> None:
    target.mkdir()


def _converter(
    slug: str, run: Callable[..., Format | None], options: type = NoOptions, given: Format = JSON
) -> Converter:
    profile: Profile = "text"
    return Converter(slug, given, TXT, slug, options, profile, Engine("tests"), run)


CONVERTERS = (
    _converter("echo", echo, EchoOptions),
    _converter("lies", lies, LieOptions),
    _converter("marks", marks, MarkOptions),
    _converter("crowds", crowds, CrowdOptions),
    _converter("writes", writes, WriteOptions),
    _converter("soon", soon, given=MARKDOWN),
    _converter("counted-badly", counted_badly, BadCountOptions, given=MARKDOWN),
    _converter("hides", hides, HideOptions),
    _converter("nests", nests, NestOptions),
    *(
        _converter(run.__name__.replace("_", "-"), run)
        for run in (
            names, who, moment, modules, environment, zipped, unreadable, refused, too_much, nested, sleeps, begins,
            naps, spins, counts,
            hoards, aborts_on_memory, floods, litters, segfaults, faults_behind, fails, exits, writes_nothing, links,
            clones, allocates, runs_pandoc, waits_for_pandoc, leaves_pandoc_behind, burns_in_pandoc, fails_and_goes_on,
        )
    ),
)  # fmt: skip
BY_SLUG = {each.slug: each for each in CONVERTERS}
