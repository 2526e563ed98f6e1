"""Composing posts: text, texts for single accounts, images, accounts, tags, time."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.questions import approve, rebind_approval
from core.approvals.rules import ApprovalState
from core.articles.drafts import ArticleDraft, apply_draft, edit_published, published_delivery, site_problems
from core.assistants.rules.schedules import time_zones
from core.database import Sessions, notify_browsers
from core.database_clock import database_now
from core.deliveries.repositories.deliveries import PlannedText
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound
from core.ids import new_id
from core.languages import Language
from core.live import LiveKind
from core.media.documents import CarouselDocuments
from core.media.repository import ALL_KINDS, MediaRepository
from core.networks.rules.channels import ChannelKind, PostContent, PostFacts, content_fields, with_link
from core.networks.rules.links import malformed, tidied
from core.posts.changes import PostChange, open_run_workflow, save_change
from core.posts.duplicates import find_repeats
from core.posts.fitting import account_problems, broken_rules, carousel_pages, file_facts, limits_of_account, post_hash
from core.posts.recipients import assign_deliveries, chosen_accounts, is_armed, open_deliveries
from core.posts.repositories.post_lists import PostListRepository
from core.posts.repositories.posts import PostRepository
from core.posts.rules.edited_texts import are_seen_to, keep_notes, note_earlier_pages
from core.posts.rules.posts import (
    ComposedFile,
    DeliveryState,
    PostSource,
    PostStatus,
    Variant,
    parse_variants,
    variant_index,
)
from core.posts.tables.posts import Post, PostFile
from core.runs.repositories.runs import RunRepository
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.texts.rules.review import parse_review
from core.texts.rules.tags import checked_tags

_OUT = frozenset({DeliveryState.published, DeliveryState.unknown})


@dataclass(frozen=True)
class Composition(PostContent):
    """A post as a person composed it. `planned_at` is None if no time was chosen."""

    account_ids: tuple[UUID, ...] = ()
    variants: tuple[Variant, ...] = ()
    files: tuple[ComposedFile, ...] = ()
    """In order."""
    tags: tuple[str, ...] = ()
    planned_at: datetime | None = None
    time_zone: str = "UTC"
    language: str = Language.en


@dataclass(frozen=True)
class AccountFit:
    """How a text fits one account. `length` and `limit` are in the channel's units."""

    account_id: UUID
    channel: ChannelKind
    length: int
    limit: int
    variant: int | None
    """Index of the variant that it gets."""
    problems: list[FieldError] = field(default_factory=list)
    repeats: PlannedText | None = None
    """Another post with the same text on this account within an hour."""


@dataclass(frozen=True)
class EditResult:
    """`waiting`: the post still waits for an approval."""

    changed: PostChange
    waiting: bool


