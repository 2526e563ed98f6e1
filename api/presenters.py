"""Builds the answers that several routes return from rows."""

from datetime import timedelta
from uuid import UUID

from api.schemas.approval_links import ApprovalLinkOut, LinkedAccountOut, LinkedPostOut
from api.schemas.approvals import AskedOut
from api.schemas.assistants import (
    AccountRefOut,
    AssistantOut,
    AssistantStatusOut,
    BudgetLeftOut,
    BudgetOut,
    PauseOut,
    PinnedTemplateOut,
    WebsiteRefOut,
)
from api.schemas.cards import MadePageOut
from api.schemas.media import CarouselPlace
from api.schemas.posts import (
    ApprovalOut,
    CommentOut,
    DeliveryOut,
    FileOut,
    FirstFileOut,
    FitOut,
    PostOut,
    RemovalOut,
    RepeatOut,
    ReviewNoteOut,
    VariantOut,
)
from api.schemas.problems import FieldProblem
from api.schemas.runs import (
    CallOut,
    DeliveryEvidenceOut,
    FailureOut,
    ListedRunOut,
    NetworkFactsOut,
    RunEvidenceOut,
    RunFiguresOut,
    RunOut,
    StepEvidenceOut,
    TextVersionOut,
    UsedTemplateOut,
    single_facts,
)
from api.schemas.schedules import ComingOut, LeftOutDayOut, OccurrenceOut, ScheduleOut
from api.schemas.websites import ArticleShownOut
from core.ai.rules.usage import CURRENCY
from core.ai.writers.base import DEMO_MODEL
from core.approvals.mail_links import LinkView
from core.approvals.repositories.approvals import OpenApproval
from core.articles.rules.articles import ArticleFields
from core.assistants.budgets import RemainingBudget
from core.assistants.configuration import missing_fields, schedule_from_json
from core.assistants.repository import FullAssistant, UsedTemplateVersion
from core.assistants.rules.assistants import AssistantPhase
from core.assistants.rules.occurrences import LeftOutDay, Occurrence
from core.assistants.rules.schedules import Frequency, Schedule
from core.clock import utcnow
from core.deliveries.removal import removable
from core.deliveries.tables.deliveries import Delivery
from core.demo.demo_texts import DemoTexts
from core.errors import WAITS_FOR_NETWORK, ErrorCode
from core.media.documents import pages_of
from core.media.pictures import MediaService
from core.media.rules.media import MediaKind
from core.media.sequences import place_of
from core.media.tables import Media
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind, content_fields, shown_content
from core.posts.composing import AccountFit
from core.posts.fitting import content_of, facts_of, limits_of_account
from core.posts.rules.posts import DeliveryState, published_at
from core.posts.tables.posts import Post, PostFile
from core.runs.repositories.run_lists import FullRun, ListedRun, RunEvidence, UsedTemplate
from core.runs.repositories.runs import SlotRun
from core.runs.tables import RunStep, TextVersion
from core.social_accounts.comment_access import refusal_of
from core.texts.rules.markdown import reading_minutes, shown_of, with_images
from core.texts.rules.review import ReviewNote, parse_review


def schedule_out(schedule: Schedule) -> ScheduleOut:
    return ScheduleOut.model_validate(schedule)


def occurrence_out(occurrence: Occurrence) -> OccurrenceOut:
    return OccurrenceOut.model_validate(occurrence)


def left_out_day_out(left: LeftOutDay) -> LeftOutDayOut:
    return LeftOutDayOut.model_validate(left)


def coming_out(occurrence: Occurrence, run: SlotRun | None) -> ComingOut:
    return ComingOut(
        **occurrence_out(occurrence).model_dump(),
        run_state=run.state if run else None,
        planned_at=run.planned_at if run else None,
        passed_over=run is not None and run.passed_over,
    )


