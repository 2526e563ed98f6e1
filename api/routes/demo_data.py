from fastapi import status

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Workflows
from api.errors import problems
from api.limits import DEMO_DATA, by_user
from api.schemas.demo_data import DemoDataOut
from core.assistants.repository import FullAssistant
from core.errors import ErrorCode

router = Router(prefix="/users/me/demo-data", tags=["overview"])


@router.get("/")
async def read_demo_data(user: CurrentUser, services: Core) -> DemoDataOut:
    """Whether demo data exists, and what its removal would delete and keep."""
    return DemoDataOut.model_validate(await services.demo_data.view(user.id))


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(
        ErrorCode.demo_data_exists,
        ErrorCode.generation_in_progress,
        ErrorCode.connect_failed,
        ErrorCode.provider_unavailable,
        ErrorCode.api_version_retired,
        ErrorCode.provider_misconfigured,
    ),
    dependencies=[by_user(DEMO_DATA)],
)
async def make_demo_data(user: CurrentUser, services: Core, workflows: Workflows) -> DemoDataOut:
    """Create two assistants with everything they need. They post to the sandbox every few minutes until the end of
    tomorrow; without a sandbox they write drafts once they are activated. They never post to a real network."""
    for full in await services.demo_data.make(user):
        await _notify_workflow(full, workflows)
    return DemoDataOut.model_validate(await services.demo_data.view(user.id))


@router.delete(
    "/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.generation_in_progress, ErrorCode.temporal_unavailable),
    dependencies=[by_user(DEMO_DATA)],
)
async def remove_demo_data(user: CurrentUser, services: Core, workflows: Workflows) -> None:
    """End the demo assistants, and delete the demo data with everything made by them. What the user changed, or uses
    elsewhere, stays. Idempotent."""
    off = await services.demo_data.switch_off(user.id)
    ended = {full.row.id: full.row.version for full in off if await _notify_workflow(full, workflows)}
    await services.demo_data.remove(user.id, ended)


async def _notify_workflow(full: FullAssistant, workflows: Workflows) -> bool:
    """Notify the workflow. Return False if that failed; the reconcile does it later."""
    return await workflows.assistants.configure(full.row, full.status, {account.kind for account in full.accounts})
