"""what somebody has asked for goes out as soon as they approve it, and says so"""

import sqlalchemy as sa
from alembic import op

revision = "0089"
down_revision = "0088"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("approvals", sa.Column("at_once", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(
        "UPDATE approvals SET at_once = true FROM posts JOIN runs ON runs.id = posts.run_id"
        " WHERE posts.id = approvals.post_id AND runs.by_hand"
    )


def downgrade() -> None:
    op.drop_column("approvals", "at_once")
