"""Deploys with Worker Versioning: what a new build does with open workflows, and which build gets the work."""

import random
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from google.protobuf.field_mask_pb2 import FieldMask
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.deployment.v1 import WorkerDeploymentInfo, WorkerDeploymentVersion
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflow.v1 import VersioningOverride, WorkflowExecutionOptions
from temporalio.api.workflowservice.v1 import (
    DescribeTaskQueueRequest,
    DescribeWorkerDeploymentRequest,
    DescribeWorkerDeploymentVersionRequest,
    SetWorkerDeploymentCurrentVersionRequest,
    SetWorkerDeploymentRampingVersionRequest,
    UpdateWorkflowExecutionOptionsRequest,
)
from temporalio.client import Client, WorkflowHistory
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import Replayer

from core.assistants.rules.assistants import RunState
from core.clock import utcnow
from temporal.at_once import run_at_once
from temporal.registry import WORKFLOWS
from temporal.versioning import LONGEST_POLL, UNVERSIONED, build_of
from workflows.names import NEXT_SLOT, RUN_STATE, RUNS

ASLEEP: Final = timedelta(hours=1)
"""A finished post that is due later sleeps: nothing of it is staged yet, and another build may carry it on."""

_LISTED = 10_000
"""Open workflows of a type among which a sample is drawn."""
_OPEN = "ExecutionStatus = 'Running'"
_BEHAVIOR = "TemporalWorkflowVersioningBehavior"
_PINNED = f"{_OPEN} AND {_BEHAVIOR} = 'Pinned' AND TemporalWorkerDeploymentVersion"
_STUCK = "TemporalReportedProblems IS NOT NULL"


@dataclass(frozen=True)
class Routing:
    """Which build gets the work."""

    current: str
    previous: str
    """The build that was the current one before."""
    ramping: str | None
    """The build that a deploy in progress, or one that was interrupted, leads a part of the work to."""
    builds: Sequence[str]
    """All that the server knows, but for UNVERSIONED."""


@dataclass(frozen=True)
class ReplayFailure:
    workflow_id: str
    reason: str