@dataclass(frozen=True)
class ComposingService:
    sessions: Sessions
    documents: CarouselDocuments

    async def check_fit(self, user_id: UUID, form: Composition, *, beside: UUID | None = None) -> list[AccountFit]:
        """Return how the text fits each account, in order; disconnected accounts are left out. Without a time the post
        goes out now. `beside` is the id of this post. Raises NotFound for an account, an image or a post of another
        user."""
        async with self.sessions() as session:
            if beside and not await PostListRepository(session).filter_known(user_id, [beside]):
                raise NotFound(what="post", id=str(beside))
            accounts = await _connected_accounts(session, user_id, form.account_ids)
            media_ids = [file.media_id for file in form.files]
            media = {row.id: row for row in await MediaRepository(session).of_ids(user_id, media_ids)}
            places = {account.id: variant_index(form.variants, account.kind, account.id) for account in accounts}
            texts = {id: form.content if at is None else form.variants[at].content for id, at in places.items()}
            repeated = await find_repeats(session, user_id, texts, form.planned_at, beside=beside)
        if missing_id := next((media_id for media_id in media_ids if media_id not in media), None):
            raise NotFound(what="media", id=str(missing_id))
        files = [file_facts(media[file.media_id], file.alt, file.title) for file in form.files]
        link = tidied(form.link) if form.link else None
        post = PostFacts(**content_fields(form) | {"link": link}, files=files)
        fits = []
        for account in accounts:
            place, text = places[account.id], texts[account.id]
            limits = limits_of_account(account)
            fits.append(
                AccountFit(
                    account.id,
                    account.kind,
                    limits.length(with_link(text, link, limits.card_files(files), limits)[0]),
                    limits.max_characters,
                    place,
                    account_problems(post, form.variants, account, place),
                    repeated.get(account.id),
                )
            )
        return fits

    async def create(
        self, user_id: UUID, post_id: UUID, draft: Composition | ArticleDraft, *, announces: Post | None = None
    ) -> None:
        """Create a draft, which may announce an article. Does nothing if the user has a post with this id. Raises
        InvalidInput with the fields, NotFound if another user has the id."""
        draft = await self._renew_document(user_id, draft)
        async with self.sessions.begin() as session:
            posts = PostRepository(session)
            if await posts.find(user_id, post_id):
                return
            post = Post(
                id=post_id, user_id=user_id, source=PostSource.person, status=PostStatus.draft, files=[], deliveries=[]
            )
            if announces:
                post.announces_id, post.topic_title = announces.id, announces.topic_title
            if not await posts.add(post):
                if await posts.find(user_id, post_id):  # a concurrent repeat of this call
                    return
                raise NotFound(what="post", id=str(post_id))  # another user's
            await _apply_fields(session, post, draft)
            await notify_browsers(session, user_id, LiveKind.post, post.id)

    async def edit(
        self, user_id: UUID, post_id: UUID, version: int, draft: Composition | ArticleDraft, *, approved: bool = False
    ) -> EditResult:
        """Apply the edit. A scheduled post is published with the new content, which must keep to all rules; a failed
        one becomes a draft; an article stays at its site as it is. `approved`: the editor approves the result.

        Raises Conflict (stale_version, post_going_out, post_not_editable, article_busy, approval_expired), InvalidInput
        with the fields.
        """
        draft = await self._renew_document(user_id, draft)
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, post_id)
            if (post.article is not None) != isinstance(draft, ArticleDraft):
                raise NotFound(what="post", id=str(post_id))
            if is_armed(post.deliveries):
                raise Conflict(ErrorCode.post_going_out)
            if post.version != version:
                raise Conflict(current=post.version)
            if isinstance(draft, ArticleDraft) and (delivery := published_delivery(post)):
                if approved:
                    raise Conflict(ErrorCode.approval_expired)
                await edit_published(session, post, delivery, draft)
                return EditResult(await save_change(session, post, followed=False), waiting=False)
            workflow = await open_run_workflow(session, post)
            out = any(delivery.state in _OUT or delivery.called_at is not None for delivery in post.deliveries)
            # only if nothing is published, and its run has finished writing
            if out or (workflow and not post.deliveries):
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            on_its_way = bool(open_deliveries(post.deliveries))
            if on_its_way and draft.planned_at is None:
                raise InvalidInput(errors=[FieldError("planned_at", ErrorCode.slot_past)])
            if draft.planned_at and draft.planned_at != post.planned_at:
                if draft.planned_at <= await database_now(session):
                    raise InvalidInput(errors=[FieldError("planned_at", ErrorCode.slot_past)])
                post.pinned = post.pinned or on_its_way
            await _apply_fields(session, post, draft)
            accounts = await chosen_accounts(session, post)
            if not on_its_way:
                if approved:
                    raise Conflict(ErrorCode.approval_expired)
                post.content_hash = post_hash(post, accounts)
                if post.status is PostStatus.failed:
                    post.status = PostStatus.draft
                return EditResult(await save_change(session, post, followed=False), waiting=False)
            if not accounts:
                raise InvalidInput(errors=[FieldError("account_ids", ErrorCode.channel_not_selected)])
            if problems := [*broken_rules(post, accounts), *await site_problems(session, post)]:
                raise InvalidInput(problems[0].code, errors=problems)
            approval = await rebind_approval(session, post, post_hash(post, accounts))
            new = assign_deliveries(session, post, accounts)
            if approved:
                if approval is None or approval.state is not ApprovalState.waiting:
                    raise Conflict(ErrorCode.approval_outdated)
                now = await database_now(session)
                if now >= approval.deadline_at:
                    raise Conflict(ErrorCode.approval_expired)
                await approve(session, post, approval, now)
            waiting = approval is not None and approval.state is ApprovalState.waiting
            return EditResult(await save_change(session, post, workflow, new), waiting)

    async def _renew_document(self, user_id: UUID, draft: Composition | ArticleDraft) -> Composition | ArticleDraft:
        """Return the draft with the document of its carousel as the pages are in the draft."""
        if isinstance(draft, ArticleDraft):
            return draft
        return replace(draft, files=await self.documents.renew(user_id, draft.files, draft.language))

    async def duplicate(self, user_id: UUID, post_id: UUID, copy_id: UUID) -> None:
        """Create a draft with the same texts, images and accounts, without a time. If some channels of the original
        failed and others may be published, the copy is only for the accounts that failed. Raises NotFound."""
        async with self.sessions.begin() as session:
            posts = PostRepository(session)
            original, _ = await posts.get(user_id, post_id)
            if await posts.find(user_id, copy_id):
                return
            accounts = await _accounts_of_copy(session, original)
            copy = Post(
                id=copy_id,
                user_id=user_id,
                source=PostSource.person,
                status=PostStatus.draft,
                **content_fields(original),
                topic_title=original.topic_title,
                language=original.language,
                written_by=original.written_by,
                time_zone=original.time_zone,
                account_ids=[str(account.id) for account in accounts],
                variants=list(original.variants),
                review=list(original.review),
                tags=list(original.tags),
                article=original.article,
                files=[],
                deliveries=[],
            )
            if not await posts.add(copy):
                if await posts.find(user_id, copy_id):
                    return
                raise NotFound(what="post", id=str(copy_id))
            session.add_all(
                PostFile(
                    id=new_id(),
                    user_id=user_id,
                    post_id=copy_id,
                    media_id=file.media_id,
                    position=file.position,
                    alt=file.alt,
                    title=file.title,
                    cover_id=file.cover_id,
                )
                for file in original.files
            )
            await notify_browsers(session, user_id, LiveKind.post, copy_id)


