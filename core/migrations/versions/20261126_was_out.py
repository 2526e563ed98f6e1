"""deliveries: when it was out that was taken down since, and opened anew"""

import sqlalchemy as sa
from alembic import op

revision = "0098"
down_revision = "0097"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("was_out_at", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("deliveries", "was_out_at")
