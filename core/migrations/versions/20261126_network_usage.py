"""what networks said of the calls that are left is every process's"""

import sqlalchemy as sa
from alembic import op

revision = "0099"
down_revision = "0098"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "network_usage",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("percent", sa.SmallInteger(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_network_usage"),
    )
    op.create_index("ix_network_usage_until", "network_usage", ["until"])


def downgrade() -> None:
    op.drop_table("network_usage")
