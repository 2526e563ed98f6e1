"""How heavy work of one user slows another: `python -m benchmarks.neighbours`. On this machine only.

User B repeatedly requests a list and a picture while others draw 60 cards, sign in 60 times or make 6 exports of
accounts with 10,000 topics and 2,000 templates.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from time import perf_counter

from benchmarks.serving import ApiServer, format_percentiles, run_api
from core.templates.rules.templates import TemplateType
from core.templates.versions import TemplateForm, TemplateService
from core.users.tables.users import User
from tests.pictures import saved, scene

CARDS, SIGN_INS, EXPORTS = 60, 60, 6
_PAUSE_SECONDS = 0.03  # between B's calls
_TOPICS = "- Root\n" + "-- A topic that is written about\n" * 9_999
_TEMPLATES = 2_000


async def _measure(
    server: ApiServer, what: str, token: str, picture: str, work: Callable[[], Awaitable[list[int]]]
) -> None:
    taken: dict[str, list[float]] = {"list": [], "picture": []}
    async with server.client(token) as client:

        async def request(name: str, path: str) -> None:
            while True:
                began = perf_counter()
                (await client.get(path)).raise_for_status()
                taken[name].append(perf_counter() - began)
                await asyncio.sleep(_PAUSE_SECONDS)

        requests = [
            asyncio.create_task(request("list", "/api/templates/")),
            asyncio.create_task(request("picture", picture)),
        ]
        began = perf_counter()
        answers = Counter(await work())
        took = perf_counter() - began
        for task in requests:
            task.cancel()
        await asyncio.gather(*requests, return_exceptions=True)
    figures = "; ".join(f"{name} n={len(found)} {format_percentiles(found)}" for name, found in taken.items())
    sys.stdout.write(f"{what:20} {took:5.1f} s {dict(answers)}; meanwhile: {figures}\n")
    sys.stdout.flush()


async def _wait() -> list[int]:
    await asyncio.sleep(3)
    return []


async def _add_full_account(server: ApiServer) -> tuple[User, str]:
    user, token = await server.add_user()
    await server.make.tree(user, _TOPICS)
    forms = [
        TemplateForm(TemplateType.text, f"Template {at}", "", "en", (), "A post about ((Topic)). " * 40)
        for at in range(_TEMPLATES)
    ]
    async with server.services.sessions.begin() as session:
        await TemplateService(session).import_all(user.id, forms)
    return user, token


async def main() -> None:
    async with run_api() as server:
        b, b_token = await server.add_user()
        await server.make.template(b)
        async with server.client(b_token) as client:
            files = {"file": ("scene.png", saved(scene(1200, 900), "PNG"), "image/png")}
            picture = (await client.post("/api/media/", files=files)).raise_for_status().json()["url"]
        _, a_token = await server.add_user()
        full = [await _add_full_account(server) for _ in range(EXPORTS // 3)]

        async def cards() -> list[int]:
            async with server.client(a_token, CARDS) as client:
                bodies = [{"headline": f"{at} rainy days in the saddle", "text": "Lights on."} for at in range(CARDS)]
                answers = await asyncio.gather(*(client.post("/api/cards/preview/", json=body) for body in bodies))
            return [answer.status_code for answer in answers]

        async def sign_ins() -> list[int]:
            async with server.client(None, SIGN_INS) as client:
                forms = [{"email": f"{at}@example.org", "password": "not the one"} for at in range(SIGN_INS)]
                answers = await asyncio.gather(*(client.post("/api/auth/login/", json=form) for form in forms))
            return [answer.status_code for answer in answers]

        async def export(token: str) -> int:
            async with (
                server.client(token, timeout=300) as client,
                client.stream("POST", "/api/users/me/export/") as answer,
            ):
                async for _ in answer.aiter_raw():
                    pass
            return answer.status_code

        async def exports() -> list[int]:
            return await asyncio.gather(*(export(token) for _, token in full for _ in range(3)))

        for what, work in (
            ("no load", _wait),
            (f"{CARDS} card previews", cards),
            (f"{SIGN_INS} sign-ins", sign_ins),
            (f"{EXPORTS} account exports", exports),
        ):
            await _measure(server, what, b_token, picture, work)


if __name__ == "__main__":
    asyncio.run(main())
