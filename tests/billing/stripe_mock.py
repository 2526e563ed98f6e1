"""Stripe's own `stripe-mock`, which knows each parameter of the API: finds the program, or has Go build it.

Its module comes by Go's usual way, checked against Go's checksum database. Where there is no Go and no `stripe-mock` on
PATH, what needs it is skipped. `python -m tests.billing.stripe_mock` brings it ahead of the tests.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from temporal.server import CACHE

MODULE: Final = "github.com/stripe/stripe-mock"
VERSION: Final = "v0.203.0"
PROGRAM: Final = CACHE / f"stripe-mock-{VERSION}" / "stripe-mock"

_BUILD_SECONDS = 240


def find_stripe_mock() -> Path | None:
    """None where it is not, and cannot be built."""
    if os.access(PROGRAM, os.X_OK):
        return PROGRAM
    if found := shutil.which("stripe-mock"):
        return Path(found)
    return _build()


def _build() -> Path | None:
    go = shutil.which("go")
    if go is None:
        return None
    command = [go, "install", f"{MODULE}@{VERSION}"]
    environment = {**os.environ, "GOBIN": str(PROGRAM.parent)}
    try:
        built = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_BUILD_SECONDS)
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"go install took more than {_BUILD_SECONDS} seconds\n")
        return None
    sys.stderr.write(built.stderr)
    return PROGRAM if built.returncode == 0 else None


@contextmanager
def mocking(program: Path) -> Iterator[str]:
    """Its address, while it runs on ports that the system chose."""
    options = ["-http-addr", "127.0.0.1:", "-https-addr", "127.0.0.1:"]
    process = subprocess.Popen([program, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout
    try:
        told = iter(process.stdout.readline, "")
        yield next(f"http://{found[1]}" for line in told if (found := re.search(r"HTTP at address: (\S+)", line)))
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    sys.stdout.write(f"{find_stripe_mock() or 'no stripe-mock and no Go to build it: its test is skipped'}\n")
