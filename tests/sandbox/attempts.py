"""Attempts: what hostile code in a child might try. Each returns if it got what it wanted and raises if it was refused.

Run inside a child by the `attempt` converter, and without a sandbox by `python -m tests.sandbox.attempts NAME CONTEXT`.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.toolkit.declaring import Converter, Engine
from engine.toolkit.formats import JSON, TXT
from engine.toolkit.options import option
from engine.toolkit.warnings import Warn

libc = ctypes.CDLL(None, use_errno=True)
_seccomp = ctypes.CDLL("libseccomp.so.2")
_REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)


@dataclass(frozen=True)
class Context:
    """What there is to attack: paths and processes that the child's user may touch as far as file modes go."""

    secret: str  # a readable file outside
    database: str  # a readable and writable file outside
    library: str  # a file that a child may read, and that belongs to its user
    neighbour: str  # another job's folder
    parent: int  # the zygote
    victim: int  # another process of the child's user
    tcp: int
    udp: int
    unix: str
    supervisor: str  # the socket that clients ask for channels to zygotes
    abstract: str
    settings: str


ATTEMPTS: dict[str, Callable[[Context], object]] = {}
STARTS_PROGRAMS: set[str] = set()
"""Attempts that children of the office family are meant to succeed at, as far as no foreign program comes of them."""


def attempt(function: Callable[[Context], object]) -> Callable[[Context], object]:
    ATTEMPTS[function.__name__] = function
    return function


def office_may(function: Callable[[Context], object]) -> Callable[[Context], object]:
    STARTS_PROGRAMS.add(function.__name__)
    return attempt(function)


def number_of(name: str) -> int:
    return int(_seccomp.seccomp_syscall_resolve_name(name.encode()))


def call(name: str, *arguments: object) -> int:
    """A system call by name; raises OSError where it fails."""
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result = int(libc.syscall(ctypes.c_long(number_of(name)), *given))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def reach(name: str, *arguments: object) -> None:
    """Succeeds if the kernel judged the arguments: then the call was not forbidden."""
    try:
        call(name, *arguments)
    except OSError as error:
        if error.errno in _REFUSED:
            raise


# Files


@attempt
def read_settings(context: Context) -> object:
    return Path(context.settings).read_bytes()[0]


@attempt
def read_passwd(context: Context) -> object:
    return Path("/etc/passwd").read_bytes()[0]


@attempt
def read_secret(context: Context) -> object:
    return Path(context.secret).read_bytes()[0]


@attempt
def read_with_openat2(context: Context) -> object:
    how = struct.pack("QQQ", os.O_RDONLY, 0, 0)
    return os.read(call("openat2", -100, context.secret.encode(), how, 24), 1)


@attempt
def open_by_handle(context: Context) -> None:
    reach("name_to_handle_at", -100, context.secret.encode(), None, None, 0)


@attempt
def list_root(context: Context) -> object:
    return os.listdir("/")


@attempt
def list_temporary_files(context: Context) -> object:
    return os.listdir("/tmp")


@attempt
def list_above(context: Context) -> object:
    return os.listdir("..")


@attempt
def list_neighbour(context: Context) -> object:
    return os.listdir(context.neighbour)


@attempt
def read_neighbour(context: Context) -> object:
    return Path(context.neighbour, "input.json").read_bytes()[0]


@attempt
def write_to_neighbour(context: Context) -> None:
    Path(context.neighbour, "planted").write_bytes(b"x")


@attempt
def move_into_neighbour(context: Context) -> None:
    Path("planted").write_bytes(b"x")
    os.rename("planted", os.path.join(context.neighbour, "planted"))


@attempt
def take_from_neighbour(context: Context) -> None:
    os.rename(os.path.join(context.neighbour, "input.json"), "taken")
    os.rename("taken", os.path.join(context.neighbour, "input.json"))


@attempt
def read_database(context: Context) -> object:
    return Path(context.database).read_bytes()[0]


@attempt
def write_database(context: Context) -> object:
    with open(context.database, "r+b") as file:
        return file.write(b"x")


@attempt
def truncate_by_path(context: Context) -> None:
    os.truncate(context.database, 1)


@attempt
def truncate_by_reading(context: Context) -> None:
    os.close(os.open(context.library, os.O_RDONLY | os.O_TRUNC))
    if os.stat(context.library).st_size:
        raise PermissionError


