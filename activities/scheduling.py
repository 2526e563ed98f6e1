"""Plan when an assistant is due. Here and not in workflow code, so that the plan stays in the history, even if time
zone data changes later."""

from dataclasses import dataclass

from temporalio import activity

from core.assistants.rules.planning import Plan, PlanOrder, plan


@dataclass(frozen=True)
class Scheduling:
    @activity.defn
    async def plan(self, order: PlanOrder) -> Plan:
        """Pure: the same order gives the same plan, under the same time zone data."""
        return plan(order)
