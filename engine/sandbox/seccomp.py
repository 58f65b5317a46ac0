"""The system call filter of children, compiled once by libseccomp and loaded by each child."""

from __future__ import annotations

import ctypes
import errno
import os
import tempfile

from engine.sandbox import libc

_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_SECCOMP_MODE_FILTER = 2
_ATTRIBUTE_BAD_ARCHITECTURE, _ATTRIBUTE_OPTIMIZE = 2, 8
_BINARY_TREE = 2
_EQUAL, _MASKED_EQUAL = 4, 7

_CLONE_THREAD = 0x10000
_CLONE_FILES = 0x400
_CLONE_NEW_NAMESPACES = 0x7E020000

_EVERY_CHILD = """
    read write readv writev pread64 pwrite64 lseek close close_range dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
    epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2 recvmsg sendmsg sendfile copy_file_range
    stat lstat fstat newfstatat statx access faccessat faccessat2 readlink readlinkat getcwd chdir fchdir
    getdents getdents64 statfs fstatfs mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
    ftruncate fadvise64 fsync fdatasync flock umask
    mmap mprotect munmap mremap madvise msync brk mincore membarrier
    futex futex_waitv set_robust_list get_robust_list rseq sched_yield sched_getaffinity sched_getparam
    sched_getscheduler get_mempolicy getcpu
    rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
    nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times
    getpid gettid getppid getuid geteuid getgid getegid getgroups getpgrp getrusage getrlimit uname sysinfo getrandom
    exit exit_group
"""
_PROGRAMS_TOO = """
    vfork fork execve wait4 waitid arch_prctl set_tid_address
    timer_create timer_settime timer_gettime timer_delete timerfd_create timerfd_settime setitimer
"""
_ANSWERED = {
    # The C library tries clone3 and memfd_create first and falls back only if they seem unsupported.
    "clone3": errno.ENOSYS,
    "memfd_create": errno.ENOSYS,
    # fallocate takes disk space faster than it can be measured; callers fall back to writing zeros.
    "fallocate": errno.EOPNOTSUPP,
    # Modes and times of its own files don't matter; those of others (a library, if the service owns it) must not
    # change, and Landlock does not cover these calls. 0 pretends success, which archive writers require.
    "chmod": 0,
    "fchmod": 0,
    "fchmodat": 0,
    "utimensat": 0,
}
_PROGRAMS_ANSWERED = {
    # A job is killed by its process group, so nothing may leave it; but programs expect the call to succeed.
    "setsid": 0,
    "setpgid": 0,
}
# Duplicate, flags, locks. Not F_SETOWN and F_SETSIG, which can signal any process of the same user, nor leases.
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030)
_IOCTL = (0x5401, 0x5421, 0x5450, 0x5451, 0x541B)  # TCGETS (isatty), FIONBIO, FIONCLEX, FIOCLEX, FIONREAD
_PRCTL = (15, 16)  # the name of a thread


class _Comparison(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


class _Filter:
    """An allow-list under construction: other calls fail with EPERM, and those of other architectures kill."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        library.seccomp_init.restype = ctypes.c_void_p
        library.seccomp_init.argtypes = [ctypes.c_uint32]
        library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
        library.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
        library.seccomp_rule_add_array.argtypes = [
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.c_int,
            ctypes.c_uint,
            ctypes.POINTER(_Comparison),
        ]
        library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
        library.seccomp_release.argtypes = [ctypes.c_void_p]
        self._context = library.seccomp_init(_error(errno.EPERM))
        self._check(library.seccomp_attr_set(self._context, _ATTRIBUTE_BAD_ARCHITECTURE, _KILL_PROCESS), "attributes")
        # On load the kernel runs the filter once per system call, to cache unconditional results: with a binary tree
        # this takes a tenth of the time. libseccomp before 2.5 has none.
        library.seccomp_attr_set(self._context, _ATTRIBUTE_OPTIMIZE, _BINARY_TREE)

    def _check(self, result: int, what: str) -> None:
        if result:
            raise OSError(-result, f"libseccomp: {what}")

    def rule(self, name: str, *comparisons: tuple[int, int, int, int], action: int = _ALLOW) -> None:
        """Add a rule for a call, unless this architecture does not have it."""
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            array = (_Comparison * len(comparisons))(*(_Comparison(*each) for each in comparisons))
            self._check(
                self._library.seccomp_rule_add_array(self._context, action, number, len(comparisons), array), name
            )

    def one_of(self, name: str, argument: int, values: tuple[int, ...]) -> None:
        for value in values:
            self.rule(name, (argument, _EQUAL, value, 0))

    def export(self) -> bytes:
        with tempfile.TemporaryFile() as file:
            self._check(self._library.seccomp_export_bpf(self._context, file.fileno()), "export")
            self._library.seccomp_release(self._context)
            return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


def _error(number: int) -> int:
    return 0x00050000 | number


def build(*, programs: bool, execve_at: int | None = None) -> bytes | None:
    """The filter as a classic BPF program, or None if libseccomp is not installed.

    With `programs` a child may start processes, which Landlock limits to those programs; with `execve_at` it may only
    execute the program whose name is at this address.
    """
    try:
        library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    except OSError:
        return None
    made = _Filter(library)
    for name in (_EVERY_CHILD + (_PROGRAMS_TOO if programs else "")).split():
        if name == "execve" and execve_at is not None:
            made.rule(name, (0, _EQUAL, execve_at, 0))
        else:
            made.rule(name)
    for name, number in (_ANSWERED | (_PROGRAMS_ANSWERED if programs else {})).items():
        made.rule(name, action=_error(number))
    # Landlock before ABI 3 does not check that opening for reading truncates, so truncating requires a writable mode.
    truncate, mode = os.O_TRUNC, os.O_ACCMODE
    for name, argument in (("openat", 2), ("open", 1)):
        made.rule(name, (argument, _MASKED_EQUAL, truncate, 0))
        made.rule(name, (argument, _MASKED_EQUAL, truncate | mode, truncate | os.O_WRONLY))
        made.rule(name, (argument, _MASKED_EQUAL, truncate | mode, truncate | os.O_RDWR))
    # Threads share their descriptors, so that all of a process are counted in one place.
    forbidden, thread = _CLONE_NEW_NAMESPACES | _CLONE_THREAD, _CLONE_THREAD | _CLONE_FILES
    made.rule("clone", (0, _MASKED_EQUAL, forbidden | thread, thread))
    if programs:
        made.rule("clone", (0, _MASKED_EQUAL, forbidden, 0))
    made.one_of("prctl", 0, _PRCTL)
    made.one_of("fcntl", 1, _FCNTL)
    made.one_of("ioctl", 1, _IOCTL)
    # Only its own limits: those of another process of the same user could be set to nothing.
    made.rule("prlimit64", (0, _EQUAL, 0, 0))
    return made.export()


def load(program: bytes) -> None:
    """Restrict this process to the filter permanently; no_new_privs must be set."""
    loaded = _Program(len(program) // 8, program)
    libc.prctl(libc.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(loaded))