@attempt
def unlink_database(context: Context) -> None:
    os.unlink(context.database)
    Path(context.database).write_bytes(b"database")


@attempt
def change_mode_of_library(context: Context) -> None:
    before = os.stat(context.library).st_mode
    with open(context.library, "rb") as file:
        os.fchmod(file.fileno(), stat.S_IMODE(before) ^ 0o100)
    os.chmod(context.library, stat.S_IMODE(before) ^ 0o100)
    if os.stat(context.library).st_mode == before:
        raise PermissionError


@attempt
def change_times_of_library(context: Context) -> None:
    os.utime(context.library, (1, 1))
    if int(os.stat(context.library).st_mtime) != 1:
        raise PermissionError


@attempt
def change_owner(context: Context) -> None:
    os.chown(context.library, os.getuid(), os.getgid())


@attempt
def set_attribute(context: Context) -> None:
    os.setxattr(context.library, "user.planted", b"x")


@attempt
def write_to_temporary_files(context: Context) -> None:
    Path("/tmp/planted-by-a-child").write_bytes(b"x")
    os.unlink("/tmp/planted-by-a-child")


@attempt
def write_to_shared_memory(context: Context) -> None:
    Path("/dev/shm/planted-by-a-child").write_bytes(b"x")
    os.unlink("/dev/shm/planted-by-a-child")


@attempt
def write_over_library(context: Context) -> None:
    with open(context.library, "r+b") as file:
        file.write(b"x")


@attempt
def write_over_interpreter(context: Context) -> None:
    os.close(os.open(os.path.realpath(sys.executable), os.O_WRONLY))


@attempt
def plant_module(context: Context) -> None:
    path = Path(context.library).parent / "planted.py"
    path.write_bytes(b"")
    path.unlink()


@attempt
def hard_link_secret(context: Context) -> object:
    os.link(context.secret, "linked")
    return Path("linked").read_bytes()[0]


@attempt
def symlink_to_secret(context: Context) -> object:
    os.symlink(context.secret, "pointer")
    return Path("pointer").read_bytes()[0]


@attempt
def make_device(context: Context) -> None:
    os.mknod("device", 0o600 | stat.S_IFCHR, os.makedev(1, 3))


@attempt
def make_fifo(context: Context) -> None:
    os.mkfifo("fifo")


@attempt
def change_root(context: Context) -> None:
    reach("chroot", b".")


@attempt
def leave_folder(context: Context) -> object:
    os.chdir(context.neighbour)
    return os.listdir(".")


@attempt
def open_inherited_descriptors(context: Context) -> None:
    """Anything open that is neither /dev/null, its own files, the job's socket nor the error log is a leak."""
    found = []
    for descriptor in range(4096):
        try:
            status = os.fstat(descriptor)
        except OSError:
            continue
        if stat.S_ISDIR(status.st_mode) or stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode):
            found.append(descriptor)
        if stat.S_ISREG(status.st_mode) and status.st_nlink and status.st_uid != os.getuid():
            found.append(descriptor)
    pipes = sum(stat.S_ISFIFO(os.fstat(each).st_mode) for each in found)
    # Two pipes lead to the launcher, where there is one: to ask it for its program is all that they are good for.
    if len(found) - (2 if pipes == 2 else 0) <= 1:
        raise PermissionError


# What the kernel says about processes


@attempt
def read_parents_environment(context: Context) -> object:
    return Path(f"/proc/{context.parent}/environ").read_bytes()[0]


@attempt
def read_victims_environment(context: Context) -> object:
    return Path(f"/proc/{context.victim}/environ").read_bytes()[0]


@attempt
def read_own_mountinfo(context: Context) -> object:
    return Path("/proc/self/mountinfo").read_bytes()[0]


@attempt
def open_parents_memory(context: Context) -> None:
    os.close(os.open(f"/proc/{context.parent}/mem", os.O_RDWR))


@attempt
def open_victims_memory(context: Context) -> None:
    os.close(os.open(f"/proc/{context.victim}/mem", os.O_RDWR))


@attempt
def open_own_memory(context: Context) -> None:
    os.close(os.open("/proc/self/mem", os.O_RDWR))


@attempt
def open_parents_descriptors(context: Context) -> object:
    return os.listdir(f"/proc/{context.parent}/fd")[0]


@attempt
def list_processes(context: Context) -> object:
    return os.listdir("/proc")[0]


