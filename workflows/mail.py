"""One mail, retried until it is sent. Its row knows the content and when to give up."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.mailing import Mailing, MailRef
    from workflows.messages import MailOrder, MailResult
    from workflows.options import MAIL_STEP, with_summary


@workflow.defn
class MailWorkflow:
    @workflow.run
    async def run(self, order: MailOrder) -> MailResult:
        """Completes for sent, refused and given up alike; fails only on defects."""
        over = await workflow.execute_activity_method(
            Mailing.send_mail, MailRef(order.mail_id), **with_summary(MAIL_STEP, "mail")
        )
        return MailResult(over.state)
