"""A dry run from the order to the sample, on the real parts: the same workflow as a try-out's."""

from sqlalchemy import func, select

from core.posts.tables.posts import Post
from temporal.worker import run_worker
from tests.api.conftest import done
from tests.conftest import GRACEFUL, Stack, browsing
from tests.workflows.support import eventually


async def test_a_sample_is_made_by_a_worker_and_is_no_post(stack: Stack) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    form = {
        "name": "",
        "language": "en",
        "topic_tree_id": str(await stack.make.tree(user)),
        "strategy": "in_order",
        "template_version_id": str(await stack.make.template(user)),
        "account_ids": [str(account.id)],
        "schedule": {"frequency": "daily", "time_zone": "Europe/Berlin", "time_slots": ["09:00"]},
    }
    async with (
        browsing(stack.services, stack.gateway, user) as api,
        run_worker(stack.client, stack.services, graceful=GRACEFUL),
    ):
        queued = done(await api.post("/assistants/dry-runs/", json={"assistant": form}), 202)
        at = f"/assistants/dry-runs/{queued['id']}/"

        async def over() -> bool:
            return done(await api.get(at))["state"] not in ("queued", "running")

        await eventually(over)
        found = done(await api.get(at))
    assert (found["state"], found["topic"]["title"], found["reason"]) == ("succeeded", "Rain without drama", None)
    assert "Rain without drama" in found["text"]
    async with stack.services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Post)) == 0
