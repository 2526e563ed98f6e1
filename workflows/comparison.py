"""Fetch all subscriptions once a day, to make up for lost messages of the payment provider."""

from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.comparing import Comparing, ComparisonBatch
    from workflows.messages import Comparison
    from workflows.options import COMPARE_STEP, with_summary

_DAY = timedelta(days=1)


@workflow.defn
class ComparisonWorkflow:
    """One per installation."""

    @workflow.run
    async def run(self, last: Comparison) -> None:
        """Runs for ever; completes if billing is switched off."""
        differed, portion = 0, ComparisonBatch()
        workflow.set_current_details(_details(last, "comparing subscriptions with Stripe"))
        while True:
            compared = await workflow.execute_activity_method(
                Comparing.compare_subscriptions, portion, **with_summary(COMPARE_STEP, "compare")
            )
            differed += compared.differed
            if not compared.on:
                return
            if compared.after is None:
                break
            portion = ComparisonBatch(compared.after)
        found = Comparison(workflow.now(), differed)
        workflow.set_current_details(_details(found, "asleep for a day"))
        await workflow.sleep(_DAY, summary="until the next comparison")
        workflow.continue_as_new(found)


def _details(last: Comparison, now: str) -> str:
    """Return the details for operators."""
    lines = [f"**{now}**", ""]
    if last.at is not None:
        lines.append(f"- last compared: {last.at:%Y-%m-%d %H:%M} UTC; subscriptions that differed: {last.differed}")
    if last.differed:
        lines.append(
            "- what to do: all are up to date again; check the failed deliveries listed at Stripe, the endpoint's "
            "address (PUBLIC_URL/api/webhooks/stripe/), its secret (STRIPE_WEBHOOK_SECRET) and this server's clock"
        )
    return "\n".join(lines)
