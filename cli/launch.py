"""Runs a command that ends when its parent does: `python -I -S launch.py PARENT SIGNAL UID GID COMMAND…`.

A separate program, because running code between fork and exec is unsafe in a process with threads. The command gets
SIGNAL when PARENT dies, by kill -9 too; UID and GID are -1 to keep the current user. Only Linux has such signals;
elsewhere the next start ends the leftovers of an earlier one (`cli/supervisor.py`).
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main(parent: int, death_signal: int, uid: int, gid: int, command: list[str]) -> None:
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if sys.platform == "linux":
        # after the change of user, which clears the signal
        if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, death_signal) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
        if os.getppid() != parent:  # the parent died before prctl
            sys.exit(1)
    os.execv(command[0], command)  # an absolute path: as another user, Python's modules may be unreadable


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
