"""until when a network takes nothing from an account, and since when a call is in doubt"""

import sqlalchemy as sa
from alembic import op

revision = "0104"
down_revision = "0103"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("limited_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("deliveries", sa.Column("doubted_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("deliveries", "doubted_at")
    op.drop_column("accounts", "limited_until")
