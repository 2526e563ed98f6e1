"""an account has the name that its person signs in with"""

import sqlalchemy as sa
from alembic import op

revision = "0087"
down_revision = "0086"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("handle", sa.String(253), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("accounts", "handle")