class Deploys:
    """The builds of one deployment. All methods raise RPCError while Temporal is away."""

    def __init__(self, client: Client, deployment: str) -> None:
        self._client, self._deployment = client, deployment
        self._service = client.workflow_service

    async def _describe(self) -> WorkerDeploymentInfo:
        request = DescribeWorkerDeploymentRequest(namespace=self._client.namespace, deployment_name=self._deployment)
        try:
            return (await self._service.describe_worker_deployment(request, retry=True)).worker_deployment_info
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return WorkerDeploymentInfo()  # no worker has named a build yet

    async def read_routing(self) -> Routing:
        info = await self._describe()
        routing = info.routing_config
        current = routing.current_deployment_version.build_id
        ramps = routing.HasField("ramping_deployment_version") or routing.ramping_version_percentage > 0
        former = [
            build
            for build in info.version_summaries
            if build.HasField("last_current_time") and build.deployment_version.build_id != current
        ]
        newest = max(former, key=lambda build: build.last_deactivation_time.ToNanoseconds(), default=None)
        return Routing(
            current,
            newest.deployment_version.build_id if newest else UNVERSIONED,
            routing.ramping_deployment_version.build_id if ramps else None,
            [build.deployment_version.build_id for build in info.version_summaries],
        )

    async def find_unpolled(self, build: str, queues: Iterable[str] | None = None) -> list[str]:
        """Return which of these queues no worker of the build polls now; None: of those that it has ever polled."""
        request = DescribeWorkerDeploymentVersionRequest(
            namespace=self._client.namespace, deployment_version=self._version(build)
        )
        known = set()
        try:
            answer = await self._service.describe_worker_deployment_version(request, retry=True)
            # also of workers that are gone
            known = {queue.name for queue in answer.worker_deployment_version_info.task_queue_infos}
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
        wanted = sorted(known or {RUNS} if queues is None else queues)
        polling = await run_at_once(self._read_polling, wanted)
        polled = {queue for queue, builds in zip(wanted, polling, strict=True) if build in builds}
        return sorted(set(wanted) - (known & polled))

    async def has_workers(self, build: str) -> bool:
        return build in await self._read_polling(RUNS)

    async def _read_polling(self, queue: str) -> set[str]:
        """Return the builds whose workers poll a queue."""
        builds, since = set(), datetime.now(UTC) - LONGEST_POLL
        for kind in (TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW, TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY):
            request = DescribeTaskQueueRequest(
                namespace=self._client.namespace, task_queue=TaskQueue(name=queue), task_queue_type=kind
            )
            for poller in (await self._service.describe_task_queue(request, retry=True)).pollers:
                build = build_of(poller)
                own = build == UNVERSIONED or poller.deployment_options.deployment_name == self._deployment
                if own and poller.last_access_time.ToDatetime(tzinfo=UTC) > since:
                    builds.add(build)
        return builds

    async def replay_sample(self, size: int, workflows: Sequence[type] = WORKFLOWS) -> tuple[int, list[ReplayFailure]]:
        """Replay at most `size` open workflows of each type with the code at hand: of those that may go on under it,
        which are all but pinned ones that do not sleep. Return how many were replayed, and which of them failed."""
        changing = f"{_OPEN} AND ({_BEHAVIOR} IS NULL OR {_BEHAVIOR} != 'Pinned' OR {_sleeps()})"
        names = [workflow.__name__ for workflow in workflows]
        known = ", ".join(f"'{name}'" for name in names)
        kinds = [*(f"WorkflowType = '{name}'" for name in names), f"WorkflowType NOT IN ({known})"]
        client = self._client
        replayer = Replayer(workflows=workflows, namespace=client.namespace, data_converter=client.data_converter)
        histories = self._draw([f"{changing} AND {kind}" for kind in kinds], size)
        replayed, failures = 0, []
        async with replayer.workflow_replay_iterator(histories) as results:
            async for result in results:
                replayed += 1
                if result.replay_failure:
                    reason = f"{type(result.replay_failure).__name__}: {result.replay_failure}"
                    failures.append(ReplayFailure(result.history.workflow_id, " ".join(reason.split())))
        return replayed, failures

    async def _draw(self, queries: Sequence[str], size: int) -> AsyncIterator[WorkflowHistory]:
        """Yield the histories of at most `size` workflows of each query."""
        for query in queries:
            found = [(one.id, one.run_id) async for one in self._client.list_workflows(query, limit=_LISTED)]
            for workflow_id, run_id in random.sample(found, min(size, len(found))):
                try:
                    history = await self._client.get_workflow_handle(workflow_id, run_id=run_id).fetch_history()
                except RPCError as error:
                    if error.status is not RPCStatusCode.NOT_FOUND:
                        raise
                    continue  # deleted since, with its user
                yield history

    async def list_stuck(self) -> set[str]:
        """Return the open workflows whose tasks keep failing."""
        return {found.id async for found in self._client.list_workflows(f"{_OPEN} AND {_STUCK}")}

    async def ramp(self, build: str, percentage: float) -> None:
        """Lead this part of the new workflows, and of those that are not pinned, to the build. The part is chosen by
        their ids. 0: none."""
        await self._service.set_worker_deployment_ramping_version(
            SetWorkerDeploymentRampingVersionRequest(
                namespace=self._client.namespace,
                deployment_name=self._deployment,
                build_id=build,
                percentage=percentage,
            )
        )

    async def set_current(self, build: str, *, fewer_queues: bool = False) -> None:
        """Lead all work to the build but that of workflows that are pinned to others, also if its workers are gone.
        Raise RPCError with FAILED_PRECONDITION if it never had any, or, unless `fewer_queues`, none that polled a queue
        of the current build."""
        await self._service.set_worker_deployment_current_version(
            SetWorkerDeploymentCurrentVersionRequest(
                namespace=self._client.namespace,
                deployment_name=self._deployment,
                build_id=build,
                ignore_missing_task_queues=fewer_queues,
            )
        )

    async def unpin(self, current: str, *, asleep: bool = True) -> int:
        """Let workflows that are pinned to other builds than the current one go on with it: the stuck ones, those whose
        build has no workers, and, with `asleep`, posts that are due later than in an hour. Return how many."""
        working = ", ".join(f"'{self._deployment}:{build}'" for build in await self._read_polling(RUNS) | {current})
        left = f"TemporalWorkerDeploymentVersion NOT IN ({working})"
        which = f"({_STUCK} OR {left} OR {_sleeps()})" if asleep else f"({_STUCK} OR {left})"
        listed = self._client.list_workflows(f"{_PINNED} != '{self._deployment}:{current}' AND {which}")
        found = [WorkflowExecution(workflow_id=one.id, run_id=one.run_id) async for one in listed]
        return sum(await run_at_once(self._unpin, found))

    async def _unpin(self, execution: WorkflowExecution) -> bool:
        """Return False if it has ended."""
        try:
            await self._service.update_workflow_execution_options(
                UpdateWorkflowExecutionOptionsRequest(
                    namespace=self._client.namespace,
                    workflow_execution=execution,
                    workflow_execution_options=WorkflowExecutionOptions(
                        versioning_override=VersioningOverride(auto_upgrade=True)
                    ),
                    update_mask=FieldMask(paths=["versioning_override"]),
                )
            )
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return False
        return True

    async def count_pinned(self, build: str) -> int:
        """Return how many open workflows need workers of the build."""
        return (await self._client.count_workflows(f"{_PINNED} = '{self._deployment}:{build}'")).count

    def _version(self, build: str) -> WorkerDeploymentVersion:
        return WorkerDeploymentVersion(deployment_name=self._deployment, build_id=build)


def _sleeps() -> str:
    """Return the query for runs and posts that sleep."""
    states = ", ".join(f"'{state}'" for state in (RunState.ready, RunState.waiting))
    later = f"{NEXT_SLOT.name} > '{utcnow() + ASLEEP:%Y-%m-%dT%H:%M:%SZ}'"
    return f"({RUN_STATE.name} IN ({states}) AND {later})"
