"""Worker Versioning: a worker says which build it is, and gets work once that build is the current one."""

from datetime import timedelta
from typing import Final

from temporalio.api.enums.v1 import WorkerVersioningMode
from temporalio.api.taskqueue.v1 import PollerInfo
from temporalio.common import VersioningBehavior, WorkerDeploymentVersion
from temporalio.worker import WorkerDeploymentConfig
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner

from core.settings import Settings
from workflows.pinning import PinningRunner

UNVERSIONED: Final = ""
"""The build of workers without Worker Versioning."""
LONGEST_POLL: Final = timedelta(seconds=70)
"""A poll lasts up to a minute, so after this time nobody polls."""


def own_version(settings: Settings) -> WorkerDeploymentVersion | None:
    """Return the version of this process's worker; None without Worker Versioning."""
    build_id = settings.temporal_worker_build_id
    return WorkerDeploymentVersion(settings.temporal_deployment_name, build_id) if build_id else None


def deployment_config(version: WorkerDeploymentVersion | None) -> WorkerDeploymentConfig | None:
    """Return what a worker says of itself: which build it is, and that its workflows go on with the current build,
    unless its runner pins them."""
    if version is None:
        return None
    return WorkerDeploymentConfig(
        version=version,
        use_worker_versioning=True,
        default_versioning_behavior=VersioningBehavior.AUTO_UPGRADE,
    )


def workflow_runner(version: WorkerDeploymentVersion | None) -> SandboxedWorkflowRunner:
    return SandboxedWorkflowRunner(runner_class=PinningRunner) if version else SandboxedWorkflowRunner()


def build_of(poller: PollerInfo) -> str:
    """Return the build of a worker that polls."""
    options = poller.deployment_options
    versioned = options.worker_versioning_mode == WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED
    return options.build_id if versioned else UNVERSIONED
