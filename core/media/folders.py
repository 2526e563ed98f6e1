"""Folders for files that are received, checked or drawn.

A process that is killed leaves its folders behind, which may hold gigabytes. Each start of the web app removes those
that no process holds: the system releases a lock with its process (decision 140).
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_PREFIX: Final = "postloom-media-"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Hold a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder:
        held = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield Path(folder)
        finally:
            os.close(held)


def remove_left_folders() -> None:
    """Remove the folders of processes that have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # held by a process, removed by another one, or another user's
        with suppress(BlockingIOError, FileNotFoundError, PermissionError):
            _remove_unheld(folder)


def _remove_unheld(folder: Path) -> None:
    """Raise BlockingIOError if a process holds the folder."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)
    finally:
        os.close(held)
