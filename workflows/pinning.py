"""Which workflows stay with the build that began them, where workers say which build they are.

The sandbox loads this module anew for every workflow, so it imports nothing of the product.
"""

from dataclasses import replace
from typing import Final

from temporalio.common import VersioningBehavior
from temporalio.worker import UnsandboxedWorkflowRunner, WorkflowInstance, WorkflowInstanceDetails

PINNED: Final = frozenset({"RunWorkflow", "PostWorkflow"})
"""Types that are pinned. All others go on with the current build."""


class PinningRunner(UnsandboxedWorkflowRunner):
    """Runs a workflow inside the sandbox, and pins it if its type is.

    Not `@workflow.defn(versioning_behavior=…)`: with it, the server refuses every workflow task of a worker that does
    not say which build it is. Not the default of a worker: the queue of runs has workflows of both kinds.
    """

    def create_instance(self, det: WorkflowInstanceDetails) -> WorkflowInstance:
        if det.defn.name in PINNED:
            det = replace(det, defn=replace(det.defn, versioning_behavior=VersioningBehavior.PINNED))
        return super().create_instance(det)
