"""what was asked of a network for a delivery, what came back, and what was made of it"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0088"
down_revision = "0087"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "delivery_entries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("delivery_id", sa.Uuid(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(32), nullable=False),
        sa.Column("decision", sa.String(32), nullable=False),
        sa.Column("error_code", sa.String(64)),
        sa.Column("exchanges", JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_delivery_entries"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_delivery_entries_user_id_users", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["deliveries.id"], name="fk_delivery_entries_delivery_id_deliveries", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_delivery_entries_user_id", "delivery_entries", ["user_id"])
    op.create_index("ix_delivery_entries_delivery_id_at", "delivery_entries", ["delivery_id", "at"])


def downgrade() -> None:
    op.drop_table("delivery_entries")
