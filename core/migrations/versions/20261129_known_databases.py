"""the databases that an installation has run on, so that a restored copy is found out"""

import sqlalchemy as sa
from alembic import op

revision = "0114"
down_revision = "0113"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "known_databases",
        sa.Column("identity", sa.String(64), nullable=False),
        sa.Column("may_start", sa.Boolean(), nullable=False),
        sa.Column("restored_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("backup_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("identity", name="pk_known_databases"),
    )


def downgrade() -> None:
    op.drop_table("known_databases")
