"""Runs a command that ends when its parent does: `python -I -S launch.py PARENT SIGNAL UID GID COMMAND…`.

A program of its own, because code between fork and exec of a process with threads is not safe. SIGNAL is
what the command gets when PARENT dies, by kill -9 too; UID and GID are -1 to stay who we are. Linux alone has
such signals; elsewhere the next start ends what an earlier one left (`cli/run.py`).
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
        # after the change of user, which clears it
        if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, death_signal) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
        if os.getppid() != parent:  # it died before we asked
            sys.exit(1)
    os.execv(command[0], command)  # a whole path: once we are someone else, no module of Python may be in reach


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