def run_out(run: FullRun) -> RunOut:
    return RunOut(
        id=run.row.id,
        assistant_id=run.row.assistant_id,
        slot=run.row.slot,
        by_hand=run.row.by_hand,
        planned_at=run.planned_at,
        moved=run.moved,
        decide_until=run.decide_until,
        state=run.row.state,
        reason=run.row.reason,
        topic_title=run.topic_title,
        is_article=bool(run.row.stored_setup.get("website_id")),
        post_id=run.post_id,
        created_at=run.row.created_at,
        finished_at=run.row.finished_at,
        input_tokens=run.spent.input_tokens,
        output_tokens=run.spent.output_tokens,
        cost_micros=run.spent.cost_micros,
        cost_known=run.spent.known,
        currency=run.spent.currency,
    )


def _figures(run: ListedRun) -> RunFiguresOut:
    planned_at = run.full.planned_at or run.full.row.slot
    went_out = published_at(run.deliveries)
    keeps_slot = not (run.full.row.by_hand or run.full.moved)
    return RunFiguresOut(
        **run_out(run.full).model_dump(),
        time_zone=run.time_zone,
        attempts=run.attempts,
        published_at=went_out,
        lateness_ms=round((went_out - planned_at) / timedelta(milliseconds=1)) if went_out and keeps_slot else None,
    )


def listed_run_out(run: ListedRun) -> ListedRunOut:
    return ListedRunOut(
        **_figures(run).model_dump(), deliveries=[delivery_out(delivery) for delivery in run.deliveries]
    )


def _step_evidence(step: RunStep) -> StepEvidenceOut:
    of_networks = step.facts.get("networks", {})
    networks = [NetworkFactsOut(channel=kind, facts=single_facts(facts)) for kind, facts in of_networks.items()]
    return StepEvidenceOut.model_validate(step).model_copy(update={"networks": networks})


def _text_version(version: TextVersion, evidence: RunEvidence) -> TextVersionOut:
    setup = evidence.run.full.row.setup
    has_own_texts = any("networks" in step.facts for step in evidence.steps)
    channel = setup.network_of(version.part) if setup and has_own_texts else None
    return TextVersionOut.model_validate(version).model_copy(update={"channel": channel})


def run_evidence_out(evidence: RunEvidence, post: Post | None, media: MediaService, *, by_link: bool) -> RunEvidenceOut:
    run, setup = evidence.run, evidence.run.full.row.setup
    return RunEvidenceOut(
        **_figures(run).model_dump(),
        approval=approval_out(post) if post else None,
        by_link=by_link,
        edited=post is not None and post.has_edited_text,
        brand=setup.brand.name if setup and setup.brand else None,
        mode=setup.mode if setup else None,
        wants_image=setup is not None and setup.wants_image,
        topic_path=list(setup.brief.topic_path) if setup else [],
        content=post.content if post else None,
        first_file=first_file_of(post, media) if post else None,
        steps=[_step_evidence(step) for step in evidence.steps],
        texts=[_text_version(version, evidence) for version in evidence.texts],
        found=[review_note_out(note) for step in evidence.steps for note in parse_review(step.facts.get("found", ()))],
        deliveries=[
            DeliveryEvidenceOut(
                **delivery_out(delivery).model_dump(),
                failures=[FailureOut.model_validate(failure) for failure in delivery.failures],
            )
            for delivery in run.deliveries
        ],
        calls=[CallOut.model_validate(call) for call in evidence.calls],
        text_template=_used(evidence.text_template),
        image_template=_used(evidence.image_template),
        earlier_id=evidence.earlier_id,
        later_id=evidence.later_id,
    )


def _used(template: UsedTemplate | None) -> UsedTemplateOut | None:
    return UsedTemplateOut.model_validate(template) if template else None


def _pinned(pinned: UsedTemplateVersion | None) -> PinnedTemplateOut | None:
    return PinnedTemplateOut.model_validate(pinned) if pinned else None


def budget_left_out(left: RemainingBudget) -> BudgetLeftOut:
    return BudgetLeftOut(
        unit=left.budget.unit,
        amount=left.budget.amount,
        currency=CURRENCY,
        used=left.used,
        estimated=left.estimated,
        left=left.left,
        until=left.month.until,
    )


