from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Query

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Reading, Workflows
from api.errors import problems
from api.paging import Pages
from api.post_filters import Filtered
from api.presenters import fit_out, post_out
from api.schemas.posts import (
    ApprovalIn,
    CommentAnswerIn,
    ComposedIn,
    ComposeIn,
    DeliveryDecisionIn,
    DeliveryEntryOut,
    DuplicateIn,
    EditIn,
    FitIn,
    FitOut,
    MoveIn,
    PostChangeOut,
    PostCounts,
    PostOut,
    PostPage,
    PublishIn,
    RemoveIn,
    RetryIn,
    SendAgainIn,
    VariantIn,
    VersionIn,
    WriteAgainIn,
)
from api.schemas.templates import TagCount
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.errors import ErrorCode, NotFound
from core.posts.changes import PostChange
from core.posts.composing import Composition
from core.posts.duplicates import repeats_other_post
from core.posts.repositories.post_lists import PostListRepository, PostSort
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import ComposedFile, Variant

router = Router(prefix="/social-media-posts", tags=["posts"])


@router.get("/")
async def list_posts(
    user: CurrentUser,
    session: Reading,
    services: Core,
    pages: Pages,
    filter: Filtered,
    sort: Annotated[PostSort, Query()] = PostSort.planned_latest,
) -> PostPage:
    """The filtered posts, latest slot first, without deleted ones."""
    rows, total, statuses = await PostListRepository(session).page(
        user.id, filter, sort, offset=pages.offset, limit=pages.limit
    )
    return PostPage(
        items=[post_out(post, name, services.media) for post, name in rows],
        next_cursor=pages.next_cursor(total),
        total=total,
        statuses=PostCounts(**statuses),
    )


@router.get("/tags/")
async def list_post_tags(user: CurrentUser, session: Reading) -> list[TagCount]:
    return [TagCount(tag=tag, count=count) for tag, count in await PostListRepository(session).tags(user.id)]


async def _read(services: Core, user_id: UUID, post_id: UUID) -> PostOut:
    async with services.reading() as session:
        post, name = await PostRepository(session).get_consistent(user_id, post_id)
        return post_out(post, name, services.media)


def _composition(body: ComposedIn) -> Composition:
    return Composition(
        **body.content_fields(),
        account_ids=tuple(body.account_ids),
        variants=_variants(body.variants),
        files=tuple(ComposedFile(file.media_id, file.alt, file.title, file.cover_id) for file in body.files),
        tags=tuple(body.tags),
        planned_at=body.planned_at,
        time_zone=body.time_zone,
        language=body.language,
    )


def _variants(variants: Sequence[VariantIn]) -> tuple[Variant, ...]:
    return tuple(Variant(variant.channel, variant.account_id, variant.content) for variant in variants)


@router.post("/", status_code=201, responses=problems(ErrorCode.not_found, ErrorCode.invalid_input))
async def create_post(body: ComposeIn, user: CurrentUser, services: Core) -> PostOut:
    """Create a draft by hand. It may break the channels' rules until it is to be published."""
    await services.composing.create(user.id, body.id, _composition(body))
    return await _read(services, user.id, body.id)


@router.post("/fit/", responses=problems(ErrorCode.not_found))
async def fit_post(body: FitIn, user: CurrentUser, services: Core) -> list[FitOut]:
    """How a text being written fits each account, by the rules for publishing. Saves nothing."""
    alts, titles = ([*words, *[""] * len(body.media_ids)] for words in (body.alts, body.titles))
    composition = Composition(
        **body.content_fields(),
        account_ids=tuple(body.account_ids),
        variants=_variants(body.variants),
        files=tuple(map(ComposedFile, body.media_ids, alts, titles)),
        planned_at=body.planned_at,
    )
    fits = await services.composing.check_fit(user.id, composition, beside=body.post_id)
    return [fit_out(fit) for fit in fits]


@router.get("/{post_id}/", responses=problems(ErrorCode.not_found))
async def read_post(post_id: UUID, user: CurrentUser, session: Reading, services: Core) -> PostOut:
    post, name = await PostRepository(session).get_consistent(user.id, post_id)
    return post_out(post, name, services.media)


@router.get("/{post_id}/log/", responses=problems(ErrorCode.not_found))
async def read_delivery_log(post_id: UUID, user: CurrentUser, session: Reading) -> list[DeliveryEntryOut]:
    """The calls to networks for the post and their answers: the newest 200 steps of all its deliveries, oldest
    first."""
    await PostRepository(session).get(user.id, post_id)
    entries = await DeliveryLogRepository(session).list_for_post(user.id, post_id)
    return [DeliveryEntryOut.model_validate(entry) for entry in entries]


