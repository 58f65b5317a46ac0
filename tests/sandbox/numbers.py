"""A process with a number that another had, made by clone3(2): `python numbers.py PID` becomes it, and sleeps.

Says `there` when it leads a session of its own, and `still` when it is sent SIGUSR1.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
import time

_CLONE3 = 435


def main(wanted: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    number = (ctypes.c_int * 1)(wanted)
    # struct clone_args: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid and its size
    arguments = struct.pack("11Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, ctypes.addressof(number), 1, 0)
    made = libc.syscall(_CLONE3, arguments, len(arguments))
    if made < 0:
        sys.exit(os.strerror(ctypes.get_errno()))
    if made:
        os.waitpid(made, 0)
        return
    libc.prctl(1, signal.SIGKILL, 0, 0, 0)
    os.setsid()
    signal.signal(signal.SIGUSR1, lambda *_: os.write(1, b"still\n"))
    os.write(1, b"there\n")
    while True:
        time.sleep(600)


if __name__ == "__main__":
    main(int(sys.argv[1]))
