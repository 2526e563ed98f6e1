"""Speed in Chromium of the composer with four accounts, the editor with an article of 5,000 words and a calendar with
500 entries a month: `python -m benchmarks.browser`.

`frontend/scripts/measure.mjs` does the measuring, on the built web app (`npm run build` in frontend/).
"""

import argparse
import asyncio
import json
import os
import shutil
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any, Final

from benchmarks.first_load import WEB
from benchmarks.post_rows import add_accounts, add_posts
from benchmarks.serving import ApiServer, format_percentiles, run_api
from core.ids import new_id
from core.posts.rules.posts import PostStatus
from core.settings import ROOT

ENTRIES: Final = 500  # per month
SECTIONS: Final = 50
"""Sections of the article, of 100 words each."""
_SENTENCE: Final = "Rain is only drama to those who **look** at it through a window. "
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")


def _months(now: datetime) -> list[datetime]:
    """Return the start of this month and of the next two."""
    first = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    months = [first]
    while len(months) < 3:
        months.append((months[-1] + timedelta(days=32)).replace(day=1))
    return months


async def _add_article(server: ApiServer, token: str) -> None:
    """Add a draft of some 5,000 words, written by hand."""
    section = (_SENTENCE * 4).strip()
    text = "\n\n".join(f"## Heading {number}\n\n{section}\n\n{section}" for number in range(1, SECTIONS + 1))
    article = {
        "id": str(new_id()),
        "website_id": None,
        "content": text,
        "fields": {"title": "A long article"},
        "time_zone": "UTC",
        "language": "en",
    }
    async with server.client(token) as client:
        (await client.post("/api/articles/", json=article)).raise_for_status()


def _format_line(name: str, taken: Sequence[float]) -> str:
    return f"{name:44} n={len(taken):5} {format_percentiles([one / 1000 for one in taken])}"


async def main(rounds: int) -> None:
    if not (WEB / "index.html").is_file():
        sys.exit("The web app is not built: `npm run build` in frontend/.")
    node, chromium = shutil.which("node"), next(filter(None, map(shutil.which, _BROWSERS)), None)
    if node is None or (chromium is None and "CHROMIUM_PATH" not in os.environ):
        sys.exit("Node.js and Chromium are needed.")
    async with run_api(worker=False) as server:
        user, token = await server.add_user()
        accounts = await add_accounts(server, user)
        for first, end in zip(months := _months(datetime.now(UTC)), months[1:], strict=False):
            step = (end - first) / ENTRIES
            times = [first + number * step for number in range(ENTRIES)]
            await add_posts(server, user, accounts, times, (), (PostStatus.complete,))
        await _add_article(server, token)
        script = (node, "scripts/measure.mjs", server.address, token, str(rounds))
        process = await asyncio.create_subprocess_exec(
            *script,
            cwd=ROOT / "frontend",
            env={"CHROMIUM_PATH": chromium or "", **os.environ},
            stdout=asyncio.subprocess.PIPE,
            limit=10**7,
        )
        assert process.stdout
        results: list[dict[str, Any]] = [json.loads(line) async for line in process.stdout]
        if await process.wait() != 0:
            sys.exit("measure.mjs failed.")
    keys = [one["composer"]["taken"] for one in results]
    frames = [one["calendar"]["frames"] for one in results]
    sys.stdout.write(_format_line("key to four previews", [taken for round_ in keys for taken in round_]) + "\n")
    sys.stdout.write(f"{'  CPU time per key':44} {median(one['composer']['work'] for one in results):.1f} ms\n")
    typed = [one["article"] for one in results]
    sys.stdout.write(_format_line("click to the article's text", [one["opening"]["time"] for one in typed]) + "\n")
    sys.stdout.write(f"{'  CPU time':44} {median(one['opening']['work'] for one in typed):.0f} ms\n")
    keys_in_article = [taken for one in typed for taken in one["taken"]]
    sys.stdout.write(_format_line("key to the text of 5,000 words", keys_in_article) + "\n")
    sys.stdout.write(f"{'  CPU time per key':44} {median(one['work'] for one in typed):.1f} ms\n")
    for what, name in (("first", "click to the first frame of the month"), ("next", "click to the next month")):
        sys.stdout.write(_format_line(name, [one["calendar"][what]["time"] for one in results]) + "\n")
        sys.stdout.write(f"{'  CPU time':44} {median(one['calendar'][what]['work'] for one in results):.0f} ms\n")
    sys.stdout.write(f"{'  entries drawn':44} {results[0]['calendar']['entries']}\n")
    sys.stdout.write(
        _format_line("between two frames while dragging", [frame for round_ in frames for frame in round_]) + "\n"
    )
    sys.stdout.write(f"{'  CPU time per move':44} {median(one['calendar']['work'] for one in results):.1f} ms\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="browser rounds")
    asyncio.run(main(parser.parse_args().rounds))
