"""Drills: the database comes from a backup, Temporal is lost, images are lost. Backups are really made and restored, by
the scripts of `docker/`: nothing is published twice, and nobody is told what is not true."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, make_url, select, text, update
from temporalio.client import Client, WorkflowExecutionStatus

from cli.postgres import find_binaries
from core.assistants.configuration import AssistantConfigurationService
from core.assistants.rules.assistants import AssistantPhase, RunState
from core.assistants.tables import Assistant, AssistantStatus
from core.clock import utcnow
from core.container import wire
from core.database import open_engine, open_sessions
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.installation.restoring import RestoreService
from core.installation.start_checks import StartRefused, open_start_checks
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.posts.composing import Composition
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import OPEN_DELIVERIES, ComposedFile, DeliveryState
from core.runs.tables import Run
from core.settings import Settings
from core.social_accounts.tables import Account
from core.users.tables.users import User
from temporal import reconcile
from temporal.client import connect
from temporal.gateway import Gateway
from temporal.restoring import delete_workflows
from temporal.setup import set_up
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Networks, Stack, _maintaining
from tests.factories import Factory
from tests.patience import PATIENCE
from tests.pictures import png
from tests.workflows.support import eventually, order_for, soon
from tests.workflows.workers import ROOT
from workflows.names import RUNS
from workflows.run import RunWorkflow

NewNamespace = Callable[[], Awaitable[Client]]


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of the reconcile look at what has just changed, and the stand-in shows at once what it has published. The
    scripts find PostgreSQL's programs."""
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    monkeypatch.setattr("core.networks.mastodon.FIND_WAITS", ())
    monkeypatch.setenv("PATH", os.pathsep.join([str(find_binaries()), os.environ["PATH"]]))


@pytest.fixture
def new_namespace(temporal: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> NewNamespace:
    """Makes an empty namespace, as of a Temporal that has lost everything, and leads everybody there."""

    async def make() -> Client:
        monkeypatch.setenv("TEMPORAL_ADDRESS", temporal.service_client.config.target_host)
        monkeypatch.setenv("TEMPORAL_NAMESPACE", f"drill-{uuid4()}")
        monkeypatch.setenv("TEMPORAL_TLS", "false")
        client = await connect(settings)
        await set_up(client, None, lambda _: None)
        return client

    return make


@asynccontextmanager
async def installation(settings: Settings, networks: Networks, client: Client) -> AsyncIterator[Stack]:
    assert settings.database_url
    engine = open_engine(settings.database_url)
    sessions = open_sessions(engine)
    services = wire(settings, engine, sessions)
    try:
        yield Stack(services, Gateway(client, settings), Factory(sessions, services.vault), networks, client)
    finally:
        await engine.dispose()


def environment(settings: Settings) -> dict[str, str]:
    assert settings.database_url
    return {
        **os.environ,
        "ENVIRONMENT": "test",
        "DATABASE_URL": settings.database_url,
        "MEDIA_URL": settings.media_url,
        "DATA_DIR": str(settings.data_dir),  # has the key of the tokens
        "PUBLIC_URL": settings.public_url,
        "POSTLOOM": os.environ.get("POSTLOOM", f"{sys.executable} -m cli"),
    }


async def call(settings: Settings, *command: str) -> str:
    """Return what the command says. Raises CalledProcessError."""
    done = await asyncio.to_thread(
        subprocess.run,
        command,
        env=environment(settings),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout)
    return done.stdout


async def back_up(settings: Settings, folder: Path, *options: str) -> Path:
    said = await call(settings, "docker/backup.sh", str(folder), *options)
    return Path(said.splitlines()[-1])


async def plan(
    stack: Stack, user: User, accounts: Sequence[Account], content: str, at: datetime, *files: ComposedFile
) -> UUID:
    """A post by hand, planned for that time, with its workflow."""
    post_id, services = new_id(), stack.services
    await services.composing.create(
        user.id, post_id, Composition(content, tuple(account.id for account in accounts), files=files)
    )
    async with services.sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post_id)
    changed = await services.publishing.publish(user.id, post_id, post.version, at)
    assert await stack.gateway.posts.send_deliveries(changed)
    return post_id