@attempt
def find_secret_in_environment(context: Context) -> None:
    known = {
        "FONTCONFIG_FILE",
        "HOME",
        "LANG",
        "MALLOC_ARENA_MAX",
        "PATH",
        "TMPDIR",
        "TZ",
        "XDG_DATA_DIRS",
        "XDG_DATA_HOME",
    }
    sizes = ("_THREADS", "_CONCURRENCY", "_MEMORY_MB", "_BUDGET_MB", "_MEMORY_POOL")
    if not {name for name in os.environ if not name.endswith(sizes)} - known:
        raise PermissionError


# Network


@attempt
def connect_tcp(context: Context) -> None:
    socket.create_connection(("127.0.0.1", context.tcp), 2).close()


@attempt
def listen_tcp(context: Context) -> None:
    socket.create_server(("127.0.0.1", 0)).close()


@attempt
def send_udp(context: Context) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", context.udp))


@attempt
def connect_ipv6(context: Context) -> None:
    socket.socket(socket.AF_INET6, socket.SOCK_STREAM).close()


@attempt
def connect_unix(context: Context) -> None:
    with socket.socket(socket.AF_UNIX) as sender:
        sender.connect(context.unix)


@attempt
def connect_to_supervisor(context: Context) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
        client.connect(context.supervisor)


@attempt
def listen_beside_supervisor(context: Context) -> None:
    place = f"{context.supervisor}-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(place)
        listener.listen()
    os.unlink(place)


@attempt
def take_place_of_supervisor(context: Context) -> None:
    os.rename(context.supervisor, f"{context.supervisor}-{os.getpid()}")
    os.rename(f"{context.supervisor}-{os.getpid()}", context.supervisor)


@attempt
def make_channel_of_supervisors_kind(context: Context) -> None:
    """A socket of any kind but that of the job, from which one could go on."""
    first, second = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    first.connect(context.supervisor)
    second.close()


@attempt
def send_to_supervisor_on_job_channel(context: Context) -> None:
    for descriptor in range(64):
        try:
            if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                continue
        except OSError:
            continue
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, os.dup(descriptor)) as channel:
            channel.sendmsg([b"{}"], [], 0, context.supervisor)
            return
    raise PermissionError


@attempt
def take_channels_of_zygote(context: Context) -> None:
    zygote = call("pidfd_open", context.parent, 0)
    for descriptor in range(3, 64):
        call("pidfd_getfd", zygote, descriptor, 0)


@attempt
def connect_abstract(context: Context) -> None:
    with socket.socket(socket.AF_UNIX) as sender:
        sender.connect("\0" + context.abstract)


@attempt
def use_datagram_pair(context: Context) -> None:
    first, second = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    first.close()
    second.close()


@attempt
def use_netlink(context: Context) -> None:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()


@attempt
def use_raw_socket(context: Context) -> None:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()


@attempt
def use_packet_socket(context: Context) -> None:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()


@attempt
def use_kernel_crypto(context: Context) -> None:
    reach("socket", 38, 5, 0)


@attempt
def use_vsock(context: Context) -> None:
    reach("socket", 40, 1, 0)


@attempt
def connect_through_job_channel(context: Context) -> None:
    """Turn the one socket that there is against somebody else."""
    for descriptor in range(64):
        try:
            if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                continue
        except OSError:
            continue
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, os.dup(descriptor)) as channel:
            channel.sendmsg([b""], [], 0, context.unix)
            channel.connect(context.unix)
            return
    raise PermissionError


# Processes


@office_may
def fork(context: Context) -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


@office_may
def clone_a_process(context: Context) -> None:
    child = call("clone", signal.SIGCHLD, 0, 0, 0, 0)
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


