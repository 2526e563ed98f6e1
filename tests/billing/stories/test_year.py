"""A year of a subscription: a trial, twelve renewals, one that fails and is mended, one end that is taken back, and
the end; on each day what is shown is what a plain reference says."""

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from tests.api.conftest import done
from tests.billing.stories.shop import Shop, of, written

DAY = timedelta(1)
TRIAL = 14 * DAY
GRACE = 7 * DAY
FAILED = 5
"""The renewal that the bank refuses, and again three days later; on the fifth day somebody pays."""
MENDED = 5 * DAY
LEAVING, STAYING = 5 * DAY, 9 * DAY
"""After the eighth renewal, for the end that is taken back; after the twelfth for the end."""


@dataclass(frozen=True)
class Year:
    begun: datetime

    @property
    def charged(self) -> list[datetime]:
        """The end of the trial, twelve renewals and the one that does not come any more."""
        return [months_later(self.begun + TRIAL, number) for number in range(14)]

    def shown(self, now: datetime) -> dict[str, Any]:
        """What is to be seen then."""
        charged = self.charged
        found: dict[str, Any] = dict.fromkeys(
            ["trial_days_left", "first_billing_date", "next_billing_date", "end_date", "past_due_until"]
        ) | {"unlocked": True, "can_subscribe": False, "can_cancel": True, "can_resume": False}
        if now < charged[0]:
            left = -((now - charged[0]) // DAY)  # rounded up
            first = written(charged[0])
            return found | {
                "status": "trial",
                "trial_days_left": left,
                "first_billing_date": first,
                "next_billing_date": first,
            }
        if now >= charged[-1]:
            return found | {
                "status": "canceled",
                "unlocked": False,
                "end_date": written(charged[-1]),
                "can_subscribe": True,
                "can_cancel": False,
            }
        [number] = [at for at, (start, end) in enumerate(pairwise(charged)) if start <= now < end]
        since, until = now - charged[number], charged[number + 1]
        if (number == 8 and LEAVING <= since < STAYING) or (number == 12 and since >= LEAVING):
            return found | {
                "status": "canceled_until",
                "end_date": written(until),
                "can_cancel": False,
                "can_resume": True,
            }
        late = number == FAILED and since < MENDED
        return found | {
            "status": "active",
            "next_billing_date": written(until),
            "past_due_until": written(charged[number] + GRACE) if late else None,
        }


def months_later(begun: datetime, months: int) -> datetime:
    """On the same day, or the last one of a month that has not so many."""
    month = begun.month - 1 + months
    year, month = begun.year + month // 12, month % 12 + 1
    return begun.replace(year=year, month=month, day=min(begun.day, calendar.monthrange(year, month)[1]))


async def test_a_year_is_right_on_each_day(shop: Shop) -> None:
    # of a trial that begins now the first charge would be on another day of the month for each run
    now = of((await shop.order("clock", seconds=0))["now"])
    await shop.pass_time(seconds=(now.replace(year=now.year + 1, month=1, day=17, hour=9) - now).total_seconds())
    await shop.subscribe()
    [living] = await shop.listed("subscriptions")
    year = Year(of(living["created"]))
    assert year.charged[0].day == 31

    async def fail_next() -> None:
        await shop.order(f"customers/{living['customer']}/next-payment", outcome="declined", times=2)

    async def pay() -> None:
        [invoice] = await shop.listed("invoices", status="open")
        assert (await shop.portal(f"pay:{invoice['id']}")).status_code == 303
        await shop.told()

    async def cancel() -> None:
        done(await shop.post("cancel_subscription"))

    async def resume() -> None:
        done(await shop.post("resume_subscription"))

    # what somebody does, and when
    acts: list[tuple[datetime, Callable[[], Any]]] = [
        (year.charged[FAILED] - DAY / 2, fail_next),
        (year.charged[FAILED] + MENDED, pay),
        (year.charged[8] + LEAVING, cancel),
        (year.charged[8] + STAYING, resume),
        (year.charged[12] + LEAVING, cancel),
    ]
    days = (year.charged[-1] - year.begun) // DAY + 3
    # each day an hour after the time of the first one, and around each charge
    looked = {year.begun + number * DAY + timedelta(hours=1) for number in range(days)}
    looked |= {charged + step for charged in year.charged for step in (timedelta(minutes=-30), timedelta(seconds=1))}
    moments = sorted({at for at, _ in acts} | looked)
    assert len(looked) > 400
    now = year.begun
    for moment in moments:
        await shop.pass_time(seconds=(moment - now).total_seconds())
        now = moment
        for at, act in acts:
            if at == moment:
                await act()
        if moment in looked:
            expected = year.shown(moment)
            shown = await shop.shown()
            assert {name: shown[name] for name in expected} == expected, moment
    charges = await shop.listed("charges")
    assert [charge["paid"] for charge in reversed(charges)] == [*[True] * 5, False, False, *[True] * 8]
    assert len(await shop.listed("subscriptions", status="all")) == 1
