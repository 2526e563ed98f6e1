from typing import Any
from uuid import UUID

from core.approvals.tables.approvals import Approval
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.ids import new_id
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from core.users.tables.users import User


class Posts:
    """Rows as runs and people leave them."""

    def __init__(self, services: Services, user: User, account: Account) -> None:
        self.services, self.user, self.account = services, user, account

    async def add(self, content: str = "Mudguards help.", **values: Any) -> UUID:
        state, error, called = values.pop("delivery", None), values.pop("error", None), values.pop("called_at", None)
        settled = values.pop("settled_at", None)
        asked: Approval | None = values.pop("approval", None)
        account = values.pop("account", self.account)
        post = Post(id=new_id(), user_id=self.user.id, content=content, content_hash="of it", **values)
        async with self.services.sessions.begin() as session:
            session.add(post)
            await session.flush()
            if state:
                session.add(
                    Delivery(
                        user_id=self.user.id,
                        post_id=post.id,
                        account_id=account.id,
                        channel=account.kind,
                        state=state,
                        error_code=error,
                        called_at=called,
                        settled_at=settled,
                        content_hash="",
                    )
                )
            if asked:
                asked.user_id, asked.post_id, asked.content_hash = self.user.id, post.id, "of it"
                session.add(asked)
        return post.id

    async def row(self, post_id: UUID) -> Post:
        async with self.services.sessions() as session:
            return await session.get_one(Post, post_id)