@attempt
def clone3_a_process(context: Context) -> None:
    child = call("clone3", struct.pack("8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64)
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


@attempt
def clone_into_new_user_namespace(context: Context) -> None:
    child = call("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


@attempt
def run_a_program(context: Context) -> None:
    subprocess.run(["/bin/true"], check=True)


@attempt
def run_a_shell(context: Context) -> None:
    if os.system("true"):
        raise PermissionError


@attempt
def run_the_interpreter(context: Context) -> None:
    subprocess.run([os.path.realpath(sys.executable), "-c", ""], check=True)


@attempt
def run_own_file(context: Context) -> None:
    Path("program").write_bytes(Path("/lib/x86_64-linux-gnu/libc.so.6").read_bytes())
    os.chmod("program", 0o755)
    os.spawnv(os.P_WAIT, "program", ["program"])
    if os.spawnv(os.P_WAIT, "program", ["program"]):
        raise PermissionError


@attempt
def run_through_the_loader(context: Context) -> None:
    subprocess.run(["/lib64/ld-linux-x86-64.so.2", "/bin/true"], check=True)


@attempt
def run_by_descriptor(context: Context) -> None:
    reach("execveat", -1, b"", None, None, 0x1000)


@attempt
def run_from_memory(context: Context) -> None:
    descriptor = os.memfd_create("program")
    os.write(descriptor, b"#!/bin/true\n")
    subprocess.run([f"/proc/self/fd/{descriptor}"], pass_fds=[descriptor], check=True)


@attempt
def run_from_error_log(context: Context) -> None:
    """Descriptor 2 is a file that this process may write and that no rule of paths names."""
    content = Path("/bin/true").read_bytes() if os.access("/bin/true", os.R_OK) else b"#!/bin/true\n"
    os.pwrite(2, content, 0)
    os.fchmod(2, 0o755)
    subprocess.run(["/proc/self/fd/2"], check=True)


@attempt
def signal_parent(context: Context) -> None:
    os.kill(context.parent, 0)


@attempt
def signal_victim(context: Context) -> None:
    os.kill(context.victim, 0)


@attempt
def signal_everyone(context: Context) -> None:
    os.kill(-1, 0)


@attempt
def signal_victims_thread(context: Context) -> None:
    call("tgkill", context.victim, context.victim, 0)


@attempt
def queue_signal(context: Context) -> None:
    call("rt_sigqueueinfo", context.victim, 0, struct.pack("iii", 0, 0, -1).ljust(128, b"\0"))


@attempt
def signal_by_descriptor(context: Context) -> None:
    signal.pidfd_send_signal(os.pidfd_open(context.victim), 0)


@attempt
def signal_by_file_owner(context: Context) -> None:
    """Have the kernel send SIGURG to another process whenever a pipe gets readable."""
    import fcntl

    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, context.victim)
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writing, b"x")


@attempt
def take_lease(context: Context) -> None:
    import fcntl

    with open(context.library, "rb") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)


@attempt
def trace_parent(context: Context) -> None:
    call("ptrace", 16, context.parent, 0, 0)
    call("ptrace", 17, context.parent, 0, 0)


@attempt
def trace_victim(context: Context) -> None:
    call("ptrace", 0x4206, context.victim, 0, 0)


@attempt
def read_victims_memory(context: Context) -> None:
    reach("process_vm_readv", context.victim, None, 0, None, 0, 0)


@attempt
def write_victims_memory(context: Context) -> None:
    reach("process_vm_writev", context.victim, None, 0, None, 0, 0)


@attempt
def limit_victim(context: Context) -> None:
    resource.prlimit(context.victim, resource.RLIMIT_CORE, (0, 0))


@attempt
def take_victims_descriptor(context: Context) -> None:
    reach("pidfd_getfd", 0, 0, 0)


@attempt
def slow_victim_down(context: Context) -> None:
    os.setpriority(os.PRIO_PROCESS, context.victim, 19)


@attempt
def pin_victim(context: Context) -> None:
    os.sched_setaffinity(context.victim, os.sched_getaffinity(0))


@attempt
def move_victims_pages(context: Context) -> None:
    reach("migrate_pages", context.victim, 0, None, None)


@attempt
def leave_process_group(context: Context) -> None:
    group = os.getpgrp()
    os.setsid()
    if os.getpgrp() == group:
        raise PermissionError


@attempt
def outlive_parent(context: Context) -> None:
    if libc.prctl(4, 1, 0, 0, 0):
        raise PermissionError


# More of the kernel than a converter needs


@attempt
def become_root(context: Context) -> None:
    os.setuid(0)


@attempt
def raise_own_limits(context: Context) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@attempt
def unshare_user_namespace(context: Context) -> None:
    call("unshare", 0x10000000)


@attempt
def unshare_mounts(context: Context) -> None:
    call("unshare", 0x20000)


@attempt
def unshare_network(context: Context) -> None:
    call("unshare", 0x40000000)


@attempt
def join_namespace(context: Context) -> None:
    reach("setns", 0, 0)


@attempt
def mount_something(context: Context) -> None:
    reach("mount", b"none", b".", b"tmpfs", 0, None)


