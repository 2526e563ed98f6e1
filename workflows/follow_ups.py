"""What follows the publication of a post, each by a workflow of its own: tried until it is done. What is asked for, how
often it was tried and when to give up, its row knows."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.follow_ups import (
        AnnouncementRequest,
        Announcing,
        Commenting,
        DeliveryRequest,
        Removing,
        Revising,
    )
    from core.domain.announcements import OPEN_ANNOUNCEMENTS
    from core.domain.follow_ups import FollowUpOutcome
    from core.domain.posts import CommentState
    from workflows.messages import FollowUpOrder
    from workflows.options import ANNOUNCEMENT_STEP, follow_up_step, named, revision_step
    from workflows.remedies import STEP, remedy


@workflow.defn
class FirstCommentWorkflow:
    @workflow.run
    async def run(self, order: FollowUpOrder) -> FollowUpOutcome:
        """Completes for published, failed, unknown and gone alike; fails only on defects."""
        _say(order, "asks the network for the first comment", STEP)
        while True:
            outcome = await workflow.execute_activity_method(
                Commenting.put_first_comment, _of_delivery(order), **follow_up_step(order.channel, "first comment")
            )
            if outcome.state != CommentState.waiting:
                return _over(order, outcome)


@workflow.defn
class RemovalWorkflow:
    @workflow.run
    async def run(self, order: FollowUpOrder) -> FollowUpOutcome:
        """Completes for removed, failed and gone alike; fails only on defects."""
        _say(order, "asks the network to delete the post", STEP)
        outcome = await workflow.execute_activity_method(
            Removing.remove_at_network, _of_delivery(order), **follow_up_step(order.channel, "removal")
        )
        return _over(order, outcome)


@workflow.defn
class RevisionWorkflow:
    @workflow.run
    async def run(self, order: FollowUpOrder) -> FollowUpOutcome:
        """Completes for updated, failed and gone alike; fails only on defects."""
        _say(order, "brings the changed article to its site", STEP)
        outcome = await workflow.execute_activity_method(
            Revising.update_at_site, _of_delivery(order), **revision_step(order.channel)
        )
        return _over(order, outcome)


@workflow.defn
class AnnouncementWorkflow:
    @workflow.run
    async def run(self, order: FollowUpOrder) -> FollowUpOutcome:
        """Completes for made, failed and gone alike; fails only on defects."""
        request = AnnouncementRequest(order.user_id, order.id)
        _say(order, "waits until readers get the article", STEP)
        while True:
            outcome = await workflow.execute_activity_method(
                Announcing.announce_article, request, **named(ANNOUNCEMENT_STEP, "announcement")
            )
            if outcome.state not in OPEN_ANNOUNCEMENTS:
                return _over(order, outcome)
            _say(order, "waits for the text of the post", STEP)


def _of_delivery(order: FollowUpOrder) -> DeliveryRequest:
    return DeliveryRequest(order.user_id, order.post_id, order.id)


def _over(order: FollowUpOrder, outcome: FollowUpOutcome) -> FollowUpOutcome:
    told = f"{outcome.state}: {outcome.reason}" if outcome.reason else outcome.state
    _say(order, told, remedy(outcome.reason))
    return outcome


def _say(order: FollowUpOrder, what: str, do: str) -> None:
    """For operators, in Markdown."""
    lines = [
        f"since {workflow.now():%Y-%m-%d %H:%M:%S} UTC",
        *([f"what to do: {do}"] if do else []),
        *([f"network {order.channel}"] if order.channel else []),
        f"post {order.post_id}",
        f"owner {order.user_id}",
        *([f"in the app: {order.address}"] if order.address else []),
    ]
    workflow.set_current_details(f"**{what}**\n\n" + "\n".join(f"- {line}" for line in lines))
