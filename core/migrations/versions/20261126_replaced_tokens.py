"""tokens that a repeated consent has replaced wait to be given back; who consented is known where it is one person"""

import sqlalchemy as sa
from alembic import op

revision = "0100"
down_revision = "0099"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "replaced_tokens",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("subject", sa.String(200)),
        sa.Column("access_token_encrypted", sa.Text(), nullable=False),
        sa.Column("refresh_token_encrypted", sa.Text()),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_replaced_tokens"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_replaced_tokens_user_id_users", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_replaced_tokens_user_id", "replaced_tokens", ["user_id"])
    op.create_index("ix_replaced_tokens_due_at", "replaced_tokens", ["due_at"])
    op.create_index("ix_grants_subject", "grants", ["subject"])
    # one person's account is who consented
    op.execute(
        """
        UPDATE grants SET subject = accounts.external_id FROM accounts
        WHERE accounts.grant_id = grants.id AND grants.subject IS NULL AND accounts.type = 'person'
        """
    )


def downgrade() -> None:
    op.drop_index("ix_grants_subject", "grants")
    op.drop_table("replaced_tokens")
