"""Builds the answers about websites and articles."""

from typing import Any

from api.presenters import approval_out, delivery_out, file_out
from api.schemas.websites import (
    ArticleFieldsOut,
    ArticleOut,
    ArticleRowOut,
    ArticleWritingOut,
    AtSiteOut,
    CategoryOut,
    FeedOut,
    RevisionOut,
    WebsiteOut,
    WebsiteTermsOut,
    WritingAssistantOut,
)
from core.ai.writers.base import DEMO_MODEL
from core.approvals.rules import ApprovalState
from core.articles.drafts import differs_at_site, published_delivery
from core.articles.rules.articles import ArticleFields
from core.assistants.rules.assistants import StepKind, StepState
from core.errors import ErrorCode
from core.media.pictures import MediaService
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind, known_of
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunProgress
from core.texts.rules.markdown import reading_minutes, word_count
from core.websites.repositories.websites import CountedWebsite
from core.websites.rules.terms import nest_categories
from core.websites.tables.feeds import Feed
from core.websites.tables.websites import Website
from core.websites.taxonomy import SiteTerms


def website_out(website: CountedWebsite) -> WebsiteOut:
    row, account = website.row, website.row.account
    site = channel(account.kind)
    return WebsiteOut(
        id=row.id,
        account_id=row.account_id,
        kind=account.kind,
        name=row.name,
        url=account.base_url or site.posts_url(account.type, account.external_id),
        handle="" if website.feed else account.handle,  # a served feed has no sign-in name
        language=row.language,
        state=None if account.disconnected_at else account.state,
        last_used_at=account.last_used_at,
        articles=website.articles,
        assistant=WritingAssistantOut.model_validate(website.assistant) if website.assistant else None,
        announce_assistant_id=row.announce_assistant_id,
        announce_publishes=row.announce_publishes,
        feed=_feed_out(website.feed, site) if website.feed else None,
        form=known_of(site.connection.fields, account.base_url, account.handle, row.name),
        version=row.version,
        created_at=row.created_at,
    )


def terms_out(terms: SiteTerms) -> WebsiteTermsOut:
    return WebsiteTermsOut(
        sorts=terms.sorts,
        categories=[
            CategoryOut(id=category.id, name=category.name, depth=depth)
            for category, depth in nest_categories(terms.kept.terms.categories)
        ],
        gone=dict(terms.kept.gone or {}),
        tags=list(terms.kept.terms.tags),
        read_at=terms.read_at,
        error_code=terms.error,
    )


def _feed_out(feed: Feed, site: BaseChannel) -> FeedOut:
    rss, json = site.feeds_of(feed.address)
    return FeedOut(rss_url=rss, json_url=json, description=feed.description, author=feed.author, indexed=feed.indexed)


def article_row_out(
    post: Post, assistant_name: str | None, website: Website | None, being_written: bool, media: MediaService
) -> ArticleRowOut:
    return ArticleRowOut.model_validate(_article_facts(post, assistant_name, website, being_written, media))


def article_out(
    post: Post, assistant_name: str | None, website: Website | None, preparing: RunProgress | None, media: MediaService
) -> ArticleOut:
    """`preparing`: the progress of the article's run, while it runs."""
    facts = _article_facts(post, assistant_name, website, preparing is not None, media)
    fields: ArticleFields = facts.pop("fields")
    return ArticleOut(
        **facts,
        content=post.content,
        fields=ArticleFieldsOut.model_validate(fields),
        featured=file_out(post.files[0], media) if fields.featured and post.files else None,
        at_site=_at_site_out(post),
        reading_minutes=reading_minutes(facts["words"]),
        time_zone=post.time_zone,
        language=post.language,
        written_by=post.written_by,
        is_demo=post.written_by == DEMO_MODEL,
        content_hash=post.content_hash,
        run_id=post.run_id,
        writing=_writing_out(post, preparing) if preparing else None,
    )


def _writing_out(post: Post, preparing: RunProgress) -> ArticleWritingOut:
    steps = {step.kind: step for step in preparing.steps}
    due = [kind for kind in StepKind if kind is not StepKind.image or preparing.wants_image or kind in steps]
    step = next((kind for kind in due if kind not in steps or steps[kind].state is not StepState.done), StepKind.check)
    text, outline = steps.get(StepKind.text), steps.get(StepKind.outline)
    facts = text.facts if text and step is StepKind.text else {}
    counted = facts.get("sections") or (outline.facts.get("sections") if outline else None)
    return ArticleWritingOut(
        step=step,
        section=facts.get("section"),
        sections=counted,
        again=post.approval is not None and post.approval.state is ApprovalState.rewritten,
    )


def _article_facts(
    post: Post, assistant_name: str | None, website: Website | None, being_written: bool, media: MediaService
) -> dict[str, Any]:
    fields = ArticleFields.from_json(post.article or {})
    account = website.account if website else None
    image = post.files[0] if fields.featured and post.files else None
    return {
        "id": post.id,
        "website_id": website.id if website else None,
        "website_name": website.name if website else None,
        "title": fields.title,
        "slug": fields.slug,
        "fields": fields,
        "source": post.source,
        "assistant_id": post.assistant_id,
        "assistant_name": assistant_name,
        "status": post.status,
        "being_written": being_written,
        "site_state": account.state if account and not account.disconnected_at else None,
        "image_url": media.signed_url(image.media_id, thumbnail=True) if image else None,
        "words": word_count(post.content),
        "planned_at": post.planned_at,
        "deliveries": [delivery_out(delivery) for delivery in post.deliveries],
        "approval": approval_out(post),
        "acknowledged_at": post.acknowledged_at,
        "version": post.version,
        "created_at": post.created_at,
        "updated_at": post.updated_at,
    }


def _at_site_out(post: Post) -> AtSiteOut | None:
    delivery = published_delivery(post)
    if delivery is None:
        return None
    revision = delivery.revision and RevisionOut(
        state=delivery.revision,
        attempts=delivery.revision_attempts,
        next_at=delivery.revision_due_at,
        error_code=ErrorCode(delivery.revision_error_code) if delivery.revision_error_code else None,
        error_detail=delivery.revision_error_detail,
    )
    return AtSiteOut(
        same=not differs_at_site(post, delivery),
        can_discard=post.at_site is not None,
        can_update=delivery.provider_id is not None
        and supports(channel(ChannelKind(delivery.channel)), BaseChannel.update),
        revision=revision,
        slug=delivery.site_slug,
        status=delivery.site_status,
        changed_at=delivery.revised_at,
    )