async def move(stack: Stack, user: User, post_id: UUID, at: datetime) -> None:
    async with stack.services.sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post_id)
    changed = await stack.services.publishing.move(user.id, post_id, post.version, at)
    assert await stack.gateway.posts.send_move(changed)


async def deliveries(stack: Stack, post_id: UUID) -> dict[ChannelKind, tuple[DeliveryState, str | None]]:
    async with stack.services.sessions() as session:
        rows = await session.scalars(select(Delivery).where(Delivery.post_id == post_id))
        return {row.channel: (row.state, row.error_code) for row in rows}


async def settled(stack: Stack, *post_ids: UUID, seconds: float = PATIENCE) -> None:
    async def so() -> bool:
        async with stack.services.sessions() as session:
            rows = await session.scalars(select(Delivery.state).where(Delivery.post_id.in_(post_ids)))
            return all(state not in OPEN_DELIVERIES for state in rows)

    await eventually(so, seconds)


async def published(networks: Networks) -> list[str]:
    """The texts at the networks."""
    return sorted(str(post["text"]) for post in await networks.posts())


PUBLISHED = (DeliveryState.published, None)
UNKNOWN = (DeliveryState.unknown, ErrorCode.restored_from_backup)


async def test_a_database_older_than_what_was_published(
    settings: Settings, database: str, postgres: str, networks: Networks, new_namespace: NewNamespace, tmp_path: Path
) -> None:
    client = await new_namespace()
    before = settings.model_copy(update={"database_url": database})
    async with installation(before, networks, client) as stack:
        await stack.services.start_checks.run()
        user = await stack.make.user()
        linkedin = await stack.make.account(user, networks.url)
        mastodon = await stack.make.account(user, networks.url, kind=ChannelKind.mastodon)
        both, later = (linkedin, mastodon), soon(3600)
        assistant = await stack.make.assistant(user, accounts=(linkedin.id,), image=False)
        async with run_worker(stack.client, stack.services, loops=False, graceful=GRACEFUL):
            other = await stack.make.assistant(user, accounts=(linkedin.id,), image=False)
            _, writing = order_for(other, soon(1))  # a run that is writing its text at the backup
            await stack.services.drafting.begin(user.id, other.id, writing.run_id, "writing", writing.slot)
            due = soon(30)
            tram = ComposedFile((await upload(stack, user, png(96))).id, "A tram")
            kept = await plan(stack, user, both, "Published after the backup", due, tram)
            edited = await plan(stack, user, (mastodon,), "Before the edit", due)
            moved = await plan(stack, user, (linkedin,), "Published earlier than planned", later)
            waiting = await plan(stack, user, both, "Still to come", later)
            name, order = order_for(assistant, due)
            await client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)

            async def staged() -> bool:
                async with stack.services.sessions() as session:
                    times = await session.scalars(select(Delivery.staged_ready_at).where(Delivery.post_id == kept))
                    return all(times)

            await eventually(staged)
            await eventually(lambda: is_in_state(stack, order.run_id, RunState.ready))
            await activate(stack, assistant)
            backup = await back_up(before, tmp_path / "backups")
            assert utcnow() < due - timedelta(seconds=1), "this machine is too slow for the drill"

            async with stack.services.sessions() as session:
                version = (await PostRepository(session).get(user.id, edited))[0].version
            after_edit = Composition("After the edit", (mastodon.id,), planned_at=due)
            await stack.services.composing.edit(user.id, edited, version, after_edit)
            await move(stack, user, moved, soon(2))
            unknown_to_backup = await plan(stack, user, (linkedin,), "Made after the backup", soon(3))
            await settled(stack, kept, edited, moved, unknown_to_backup)
            await client.get_workflow_handle(name).result()
    texts = await published(networks)
    assert len(texts) == 6  # one of them twice, at both networks

    restored_at = utcnow()
    async with copy_of(before, postgres) as after:
        said = await call(after, "docker/restore.sh", str(backup))
        assert "\n5 deliveries may have been published since" in said
        assert "\n1 runs may have published a post" in said
        async with installation(after, networks, client) as stack:
            await stack.services.start_checks.run()
            async with run_worker(stack.client, stack.services, loops=False, graceful=GRACEFUL):
                assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 1
                assert await reconcile.restart_lost_posts(stack.services, stack.gateway) == 4
                assert await reconcile.restart_lost_assistants(stack.services, stack.gateway) == 1
                await settled(stack, kept, edited, moved)
                assert await deliveries(stack, kept) == {
                    ChannelKind.linkedin: UNKNOWN,
                    ChannelKind.mastodon: PUBLISHED,
                }
                assert await deliveries(stack, edited) == {ChannelKind.mastodon: UNKNOWN}
                assert await deliveries(stack, moved) == {ChannelKind.linkedin: UNKNOWN}
                assert [one for one in await published(networks) if one in texts] == texts

                await move(stack, user, waiting, soon(2))  # what was not due goes on
                await settled(stack, waiting)
                wanted = sorted([*texts, "Still to come", "Still to come"])
                # the assistant may have written its next one
                assert [one for one in await published(networks) if one in wanted] == wanted

                async def ended() -> bool:
                    return (await run_of(stack, order.run_id)).state is RunState.unknown

                await eventually(ended)
                unfinished = await run_of(stack, writing.run_id)
                assert (unfinished.state, unfinished.reason) == (RunState.unknown, ErrorCode.restored_from_backup)

                async def begun() -> bool:
                    async with stack.services.sessions() as session:
                        by_assistant = select(func.min(Run.slot)).where(
                            Run.assistant_id == assistant.id, Run.id != order.run_id
                        )
                        first = await session.scalar(by_assistant)
                    assert first is None or first > restored_at  # no slot from between runs again
                    return first is not None

                await eventually(begun)
            assert set(await mails(stack, user)) == {MailKind.post_unknown}
            assert len(await mails(stack, user)) == 4


