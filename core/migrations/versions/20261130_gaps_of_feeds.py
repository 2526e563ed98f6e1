"""when a feed last showed its items, and whether its branch was deleted for good"""

import sqlalchemy as sa
from alembic import op

revision = "0122"
down_revision = "0121"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("topic_feeds", sa.Column("shown_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("topic_feeds", sa.Column("branch_purged", sa.Boolean(), nullable=False, server_default=sa.text("false")))


def downgrade() -> None:
    op.drop_column("topic_feeds", "branch_purged")
    op.drop_column("topic_feeds", "shown_at")
