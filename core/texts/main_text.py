"""The main text of a web page, by trafilatura in a process of its own: a page can be made so that it takes hours."""

import asyncio
import sys
from datetime import timedelta
from typing import Final

_WITHIN: Final = timedelta(seconds=10)
_MOST_HTML: Final = 1_000_000
"""Characters of a page that are read."""


async def main_text(html: str) -> str:
    """Return the main text of a page without menus, comments and tables: paragraphs between line feeds. Empty if it has
    none, or if finding it takes longer than ten seconds."""
    # isolated: neither the folder of this file nor the environment adds modules
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        __file__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(_WITHIN.total_seconds()):
            output, _ = await process.communicate(html[:_MOST_HTML].encode(errors="replace"))
    except TimeoutError:
        return ""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return output.decode(errors="replace").strip() if process.returncode == 0 else ""


def _extract() -> None:
    import resource

    import trafilatura

    # it ends even if the process that waits for it was killed
    seconds = int(_WITHIN.total_seconds())
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    html = sys.stdin.buffer.read().decode()
    text = trafilatura.extract(html, include_comments=False, include_tables=False, favor_precision=True)
    sys.stdout.buffer.write((text or "").encode(errors="replace"))


if __name__ == "__main__":
    _extract()
