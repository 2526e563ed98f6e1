from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query, Response, status
from pydantic_core import to_json

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Session, Workflows
from api.errors import problems
from api.limits import EXPORTING, EXPORTS, IMPORTS, SUGGESTIONS, by_user
from api.paging import Pages
from api.schemas.base import Page
from api.schemas.problems import FieldProblem
from api.schemas.topics import (
    BranchImportIn,
    SuggestedTitle,
    SuggestionDecision,
    SuggestionIn,
    SuggestionOut,
    TopicAdd,
    TopicDeleted,
    TopicImportIn,
    TopicMove,
    TopicOut,
    TopicPreviewIn,
    TopicPreviewOut,
    TopicTreeDetail,
    TopicTreeOut,
    TopicTreeUpdate,
    TopicUpdate,
)
from core.ai.rules.usage import CURRENCY
from core.errors import ErrorCode
from core.ids import new_id
from core.languages import language_of
from core.topics.repositories.topics import CountedTree, TopicRepository
from core.topics.rules import parse_branch, parse_hyphens
from core.topics.tables import TopicSuggestion
from core.topics.topic_trees import TopicTreeService

router = Router(prefix="/topics", tags=["topics"])

_FILE = up_to(16 * MEGABYTE)
"""The largest tree, in any encoding of its characters."""


def _out(row: CountedTree) -> TopicTreeOut:
    tree, topics, assistants = row
    return TopicTreeOut(
        id=tree.id,
        name=tree.name,
        description=tree.description,
        version=tree.version,
        topic_count=topics,
        used_by=assistants,
        created_at=tree.created_at,
        updated_at=tree.updated_at,
    )


async def _detail(
    row: CountedTree, user_id: UUID, topics: TopicRepository, status_code: int = status.HTTP_200_OK
) -> Response:
    """Return a TopicTreeDetail."""
    listing = await topics.nodes_json(user_id, row[0].id)
    content = b'%s,"topics":%s}' % (to_json(_out(row))[:-1], listing.encode())
    return Response(content, status_code, media_type="application/json")


@router.get("/")
async def list_topic_trees(user: CurrentUser, session: Session, pages: Pages) -> Page[TopicTreeOut]:
    rows, total = await TopicRepository(session).page(
        user.id, search=pages.search, offset=pages.offset, limit=pages.limit
    )
    return Page(items=[_out(row) for row in rows], next_cursor=pages.next_cursor(total), total=total)


@router.post("/preview/", response_model=TopicPreviewOut, openapi_extra=_FILE, dependencies=[by_user(IMPORTS)])
def preview_topics(body: TopicPreviewIn, user: CurrentUser) -> Response:
    """The tree that an import would create, and every invalid line. Saves nothing."""
    # not async: FastAPI parses a long text in a thread
    parsed = parse_branch(body.text) if body.under else parse_hyphens(body.text, body.name or "…")
    preview = {
        "topics": [{"title": line.title, "depth": line.depth, "parent": line.parent} for line in parsed.topics],
        "errors": [FieldProblem.of(error) for error in parsed.errors],
        "total": len(parsed.topics),
        "root": parsed.root,
    }
    # unvalidated: validating 10,000 topics one by one takes longer than everything else
    return Response(to_json(preview), media_type="application/json")


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    response_model=TopicTreeDetail,
    responses=problems(ErrorCode.topic_no_hyphen, ErrorCode.topic_depth_jump),
    openapi_extra=_FILE,
    dependencies=[by_user(IMPORTS)],
)
async def create_topic_tree(body: TopicImportIn, user: CurrentUser, session: Session) -> Response:
    """Import a tree: each line starts with hyphens, their number is the depth. An invalid line saves nothing."""
    service = TopicTreeService(session)
    tree = await service.create(user.id, body.name, body.text, body.description)
    return await _detail(tree, user.id, service.topics, status.HTTP_201_CREATED)


@router.get("/{tree_id}/", response_model=TopicTreeDetail, responses=problems(ErrorCode.not_found))
async def read_topic_tree(tree_id: UUID, user: CurrentUser, session: Session) -> Response:
    topics = TopicRepository(session)
    return await _detail(await topics.get(user.id, tree_id), user.id, topics)