@asynccontextmanager
async def copy_of(settings: Settings, postgres: str) -> AsyncIterator[Settings]:
    """Yield settings that lead to another database, which does not exist yet; it is dropped at the end."""
    url = make_url(settings.database_url or "").set(database=f"copy_{uuid4().hex[:12]}")
    try:
        yield settings.model_copy(update={"database_url": url.render_as_string(hide_password=False)})
    finally:
        async with _maintaining(postgres) as admin:
            await admin.execute(text(f'DROP DATABASE IF EXISTS "{url.database}" WITH (FORCE)'))


async def copy_database(settings: Settings, copy: Settings, postgres: str) -> None:
    async with _maintaining(postgres) as admin:
        names = [make_url(one.database_url or "").database for one in (copy, settings)]
        await admin.execute(text('CREATE DATABASE "{}" TEMPLATE "{}"'.format(*names)))


async def run_of(stack: Stack, ref: UUID) -> Run:
    async with stack.services.sessions() as session:
        return (await session.scalars(select(Run).where(Run.id == ref))).one()


async def mails(stack: Stack, user: User) -> list[MailKind]:
    async with stack.services.sessions() as session:
        return list(await session.scalars(select(Mail.kind).where(Mail.user_id == user.id).order_by(Mail.created_at)))


async def activate(stack: Stack, assistant: Assistant) -> None:
    """As an assistant that has a slot each minute, and has decided none for three minutes."""
    async with stack.services.sessions.begin() as session:
        await AssistantConfigurationService(session).activate(assistant.user_id, assistant.id)
        await session.execute(
            update(AssistantStatus)
            .where(AssistantStatus.assistant_id == assistant.id)
            .values(phase=AssistantPhase.asleep, cursor=utcnow() - timedelta(minutes=3))
        )


