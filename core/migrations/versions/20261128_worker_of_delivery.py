"""which worker process stages or publishes a delivery"""

import sqlalchemy as sa
from alembic import op

revision = "0103"
down_revision = "0102"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("worker_id", sa.Uuid(), nullable=True))
    op.create_index(
        "ix_deliveries_in_hand",
        "deliveries",
        ["worker_id"],
        postgresql_where=sa.text(
            "worker_id IS NOT NULL AND state IN ('pending', 'publishing', 'retrying', 'held')"
        ),
    )


def downgrade() -> None:
    op.drop_index("ix_deliveries_in_hand", "deliveries")
    op.drop_column("deliveries", "worker_id")
