"""an account has the name that its person signs in with, and what its own server takes"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0087"
down_revision = "0086"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("handle", sa.String(253), nullable=False, server_default=""))
    op.add_column("accounts", sa.Column("server_limits", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    op.drop_column("accounts", "server_limits")
    op.drop_column("accounts", "handle")