async def test_temporal_is_lost(
    stack: Stack, settings: Settings, networks: Networks, new_namespace: NewNamespace
) -> None:
    """An empty namespace: everything comes back from the rows, and goes out once, at its time."""
    async with installation(stack.services.settings, networks, await new_namespace()) as before:
        user = await before.make.user()
        account = await before.make.account(user, networks.url)
        assistant = await before.make.assistant(user, accounts=(account.id,), image=False)
        due = soon(30)
        async with run_worker(before.client, before.services, loops=False, graceful=GRACEFUL):
            name, order = order_for(assistant, due)
            await before.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)
            await eventually(lambda: is_in_state(before, order.run_id, RunState.ready))
            by_hand = await plan(before, user, (account,), "By hand", due)
            async with before.services.sessions.begin() as session:
                await AssistantConfigurationService(session).activate(user.id, assistant.id)
            assert await reconcile.sync_assistants(before.services, before.gateway) == 1
            assert await reconcile.sync_grants(before.services, before.gateway) == 1
            await eventually(lambda: is_asleep(before, assistant))
    assert await published(networks) == []

    async with (
        installation(stack.services.settings, networks, await new_namespace()) as after,
        run_worker(after.client, after.services, loops=False, graceful=GRACEFUL),
    ):
        assert await reconcile.recover_lost_runs(after.services, after.gateway) >= 1
        assert await reconcile.restart_lost_posts(after.services, after.gateway) == 1
        assert await reconcile.restart_lost_assistants(after.services, after.gateway) == 1
        assert await reconcile.restart_lost_grants(after.services, after.gateway) == 1
        assert utcnow() < due, "this machine is too slow for the drill"
        await settled(after, by_hand)
        await eventually(lambda: is_in_state(after, order.run_id, RunState.published))
        async with after.services.sessions() as session:
            times = await session.scalars(select(Delivery.settled_at).where(Delivery.settled_at.is_not(None)))
            assert all(due <= (at or due) < due + timedelta(seconds=30) for at in times)
    assert len(await published(networks)) == 2
    assert await mails(stack, user) == []


async def test_images_are_lost(stack: Stack, networks: Networks) -> None:
    """One comes back before its post is due; the other post ends with that reason, not before its time."""
    services = stack.services
    user = await stack.make.user()
    account = await stack.make.account(user, networks.url)
    due, posts, images = soon(20), list[UUID](), list[tuple[str, bytes]]()
    async with run_worker(stack.client, services, loops=False, graceful=GRACEFUL):
        for width in (96, 97):
            media = await upload(stack, user, png(width))
            images.append((media.storage_key, await services.media.storage.get(media.storage_key)))
            await services.media.storage.delete(media.storage_key)
            picture = ComposedFile(media.id, "A tram")
            posts.append(await plan(stack, user, (account,), f"With image {width}", due, picture))

        async def waits() -> bool:
            found = [await deliveries(stack, post_id) for post_id in posts]
            return found == [{ChannelKind.linkedin: (DeliveryState.retrying, ErrorCode.image_lost)}] * 2

        await eventually(waits)
        assert utcnow() < due
        key, data = images[0]
        await services.media.storage.put(key, data, "image/png")
        await settled(stack, *posts)
    back, lost = [await deliveries(stack, post_id) for post_id in posts]
    assert back == {ChannelKind.linkedin: PUBLISHED}
    assert lost == {ChannelKind.linkedin: (DeliveryState.failed, ErrorCode.image_lost)}
    async with services.sessions() as session:
        earliest = await session.scalar(select(func.min(Delivery.settled_at)))
    assert earliest is not None
    assert earliest >= due
    assert await published(networks) == ["With image 96"]
    assert await mails(stack, user) == [MailKind.post_failed]