@attempt
def use_new_mount_api(context: Context) -> None:
    reach("fsopen", b"tmpfs", 0)


@attempt
def use_io_uring(context: Context) -> None:
    reach("io_uring_setup", 1, None)


@attempt
def load_bpf(context: Context) -> None:
    reach("bpf", 0, None, 0)


@attempt
def use_userfaultfd(context: Context) -> None:
    reach("userfaultfd", 0)


@attempt
def use_perf_events(context: Context) -> None:
    reach("perf_event_open", None, 0, 0, 0, 0)


@attempt
def read_keyring(context: Context) -> None:
    reach("keyctl", 0, -3, 0, 0, 0)


@attempt
def add_key(context: Context) -> None:
    reach("add_key", None, None, None, 0, 0)


@attempt
def use_shared_memory_segment(context: Context) -> None:
    reach("shmget", 0, 4096, 0o1600)


@attempt
def use_message_queue(context: Context) -> None:
    reach("msgget", 0, 0o1600)


@attempt
def use_semaphores(context: Context) -> None:
    reach("semget", 0, 1, 0o1600)


@attempt
def use_posix_queue(context: Context) -> None:
    reach("mq_open", b"planted", 0, 0, None)


@attempt
def watch_files(context: Context) -> None:
    call("inotify_init1", 0)


@attempt
def watch_file_system(context: Context) -> None:
    reach("fanotify_init", 0, 0)


@attempt
def make_memory_file(context: Context) -> None:
    os.memfd_create("memory")


@attempt
def make_secret_memory(context: Context) -> None:
    reach("memfd_secret", 0)


@attempt
def splice_pages(context: Context) -> None:
    reach("vmsplice", -1, None, 0, 0)


@attempt
def lock_memory(context: Context) -> None:
    call("mlockall", 1)


@attempt
def change_personality(context: Context) -> None:
    call("personality", 0x0040000)


@attempt
def change_segments(context: Context) -> None:
    reach("modify_ldt", 0, None, 0)


@attempt
def read_kernel_log(context: Context) -> None:
    reach("syslog", 3, None, 0)


@attempt
def load_kernel_module(context: Context) -> None:
    reach("init_module", None, 0, None)


@attempt
def reboot(context: Context) -> None:
    reach("reboot", 0, 0, 0, None)


@attempt
def set_clock(context: Context) -> None:
    reach("clock_settime", -1, None)


@attempt
def set_host_name(context: Context) -> None:
    reach("sethostname", None, -1)


@attempt
def add_own_filter(context: Context) -> None:
    reach("seccomp", 1, 8, None)


@attempt
def type_into_terminal(context: Context) -> None:
    reach("ioctl", 1, 0x5412, b"x")


@attempt
def own_a_descriptor(context: Context) -> None:
    reach("ioctl", 1, 0x8901, struct.pack("i", context.victim))


@attempt
def call_as_32_bit(context: Context) -> None:
    """The numbers of 32-bit system calls are others: a filter that forgets this forgets everything."""
    if machine_code(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3") <= 0:  # mov eax, getpid; int 0x80; ret
        raise PermissionError


@attempt
def call_as_x32(context: Context) -> None:
    result = int(libc.syscall(ctypes.c_long(0x40000000 | 41), 2, 1, 0))
    if result < 0:
        raise OSError(ctypes.get_errno(), "x32")


def machine_code(code: bytes) -> int:
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(address)())


@dataclass(frozen=True)
class AttemptOptions:
    name: str = option("", "Which attempt.", max_length=100)
    context: str = option("{}", "What there is to attack.", max_length=10_000)


def judge(name: str, context: str) -> str:
    try:
        ATTEMPTS[name](Context(**json.loads(context)))
    except (OSError, subprocess.SubprocessError) as error:
        return f"refused: {error!r}"
    return "escaped"


def run(source: Path, target: Path, options: AttemptOptions, warn: Warn) -> None:
    target.write_text(judge(options.name, options.context))


def linger(source: Path, target: Path, options: AttemptOptions, warn: Warn) -> None:
    time.sleep(60)


CONVERTERS = (
    Converter("attempt", JSON, TXT, "Try something.", AttemptOptions, "text", Engine("tests"), run),
    Converter("linger", JSON, TXT, "Wait.", AttemptOptions, "text", Engine("tests"), linger),
)

if __name__ == "__main__":
    sys.stdout.write(judge(sys.argv[1], sys.argv[2]))
