"""Progress output: steps and their durations. Standard library only: the bootstrap uses it too."""

import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_FIRST_SECONDS = 1.0
_AGAIN_SECONDS = 10.0
_WIDTH = 100
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_NOISE = ("npm warn", "npm notice", "warning:", "warn:", "notice:", "hint:", "> ")


class Step:
    """A running step. `note` sets its current detail."""

    def __init__(self, name: str, began: float | None = None) -> None:
        self.name = name
        self.began = time.monotonic() if began is None else began
        self.text = ""
        self.printed_at = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def note(self, text: str) -> None:
        """Set the detail. Skip warnings of package managers: if one matters, the command fails and shows it."""
        line = " ".join(_COLOURS.sub("", text).split())
        if line and not line.lower().startswith(_NOISE):
            self.text = line


class Progress:
    """Print one line per finished step. Show steps that take longer than a second while they run: on a terminal in a
    list below, redrawn in place; elsewhere with one line after a second and then one every ten seconds."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self._out = out
        self._live = out.isatty()
        self._lock = threading.Lock()
        self._steps: list[Step] = []
        self._drawn = 0  # lines of the list
        self._watched = False

    @contextmanager
    def step(self, name: str, began: float | None = None) -> Iterator[Step]:
        """Show a step while the block runs. `began` (monotonic): its start, if earlier than this call."""
        step = Step(name, began)
        with self._lock:
            if not self._watched:
                self._watched = True
                threading.Thread(target=self._watch, daemon=True).start()
            self._steps.append(step)
        try:
            yield step
        except BaseException:
            self._finish(step, "✗")
            raise
        self._finish(step, "✓")

    def print_line(self, text: str) -> None:
        """Print a line above the running steps."""
        with self._lock:
            self._print(text)

    def _finish(self, step: Step, sign: str) -> None:
        with self._lock:
            self._steps.remove(step)
            self._print(f"{sign} {step.name} {step.seconds:.1f} s")

    def _watch(self) -> None:
        while True:
            time.sleep(0.25)
            with self._lock:
                if not self._steps:
                    self._watched = False
                    return
                slow = [step for step in self._steps if step.seconds >= _FIRST_SECONDS]
                if self._live:
                    self._draw(slow)
                else:
                    self._repeat(slow)

    def _draw(self, slow: list[Step]) -> None:
        # a wrapped line takes two rows, and only one would be erased
        width = min(_WIDTH, shutil.get_terminal_size().columns - 1)
        self._erase()
        for step in slow:
            self._write(self._line(step)[:width])
        self._drawn = len(slow)
        self._out.flush()

    def _repeat(self, slow: list[Step]) -> None:
        for step in slow:
            if not step.printed_at or step.seconds - step.printed_at >= _AGAIN_SECONDS:
                step.printed_at = step.seconds
                self._print(self._line(step)[:_WIDTH])

    @staticmethod
    def _line(step: Step) -> str:
        return f"… {step.name} {step.seconds:.0f} s  {step.text}".rstrip()

    def _print(self, text: str) -> None:
        self._erase()
        self._write(text)
        self._out.flush()

    def _erase(self) -> None:
        self._out.write("\x1b[A\x1b[2K" * self._drawn)
        self._drawn = 0

    def _write(self, text: str) -> None:
        # an ASCII terminal shows question marks instead of failing
        encoding = self._out.encoding or "utf-8"
        self._out.write(text.encode(encoding, "replace").decode(encoding) + "\n")
