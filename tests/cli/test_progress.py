"""What a start says while it works."""

import io
import re
import time

from cli.progress import Progress
from tests.patience import PATIENCE


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen(written: str) -> list[str]:
    """The lines that a terminal shows in the end, which knows up and erase."""
    lines: list[str] = []
    for part in re.split(r"(\x1b\[A\x1b\[2K|\n)", written):
        if part == "\x1b[A\x1b[2K":
            lines.pop()
        elif part and part != "\n":
            lines.append(part)
    return lines


def wait_for(out: io.StringIO, text: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while text not in out.getvalue():
        assert time.monotonic() < deadline, out.getvalue()
        time.sleep(0.05)


def test_on_a_terminal_what_runs_is_a_list_below_what_is_done() -> None:
    out = Terminal()
    progress = Progress(out)
    with progress.step("one"):
        with progress.step("two") as two:
            two.note("npm warn deprecated something")
            two.note("\x1b[90mhalf \x1b[39mof it")
            wait_for(out, "… two 1 s  half of it")
            assert [line[:5] for line in screen(out.getvalue())] == ["… one", "… two"]
        assert [line[:5] for line in screen(out.getvalue())] == ["✓ two"]
    assert [line[:5] for line in screen(out.getvalue())] == ["✓ two", "✓ one"]
    assert "deprecated" not in out.getvalue()


def test_elsewhere_lines_are_never_taken_back() -> None:
    out = io.StringIO()
    with Progress(out).step("one") as one:
        one.note("half of it")
        wait_for(out, "… one 1 s  half of it\n")
    assert "\x1b" not in out.getvalue()
    assert out.getvalue().splitlines()[-1].startswith("✓ one")


def test_a_terminal_that_knows_only_ascii_gets_question_marks() -> None:
    raw = io.BytesIO()
    terminal = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    Progress(terminal).print_line("✗ failed")
    assert raw.getvalue() == b"? failed\n"


def test_what_was_under_way_before_is_counted_from_its_beginning() -> None:
    out = io.StringIO()
    with Progress(out).step("Web app", time.monotonic() - 90):
        pass
    assert "✓ Web app 90.0 s" in out.getvalue()
