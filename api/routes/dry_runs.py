"""Dry runs: what an assistant would post, from its form, saved or not."""

from uuid import UUID

from fastapi import status

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Workflows
from api.errors import problems
from api.limits import TRYOUTS, by_user
from api.presenters import made_page_out, review_note_out
from api.routes.assistants import assistant_form
from api.schemas.assistants import AccountRefOut
from api.schemas.dry_runs import DryRunIn, DryRunOut, DryRunOutlineOut, DryRunTopicOut
from api.schemas.post_writings import NetworkTextOut
from api.schemas.runs import single_facts
from core.ai.rules.generation import GenerationState
from core.ai.rules.usage import CURRENCY
from core.container import Services
from core.errors import ErrorCode
from core.media.documents import title_of_document

router = Router(prefix="/assistants/dry-runs", tags=["assistants"])


async def _shown(user_id: UUID, dry_run_id: UUID, services: Services) -> DryRunOut:
    tryout, accounts, budgeted = await services.dry_runs.get(user_id, dry_run_id)
    pages = (await services.tryouts.made_pages(user_id, [tryout])).get(tryout.id, [])
    sample, media = tryout.sampled, tryout.media_id
    brief, topic_id = sample.setup.brief, sample.topic_id
    assert topic_id is not None  # a dry run has picked one
    return DryRunOut(
        id=tryout.id,
        state=tryout.state,
        attempt=tryout.attempt,
        reason=ErrorCode(tryout.reason) if tryout.reason else None,
        detail=tryout.detail,
        next_try_at=tryout.next_try_at,
        topic=DryRunTopicOut(id=topic_id, title=brief.topic, path=list(brief.topic_path)),
        language=brief.language,
        text="" if tryout.part else tryout.output,
        texts=[NetworkTextOut(channel=kind, content=text) for kind, text in sample.texts.items()],
        is_article=tryout.part is not None,
        outline=DryRunOutlineOut.model_validate(outline) if (outline := services.dry_runs.outline(tryout)) else None,
        written=sample.written or (tryout.part is not None and tryout.state is GenerationState.succeeded),
        # for an article, the outline's facts
        facts=single_facts(sample.facts) | ({"prompt_cut": True} if tryout.prompt_cut else {}),
        review=[review_note_out(note) for note in sample.notes],
        wants_image=sample.setup.wants_image and not tryout.part,
        image_url=services.media.signed_url(media) if media else None,
        image_width=tryout.image_width,
        image_height=tryout.image_height,
        pages=[made_page_out(page, services.media) for page in pages],
        document_title=title_of_document(pages),
        image_reason=ErrorCode(sample.image_reason) if sample.image_reason else None,
        accounts=[AccountRefOut.model_validate(account) for account in accounts],
        slot=sample.slot,
        provider=tryout.provider,
        model=tryout.model,
        input_tokens=tryout.input_tokens,
        output_tokens=tryout.output_tokens,
        cost_micros=tryout.cost_micros,
        currency=CURRENCY,
        on_budget=budgeted,
        duration_ms=tryout.duration_ms,
        created_at=tryout.created_at,
        finished_at=tryout.finished_at,
    )


@router.post(
    "/",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problems(ErrorCode.not_found, ErrorCode.assistant_incomplete, ErrorCode.subscription_required),
    openapi_extra=up_to(MEGABYTE),
    dependencies=[by_user(TRYOUTS)],
)
async def start_dry_run(body: DryRunIn, user: CurrentUser, services: Core, workflows: Workflows) -> DryRunOut:
    """Start a sample post, or the outline of a sample article. The call returns before it is written; read it, or watch
    the live stream."""
    tryout = await services.dry_runs.order(
        user.id, assistant_form(body.assistant), assistant_id=body.assistant_id, topic_id=body.topic_id
    )
    await workflows.start_tryout(user.id, tryout.id)
    return await _shown(user.id, tryout.id, services)


@router.get("/{dry_run_id}/", responses=problems(ErrorCode.not_found))
async def read_dry_run(dry_run_id: UUID, user: CurrentUser, services: Core) -> DryRunOut:
    return await _shown(user.id, dry_run_id, services)


@router.post(
    "/{dry_run_id}/cancel/",
    responses=problems(ErrorCode.not_found, ErrorCode.tryout_over, ErrorCode.temporal_unavailable),
)
async def cancel_dry_run(dry_run_id: UUID, user: CurrentUser, services: Core, workflows: Workflows) -> DryRunOut:
    """Cancel the dry run. Model calls made so far are booked."""
    tryout = await services.dry_runs.open(user.id, dry_run_id)
    if not await workflows.cancel_tryout(tryout.id):
        # its workflow was not started yet, or an operator has terminated it
        await services.tryouts.cancel(user.id, tryout.id)
    return await _shown(user.id, dry_run_id, services)
