"""What users are told of: once for each cause, by the way that they chose, and in one overview a day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import func, select, update

from core import clock
from core.approvals.rules import AtDeadline
from core.approvals.tables.approval_links import ApprovalLink
from core.assistants.configuration import AssistantConfigurationService
from core.assistants.rules.assistants import AssistantPhase, Mode
from core.container import Services
from core.database import Sessions
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, InvalidInput
from core.ids import new_id
from core.networks.rules.channels import AccountState
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MAILED_KINDS, RETENTION, MailKind, MailTiming, MailTopic, NotificationKind
from core.notifications.tables.mails import Mail
from core.notifications.tables.notifications import Digest, Notification
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, RemovalState
from core.posts.tables.posts import Post
from core.runs.outcomes import notify_outcome
from core.social_accounts.reconnecting import mark_needs_reconnecting
from core.social_accounts.tables import Account
from core.users.tables.users import User
from tests.api.owned import Owned, own_a_post
from tests.api.test_approvals import ARMING, ask_about
from tests.conftest import Networks
from tests.factories import Factory

HOUR = timedelta(hours=1)


async def mails(services: Services, user: User) -> list[Mail]:
    async with services.sessions() as session:
        found = await session.scalars(select(Mail).where(Mail.user_id == user.id).order_by(Mail.created_at, Mail.id))
        return list(found)


async def unread(services: Services, user: User) -> list[NotificationKind]:
    rows, total, number = await services.notifications.list_page(user.id, unread=True, offset=0, limit=50)
    assert total == number == len(rows)
    return [found.row.kind for found in rows]


async def tell(services: Services, user: User, kind: NotificationKind, cause: str = "once") -> User | None:
    async with services.sessions.begin() as session:
        return await NotifyingService(session).notify(user.id, kind, cause, About())


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


async def ends(services: Services, mine: Owned, state: DeliveryState) -> None:
    """Its one delivery is in that state when its run ends."""
    async with services.sessions.begin() as session:
        post_id = UUID(mine.ids["post_id"])
        await session.execute(update(Delivery).where(Delivery.post_id == post_id).values(state=state))
    await services.projecting.finish(mine.user.id, UUID(mine.ids["run_id"]))


# once for each cause, by mail as they chose


@pytest.mark.parametrize("kind", MAILED_KINDS)
@pytest.mark.parametrize("timing", MailTiming)
async def test_the_bell_has_all_of_it_and_a_mail_comes_as_it_was_chosen(
    services: Services, user: User, kind: NotificationKind, timing: MailTiming
) -> None:
    await services.notifications.set_timing(user.id, MAILED_KINDS[kind].topic, timing)
    wanted = [await tell(services, user, kind), await tell(services, user, kind)]
    assert [one and one.id for one in wanted] == [user.id if timing is MailTiming.at_once else None, None]
    assert await unread(services, user) == [kind]
    await tell(services, user, kind, "another")
    assert await unread(services, user) == [kind, kind]


async def test_what_one_user_chose_is_nothing_to_another(services: Services, make: Factory, user: User) -> None:
    other = await make.user()
    await services.notifications.set_timing(other.id, MailTopic.failed, MailTiming.never)
    assert await tell(services, user, NotificationKind.post_failed)
    assert await tell(services, other, NotificationKind.post_failed) is None
    assert (await services.notifications.settings(user.id))[MailTopic.failed] is MailTiming.at_once
    assert (await services.notifications.settings(other.id))[MailTopic.failed] is MailTiming.never


async def test_an_overview_cannot_come_at_once(services: Services, user: User) -> None:
    with pytest.raises(InvalidInput):
        await services.notifications.set_timing(user.id, MailTopic.overview, MailTiming.at_once)


async def test_a_failed_post_is_told_once_and_once_more_where_a_new_try_fails(services: Services, mine: Owned) -> None:
    await ends(services, mine, DeliveryState.failed)
    await ends(services, mine, DeliveryState.failed)
    [mail] = await mails(services, mine.user)
    assert (mail.kind, mail.params) == (
        MailKind.post_failed,
        {"post_id": mine.ids["post_id"], "topic": "Rain without drama", "networks": ["LinkedIn"], "published": []},
    )
    assert await unread(services, mine.user) == [NotificationKind.post_failed]
    await services.publishing.retry(mine.user.id, UUID(mine.ids["post_id"]))
    assert await unread(services, mine.user) == []
    await ends(services, mine, DeliveryState.failed)
    assert [mail.kind for mail in await mails(services, mine.user)] == [MailKind.post_failed] * 2
    await services.delivery_decisions.acknowledge(mine.user.id, UUID(mine.ids["post_id"]))
    assert await unread(services, mine.user) == []


async def test_the_mail_of_a_failed_post_leaves_out_where_it_was_deleted(
    services: Services, mine: Owned, make: Factory, networks: Networks
) -> None:
    other = await make.account(mine.user, networks.url, "ada-lindqvist")
    await ends(services, mine, DeliveryState.failed)
    async with services.sessions.begin() as session:
        session.add(
            Delivery(
                user_id=mine.user.id,
                post_id=UUID(mine.ids["post_id"]),
                account_id=other.id,
                channel=other.kind,
                state=DeliveryState.published,
                content_hash="",
                removal=RemovalState.removed,
                removed_at=clock.utcnow(),
            )
        )
        await session.flush()
        post, _ = await PostRepository(session).get(mine.user.id, UUID(mine.ids["post_id"]))
        post.version += 1
        await notify_outcome(session, post)
    assert [(mail.params["networks"], mail.params["published"]) for mail in await mails(services, mine.user)] == [
        (["LinkedIn"], []),
        (["LinkedIn"], []),
    ]


async def test_an_unclear_post_is_told_until_somebody_has_said_how_it_is(services: Services, mine: Owned) -> None:
    await ends(services, mine, DeliveryState.unknown)
    [mail] = await mails(services, mine.user)
    assert (mail.kind, mail.params["networks"]) == (MailKind.post_unknown, ["LinkedIn"])
    assert await unread(services, mine.user) == [NotificationKind.post_unknown]
    # who says that it is not there knows that it failed
    await services.delivery_decisions.decide(mine.user.id, UUID(mine.ids["delivery_id"]), there=False)
    assert await unread(services, mine.user) == []
    assert len(await mails(services, mine.user)) == 1


async def test_an_answer_that_is_taken_back_opens_its_question_again(services: Services, mine: Owned) -> None:
    post, delivery = UUID(mine.ids["post_id"]), UUID(mine.ids["delivery_id"])
    # one of an earlier try, which stays read
    await ends(services, mine, DeliveryState.unknown)
    await services.delivery_decisions.decide(mine.user.id, delivery, there=False)
    await services.publishing.retry(mine.user.id, post)
    await ends(services, mine, DeliveryState.unknown)
    assert await unread(services, mine.user) == [NotificationKind.post_unknown]
    await services.delivery_decisions.decide(mine.user.id, delivery, there=True)
    assert await unread(services, mine.user) == []
    await services.delivery_decisions.reopen(mine.user.id, delivery)
    assert await unread(services, mine.user) == [NotificationKind.post_unknown]
    assert len(await mails(services, mine.user)) == 2, "no third one for the same question"
    await services.delivery_decisions.decide(mine.user.id, delivery, there=True)
    assert await unread(services, mine.user) == []


async def test_a_run_that_fails_before_it_has_a_post_is_told_once(
    services: Services, make: Factory, user: User
) -> None:
    assistant, run = await make.assistant(user, mode=Mode.draft), new_id()
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", datetime.now(UTC))
    for _ in range(2):
        await services.projecting.fail(user.id, run, ErrorCode.model_unavailable)
    [mail] = await mails(services, user)
    assert (mail.kind, mail.params["assistant"]) == (MailKind.run_failed, "Commuter tips")
    [found] = (await services.notifications.list_page(user.id, unread=True, offset=0, limit=5))[0]
    assert (found.row.kind, found.row.assistant_id) == (NotificationKind.run_failed, assistant.id)


@dataclass(frozen=True)
class View:
    """What its workflow says of an assistant."""

    user_id: UUID
    assistant_id: UUID
    revision: int
    phase: AssistantPhase
    retry_at: datetime | None = None
    reason: str = ""
    applied_version: int = 1
    cursor: datetime = datetime(2026, 11, 21, tzinfo=UTC)
    next_slot: datetime | None = None
    next_start: datetime | None = None
    rules: str = ""


async def test_planning_that_keeps_failing_is_told_once_until_it_works(
    services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    async with services.sessions.begin() as session:
        assistant = (await AssistantConfigurationService(session).activate(user.id, assistant.id)).row
    stats, failed = services.account_stats, AssistantPhase.planning_failed

    async def project(revision: int, phase: AssistantPhase, pause: timedelta | None = None) -> None:
        retry_at = clock.utcnow() + pause if pause else None
        view = View(user.id, assistant.id, revision, phase, retry_at, ErrorCode.invalid_input)
        await services.projecting.project_assistant(view)

    await project(1, failed, timedelta(seconds=10))
    assert await unread(services, user) == [], "the next try may mend it"
    assert (await stats.waiting(user.id)).assistants == 1
    for revision in (2, 3):
        await project(revision, failed, timedelta(minutes=2))
    assert await unread(services, user) == [NotificationKind.planning_failed]
    [mail] = await mails(services, user)
    assert (mail.kind, mail.params["assistant"]) == (MailKind.planning_failed, "Commuter tips")
    [found] = (await stats.stats(user.id, "UTC", clock.utcnow())).unplanned
    assert (found.id, found.reason) == (assistant.id, ErrorCode.invalid_input)
    await project(2, AssistantPhase.asleep)
    assert await unread(services, user) == [NotificationKind.planning_failed], "a picture that came late"
    await project(4, AssistantPhase.asleep)
    assert await unread(services, user) == []
    assert (await stats.waiting(user.id)).assistants == 0
    await project(5, failed, timedelta(minutes=2))
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session).pause(user.id, assistant.id, None)
    assert (await stats.waiting(user.id)).assistants == 0, "what pauses need not plan"


async def test_a_run_that_a_person_leaves_out_is_no_news(services: Services, make: Factory, user: User) -> None:
    assistant, run = await make.assistant(user, mode=Mode.draft), new_id()
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", datetime.now(UTC))
    await services.projecting.fail(user.id, run, ErrorCode.skipped_by_hand)
    assert await unread(services, user) == []
    assert await mails(services, user) == []


async def test_an_account_is_told_once_however_many_deliveries_find_out(services: Services, mine: Owned) -> None:
    async def lose() -> None:
        async with services.sessions.begin() as session:
            account = await session.get_one(Account, UUID(mine.ids["account_id"]))
            # another process has read it before
            assert account.grant is not None
            account.grant.state = AccountState.connected
            await mark_needs_reconnecting(session, account)

    await lose()
    await lose()
    assert [mail.kind for mail in await mails(services, mine.user)] == [MailKind.account_reconnect]
    assert await unread(services, mine.user) == [NotificationKind.account_reconnect]
    await services.connecting.disconnect(mine.user.id, UUID(mine.ids["account_id"]))
    assert await unread(services, mine.user) == []


async def test_a_question_is_answered_or_over_and_nobody_has_to_look(services: Services, mine: Owned) -> None:
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id)
    await ask_about(services, mine.user, post_id)
    assert [mail.kind for mail in await mails(services, mine.user)] == [MailKind.approval_needed]
    assert await unread(services, mine.user) == [NotificationKind.approval_needed]
    async with services.sessions() as session:
        content_hash = (await session.get_one(Post, post_id)).content_hash
    await services.approvals.decide(mine.user.id, post_id, approved=True, content_hash=content_hash, remark="")
    assert await unread(services, mine.user) == []


@pytest.mark.parametrize(("at_deadline", "left"), [(AtDeadline.skip, 0), (AtDeadline.hold, 1)])
async def test_a_deadline_ends_the_question_unless_the_post_is_kept_for_them(
    services: Services, mine: Owned, at_deadline: AtDeadline, left: int
) -> None:
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id, at_deadline=at_deadline)
    async with services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == post_id).values(planned_at=datetime.now(UTC)))
    await services.approvals.check(mine.user.id, post_id, ARMING)
    assert len(await unread(services, mine.user)) == left


@pytest.mark.parametrize("timing", [MailTiming.daily, MailTiming.never])
async def test_without_a_mail_at_once_there_is_no_link_that_decides_and_no_reminder(
    services: Services, mine: Owned, timing: MailTiming
) -> None:
    await services.notifications.set_timing(mine.user.id, MailTopic.approval, timing)
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id)
    async with services.sessions.begin() as session:
        [approval] = (await PostRepository(session).get(mine.user.id, post_id))[0].approvals
        approval.remind_at = datetime.now(UTC) - HOUR
    await services.approvals.check(mine.user.id, post_id, ARMING)
    assert await mails(services, mine.user) == []
    assert await unread(services, mine.user) == [NotificationKind.approval_needed]
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(ApprovalLink)) == 0
        [approval] = (await PostRepository(session).get(mine.user.id, post_id))[0].approvals
        assert approval.remind_at is None


# the overview of the morning


class Watch:
    """What time it is, for as long as a test says."""

    def __init__(self, at: str) -> None:
        self.now = datetime.fromisoformat(at).replace(tzinfo=UTC)


async def reader(sessions: Sessions, user: User, zone: str) -> None:
    async with sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(time_zone=zone))


@pytest.mark.parametrize(
    ("zone", "first", "mornings"),
    [
        # over both nights in which the clocks are changed
        ("Europe/Berlin", "2026-03-27T23:00", ["2026-03-28T07:00", "2026-03-29T06:00", "2026-03-30T06:00"]),
        ("Europe/Berlin", "2026-10-23T22:00", ["2026-10-24T06:00", "2026-10-25T07:00", "2026-10-26T07:00"]),
        ("Pacific/Auckland", "2026-04-03T11:00", ["2026-04-03T19:00", "2026-04-04T20:00", "2026-04-05T20:00"]),
    ],
)
async def test_each_local_day_has_one_overview_at_eight_over_a_change_of_the_clock(
    services: Services, user: User, zone: str, first: str, mornings: Sequence[str]
) -> None:
    await reader(services.sessions, user, zone)
    await services.notifications.set_timing(user.id, MailTopic.failed, MailTiming.daily)
    watch = Watch(first)
    until = watch.now + timedelta(hours=71)
    with clock.use_clock(lambda: watch.now):
        while watch.now < until:
            await services.notifications.write_digests()
            await tell(services, user, NotificationKind.post_failed, watch.now.isoformat())
            watch.now += HOUR / 2
    written = await mails(services, user)
    assert [mail.created_at for mail in written] == [datetime.fromisoformat(at).replace(tzinfo=UTC) for at in mornings]
    assert {mail.kind for mail in written} == {MailKind.daily_overview}
    # each is told of once, in the first overview after it
    told = [mail.params["counts"]["post_failed"] for mail in written]
    assert told[0] == (written[0].created_at - datetime.fromisoformat(first).replace(tzinfo=UTC)) / (HOUR / 2)
    assert told[1:] == [
        (later.created_at - earlier.created_at) / (HOUR / 2)
        for earlier, later in zip(written, written[1:], strict=False)
    ]


async def test_a_server_that_was_off_at_eight_makes_up_for_it_the_same_day_and_only_once(
    services: Services, user: User
) -> None:
    await services.notifications.set_timing(user.id, MailTopic.unknown, MailTiming.daily)
    watch = Watch("2026-11-24T23:00")
    with clock.use_clock(lambda: watch.now):
        await tell(services, user, NotificationKind.post_unknown, "in the night")
        watch.now += timedelta(hours=14)
        await tell(services, user, NotificationKind.post_unknown, "after eight")
        assert [await services.notifications.write_digests() for _ in range(3)] == [1, 0, 0]
        [mail] = await mails(services, user)
        assert mail.params == {"day": "2026-11-25", "counts": {"post_unknown": 1}}
        watch.now += timedelta(days=1)
        assert await services.notifications.write_digests() == 1


async def test_a_user_whose_overview_fails_does_not_stop_the_others(
    services: Services, make: Factory, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = await make.user(), await make.user()  # the round has them in this order
    watch = Watch("2026-11-25T07:00")
    with clock.use_clock(lambda: watch.now):
        for one in (bad, good):
            await services.notifications.set_timing(one.id, MailTopic.failed, MailTiming.daily)
            await tell(services, one, NotificationKind.post_failed)
        async with services.sessions.begin() as session:
            (await session.get_one(User, bad.id)).time_zone = "Nowhere/City"
        watch.now += timedelta(hours=2)
        assert await services.notifications.write_digests() == 1
    assert len(await mails(services, good)) == 1
    assert len([line for line in caplog.messages if str(bad.id) in line]) == 1


async def test_a_crash_before_the_commit_leaves_neither_the_day_nor_the_mail(
    services: Services, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    await services.notifications.set_timing(user.id, MailTopic.failed, MailTiming.daily)
    watch = Watch("2026-11-25T07:00")
    with clock.use_clock(lambda: watch.now):
        await tell(services, user, NotificationKind.post_failed)
        watch.now += timedelta(hours=2)
        with monkeypatch.context() as broken:
            broken.setattr(NotifyingService, "enqueue_mail", _dies)
            with pytest.raises(ConnectionResetError):
                await services.notifications.write_digests()
        assert await mails(services, user) == []
        assert await services.notifications.write_digests() == 1
    assert len(await mails(services, user)) == 1


async def _dies(*_: object) -> None:
    raise ConnectionResetError


async def test_what_somebody_has_seen_or_wants_otherwise_by_now_is_not_in_it(services: Services, user: User) -> None:
    for topic in (MailTopic.failed, MailTopic.unknown, MailTopic.budget):
        await services.notifications.set_timing(user.id, topic, MailTiming.daily)
    watch = Watch("2026-11-25T07:00")
    with clock.use_clock(lambda: watch.now):
        await tell(services, user, NotificationKind.post_failed)
        [seen] = (await services.notifications.list_page(user.id, unread=True, offset=0, limit=5))[0]
        await services.notifications.mark_read(user.id, seen.row.id)
        await tell(services, user, NotificationKind.post_unknown)
        await services.notifications.set_timing(user.id, MailTopic.unknown, MailTiming.never)
        await tell(services, user, NotificationKind.budget_reached)
        await tell(services, user, NotificationKind.account_reconnect)  # at once, so not in here
        watch.now += timedelta(hours=2)
        assert await services.notifications.write_digests() == 1
    [mail] = await mails(services, user)
    assert mail.params["counts"] == {"budget_reached": 1}


async def test_an_overview_knows_what_is_about_articles_and_websites(
    services: Services, make: Factory, user: User, networks: Networks
) -> None:
    for topic in (MailTopic.failed, MailTopic.reconnect):
        await services.notifications.set_timing(user.id, topic, MailTiming.daily)
    await make.website(user, networks.url)
    watch = Watch("2026-11-25T07:00")
    with clock.use_clock(lambda: watch.now):
        await tell(services, user, NotificationKind.post_failed)
        async with services.sessions.begin() as session:
            account = await session.scalar(select(Account).where(Account.user_id == user.id))
            assert account is not None
            about = About(account_id=account.id)
            await NotifyingService(session).notify(user.id, NotificationKind.account_reconnect, "once", about)
        watch.now += timedelta(hours=2)
        assert await services.notifications.write_digests() == 1
    [mail] = await mails(services, user)
    assert mail.params["counts"] == {"post_failed": 1, "account_reconnect": 1}
    assert mail.params["articles"] == {"account_reconnect": 1}


async def test_the_overview_of_everything_has_also_what_was_mailed_at_once(services: Services, user: User) -> None:
    await services.notifications.set_timing(user.id, MailTopic.overview, MailTiming.daily)
    await services.notifications.set_timing(user.id, MailTopic.unknown, MailTiming.never)
    watch = Watch("2026-11-25T07:00")
    with clock.use_clock(lambda: watch.now):
        assert await tell(services, user, NotificationKind.post_failed)
        assert await tell(services, user, NotificationKind.post_unknown) is None
        watch.now += timedelta(hours=2)
        assert await services.notifications.write_digests() == 1
    [mail] = await mails(services, user)
    assert mail.params["counts"] == {"post_failed": 1, "post_unknown": 1}


@pytest.mark.parametrize("since", ["deletion_requested_at", "disabled_at"])
async def test_who_has_left_gets_none(services: Services, user: User, since: str) -> None:
    await services.notifications.set_timing(user.id, MailTopic.failed, MailTiming.daily)
    watch = Watch("2026-11-25T07:00")
    with clock.use_clock(lambda: watch.now):
        await tell(services, user, NotificationKind.post_failed)
        watch.now += timedelta(hours=2)
        async with services.sessions.begin() as session:
            await session.execute(update(User).where(User.id == user.id).values({since: watch.now}))
        assert await services.notifications.write_digests() == 0
    assert await mails(services, user) == []


async def test_all_of_it_goes_after_90_days(services: Services, user: User) -> None:
    await services.notifications.set_timing(user.id, MailTopic.failed, MailTiming.daily)
    watch = Watch("2026-08-01T07:00")
    with clock.use_clock(lambda: watch.now):
        await tell(services, user, NotificationKind.post_failed)
        watch.now += timedelta(hours=2)
        await services.notifications.write_digests()
        watch.now += RETENTION - timedelta(hours=1)
        await tell(services, user, NotificationKind.post_failed, "a newer one")
        assert await services.notifications.delete_old() == 1
        watch.now += timedelta(hours=2)
        assert await services.notifications.delete_old() == 1
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Digest)) == 0
        assert (await session.scalars(select(Notification.cause))).all() == ["a newer one"]
