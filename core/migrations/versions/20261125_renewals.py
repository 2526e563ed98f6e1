"""grants are renewed ahead, each by a workflow of its own"""

import sqlalchemy as sa
from alembic import op

revision = "0070"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("grants", sa.Column("token_since", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE grants SET token_since = updated_at")
    op.alter_column("grants", "token_since", nullable=False)
    op.add_column("grants", sa.Column("refused_token_id", sa.Uuid(), nullable=True))
    op.add_column("grants", sa.Column("refused_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("grants", sa.Column("renewing_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("grants", sa.Column("warned_days", sa.Integer(), nullable=True))
    # those that are there already get their workflow, too
    op.add_column("grants", sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
    op.alter_column("grants", "version", server_default=None)
    op.add_column("grants", sa.Column("told_version", sa.Integer(), nullable=False, server_default="0"))
    op.alter_column("grants", "told_version", server_default=None)
    op.create_index("ix_grants_behind", "grants", ["id"], postgresql_where=sa.text("told_version < version"))


def downgrade() -> None:
    op.drop_index("ix_grants_behind", table_name="grants")
    for column in (
        "told_version",
        "version",
        "warned_days",
        "renewing_until",
        "refused_at",
        "refused_token_id",
        "token_since",
    ):
        op.drop_column("grants", column)
