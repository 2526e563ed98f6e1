"""What becomes of a topic's link in the post that an assistant writes about the topic."""

import pytest
from sqlalchemy import select, update

from core.assistants.rules.assistants import TopicLink
from core.assistants.tables import Assistant
from core.container import Services
from core.ids import new_id
from core.posts.tables.posts import Post
from core.topics.tables import Topic
from core.users.tables.users import User
from tests.conftest import Networks
from tests.factories import Factory
from tests.runs.test_drafting import begin

PAGE = "https://brakes.example/news"
WORDS = "Mechanics tried forty brake pads on a wet road, and the cheapest ones stopped last."


@pytest.mark.parametrize(
    ("topic_link", "own_link", "ends_with"),
    [
        (TopicLink.append, "", PAGE),
        (TopicLink.append, "https://spokes.example", PAGE),
        (TopicLink.none, "https://spokes.example", "https://spokes.example"),
    ],
)
async def test_a_post_ends_with_the_link_of_its_topic_where_the_assistant_says_so(
    services: Services,
    make: Factory,
    user: User,
    networks: Networks,
    topic_link: TopicLink,
    own_link: str,
    ends_with: str,
) -> None:
    account = await make.account(user, networks.url)
    assistant: Assistant = await make.assistant(user, accounts=(account.id,))
    async with services.sessions.begin() as session:
        row = await session.get_one(Assistant, assistant.id)
        row.topic_link, row.link = topic_link, own_link
        parents = select(Topic.parent_id).where(Topic.parent_id.is_not(None))
        leaves = update(Topic).where(Topic.tree_id == row.topic_tree_id, Topic.id.not_in(parents))
        await session.execute(leaves.values(link=PAGE, notes=WORDS))
    run = new_id()
    await begin(services, assistant, run)
    await services.drafting.write(user.id, run, 1)
    async with services.sessions() as session:
        post = await session.scalar(select(Post).where(Post.run_id == run))
    assert post is not None
    assert post.content.endswith(f"\n\n{ends_with}")
    # the demo writer copies nothing of a page
    assert "Mechanics" not in post.content
