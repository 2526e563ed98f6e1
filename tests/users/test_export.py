"""All own data in one file: everything of one person, of nobody else, and nothing that opens a door."""

import io
import json
import re
import threading
from typing import Any
from uuid import UUID
from zipfile import ZipFile

import pytest
from sqlalchemy import insert

from core.assistants.rules.assistants import RunState
from core.clock import utcnow
from core.container import Services
from core.ids import new_id, run_id
from core.runs.tables import Run
from core.tables import Base
from core.users import export as account_export
from core.users.export import KINDS, LEFT_OUT, MEDIA, PROFILE, WITHHELD
from core.users.tables.users import User
from tests.account_deletion import Life, fingerprints, live
from tests.conftest import Stack, browsing

# words in a column's name that make one look twice
SUSPICIOUS = re.compile(r"hash|secret|encrypted|password|token|code|sha|key")
# what was looked at twice
HARMLESS = {
    "network_apps.client_secret_encrypted",
    "assistants.always_hashtags",
    "assistants.hashtag_policy",
    "assistants.most_hashtags",
    "brands.hashtags",
    "deliveries.doubted_hash",  # of what a network was sent
    "announcements.error_code",
    "deliveries.error_code",
    "delivery_entries.error_code",
    "deliveries.comment_error_code",
    "deliveries.removal_error_code",
    "deliveries.revision_error_code",
    "grants.refused_token_id",  # an id of ours, as `token_id`
    "grants.token_since",
    "network_usage.key",  # of no user's row
    "rate_limits.key",  # of no user's row
    "starter_templates.key",  # of no user's row
    "transactions.cached_tokens",
    "tryouts.input_tokens",
    "tryouts.output_tokens",
    "topic_suggestions.input_tokens",
    "topic_suggestions.output_tokens",
    "transactions.input_tokens",
    "transactions.most_input_tokens",
    "transactions.most_output_tokens",
    "transactions.key",  # names the step that called the model
    "transactions.output_tokens",
    "usage_sums.input_tokens",
    "usage_sums.cached_tokens",
    "usage_sums.output_tokens",
    "anonymous_totals.input_tokens",
    "anonymous_totals.output_tokens",
}


@pytest.fixture
async def life(stack: Stack) -> Life:
    (await stack.networks.client.delete("/sandbox/state")).raise_for_status()
    return await live(stack.services, stack.make, stack.networks, "mara@example.com")


async def exported(services: Services, user: User) -> bytes:
    _, chunks = await services.account_export.export(user.id)
    return b"".join([chunk async for chunk in chunks])


def read(archive: bytes) -> dict[str, Any]:
    with ZipFile(io.BytesIO(archive)) as opened:
        assert opened.testzip() is None
        return {
            name: json.loads(opened.read(name)) if name.endswith(".json") else opened.read(name)
            for name in opened.namelist()
        }


def test_every_table_with_a_users_rows_is_exported_or_left_out_for_a_reason() -> None:
    """A new table: show it in core/users/export.py, or say there why not."""
    of_users = {name for name, table in Base.metadata.tables.items() if "user_id" in table.c or name == "users"}
    kinds = (PROFILE, *KINDS, MEDIA)
    shown = {kind.table for kind in kinds} | {part.table for kind in kinds for part in kind.parts}
    assert shown | set(LEFT_OUT) == of_users
    assert shown.isdisjoint(LEFT_OUT)


def test_every_column_that_sounds_like_a_secret_was_looked_at() -> None:
    sounding = {
        f"{table.name}.{column.name}"
        for table in Base.metadata.tables.values()
        for column in table.c
        if table.name not in LEFT_OUT and SUSPICIOUS.search(column.name)
    }
    withheld = {f"{table}.{column}" for table, columns in WITHHELD.items() for column in columns}
    assert sounding - withheld == HARMLESS
    assert withheld <= {f"{table.name}.{column.name}" for table in Base.metadata.tables.values() for column in table.c}


