from uuid import UUID

from fastapi import APIRouter, status

from api.dependencies import CurrentUser, Session
from api.errors import problems
from api.paging import Pages
from api.schemas.base import Page
from api.schemas.problems import FieldProblem
from api.schemas.topics import (
    TopicImportIn,
    TopicOut,
    TopicPreviewNode,
    TopicPreviewOut,
    TopicTreeDetail,
    TopicTreeOut,
    TopicTreeUpdate,
)
from core.domain.errors import ErrorCode
from core.domain.topics import parse_hyphens
from core.repositories.topics import CountedTree, TopicRepository
from core.services.topic_trees import TopicTreeService

router = APIRouter(prefix="/topics", tags=["topics"])

_PREVIEW = 500


def _out(found: CountedTree) -> TopicTreeOut:
    tree, topics, assistants = found
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


async def _detail(found: CountedTree, user_id: UUID, topics: TopicRepository) -> TopicTreeDetail:
    nodes = await topics.nodes(user_id, found[0].id)
    return TopicTreeDetail(**_out(found).model_dump(), topics=[TopicOut.model_validate(node) for node in nodes])


@router.get("/")
async def list_topic_trees(user: CurrentUser, session: Session, pages: Pages) -> Page[TopicTreeOut]:
    found, total = await TopicRepository(session).page(
        user.id, search=pages.search, offset=pages.offset, limit=pages.limit
    )
    return Page(items=[_out(row) for row in found], next_cursor=pages.next_cursor(total), total=total)


@router.post("/preview/")
async def preview_topics(body: TopicImportIn, user: CurrentUser) -> TopicPreviewOut:
    """The tree that an import would make, and every bad line, before anything is saved."""
    found = parse_hyphens(body.text, body.name or "…")
    return TopicPreviewOut(
        topics=[
            TopicPreviewNode(title=topic.title, depth=topic.depth, parent=topic.parent)
            for topic in found.topics[:_PREVIEW]
        ],
        errors=[FieldProblem.of(error) for error in found.errors],
        total=len(found.topics),
    )


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(ErrorCode.topic_no_hyphen, ErrorCode.topic_depth_jump),
)
async def create_topic_tree(body: TopicImportIn, user: CurrentUser, session: Session) -> TopicTreeDetail:
    """Import a tree: each line starts with hyphens, their number is the depth. A bad line saves nothing."""
    service = TopicTreeService(session)
    return await _detail(await service.create(user.id, body.name, body.text), user.id, service.topics)


@router.get("/{tree_id}/", responses=problems(ErrorCode.not_found))
async def read_topic_tree(tree_id: UUID, user: CurrentUser, session: Session) -> TopicTreeDetail:
    topics = TopicRepository(session)
    return await _detail(await topics.get(user.id, tree_id), user.id, topics)


@router.put("/{tree_id}/", responses=problems(ErrorCode.not_found, ErrorCode.stale_version))
async def rename_topic_tree(tree_id: UUID, body: TopicTreeUpdate, user: CurrentUser, session: Session) -> TopicTreeOut:
    return _out(await TopicTreeService(session).rename(user.id, tree_id, body.version, body.name))


@router.delete(
    "/{tree_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found, ErrorCode.in_use),
)
async def delete_topic_tree(tree_id: UUID, user: CurrentUser, session: Session) -> None:
    await TopicTreeService(session).delete(user.id, tree_id)
