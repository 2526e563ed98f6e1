"""What becomes of somebody who subscribes, seen at the API."""

from core.errors import ErrorCode
from tests.api.conftest import done, refused
from tests.billing.stories.shop import PAGE, Shop, days_from, session_of

DATES = ("first_billing_date", "next_billing_date", "end_date", "past_due_until")


async def test_a_trial_is_started_and_becomes_a_paid_subscription(shop: Shop) -> None:
    new = await shop.shown()
    assert (new["mode"], new["status"], new["unlocked"], new["as_of"]) == ("stripe", "none", False, None)
    assert (new["price_cents"], new["currency"], new["interval"], new["interval_count"]) == (2900, "EUR", "month", 1)
    assert (new["trial_days"], new["trial_days_left"]) == (14, None)
    assert (new["can_subscribe"], new["can_cancel"], new["can_resume"], new["has_portal"]) == (
        True,
        False,
        False,
        False,
    )
    assert [new[name] for name in DATES] == [None] * 4
    assert new["limits"] == new["free"]

    begun = await shop.subscribe()
    assert (begun["status"], begun["unlocked"], begun["trial_days"], begun["trial_days_left"]) == (
        "trial",
        True,
        None,
        14,
    )
    assert begun["first_billing_date"] == begun["next_billing_date"]
    assert (begun["can_subscribe"], begun["can_cancel"], begun["has_portal"]) == (False, True, True)
    assert begun["limits"] == begun["plan"]
    assert await shop.told() > 0
    assert {**await shop.shown(), "as_of": None} == {**begun, "as_of": None}
    refused(await shop.post("create_checkout_session"), 409, ErrorCode.already_subscribed)

    await shop.pass_time(days=13)
    assert (await shop.shown())["trial_days_left"] == 1
    await shop.pass_time(days=1)
    paid = await shop.shown()
    assert (paid["status"], paid["unlocked"], paid["trial_days_left"]) == ("active", True, None)
    assert paid["first_billing_date"] is None
    assert days_from(begun["first_billing_date"], 28) <= paid["next_billing_date"]
    assert paid["next_billing_date"] <= days_from(begun["first_billing_date"], 31)
    [charge] = await shop.listed("charges")
    assert (charge["amount"], charge["status"]) == (2900, "succeeded")


async def test_declined_and_left_and_begun_at_last(shop: Shop) -> None:
    page = await shop.page()
    assert (await shop.press(page, card="declined")).status_code == 402
    refused(await shop.verify(session_of(page)), 409, ErrorCode.checkout_incomplete)
    assert (await shop.press(page, leave="1")).headers["location"] == f"{PAGE}?checkout=canceled"
    assert done(await shop.verify())["status"] == "none"
    assert await shop.page() == page  # nothing is begun twice
    await shop.press(page, card="good")
    assert done(await shop.verify(session_of(page)))["status"] == "trial"


async def test_a_page_that_nobody_used_for_a_day_is_another_one(shop: Shop) -> None:
    page = await shop.page()
    await shop.pass_time(days=1)
    refused(await shop.verify(session_of(page)), 409, ErrorCode.checkout_incomplete)
    assert await shop.page() != page
    assert (await shop.subscribe())["status"] == "trial"


async def test_a_trial_is_had_once(shop: Shop) -> None:
    assert (await shop.subscribe("none"))["status"] == "trial"
    await shop.pass_time(days=14)
    over = await shop.shown()
    assert (over["status"], over["unlocked"], over["can_subscribe"], over["trial_days"]) == (
        "canceled",
        False,
        True,
        None,
    )
    assert over["limits"] == over["free"]
    assert over["end_date"] is not None
    await shop.pass_time(days=2)
    page = await shop.page()
    assert (await shop.press(page, card="none")).status_code == 422  # there is nothing to begin without a card
    await shop.press(page, card="good")
    paid = done(await shop.verify(session_of(page)))
    assert (paid["status"], paid["trial_days_left"], paid["first_billing_date"]) == ("active", None, None)
    assert [charge["amount"] for charge in await shop.listed("charges")] == [2900]


async def test_whether_something_can_be_charged_is_known(shop: Shop) -> None:
    assert (await shop.subscribe("none"))["has_payment_method"] is False
    await shop.portal("card", card="good")
    await shop.told()
    assert (await shop.shown())["has_payment_method"] is True
    await shop.portal("remove")
    await shop.told()
    assert (await shop.shown())["has_payment_method"] is False


async def test_a_card_of_the_checkout_is_known(shop: Shop) -> None:
    assert (await shop.subscribe("good"))["has_payment_method"] is True


async def test_canceled_resumed_and_ended(shop: Shop) -> None:
    begun = await shop.subscribe()
    leaving = done(await shop.post("cancel_subscription"))
    assert (leaving["status"], leaving["unlocked"]) == ("canceled_until", True)
    assert (leaving["end_date"], leaving["next_billing_date"]) == (begun["first_billing_date"], None)
    assert (leaving["can_cancel"], leaving["can_resume"]) == (False, True)
    again = done(await shop.post("cancel_subscription"))
    assert {**again, "as_of": None} == {**leaving, "as_of": None}

    staying = done(await shop.post("resume_subscription"))
    assert {**staying, "as_of": None} == {**begun, "as_of": None}
    assert done(await shop.post("resume_subscription"))["status"] == "trial"

    await shop.pass_time(days=20)
    paid = await shop.shown()
    ending = done(await shop.post("cancel_subscription"))
    assert (ending["status"], ending["end_date"]) == ("canceled_until", paid["next_billing_date"])
    await shop.pass_time(days=31)
    over = await shop.shown()
    assert (over["status"], over["unlocked"], over["end_date"]) == ("canceled", False, paid["next_billing_date"])
    for call in ("cancel_subscription", "resume_subscription"):
        refused(await shop.post(call), 409, ErrorCode.not_subscribed)
    assert (await shop.portal("card", card="good")).status_code == 303  # the invoices stay
    assert (await shop.subscribe())["status"] == "active"


