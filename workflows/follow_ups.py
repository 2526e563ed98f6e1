"""Follow-ups of a publication, each a workflow of its own that is retried until it is done. Its row knows the request,
the number of attempts and when to give up."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.follow_ups import Announcing, Commenting, Removing, Revising
    from core.articles.rules.announcements import OPEN_ANNOUNCEMENTS
    from core.deliveries.rules.follow_ups import FollowUp, FollowUpOutcome
    from core.posts.rules.posts import CommentState
    from workflows.options import FOLLOW_UP_STEP, REVISION_STEP, in_network_queue, with_summary
    from workflows.remedies import STEP, remedy


@workflow.defn
class FirstCommentWorkflow:
    @workflow.run
    async def run(self, one: FollowUp) -> FollowUpOutcome:
        """Completes for published, failed, unknown and gone alike; fails only on defects."""
        _set_details(one, "asks the network for the first comment", STEP)
        while True:
            outcome = await workflow.execute_activity_method(
                Commenting.put_first_comment, one, **in_network_queue(FOLLOW_UP_STEP, one.channel, "first comment")
            )
            if outcome.state != CommentState.waiting:
                return _end(one, outcome)


@workflow.defn
class RemovalWorkflow:
    @workflow.run
    async def run(self, one: FollowUp) -> FollowUpOutcome:
        """Completes for removed, failed and gone alike; fails only on defects."""
        _set_details(one, "asks the network to delete the post", STEP)
        outcome = await workflow.execute_activity_method(
            Removing.remove_at_network, one, **in_network_queue(FOLLOW_UP_STEP, one.channel, "removal")
        )
        return _end(one, outcome)


@workflow.defn
class RevisionWorkflow:
    @workflow.run
    async def run(self, one: FollowUp) -> FollowUpOutcome:
        """Completes for updated, failed and gone alike; fails only on defects."""
        _set_details(one, "brings the changed article to its site", STEP)
        outcome = await workflow.execute_activity_method(
            Revising.update_at_site, one, **in_network_queue(REVISION_STEP, one.channel, "changed article")
        )
        return _end(one, outcome)


@workflow.defn
class AnnouncementWorkflow:
    @workflow.run
    async def run(self, one: FollowUp) -> FollowUpOutcome:
        """Completes for made, failed and gone alike; fails only on defects."""
        _set_details(one, "waits until readers get the article", STEP)
        while True:
            outcome = await workflow.execute_activity_method(
                Announcing.announce_article, one, **with_summary(FOLLOW_UP_STEP, "announcement")
            )
            if outcome.state not in OPEN_ANNOUNCEMENTS:
                return _end(one, outcome)
            _set_details(one, "waits for the post's text", STEP)


def _end(one: FollowUp, outcome: FollowUpOutcome) -> FollowUpOutcome:
    text = f"{outcome.state}: {outcome.reason}" if outcome.reason else outcome.state
    _set_details(one, text, remedy(outcome.reason))
    return outcome


def _set_details(one: FollowUp, what: str, do: str) -> None:
    """Set the details for operators, in Markdown."""
    lines = [
        f"since {workflow.now():%Y-%m-%d %H:%M:%S} UTC",
        *([f"what to do: {do}"] if do else []),
        *([f"network {one.channel}"] if one.channel else []),
        f"post {one.post_id}",
        f"owner {one.user_id}",
        f"in the app: {one.address}",
    ]
    workflow.set_current_details(f"**{what}**\n\n" + "\n".join(f"- {line}" for line in lines))