@router.put(
    "/{post_id}/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.stale_version,
        ErrorCode.post_going_out,
        ErrorCode.post_not_editable,
        ErrorCode.approval_outdated,
        ErrorCode.approval_expired,
        ErrorCode.slot_past,
        ErrorCode.content_too_long,
        ErrorCode.channel_not_selected,
    ),
)
async def edit_post(
    post_id: UUID, body: EditIn, user: CurrentUser, services: Core, workflows: Workflows
) -> PostChangeOut:
    """A draft is saved in any state; a scheduled post is published as edited, and must keep all rules."""
    edited = await services.composing.edit(user.id, post_id, body.version, _composition(body), approved=body.approved)
    posts = workflows.posts
    confirmed = await (posts.send_edit(edited.changed) if edited.waiting else posts.send_deliveries(edited.changed))
    return await _changed(services, edited.changed, confirmed)


@router.post("/{post_id}/duplicate/", status_code=201, responses=problems(ErrorCode.not_found))
async def duplicate_post(post_id: UUID, body: DuplicateIn, user: CurrentUser, services: Core) -> PostOut:
    """Create a draft by hand with the same texts, images and accounts. A copy of a post that failed on some channels
    only is for the accounts that failed."""
    await services.composing.duplicate(user.id, post_id, body.id)
    return await _read(services, user.id, body.id)


@router.post(
    "/{post_id}/deliveries/{delivery_id}/decision/",
    responses=problems(ErrorCode.not_found, ErrorCode.post_not_editable, ErrorCode.delivery_address_unusable),
)
async def decide_delivery(
    post_id: UUID, delivery_id: UUID, body: DeliveryDecisionIn, user: CurrentUser, services: Core
) -> PostOut:
    """Settle a delivery whose outcome the network could not tell. Refused unless it is unknown."""
    await _must_be_of(services, user.id, post_id, delivery_id)
    await services.delivery_decisions.decide(
        user.id, delivery_id, there=body.answer == "there", address=body.address.strip()
    )
    return await _read(services, user.id, post_id)


@router.delete(
    "/{post_id}/deliveries/{delivery_id}/decision/",
    responses=problems(ErrorCode.not_found, ErrorCode.post_not_editable),
)
async def take_back_delivery_decision(post_id: UUID, delivery_id: UUID, user: CurrentUser, services: Core) -> PostOut:
    """Undo a person's decision about a delivery. Refused once the delivery was sent again."""
    await _must_be_of(services, user.id, post_id, delivery_id)
    await services.delivery_decisions.reopen(user.id, delivery_id)
    return await _read(services, user.id, post_id)


async def _must_be_of(services: Core, user_id: UUID, post_id: UUID, delivery_id: UUID) -> None:
    async with services.sessions() as session:
        post, _ = await PostRepository(session).get(user_id, post_id)
    if delivery_id not in {delivery.id for delivery in post.deliveries}:
        raise NotFound(what="delivery", id=str(delivery_id))


@router.post(
    "/{post_id}/deliveries/{delivery_id}/comment/",
    responses=problems(ErrorCode.not_found, ErrorCode.post_not_editable),
)
async def answer_first_comment(
    post_id: UUID, delivery_id: UUID, body: CommentAnswerIn, user: CurrentUser, services: Core
) -> PostOut:
    """Decide about a first comment that has failed or whose outcome is unknown."""
    await services.first_comments.resolve_comment(user.id, post_id, delivery_id, body.answer)
    return await _read(services, user.id, post_id)


@router.post(
    "/{post_id}/send-again/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.post_not_editable,
        ErrorCode.post_going_out,
        ErrorCode.account_disconnected,
        ErrorCode.subscription_required,
    ),
)
async def send_post_again(
    post_id: UUID, body: SendAgainIn, user: CurrentUser, services: Core, workflows: Workflows
) -> PostChangeOut:
    """Send deliveries of unknown outcome again, unchanged. A network that refuses duplicates names the first post,
    which settles the delivery."""
    changed = await services.publishing.send_again(user.id, post_id, body.delivery_ids)
    return await _changed(services, changed, await workflows.posts.send_deliveries(changed))


@router.post(
    "/{post_id}/remove/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.post_going_out,
        ErrorCode.post_on_its_way,
        ErrorCode.post_unclear,
        ErrorCode.article_busy,
        ErrorCode.removal_not_possible,
    ),
)
async def remove_post(post_id: UUID, body: RemoveIn, user: CurrentUser, services: Core) -> PostOut:
    """Delete the published post at its networks: soon, and with retries until a network answers. Each delivery shows
    the result. It cannot be undone."""
    await services.removals.request_removal(user.id, post_id, body.delivery_ids, here=body.here)
    return await _read(services, user.id, post_id)


