"""Read HTML from the input and write its main text. A process of its own, see `main_text`."""

import sys

import trafilatura

from core.script_processes import limit_resources


def extract() -> None:
    html = sys.stdin.buffer.read().decode()
    text = trafilatura.extract(html, include_comments=False, include_tables=False, favor_precision=True)
    sys.stdout.buffer.write((text or "").encode(errors="replace"))


if __name__ == "__main__":
    limit_resources()
    extract()
