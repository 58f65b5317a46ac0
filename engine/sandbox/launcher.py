"""The launcher: the one process of a job that may start programs, from a fixed list.

Landlock rules alone can't restrict a program that needs a dynamic loader: if the loader may be executed, it can run any
readable file. So execve is allowed for one argument address only, chosen at random, which holds the program's name in
this process. Neither the child, which may not call execve at all, nor the program, whose memory is new (execve(2)),
knows that address.
"""

from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import random
import signal
import traceback
from typing import BinaryIO

from engine.sandbox import libc, seccomp
from engine.sandbox.confinement import Confinement
from engine.sandbox.elf import loader_of
from engine.toolkit.programs import ENDED, Launcher

_RANDOM = random.SystemRandom()  # as the module `secrets` does, which takes half a megabyte in every zygote
_PAGE = 4096
_PRIVATE_ANONYMOUS_THERE = 0x02 | 0x20 | 0x100000  # MAP_PRIVATE, MAP_ANONYMOUS, MAP_FIXED_NOREPLACE
_BITS = (46, 46, 46, 46, 37, 37, 37, 37)
"""Bits of a random address, tried in turn: for x86-64, then for the smallest address space of ARM64."""


def start(confinement: Confinement, folder: str, *, processes: int | None) -> Launcher:
    """Fork the launcher of this child, confined to the same folder; it ends when the child does."""
    asked, ask = os.pipe()
    answers, answer = os.pipe()
    child = os.getpid()
    if not os.fork():
        status = 1
        try:
            libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() == child:
                os.close(ask)
                os.close(answers)
                with open(asked, "rb") as requests:
                    _serve(confinement, folder, child, processes, requests, answer)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(asked)
    os.close(answer)
    return Launcher(open(ask, "wb"), open(answers, "rb"))


def _serve(
    confinement: Confinement, folder: str, child: int, processes: int | None, asked: BinaryIO, answer: int
) -> None:
    os.closerange(3, min(asked.fileno(), answer))
    place = _draw()
    loaders = {each for each in map(loader_of, confinement.programs) if each is not None}
    limited = dataclasses.replace(
        confinement,
        programs=(*confinement.programs, *sorted(loaders)),
        launched=False,
        common=(),
        # The same limit the child applies once it has its job: the first file ffmpeg writes may be the result.
        limits=dataclasses.replace(confinement.limits, scratch=confinement.limits.output),
        filter=None if confinement.filter is None else seccomp.build(programs=True, execve_at=place),
    )
    rules = limited.ruleset(folder)
    limited.apply(None if rules is None else rules.descriptor, parent=child, processes=processes)
    for line in asked:
        request = json.loads(line)
        program = confinement.programs[confinement.programs.index(request["program"])]
        status = _run(program, request["arguments"], request["environment"], request["stderr"], answer, place)
        os.write(answer, b"\n%s%d\n" % (ENDED, status))


def _draw() -> int:
    """A random address with a page of memory mapped at it."""
    mmap = libc.libc.mmap
    mmap.restype = ctypes.c_void_p
    mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    for bits in _BITS:
        wanted = _RANDOM.randrange(1 << 32, 1 << bits) & ~(_PAGE - 1)
        if mmap(wanted, _PAGE, 3, _PRIVATE_ANONYMOUS_THERE, -1, 0) == wanted:
            return wanted + _RANDOM.randrange(_PAGE // 2)
    raise MemoryError


def _run(program: str, arguments: list[str], environment: dict[str, str], log: str, answer: int, place: int) -> int:
    name = os.fsencode(program) + b"\0"
    if len(name) > _PAGE // 2:
        raise ValueError("the name of the program is too long")
    ctypes.memmove(place, name, len(name))
    words = [os.fsencode(each) for each in (program, *arguments)]
    settings = [os.fsencode(f"{key}={value}") for key, value in environment.items()]
    argv = (ctypes.c_char_p * (len(words) + 1))(*words)
    envp = (ctypes.c_char_p * (len(settings) + 1))(*settings)
    errors = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    made = os.fork()
    if not made:
        try:
            os.dup2(answer, 1)
            os.dup2(errors, 2)
            libc.libc.execve(ctypes.c_void_p(place), argv, envp)
        finally:
            os._exit(127)
    os.close(errors)
    _, status = os.waitpid(made, 0)
    return os.waitstatus_to_exitcode(status)