async def test_nobody_cancels_or_sees_invoices_of_nothing(shop: Shop) -> None:
    for call in ("cancel_subscription", "resume_subscription", "create_portal_session"):
        refused(await shop.post(call), 409, ErrorCode.not_subscribed)
    await shop.page()  # a customer who has bought nothing yet
    for call in ("cancel_subscription", "resume_subscription", "create_portal_session"):
        refused(await shop.post(call), 409, ErrorCode.not_subscribed)


async def test_what_is_done_in_the_portal_is_told(shop: Shop) -> None:
    begun = await shop.subscribe()
    [living] = await shop.listed("subscriptions")
    await shop.portal(f"cancel:{living['id']}")
    await shop.told()
    assert (await shop.shown())["status"] == "canceled_until"
    await shop.portal(f"keep:{living['id']}")
    await shop.told()
    assert {**await shop.shown(), "as_of": None} == {**begun, "as_of": None}


async def test_a_failed_charge_has_a_time_of_grace_and_is_mended(shop: Shop) -> None:
    begun = await shop.subscribe("fails_later")
    await shop.pass_time(days=14)
    late = await shop.shown()
    assert (late["status"], late["unlocked"]) == ("active", True)
    assert late["past_due_until"] == days_from(begun["first_billing_date"], 7)
    await shop.pass_time(days=3)  # it is tried again, and fails again
    assert (await shop.shown())["past_due_until"] == late["past_due_until"]
    await shop.portal("card", card="good")
    [invoice] = await shop.listed("invoices", status="open")
    assert (await shop.portal(f"pay:{invoice['id']}")).status_code == 303
    await shop.told()
    mended = await shop.shown()
    assert (mended["status"], mended["unlocked"], mended["past_due_until"]) == ("active", True, None)


async def test_after_the_time_of_grace_nothing_is_unlocked_until_it_is_mended(shop: Shop) -> None:
    await shop.order("settings", after_retries="unpaid")
    await shop.subscribe("fails_later")
    await shop.pass_time(days=14 + 7, minutes=-1)
    assert (await shop.shown())["unlocked"] is True
    await shop.pass_time(minutes=1)
    locked = await shop.shown()
    assert (locked["status"], locked["unlocked"], locked["can_subscribe"]) == ("active", False, False)
    assert locked["limits"] == locked["free"]
    await shop.pass_time(days=8)  # it is tried no more
    unpaid = await shop.shown()
    assert (unpaid["status"], unpaid["unlocked"], unpaid["past_due_until"]) == ("canceled", False, None)
    # a second one beside it would be charged as well: this one is paid in the portal
    assert (unpaid["can_subscribe"], unpaid["has_portal"]) == (False, True)
    refused(await shop.post("create_checkout_session"), 409, ErrorCode.already_subscribed)
    await shop.portal("card", card="good")
    [invoice] = await shop.listed("invoices", status="open")
    await shop.portal(f"pay:{invoice['id']}")
    await shop.told()
    mended = await shop.shown()
    assert (mended["status"], mended["unlocked"]) == ("active", True)


async def test_what_stays_unpaid_has_ended_where_its_first_unpaid_period_began(shop: Shop) -> None:
    """However many periods follow, for which Stripe draws up invoices that nobody pays."""
    await shop.order("settings", after_retries="unpaid")
    begun = await shop.subscribe("fails_later")
    periods = set()
    for days in (14 + 7 + 8, 31, 31):
        await shop.pass_time(days=days)
        unpaid = done(await shop.verify())
        assert (unpaid["status"], unpaid["end_date"]) == ("canceled", begun["first_billing_date"])
        known = (await shop.kept()).known
        assert known
        periods.add(known.period_start)
    assert len(periods) == 3


async def test_an_end_on_a_day_that_stripe_was_told(shop: Shop) -> None:
    """As it may be set there by hand, or by the portal: `cancel_at` and no end of a period."""
    begun = await shop.subscribe()
    [living] = await shop.listed("subscriptions")
    wanted = living["created"] + 20 * 86400
    await shop.set_at_stripe(living["id"], cancel_at=wanted)
    leaving = await shop.shown()
    assert (leaving["status"], leaving["can_resume"]) == ("canceled_until", True)
    assert leaving["end_date"] == days_from(begun["first_billing_date"], 6)
    staying = done(await shop.post("resume_subscription"))
    assert (staying["status"], staying["end_date"]) == ("trial", None)
    await shop.set_at_stripe(living["id"], cancel_at=wanted)
    await shop.pass_time(days=15)  # the trial has become a paid subscription meanwhile
    assert ((await shop.shown())["status"], (await shop.shown())["end_date"]) == ("canceled_until", leaving["end_date"])
    await shop.pass_time(days=5)
    over = await shop.shown()
    assert (over["status"], over["unlocked"], over["end_date"]) == ("canceled", False, leaving["end_date"])