@router.put("/{tree_id}/", responses=problems(ErrorCode.not_found, ErrorCode.stale_version))
async def update_topic_tree(tree_id: UUID, body: TopicTreeUpdate, user: CurrentUser, session: Session) -> TopicTreeOut:
    """Change name and description; topics have their own operations."""
    service = TopicTreeService(session)
    return _out(await service.rename(user.id, tree_id, body.version, body.name, body.description))


@router.delete(
    "/{tree_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found, ErrorCode.in_use),
)
async def delete_topic_tree(tree_id: UUID, user: CurrentUser, session: Session) -> None:
    await TopicTreeService(session).delete(user.id, tree_id)


@router.get(
    "/{tree_id}/export/",
    responses=problems(ErrorCode.not_found),
    response_class=Response,
    dependencies=[by_user(EXPORTS, EXPORTING)],
)
async def export_topic_tree(
    tree_id: UUID,
    user: CurrentUser,
    session: Session,
    topic_id: Annotated[UUID | None, Query(description="Only this topic and its subtopics")] = None,
) -> Response:
    """The tree as lines with hyphens, which an import reads back as the same tree."""
    text = await TopicTreeService(session).export(user.id, tree_id, topic_id)
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="topics.txt"'},
    )


@router.post(
    "/{tree_id}/topics/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(
        ErrorCode.not_found, ErrorCode.topic_empty_title, ErrorCode.topic_title_too_long, ErrorCode.topic_too_many
    ),
)
async def add_topic(tree_id: UUID, body: TopicAdd, user: CurrentUser, session: Session) -> TopicOut:
    topic = await TopicTreeService(session).add(user.id, tree_id, body.parent_id, body.after_id, body.title)
    return TopicOut.model_validate(topic)


@router.patch(
    "/{tree_id}/topics/{topic_id}/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.stale_version,
        ErrorCode.topic_empty_title,
        ErrorCode.topic_title_too_long,
        ErrorCode.link_not_usable,
    ),
)
async def update_topic(
    tree_id: UUID, topic_id: UUID, body: TopicUpdate, user: CurrentUser, session: Session
) -> TopicOut:
    """Null fields stay unchanged."""
    topic = await TopicTreeService(session).change(
        user.id,
        tree_id,
        topic_id,
        title=body.title,
        notes=body.notes,
        notes_before=body.notes_before,
        enabled=body.enabled,
        weight=body.weight,
        link=body.link,
    )
    return TopicOut.model_validate(topic)


@router.post(
    "/{tree_id}/topics/{topic_id}/move/",
    responses=problems(ErrorCode.not_found, ErrorCode.topic_inside_itself, ErrorCode.topic_root_stays),
)
async def move_topic(
    tree_id: UUID, topic_id: UUID, body: TopicMove, user: CurrentUser, session: Session
) -> TopicTreeOut:
    """Move a topic with everything under it."""
    return _out(await TopicTreeService(session).move(user.id, tree_id, topic_id, body.parent_id, body.after_id))


@router.delete("/{tree_id}/topics/{topic_id}/", responses=problems(ErrorCode.not_found, ErrorCode.topic_root_stays))
async def delete_topic(tree_id: UUID, topic_id: UUID, user: CurrentUser, session: Session) -> TopicDeleted:
    """Delete a topic with everything under it. The answer's id restores it within a day."""
    deletion_id, count = await TopicTreeService(session).remove(user.id, tree_id, topic_id)
    return TopicDeleted(deletion_id=deletion_id, count=count)


@router.post(
    "/{tree_id}/deletions/{deletion_id}/restore/",
    response_model=TopicTreeDetail,
    responses=problems(ErrorCode.not_found, ErrorCode.undo_expired, ErrorCode.topic_too_many),
)
async def restore_topics(tree_id: UUID, deletion_id: UUID, user: CurrentUser, session: Session) -> Response:
    service = TopicTreeService(session)
    return await _detail(await service.restore(user.id, tree_id, deletion_id), user.id, service.topics)


@router.post(
    "/{tree_id}/topics/{topic_id}/import/",
    response_model=TopicTreeDetail,
    responses=problems(
        ErrorCode.not_found, ErrorCode.topic_no_hyphen, ErrorCode.topic_depth_jump, ErrorCode.topic_too_many
    ),
    openapi_extra=_FILE,
    dependencies=[by_user(IMPORTS)],
)
async def import_branch(
    tree_id: UUID, topic_id: UUID, body: BranchImportIn, user: CurrentUser, session: Session
) -> Response:
    """Import lines as last children of a topic. An invalid line saves nothing."""
    service = TopicTreeService(session)
    return await _detail(await service.add_branch(user.id, tree_id, topic_id, body.text), user.id, service.topics)