async def test_everything_of_a_person_is_in_it(stack: Stack, life: Life) -> None:
    files = read(await exported(stack.services, life.user))
    [picture] = [name for name in files if name.startswith("media/")]
    assert {name.removesuffix(".json") for name in files} - {picture} == {
        kind.file for kind in (PROFILE, *KINDS, MEDIA)
    }
    assert files["profile.json"]["email"] == "mara@example.com"
    assert files["profile.json"]["display_name"] == "Name of mara@example.com"
    assert [session["device"] for session in files["sessions.json"]] == ["Firefox on Linux"]
    assert [key["name"] for key in files["api_keys.json"]] == ["a script"]
    assert [code["email"] for code in files["invitations.json"]] == ["friend-of-mara@example.com"]
    assert {mail["kind"] for mail in files["mails.json"]} == {"verify_email", "invitation", "reset_password"}
    assert [account["name"] for account in files["accounts.json"]] == [life.account.name]
    assert {len(template["versions"]) for template in files["templates.json"]} == {1}
    [tree] = files["topic_trees.json"]
    assert [topic["title"] for topic in tree["topics"]][:2] == ["Cargo bikes", "Weather"]
    [assistant] = files["assistants.json"]
    assert assistant["accounts"] == [{"assistant_id": assistant["id"], "account_id": str(life.account.id)}]
    [run] = files["runs.json"]
    assert {step["kind"] for step in run["steps"]} == {"topic", "text", "image", "check"}
    [post] = files["posts.json"]
    assert post["topic_title"] == "Rain without drama"
    [delivery] = files["deliveries.json"]
    assert (delivery["state"], delivery["post_id"]) == ("published", post["id"])
    [tried] = files["tryouts.json"]
    assert (tried["inputs"], tried["state"]) == ({"Topic": "Rain without drama"}, "succeeded")
    assert tried["output"]
    assert tried["template_id"] in {template["id"] for template in files["templates.json"]}
    [suggested] = files["topic_suggestions.json"]
    assert (suggested["tree_id"], len(suggested["titles"])) == (tree["id"], 3)
    assert [preset["name"] for preset in files["card_presets.json"]] == ["House style"]
    causes = ("run_id", "tryout_id", "suggestion_id")
    assert {(call["type"], *(call[cause] for cause in causes)) for call in files["transactions.json"]} == {
        ("text", run["id"], None, None),
        ("image", run["id"], None, None),
        ("text", None, tried["id"], None),
        ("text", None, None, suggested["id"]),
    }
    [media] = files["media.json"]
    assert media["file"] == picture
    assert post["files"][0]["media_id"] == media["id"]
    assert len(files[picture]) == media["bytes"]


async def test_no_secret_and_no_fingerprint_of_one_is_in_it(stack: Stack, life: Life) -> None:
    hidden = life.secrets | await fingerprints(stack.services, life.user.id)
    assert len(hidden) > 25
    with ZipFile(io.BytesIO(await exported(stack.services, life.user))) as opened:
        texts = {name: opened.read(name).decode() for name in opened.namelist() if name.endswith(".json")}
    assert [(name, secret) for name, text in texts.items() for secret in hidden if secret in text] == []


async def test_nothing_of_others_is_in_it(stack: Stack, life: Life) -> None:
    other = await stack.make.user("somebody@example.org")
    await stack.make.assistant(other)
    files = read(await exported(stack.services, other))
    assert [assistant["name"] for assistant in files["assistants.json"]] == ["Commuter tips"]
    assert (files["runs.json"], files["posts.json"], files["media.json"]) == ([], [], [])
    assert str(life.user.id) not in json.dumps(files)
    assert "mara@example.com" not in json.dumps(files)


async def test_a_file_that_storage_has_lost_is_said_to_be_missing(stack: Stack, life: Life) -> None:
    await stack.services.media.remove_files(life.user.id)
    files = read(await exported(stack.services, life.user))
    assert [media["file"] for media in files["media.json"]] == [None]


async def test_a_long_history_comes_in_portions_made_beside_the_event_loop(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, rows = await stack.make.user(), 5_000
    assistant = await stack.make.assistant(user)
    await many_runs(stack, user, assistant.id, rows)
    makers: list[int] = []

    def watched(items: Any) -> str:
        makers.append(threading.get_ident())
        assert len(items) <= 200
        return as_text(items)

    as_text = account_export._text
    monkeypatch.setattr(account_export, "_text", watched)
    _, chunks = await stack.services.account_export.export(user.id)
    parts = [chunk async for chunk in chunks]
    whole = b"".join(parts)
    assert len(read(whole)["runs.json"]) == rows
    assert max(map(len, parts)) < len(whole) / 4
    assert len(makers) > rows / 200
    assert threading.get_ident() not in makers


async def many_runs(stack: Stack, user: User, assistant_id: UUID, count: int) -> None:
    async with stack.services.sessions.begin() as session:
        for start in range(0, count, 1000):
            names = [f"run-{assistant_id}-{number}" for number in range(start, start + 1000)]
            await session.execute(
                insert(Run),
                [
                    {
                        "id": run_id(name),
                        "user_id": user.id,
                        "assistant_id": assistant_id,
                        "workflow_id": name,
                        "slot": utcnow(),
                        "state": RunState.missed,
                        "stored_setup": {"noise": str(new_id())},
                    }
                    for name in names
                ],
            )


async def test_somebody_who_stops_downloading_leaves_nothing_behind(stack: Stack, life: Life) -> None:
    _, chunks = await stack.services.account_export.export(life.user.id)
    async for _ in chunks:
        break
    await chunks.aclose()  # type: ignore[attr-defined]


async def test_the_download(stack: Stack, life: Life) -> None:
    async with browsing(stack.services, stack.gateway, life.user) as api:
        answer = await api.post("/users/me/export/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert re.fullmatch(r'attachment; filename="postloom-\d{4}-\d\d-\d\d\.zip"', answer.headers["content-disposition"])
    assert read(answer.content)["profile.json"]["email"] == "mara@example.com"
