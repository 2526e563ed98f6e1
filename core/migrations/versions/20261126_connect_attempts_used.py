"""whoever opens a way to a network once more is told that it was used"""

import sqlalchemy as sa
from alembic import op

revision = "0090"
down_revision = "0089"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("connect_attempts", sa.Column("used_hash", sa.String(64), nullable=True))


def downgrade() -> None:
    # what was used is kept by nothing else
    op.execute("DELETE FROM connect_attempts WHERE used_hash IS NOT NULL")
    op.drop_column("connect_attempts", "used_hash")