@router.post("/{post_id}/acknowledge/", responses=problems(ErrorCode.not_found, ErrorCode.post_not_editable))
async def acknowledge_post(post_id: UUID, user: CurrentUser, services: Core) -> PostOut:
    """Mark a failed or undecided post as seen: it no longer waits for a person."""
    await services.delivery_decisions.acknowledge(user.id, post_id)
    async with services.sessions() as session:
        post, name = await PostRepository(session).get(user.id, post_id)
        return post_out(post, name, services.media)


async def _changed(services: Core, changed: PostChange, confirmed: bool) -> PostChangeOut:
    """Return the post after its workflow was notified. If that failed, the reconcile does it later."""
    if confirmed:
        await services.publishing.mark_synced(changed)
    async with services.sessions() as session:
        post, name = await PostRepository(session).get(changed.user_id, changed.post_id)
        again = await repeats_other_post(session, post)
        return PostChangeOut(post=post_out(post, name, services.media), confirmed=confirmed, repeats=again)


@router.post(
    "/{post_id}/decision/",
    responses=problems(ErrorCode.not_found, ErrorCode.approval_outdated, ErrorCode.approval_expired),
)
async def decide_post(
    post_id: UUID, body: ApprovalIn, user: CurrentUser, services: Core, workflows: Workflows
) -> PostChangeOut:
    """Approve or decline exactly what was shown, until the deadline."""
    changed = await services.approvals.decide(
        user.id, post_id, approved=body.approved, content_hash=body.content_hash, remark=body.remark
    )
    return await _changed(services, changed, await workflows.posts.send_decision(changed, body.content_hash))


@router.post(
    "/{post_id}/write-again/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.approval_outdated,
        ErrorCode.approval_expired,
        ErrorCode.rewrite_too_late,
        ErrorCode.post_not_editable,
        ErrorCode.subscription_required,
    ),
)
async def write_post_again(
    post_id: UUID, body: WriteAgainIn, user: CurrentUser, services: Core, workflows: Workflows
) -> PostChangeOut:
    """Let the post's run write another text with the remark, and ask again; until a minute before the deadline."""
    changed = await services.rewriting.request_rewrite(
        user.id, post_id, content_hash=body.content_hash, remark=body.remark
    )
    return await _changed(services, changed, await workflows.posts.send_decision(changed, body.content_hash))


@router.post(
    "/{post_id}/move/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.stale_version,
        ErrorCode.post_going_out,
        ErrorCode.post_ended,
        ErrorCode.slot_past,
    ),
)
async def move_post(
    post_id: UUID, body: MoveIn, user: CurrentUser, services: Core, workflows: Workflows
) -> PostChangeOut:
    """Move the post to another time. Takes effect at once on a sleeping workflow."""
    changed = await services.publishing.move(user.id, post_id, body.version, body.planned_at)
    return await _changed(services, changed, await workflows.posts.send_move(changed))


@router.post(
    "/{post_id}/cancel/",
    responses=problems(ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.post_going_out, ErrorCode.post_ended),
)
async def cancel_post(
    post_id: UUID, body: VersionIn, user: CurrentUser, services: Core, workflows: Workflows
) -> PostChangeOut:
    """Cancel publishing: the post stays as a draft."""
    changed = await services.publishing.cancel(user.id, post_id, body.version)
    return await _changed(services, changed, await workflows.posts.send_cancel(changed))


@router.post(
    "/{post_id}/retry/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.post_not_editable,
        ErrorCode.post_going_out,
        ErrorCode.account_disconnected,
        ErrorCode.subscription_required,
    ),
)
async def retry_post(
    post_id: UUID, body: RetryIn, user: CurrentUser, services: Core, workflows: Workflows
) -> PostChangeOut:
    """Retry only the failed channels: now, or at the post's time if others still wait for it."""
    changed = await services.publishing.retry(user.id, post_id, body.delivery_ids)
    return await _changed(services, changed, await workflows.posts.send_deliveries(changed))


@router.post(
    "/{post_id}/publish/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.stale_version,
        ErrorCode.post_not_editable,
        ErrorCode.slot_past,
        ErrorCode.channel_not_selected,
        ErrorCode.account_disconnected,
        ErrorCode.content_too_long,
        ErrorCode.subscription_required,
    ),
)
async def publish_post(
    post_id: UUID, body: PublishIn, user: CurrentUser, services: Core, workflows: Workflows
) -> PostChangeOut:
    """Publish a draft, now or at the given time, through the accounts chosen for it."""
    changed = await services.publishing.publish(user.id, post_id, body.version, body.planned_at)
    return await _changed(services, changed, await workflows.posts.send_deliveries(changed))