def _suggestion(row: TopicSuggestion) -> SuggestionOut:
    return SuggestionOut(
        id=row.id,
        topic_id=row.topic_id,
        wanted=row.wanted,
        language=language_of(row.language),
        state=row.state,
        attempt=row.attempt,
        reason=row.reason,
        titles=[
            SuggestedTitle(index=index, title=title, state=_decision(row, index))
            for index, title in enumerate(row.titles)
        ],
        provider=row.provider,
        model=row.model,
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        cost_micros=row.cost_micros,
        currency=CURRENCY,
        created_at=row.created_at,
        finished_at=row.finished_at,
    )


def _decision(row: TopicSuggestion, index: int) -> Literal["open", "accepted", "dismissed"]:
    if str(index) not in row.decided:
        return "open"
    return "accepted" if row.decided[str(index)] else "dismissed"


@router.get("/{tree_id}/suggestions/", responses=problems(ErrorCode.not_found))
async def list_suggestions(tree_id: UUID, user: CurrentUser, services: Core) -> list[SuggestionOut]:
    """Each topic's newest suggestions that wait for the model or a decision, in tree order; failed and empty ones for a
    day."""
    return [_suggestion(row) for row in await services.suggestions.list_open(user.id, tree_id)]


@router.get("/{tree_id}/topics/{topic_id}/suggestions/", responses=problems(ErrorCode.not_found))
async def read_suggestions(tree_id: UUID, topic_id: UUID, user: CurrentUser, services: Core) -> SuggestionOut | None:
    """A topic's newest suggestions; null if there are none."""
    row = await services.suggestions.latest(user.id, tree_id, topic_id)
    return _suggestion(row) if row else None


@router.post(
    "/{tree_id}/topics/{topic_id}/suggestions/",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problems(ErrorCode.not_found, ErrorCode.generation_in_progress, ErrorCode.subscription_required),
    dependencies=[by_user(SUGGESTIONS)],
)
async def suggest_topics(
    tree_id: UUID, topic_id: UUID, body: SuggestionIn, user: CurrentUser, services: Core, workflows: Workflows
) -> SuggestionOut:
    """Ask the text model for subtopics. The call returns before they arrive; each has to be accepted."""
    row = await services.suggestions.order(
        user.id, tree_id, topic_id, new_id(), wanted=body.wanted, language=body.language
    )
    await workflows.start_suggestion(user.id, row.id)
    return _suggestion(row)


@router.post(
    "/{tree_id}/suggestions/{suggestion_id}/accept/",
    responses=problems(ErrorCode.not_found, ErrorCode.suggestion_decided, ErrorCode.topic_too_many),
)
async def accept_suggestion(
    tree_id: UUID, suggestion_id: UUID, body: SuggestionDecision, user: CurrentUser, services: Core
) -> TopicOut:
    """Add the title as the last child of the topic it was suggested for."""
    return TopicOut.model_validate(await services.suggestions.accept(user.id, tree_id, suggestion_id, body.index))


@router.post(
    "/{tree_id}/suggestions/{suggestion_id}/dismiss/",
    responses=problems(ErrorCode.not_found, ErrorCode.suggestion_decided),
)
async def dismiss_suggestion(
    tree_id: UUID, suggestion_id: UUID, body: SuggestionDecision, user: CurrentUser, services: Core
) -> SuggestionOut:
    return _suggestion(await services.suggestions.dismiss(user.id, tree_id, suggestion_id, body.index))


@router.post(
    "/{tree_id}/suggestions/{suggestion_id}/restore/",
    responses=problems(ErrorCode.not_found, ErrorCode.suggestion_decided),
)
async def restore_suggestion(
    tree_id: UUID, suggestion_id: UUID, body: SuggestionDecision, user: CurrentUser, services: Core
) -> SuggestionOut:
    """Undo a dismissal: the title is open again."""
    return _suggestion(await services.suggestions.restore(user.id, tree_id, suggestion_id, body.index))
