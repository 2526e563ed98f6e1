"""A text, a passage and an image for a post that somebody composes, on the real parts: the same workflow as a
try-out's, whose history holds ids alone."""

from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from temporal.worker import run_worker
from tests.api.conftest import done
from tests.conftest import GRACEFUL, Stack, browsing
from tests.workflows.support import eventually
from workflows.names import tryout_workflow


def payloads(part: object) -> Iterator[str]:
    """Of a history, as they were before they were packed for JSON."""
    if isinstance(part, dict):
        if isinstance(data := part.get("data"), str):
            yield b64decode(data).decode()
        for inner in part.values():
            yield from payloads(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from payloads(inner)


async def test_all_that_is_made_for_a_post_is_made_by_a_worker(stack: Stack) -> None:
    user = await stack.make.user()
    secret = "Rain needs no drama, says nobody else."
    async with (
        browsing(stack.services, stack.gateway, user) as api,
        run_worker(stack.client, stack.services, graceful=GRACEFUL),
    ):
        templates = {
            kind: done(
                await api.post("/templates/", json={"type": kind, "name": kind, "language": "en", "body": body}), 201
            )["id"]
            for kind, body in (("text", "About ((Topic))."), ("image", "((Topic))\n((Content))"))
        }
        post_id = "01a20d83-8eaa-70e8-a8cd-7f679ce2a56f"
        draft = {"id": post_id, "content": secret, "time_zone": "UTC", "language": "en"}
        done(await api.post("/social-media-posts/", json=draft), 201)
        at = f"/social-media-posts/{post_id}/writings/"
        orders: dict[str, dict[str, Any]] = {
            "text": {"template_id": templates["text"], "inputs": {"Topic": secret}},
            "passage": {"text": secret, "start": 0, "end": 4, "remark": secret},
            "image": {"template_id": templates["image"], "inputs": {"Topic": "Rain"}, "content": secret},
        }
        for kind, order in orders.items():
            queued = done(await api.post(f"{at}{kind}/", json=order | {"language": "en"}), 202)

            async def over(read: str = f"{at}{queued['id']}/") -> bool:
                return done(await api.get(read))["state"] not in ("queued", "running")

            await eventually(over)
            found = done(await api.get(f"{at}{queued['id']}/"))
            assert (found["state"], found["reason"]) == ("succeeded", None), kind
            assert found["media_id"] if kind == "image" else found["text"]
            history = await stack.client.get_workflow_handle(tryout_workflow(queued["id"])).fetch_history()
            told = "".join(payloads(history.to_json_dict()))
            assert queued["id"] in told
            assert "drama" not in told
