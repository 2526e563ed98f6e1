"""One mail: tried until it is sent. What it says, and for how long it is worth trying, its row knows."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.notifying import MailRef, Notifying
    from workflows.messages import MailOrder, MailResult
    from workflows.options import MAIL_STEP, named


@workflow.defn
class MailWorkflow:
    @workflow.run
    async def run(self, order: MailOrder) -> MailResult:
        """Completes for sent, refused and given up alike; fails only on defects."""
        over = await workflow.execute_activity_method(
            Notifying.send_mail, MailRef(order.mail_id), **named(MAIL_STEP, "mail")
        )
        return MailResult(over.state)
