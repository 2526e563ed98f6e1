"""End a process whose libraries have threads of their own."""

import os
import sys
from typing import NoReturn


def end_process(code: int) -> NoReturn:
    """End with this exit code. With a Temporal client in the process, without the interpreter's clean-up: about one of
    six commands was aborted there, after its work, because threads of the client still called into Python
    (https://github.com/temporalio/sdk-python/issues/300)."""
    if "temporalio.bridge" not in sys.modules:
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
