"""The one door through which rows and services ask what time it is."""

from datetime import UTC, datetime, timedelta

import pytest

from core import clock
from core.clock import utcnow


def test_it_is_the_machines_and_another_for_as_long_as_that_is_wanted() -> None:
    noon = datetime(2030, 1, 1, 12, tzinfo=UTC)
    with clock.use_clock(lambda: noon):
        assert utcnow() == noon
        with clock.use_clock(lambda: noon + timedelta(days=1)):
            assert utcnow() == noon + timedelta(days=1)
        assert utcnow() == noon
    assert abs(utcnow() - datetime.now(UTC)) < timedelta(seconds=5)


def test_one_that_fails_does_not_stay() -> None:
    with pytest.raises(ZeroDivisionError), clock.use_clock(lambda: datetime(2030, 1, 1, tzinfo=UTC)):
        raise ZeroDivisionError
    assert utcnow().year != 2030