async def _accounts_of_copy(session: AsyncSession, original: Post) -> Sequence[Account]:
    """Return the accounts for a copy of the post: where a part of it may be online, only those that failed, so that
    nothing is published twice."""
    accounts = await chosen_accounts(session, original)
    failed = {row.account_id for row in original.deliveries if row.state is DeliveryState.failed}
    is_partly_out = any(row.state in _OUT and row.removed_at is None for row in original.deliveries)
    return [account for account in accounts if account.id in failed] if failed and is_partly_out else accounts


async def _apply_fields(session: AsyncSession, post: Post, draft: Composition | ArticleDraft) -> None:
    if isinstance(draft, ArticleDraft):
        await apply_draft(session, post, draft)
    else:
        await _apply_composition(session, post, draft)


async def _apply_composition(session: AsyncSession, post: Post, form: Composition) -> None:
    """Raises InvalidInput with all wrong fields, NotFound for rows of another user."""
    problems: list[FieldError] = []
    if form.time_zone not in time_zones():
        problems.append(FieldError("time_zone", ErrorCode.unknown_time_zone, value=form.time_zone))
    had = set(post.account_ids) | {str(delivery.account_id) for delivery in post.deliveries}
    connected = {account.id for account in await _connected_accounts(session, post.user_id, form.account_ids)}
    problems += [
        FieldError(f"account_ids.{at}", ErrorCode.account_disconnected)
        for at, account_id in enumerate(form.account_ids)
        # accounts disconnected since they were chosen are reported when the post is to be published
        if account_id not in connected and str(account_id) not in had
    ]
    shown = {file.media_id for file in post.files} | {file.cover_id for file in post.files}
    covers = {at: file.cover_id for at, file in enumerate(form.files) if file.cover_id}
    media = MediaRepository(session)
    is_deleted = await media.held_ids(post.user_id, [file.media_id for file in form.files], kinds=ALL_KINDS)
    is_deleted |= await media.held_ids(post.user_id, list(covers.values()))
    problems += [
        FieldError(field, ErrorCode.not_found)
        for field, media_id in [(f"files.{at}", file.media_id) for at, file in enumerate(form.files)]
        + [(f"files.{at}.cover_id", cover_id) for at, cover_id in covers.items()]
        if is_deleted[media_id] and media_id not in shown
    ]
    link = tidied(form.link) if form.link else None
    problems += malformed(link) if link else []
    tags = checked_tags(form.tags)
    if problems:
        raise InvalidInput(errors=problems)
    pages, notes = carousel_pages(post), parse_review(post.review)
    earlier_pages = note_earlier_pages(notes, post.content if post.run_id else None, form.content)
    for name, value in replace(form, link=link).to_columns().items():
        setattr(post, name, value)
    post.language = form.language
    post.planned_at, post.time_zone = form.planned_at, form.time_zone
    post.account_ids = [str(account_id) for account_id in dict.fromkeys(form.account_ids)]
    # a variant equal to the post's text is none
    post.variants = [variant.to_json() for variant in form.variants if variant.content != form.content]
    post.tags = list(tags)
    await PostRepository(session).set_files(post, form.files)
    if are_seen_to(pages, carousel_pages(post)):
        earlier_pages = None
    if notes or earlier_pages:
        always: tuple[str, ...] = ()
        if post.run_id is not None:
            always = (await RunRepository(session).get_with_setup(post.user_id, post.run_id))[1].ending.always
        kept = keep_notes(notes, post.content, parse_variants(post.variants), post.language, always)
        post.review = [note.to_json() for note in (*kept, earlier_pages) if note]


async def _connected_accounts(session: AsyncSession, user_id: UUID, account_ids: Sequence[UUID]) -> list[Account]:
    """Return the connected ones in order, without repetition. Raises NotFound for an account that is not the user's, or
    is a site."""
    accounts = await AccountRepository(session).by_ids(user_id, account_ids)
    by_id = {account.id: account for account in accounts if not account.kind.is_site}
    for account_id in account_ids:
        if account_id not in by_id:
            raise NotFound(what="account", id=str(account_id))
    return [by_id[account_id] for account_id in dict.fromkeys(account_ids) if by_id[account_id].disconnected_at is None]
