"""a post may have a first comment, which is put below it by a step of its own"""

import sqlalchemy as sa
from alembic import op

revision = "0080"
down_revision = "0070"
branch_labels = None
depends_on = None

_STATES = ("waiting", "published", "unknown", "failed")
_CHECK = "ck_deliveries_commentstate_known"


def upgrade() -> None:
    op.add_column("posts", sa.Column("first_comment", sa.Text(), nullable=False, server_default=""))
    op.alter_column("posts", "first_comment", server_default=None)
    op.add_column("deliveries", sa.Column("comment", sa.String(length=32), nullable=True))
    op.add_column("deliveries", sa.Column("comment_due_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("deliveries", sa.Column("comment_attempts", sa.Integer(), nullable=False, server_default="0"))
    op.alter_column("deliveries", "comment_attempts", server_default=None)
    op.add_column("deliveries", sa.Column("comment_called_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("deliveries", sa.Column("comment_id", sa.String(length=200), nullable=True))
    op.add_column("deliveries", sa.Column("comment_error_code", sa.String(length=64), nullable=True))
    op.add_column("deliveries", sa.Column("comment_error_detail", sa.Text(), nullable=True))
    listed = ", ".join(f"'{state}'" for state in _STATES)
    op.create_check_constraint(op.f(_CHECK), "deliveries", f"comment IN ({listed})")
    op.create_index(
        "ix_deliveries_comment_due", "deliveries", ["comment_due_at"], postgresql_where=sa.text("comment = 'waiting'")
    )


def downgrade() -> None:
    op.drop_index("ix_deliveries_comment_due", "deliveries")
    op.drop_constraint(op.f(_CHECK), "deliveries")
    for name in (
        "comment_error_detail",
        "comment_error_code",
        "comment_id",
        "comment_called_at",
        "comment_attempts",
        "comment_due_at",
        "comment",
    ):
        op.drop_column("deliveries", name)
    op.drop_column("posts", "first_comment")
