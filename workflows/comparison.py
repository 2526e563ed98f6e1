"""Once a day all subscriptions are fetched: a message of the payment provider that was lost is made up for then."""

from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.comparing import Comparing, Portion
    from workflows.messages import Comparison
    from workflows.options import COMPARE_STEP, named

_DAY = timedelta(days=1)


@workflow.defn
class ComparisonWorkflow:
    """One of an installation."""

    @workflow.run
    async def run(self, last: Comparison) -> None:
        """Goes on for ever; completes where nobody is charged any more."""
        differed, portion = 0, Portion()
        workflow.set_current_details(_details(last, "Comparing what Stripe says with what is known here."))
        while True:
            compared = await workflow.execute_activity_method(
                Comparing.compare_subscriptions, portion, **named(COMPARE_STEP, "compare")
            )
            differed += compared.differed
            if not compared.on:
                return
            if compared.after is None:
                break
            portion = Portion(compared.after)
        found = Comparison(workflow.now(), differed)
        workflow.set_current_details(_details(found, "Asleep until it is a day later."))
        await workflow.sleep(_DAY, summary="until the next comparison")
        workflow.continue_as_new(found)


def _details(last: Comparison, now: str) -> str:
    """For operators."""
    lines = [now]
    if last.at is not None:
        lines.append(f"Last compared: {last.at:%Y-%m-%d %H:%M} UTC. Subscriptions that differed: {last.differed}.")
    if last.differed:
        lines.append(
            "They are right again. What to do: look at Stripe's list of failed webhook deliveries, at the endpoint's "
            "address (PUBLIC_URL/api/webhooks/stripe/) and secret (STRIPE_WEBHOOK_SECRET), and at this server's clock."
        )
    return "\n\n".join(lines)