def assistant_out(
    full: FullAssistant, last: FullRun | None, open_run: FullRun | None, demo_texts: DemoTexts
) -> AssistantOut:
    row, status = full.row, full.status
    schedule = schedule_from_json(row.schedule) or Schedule(Frequency.daily, "UTC")
    return AssistantOut(
        id=row.id,
        name=row.name,
        tags=row.tags,
        website=WebsiteRefOut.model_validate(row.website) if row.website else None,
        topic_tree_id=row.topic_tree_id,
        topic_tree_name=full.tree_name,
        strategy=row.strategy,
        pick_from=row.pick_from,
        template=_pinned(full.template),
        image_source=row.image_source,
        image_template=_pinned(full.image_template),
        image_media_ids=[image.media_id for image in full.own_images],
        image_order=row.image_order,
        no_repeat=row.no_repeat,
        hashtag_policy=row.hashtag_policy,
        most_hashtags=row.most_hashtags,
        always_hashtags=row.always_hashtags,
        link=row.link,
        image_fallback=row.image_fallback,
        variables=row.variables,
        accounts=[AccountRefOut.model_validate(account) for account in full.accounts],
        schedule=schedule_out(schedule),
        mode=row.mode,
        language=row.language,
        lead_minutes=row.lead_minutes,
        catch_up_minutes=row.catch_up_minutes,
        at_deadline=row.at_deadline,
        veto_minutes=row.veto_minutes,
        brand_id=row.brand_id,
        text_per=row.text_per,
        second_look=row.second_look,
        topic_link=row.topic_link,
        budget=(BudgetOut(unit=row.budget.unit, amount=row.budget.amount, currency=CURRENCY) if row.budget else None),
        active=row.active,
        pause=PauseOut.model_validate(pause) if (pause := row.pause(utcnow())) else None,
        version=row.version,
        status=AssistantStatusOut(
            phase=status.phase if status else AssistantPhase.inactive,
            next_slot=status.next_slot if status else None,
            next_start=status.next_start if status else None,
            applied_version=status.applied_version if status else 0,
            pending_change=row.active and (status is None or status.applied_version < row.version),
            reason=ErrorCode(status.reason) if status and status.reason else None,
            retry_at=status.retry_at if status else None,
            restarted_at=status.restarted_at if status else None,
            as_of=status.as_of if status else row.updated_at,
        ),
        last_run=run_out(last) if last else None,
        open_run=run_out(open_run) if open_run else None,
        missing=[FieldProblem.of(problem) for problem in missing_fields(full)],
        demo_writer=demo_texts.are_written_here,
        asks_about_demo=demo_texts.are_asked_about(row.mode, full.accounts),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def delivery_out(delivery: Delivery) -> DeliveryOut:
    account = delivery.account
    return DeliveryOut(
        id=delivery.id,
        account_id=delivery.account_id,
        account_name=account.called,
        posts_url=channel(delivery.channel).posts_url(account.type, account.external_id, account.base_url),
        channel=delivery.channel,
        content=delivery.content,
        state=delivery.state,
        attempts=delivery.attempts,
        permalink=delivery.permalink,
        error_code=delivery.error_code,
        error_detail=delivery.error_detail,
        called_at=delivery.called_at,
        held_until=delivery.held_until if delivery.state is DeliveryState.held else None,
        retry_at=delivery.retry_at if _tries_again(delivery) else None,
        settled_at=delivery.settled_at,
        decided_at=delivery.decided_at,
        removable=removable(delivery),
        removal=_removal_out(delivery),
        comment=_comment_out(delivery),
        comment_left=_comment_left_out(delivery),
    )


def _tries_again(delivery: Delivery) -> bool:
    """Return whether the next attempt has a time."""
    if delivery.state is DeliveryState.held:
        return delivery.error_code in WAITS_FOR_NETWORK
    return delivery.state is DeliveryState.retrying


def _removal_out(delivery: Delivery) -> RemovalOut | None:
    if delivery.removal is None:
        return None
    return RemovalOut(
        state=delivery.removal,
        attempts=delivery.removal_attempts,
        next_at=delivery.removal_due_at,
        removed_at=delivery.removed_at,
        error_code=_error_code(delivery.removal_error_code),
        error_detail=delivery.removal_error_detail,
    )


def _comment_left_out(delivery: Delivery) -> FieldProblem | None:
    code = _error_code(delivery.comment_error_code)
    if code is None or not delivery.comment_is_left:
        return None
    return FieldProblem.of(refusal_of(channel(delivery.channel), code))


def _comment_out(delivery: Delivery) -> CommentOut | None:
    if delivery.comment is None:
        return None
    return CommentOut(
        state=delivery.comment,
        attempts=delivery.comment_attempts,
        next_at=delivery.comment_due_at,
        error_code=_error_code(delivery.comment_error_code),
        error_detail=delivery.comment_error_detail,
    )


def _error_code(code: str | None) -> ErrorCode | None:
    return ErrorCode(code) if code else None


def fit_out(fit: AccountFit) -> FitOut:
    return FitOut(
        account_id=fit.account_id,
        channel=fit.channel,
        length=fit.length,
        limit=fit.limit,
        problems=[FieldProblem.of(problem) for problem in fit.problems],
        repeats=fit.repeats and RepeatOut(post_id=fit.repeats.post_id, planned_at=fit.repeats.planned_at),
    )


def approval_out(post: Post) -> ApprovalOut | None:
    if (approval := post.approval) is None:
        return None
    return ApprovalOut(
        state=approval.state,
        at_deadline=approval.at_deadline,
        deadline_at=approval.deadline_at,
        decided_at=approval.decided_at,
        by_deadline=approval.by_deadline,
        remark=approval.remark,
        at_once=approval.at_once and not post.pinned,
        rewrite_error=_error_code(approval.rewrite_error),
    )


def post_out(post: Post, assistant_name: str | None, media: MediaService) -> PostOut:
    return PostOut(
        id=post.id,
        assistant_id=post.assistant_id,
        assistant_name=assistant_name,
        source=post.source,
        status=post.status,
        **content_fields(post),
        topic_title=post.topic_title,
        language=post.language,
        written_by=post.written_by,
        is_demo=post.written_by == DEMO_MODEL,
        planned_at=post.planned_at,
        time_zone=post.time_zone,
        files=[file_out(file, media) for file in post.files],
        deliveries=[delivery_out(delivery) for delivery in post.deliveries],
        approval=approval_out(post),
        content_hash=post.content_hash,
        account_ids=[UUID(id) for id in post.account_ids] or [delivery.account_id for delivery in post.deliveries],
        variants=[VariantOut(**variant) for variant in post.variants],
        review=[review_note_out(note) for note in parse_review(post.review)],
        tags=post.tags,
        leaves=post.pending_deletion,
        pinned=post.pinned,
        announces_id=post.announces_id,
        is_article=post.is_article,
        acknowledged_at=post.acknowledged_at,
        version=post.version,
        created_at=post.created_at,
        updated_at=post.updated_at,
    )


def review_note_out(note: ReviewNote) -> ReviewNoteOut:
    return ReviewNoteOut(
        finding=note.finding, network=ChannelKind(note.network) if note.network else None, params=dict(note.params)
    )


def made_page_out(page: Media, media: MediaService) -> MadePageOut:
    url = media.signed_url(page.id)
    return MadePageOut(media_id=page.id, url=url, alt=page.alt, width=page.width, height=page.height)


def carousel_place(row: Media) -> CarouselPlace | None:
    """Return the place of a carousel's page."""
    if (page := place_of(row)) is None:
        return None
    return CarouselPlace(number=page["number"], count=page["count"], sequence_id=page.get("sequence", {}).get("id"))


def first_file_out(picture_id: UUID | None, kind: MediaKind | None, media: MediaService) -> FirstFileOut | None:
    if picture_id is None or kind is None:
        return None
    return FirstFileOut(kind=kind, thumbnail_url=media.signed_url(picture_id, thumbnail=True))


def first_file_of(post: Post, media: MediaService) -> FirstFileOut | None:
    if not post.files:
        return None
    file = post.files[0]
    return first_file_out(file.cover_id or file.media_id, file.media.kind, media)


def file_out(file: PostFile, media: MediaService) -> FileOut:
    return FileOut(
        media_id=file.media_id,
        url=media.signed_url(file.media_id),
        mime=file.media.mime,
        width=file.media.width,
        height=file.media.height,
        alt=file.alt,
        title=file.title,
        cover_id=file.cover_id,
        kind=file.media.kind,
        name=file.media.name,
        pages=(file.media.facts or {}).get("pages"),
        seconds=(file.media.facts or {}).get("seconds"),
        of_pages=bool(pages_of(file.media)),
        thumbnail_url=media.signed_url(file.media_id, thumbnail=True),
        page_url=media.signed_page_url(file.media_id) if file.media.kind is MediaKind.document else None,
        cover_url=media.signed_url(file.cover_id) if file.cover_id else None,
        card_notes=file.media.card_notes,
        carousel=carousel_place(file.media),
    )


def approval_link_out(view: LinkView, media: MediaService) -> ApprovalLinkOut:
    return ApprovalLinkOut(
        state=view.state,
        decided_at=view.decided_at,
        by_deadline=view.by_deadline,
        topic_title=view.topic_title,
        at_deadline=view.at_deadline,
        at_once=view.at_once,
        post=_linked_post_out(view.post, view, media) if view.post else None,
    )


def _linked_post_out(post: Post, view: LinkView, media: MediaService) -> LinkedPostOut:
    assert post.approval is not None  # the post is asked about
    assert post.planned_at is not None  # posts are planned before approval is asked for
    return LinkedPostOut(
        assistant_name=view.assistant_name,
        topic_title=post.topic_title,
        **content_fields(post),
        language=post.language,
        planned_at=post.planned_at,
        time_zone=post.time_zone,
        deadline_at=post.approval.deadline_at,
        at_deadline=post.approval.at_deadline,
        at_once=post.approval.at_once and not post.pinned,
        accounts=[
            _linked_account_out(post, delivery)
            for delivery in post.deliveries
            if delivery.state is not DeliveryState.cancelled
        ],
        files=[file_out(file, media) for file in post.files],
        article=article_shown_out(post, view.website, media),
        is_demo=post.written_by == DEMO_MODEL,
    )


def _linked_account_out(post: Post, delivery: Delivery) -> LinkedAccountOut:
    limits = limits_of_account(delivery.account)
    shown = content_fields(shown_content(content_of(post), limits))
    files = facts_of(post)
    return LinkedAccountOut(
        **shown | {"content": delivery.content, "link": limits.link_place(limits.card_files(files))},
        name=delivery.account.called,
        channel=delivery.channel,
        file_places=list(limits.sent_places(files)),
        hides_cover=(
            limits.video is not None
            and not limits.video.shows_cover
            and any(file.media.kind is MediaKind.video and file.cover_id for file in post.files)
        ),
    )


def article_shown_out(post: Post, website: str | None, media: MediaService) -> ArticleShownOut | None:
    """Return None for a social post."""
    if post.article is None:
        return None
    fields = ArticleFields.from_json(post.article)
    sources = {file.media_id: media.signed_url(file.media_id) for file in post.files}
    shown = shown_of(post.content)
    return ArticleShownOut(
        title=fields.title,
        summary=fields.summary,
        html=with_images(shown.html, sources),
        website=website or "",
        words=shown.words,
        reading_minutes=reading_minutes(shown.words),
        featured=file_out(post.files[0], media) if fields.featured and post.files else None,
    )


def asked_out(approval: OpenApproval, media: MediaService) -> AskedOut:
    run, setup, spent = approval.run, approval.run.setup if approval.run else None, approval.spent
    return AskedOut(
        post=post_out(approval.post, approval.assistant_name, media),
        article=article_shown_out(approval.post, approval.website, media),
        slot=run.slot if run else None,
        by_hand=run.by_hand if run else False,
        topic=setup.brief.topic if setup else approval.post.topic_title,
        topic_path=list(setup.brief.topic_path) if setup else [],
        template=_used(approval.template),
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cost_micros=spent.cost_micros,
        cost_known=spent.known,
        currency=spent.currency,
    )
