"""When the overview of a day is due, and that nothing is forgotten to be chosen."""

from datetime import UTC, datetime

import pytest

from core.notifications.rules import (
    DEFAULTS,
    MAILED_KINDS,
    MailTiming,
    MailTopic,
    NotificationKind,
    is_valid_timing,
    latest_morning,
)


@pytest.mark.parametrize(
    ("now", "zone", "eight"),
    [
        ("2026-11-25T06:59:59", "Europe/Berlin", None),
        ("2026-11-25T07:00:00", "Europe/Berlin", "2026-11-25T07:00:00"),
        ("2026-11-25T22:59:00", "Europe/Berlin", "2026-11-25T07:00:00"),
        # after midnight there the day before is over
        ("2026-11-25T23:00:00", "Europe/Berlin", None),
        # the night that lacks an hour, and the one that has one twice
        ("2026-03-29T05:59:59", "Europe/Berlin", None),
        ("2026-03-29T06:00:00", "Europe/Berlin", "2026-03-29T06:00:00"),
        ("2026-10-25T06:59:59", "Europe/Berlin", None),
        ("2026-10-25T07:00:00", "Europe/Berlin", "2026-10-25T07:00:00"),
        # another day than in Greenwich
        ("2026-11-24T19:00:00", "Pacific/Auckland", "2026-11-24T19:00:00"),
        ("2026-11-25T18:00:00", "Pacific/Honolulu", "2026-11-25T18:00:00"),
    ],
)
def test_it_is_due_at_eight_on_the_readers_clock(now: str, zone: str, eight: str | None) -> None:
    due = latest_morning(datetime.fromisoformat(now).replace(tzinfo=UTC), zone)
    assert due == (datetime.fromisoformat(eight).replace(tzinfo=UTC) if eight else None)


def test_every_kind_can_be_chosen_and_who_has_chosen_nothing_hears_at_once() -> None:
    topics = {mailed.topic for mailed in MAILED_KINDS.values()}
    # of an address that takes no mail only the bell can tell
    assert set(NotificationKind) - set(MAILED_KINDS) == {NotificationKind.email_refused}
    assert {*topics, MailTopic.overview} == set(MailTopic) == set(DEFAULTS)
    assert {DEFAULTS[topic] for topic in topics} == {MailTiming.at_once}
    assert DEFAULTS[MailTopic.overview] is MailTiming.never
    assert [topic for topic in MailTopic if not is_valid_timing(topic, MailTiming.at_once)] == [MailTopic.overview]
