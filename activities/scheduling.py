"""When an assistant is due. Time is decided here, not in workflow code: what a run of the workflow was told stays in
its history, however the time zone data changes later."""

from dataclasses import dataclass

from temporalio import activity

from core.assistants.rules.planning import Plan, PlanOrder, plan


@dataclass(frozen=True)
class Scheduling:
    @activity.defn
    async def plan(self, order: PlanOrder) -> Plan:
        """Pure: the same order gives the same plan, under the same time zone data."""
        return plan(order)