async def test_nothing_starts_on_a_copy_or_on_a_database_in_use(
    settings: Settings, database: str, postgres: str, temporal: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = settings.model_copy(update={"database_url": database})
    async with open_start_checks(own) as checks:
        await checks.run()
    (tmp_path / "passphrase").write_text("a long one")
    monkeypatch.setenv("BACKUP_PASSPHRASE_FILE", str(tmp_path / "passphrase"))
    backup = await back_up(own, tmp_path / "backups")
    secret = (own.data_dir / "secret.key").read_text()
    assert {file.name for file in backup.iterdir()} == {"database.dump", "keys.enc"}
    decrypting = ["openssl", "enc", "-d", "-aes-256-cbc", "-pbkdf2", "-iter", "600000", "-pass"]
    decrypted = await call(own, *decrypting, f"file:{tmp_path}/passphrase", "-in", str(backup / "keys.enc"))
    assert decrypted == f"SECRET_KEY='{secret.strip()}'\n"

    engine = open_engine(database, application="postloom worker")
    async with engine.connect():
        with pytest.raises(subprocess.CalledProcessError) as used:
            await call(own, "docker/restore.sh", str(backup), "--replace")
        assert "is in use (postloom worker): stop web app and workers first" in used.value.output
        with pytest.raises(subprocess.CalledProcessError) as used:
            await call(own, sys.executable, "-m", "cli", "restored")
        assert "postloom worker uses this database: stop web app and workers first" in used.value.output
        await call(own, sys.executable, "-m", "cli", "restored", "--moved")  # as after pg_upgrade
    await engine.dispose()
    with pytest.raises(subprocess.CalledProcessError) as full:
        await call(own, "docker/restore.sh", str(backup))
    assert "has tables: --replace keeps it under another name" in full.value.output

    async with copy_of(own, postgres) as copy:
        await copy_database(own, copy, postgres)
        async with open_start_checks(copy) as checks:
            with pytest.raises(StartRefused, match="a copy of another database's: .* run `postloom restored`"):
                await checks.run()
        said = await call(copy, sys.executable, "-m", "cli", "restored", "--moved")
        assert said == "web app and workers may start now\n"
        async with open_start_checks(copy) as checks:
            await checks.run()


async def test_a_backup_without_its_keys_fails(
    settings: Settings, database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = settings.model_copy(update={"database_url": database, "data_dir": tmp_path / "without-a-key"})
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with pytest.raises(subprocess.CalledProcessError) as plain:
        await back_up(own, tmp_path / "backups", "--plain-keys")
    assert "there are no keys to add: SECRET_KEY, or of DATA_DIR/secret.key" in plain.value.output
    (tmp_path / "passphrase").write_text("a long one")
    monkeypatch.setenv("BACKUP_PASSPHRASE_FILE", str(tmp_path / "passphrase"))
    own.data_dir.mkdir()
    (own.data_dir / "secret.key").touch()
    with pytest.raises(subprocess.CalledProcessError) as encrypted:
        await back_up(own, tmp_path / "backups")
    assert "there are no keys to add" in encrypted.value.output
    assert [folder.name for folder in (tmp_path / "backups").iterdir()] == ["media"]


def test_a_file_that_is_deleted_meanwhile_does_not_end_a_backup(tmp_path: Path) -> None:
    images, copies = tmp_path / "images", tmp_path / "copies"
    (images / "start-checks").mkdir(parents=True)
    for name in ("start-checks/one", "deleted", "kept"):
        (images / name).write_text(name)
    # the list names a file that is deleted before it is copied
    script = f"""
        set -eu
        DATABASE_URL=postgresql://x/y MEDIA_URL=file:///x
        . docker/backup-common.sh
        find() {{ command find "$@"; rm "{images}/deleted"; }}
        copy_missing_files {images} {copies}
    """
    subprocess.run(["sh", "-c", script], cwd=ROOT, check=True)
    assert [file.name for file in copies.iterdir()] == ["kept"]
    (copies / "kept").unlink()
    copies.rmdir()
    copies.touch()  # what cannot be copied still ends it
    assert subprocess.run(["sh", "-c", script], cwd=ROOT, check=False).returncode != 0


async def test_an_older_dump_is_migrated_as_nothing_runs(
    settings: Settings, database: str, postgres: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = settings.model_copy(update={"database_url": database})
    backup = await back_up(own, tmp_path / "backups")
    monkeypatch.setenv("POSTLOOM", "echo postloom")
    async with copy_of(own, postgres) as copy:
        said = await call(copy, "docker/restore.sh", str(backup))
    assert said.splitlines()[-3:] == ["postloom migrate --offline", "postloom temporal-setup", "postloom restored"]


async def test_a_restore_into_the_same_database_is_found_out(settings: Settings, database: str, tmp_path: Path) -> None:
    own = settings.model_copy(update={"database_url": database})
    async with open_start_checks(own) as checks:
        await checks.run()
    url, dump = database.replace("+psycopg", ""), str(tmp_path / "database.dump")
    await call(own, "pg_dump", "--format=custom", f"--file={dump}", url)
    await call(own, "pg_restore", "--clean", "--if-exists", f"--dbname={url}", dump)
    async with open_start_checks(own) as checks:
        with pytest.raises(StartRefused, match="these rows come from a backup"):
            await checks.run()


async def test_a_server_that_does_not_tell_its_cluster_is_started_on(
    settings: Settings, database: str, postgres: str
) -> None:
    own = settings.model_copy(update={"database_url": database})
    engine = open_engine(database)
    async with engine.begin() as connection:
        await connection.execute(text("ALTER FUNCTION pg_catalog.pg_control_system() RENAME TO not_there"))
    await engine.dispose()
    for _ in range(2):
        async with open_start_checks(own) as checks:
            await checks.run()
    async with copy_of(own, postgres) as copy:
        await copy_database(own, copy, postgres)
        async with open_start_checks(copy) as checks:
            with pytest.raises(StartRefused, match="a copy of another database's"):
                await checks.run()


async def test_a_repeated_restore_keeps_the_time_of_the_backup(stack: Stack) -> None:
    sessions = stack.services.sessions
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    post_id = new_id()
    await stack.services.composing.create(user.id, post_id, Composition("Due since the backup", (account.id,)))
    async with sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post_id)
    await stack.services.publishing.publish(user.id, post_id, post.version, None)
    async with sessions.begin() as session:  # a backup of six hours ago
        for table in ("posts", "deliveries"):
            await session.execute(text(f"UPDATE {table} SET updated_at = now() - interval '6 hours'"))
        await session.execute(text("UPDATE posts SET planned_at = now() - interval '5 hours'"))
    restoring = RestoreService(sessions)
    backup_from = await restoring.backup_time()
    assert utcnow() - backup_from > timedelta(hours=6)
    for _ in range(2):
        assert (await restoring.mark(await restoring.backup_time(), ())).deliveries == 1
    assert await restoring.backup_time() == backup_from
    await restoring.allow_starts()
    assert await restoring.backup_time() > backup_from  # another restore has another backup


async def start_two_workflows(client: Client) -> None:
    """One of Postloom and one of somebody else, in the same namespace."""
    for workflow_type in ("PostWorkflow", "SomebodyElsesWorkflow"):
        await client.start_workflow(workflow_type, id=workflow_type, task_queue="nobody-polls")

    async def listed() -> bool:
        return len([one async for one in client.list_workflows("ExecutionStatus = 'Running'")]) == 2

    await eventually(listed)


async def test_workflows_of_others_stay(new_namespace: NewNamespace) -> None:
    client = await new_namespace()
    await start_two_workflows(client)
    assert await delete_workflows(client, utcnow() - timedelta(hours=1)) == 1
    theirs = await client.get_workflow_handle("SomebodyElsesWorkflow").describe()
    assert theirs.status is WorkflowExecutionStatus.RUNNING


async def test_a_list_that_goes_on_naming_a_deleted_workflow_does_not_hold_up_the_rest(
    new_namespace: NewNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def not_found(*_: object) -> None: ...

    client = await new_namespace()
    await start_two_workflows(client)
    monkeypatch.setattr("temporal.restoring._delete", not_found)
    async with asyncio.timeout(PATIENCE):
        assert await delete_workflows(client, utcnow() - timedelta(hours=1)) == 1


async def upload(stack: Stack, user: User, data: bytes) -> Media:
    async def chunks() -> AsyncIterator[bytes]:
        yield data

    return (await stack.services.gallery.upload(user.id, "a.png", chunks())).media


async def is_in_state(stack: Stack, ref: UUID, state: RunState) -> bool:
    async with stack.services.sessions() as session:
        return await session.scalar(select(Run.state).where(Run.id == ref)) is state


async def is_asleep(stack: Stack, assistant: Assistant) -> bool:
    async with stack.services.sessions() as session:
        phase = await session.scalar(select(AssistantStatus.phase).where(AssistantStatus.assistant_id == assistant.id))
    return phase is AssistantPhase.asleep
