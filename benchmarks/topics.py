"""Response times of the largest topic trees over HTTP.

`python -m benchmarks.topics --rounds 3`: trees of 10,000 topics (bushy, all under one, and deep: a chain of 1,000 and
others of 200) are imported, read, previewed, exported, and changed at the most expensive place: the very beginning,
where all later topics move. PostgreSQL and the API run on this machine; the fastest and slowest rounds are shown.
"""

import argparse
import asyncio
import sys
from collections import defaultdict
from time import perf_counter
from typing import Any

import httpx2

from benchmarks.local import run_servers
from core.container import open_services
from core.settings import Settings
from tests.factories import Factory

TOPICS = 10_000
TREES = {
    "bushy": "- Root\n" + "".join(f"{'-' * (2 + at % 20)} Topic {at}\n" for at in range(TOPICS - 1)),
    "wide": "- Root\n" + "".join(f"-- Topic {at}\n" for at in range(TOPICS - 1)),
    "deep": "".join(f"{'-' * (at + 1)} Topic {at}\n" for at in range(1_000))
    + "".join(f"{'-' * (2 + at % 200)} Topic {at}\n" for at in range(1_000, TOPICS)),
}


class Stopwatch:
    def __init__(self, api: httpx2.AsyncClient) -> None:
        self.api = api
        self.taken: dict[tuple[str, str], list[float]] = defaultdict(list)

    async def call(self, tree: str, what: str, method: str, path: str, body: object = None) -> httpx2.Response:
        began = perf_counter()
        answer = await self.api.request(method, path, json=body)
        self.taken[tree, what].append(perf_counter() - began)
        if answer.is_error:
            raise SystemExit(f"{what}: {answer.status_code} {answer.text[:300]}")
        return answer

    def lines(self) -> list[str]:
        return [
            f"{tree:6} {what:28} fastest {min(seconds) * 1000:6.0f} ms  slowest {max(seconds) * 1000:6.0f} ms"
            for (tree, what), seconds in self.taken.items()
        ]


async def _measure_round(stopwatch: Stopwatch, name: str, text: str) -> None:
    form = {"name": name, "text": text}
    await stopwatch.call(name, "preview", "POST", "/topics/preview/", form)
    tree: dict[str, Any] = (await stopwatch.call(name, "import", "POST", "/topics/", form)).json()
    path = f"/topics/{tree['id']}/"
    topics = tree["topics"]
    root, first, last = topics[0]["id"], topics[1], topics[-1]
    await stopwatch.call(name, "list of trees", "GET", "/topics/")
    await stopwatch.call(name, "read", "GET", path)
    await stopwatch.call(name, "export", "GET", f"{path}export/")
    await stopwatch.call(name, "change a title", "PATCH", f"{path}topics/{last['id']}/", {"title": "Changed"})
    deleted = (await stopwatch.call(name, "delete the last", "DELETE", f"{path}topics/{last['id']}/")).json()
    place = {"parent_id": root, "after_id": None}
    added = (await stopwatch.call(name, "add as the first", "POST", f"{path}topics/", {**place, "title": "New"})).json()
    await stopwatch.call(name, "delete the first", "DELETE", f"{path}topics/{added['id']}/")
    await stopwatch.call(name, "undo", "POST", f"{path}deletions/{deleted['deletion_id']}/restore/")
    await stopwatch.call(name, "move the last to the front", "POST", f"{path}topics/{last['id']}/move/", place)
    under = {"parent_id": last["id"], "after_id": None}
    await stopwatch.call(name, "move the first into it", "POST", f"{path}topics/{first['id']}/move/", under)
    deleted = (await stopwatch.call(name, "delete both", "DELETE", f"{path}topics/{last['id']}/")).json()
    await stopwatch.call(name, "undo that", "POST", f"{path}deletions/{deleted['deletion_id']}/restore/")
    await stopwatch.call(name, "delete the tree", "DELETE", path)


async def main(rounds: int) -> None:
    async with run_servers(temporal=False) as servers:  # no request needs Temporal
        services = await servers.stack.enter_async_context(open_services(Settings()))
        user = await Factory(services.sessions, services.vault).user()
        _, token = await services.identity.sign_in_by_link(await services.identity.sign_in_link(user.id), "benchmark")
        await servers.serve()
        headers = {"Authorization": f"Bearer {token}"}
        api = await servers.stack.enter_async_context(
            httpx2.AsyncClient(base_url=f"{servers.address}/api", headers=headers, timeout=60)
        )
        await _wait_until_up(api)
        stopwatch = Stopwatch(api)
        for _ in range(rounds):
            for name, text in TREES.items():
                await _measure_round(stopwatch, name, text)
        sys.stdout.write("\n".join(stopwatch.lines()) + "\n")


async def _wait_until_up(api: httpx2.AsyncClient) -> None:
    """Wait until the API answers. Raise SystemExit after 300 tries."""
    for _ in range(300):
        try:
            (await api.get("/topics/")).raise_for_status()
        except httpx2.TransportError:
            await asyncio.sleep(0.1)
        else:
            return
    raise SystemExit("the API did not start")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="rounds per tree")
    asyncio.run(main(parser.parse_args().rounds))
