"""an index of scheduled posts: the reconcile reads them page by page, and /readyz asks for the oldest that is due"""

import sqlalchemy as sa
from alembic import op

revision = "0112"
down_revision = "0111"
branch_labels = None
depends_on = None
offline = True  # nobody can write to posts meanwhile


def upgrade() -> None:
    op.create_index("ix_posts_scheduled", "posts", ["planned_at", "id"], postgresql_where=sa.text("status = 'complete'"))


def downgrade() -> None:
    op.drop_index("ix_posts_scheduled", table_name="posts")
