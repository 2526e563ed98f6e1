"""grants are rows of their own, and accounts point to them"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_STATES = ["connected", "needs_reconnecting"]
_OLD_KEY = "uq_accounts_user_id_kind_external_id"
_NEW_KEY = "uq_accounts_user_id_kind_base_url_external_id"


def upgrade() -> None:
    op.create_table(
        "grants",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=True),
        sa.Column("access_token_encrypted", sa.Text(), nullable=False),
        sa.Column("token_id", sa.Uuid(), nullable=False),
        sa.Column("refresh_token_encrypted", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refresh_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("scopes", postgresql.JSONB(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(*_STATES, name="accountstate_known", native_enum=False, create_constraint=True, length=32),
            nullable=False,
        ),
        sa.Column("revoke_due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoke_attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_grants_user_id", "grants", ["user_id"])
    op.create_index(
        "ix_grants_revoke_due", "grants", ["revoke_due_at"], postgresql_where=sa.text("revoke_due_at IS NOT NULL")
    )
    op.add_column("accounts", sa.Column("grant_id", sa.Uuid(), nullable=True))
    op.add_column("accounts", sa.Column("base_url", sa.Text(), nullable=False, server_default=""))
    op.alter_column("accounts", "base_url", server_default=None)
    op.add_column("accounts", sa.Column("own_token_id", sa.Uuid(), nullable=True))
    # each has had a consent of its own so far, and the same token is never encrypted to the same twice
    op.execute(
        """INSERT INTO grants (id, user_id, kind, base_url, subject, access_token_encrypted, token_id,
                               refresh_token_encrypted, expires_at, scopes, state, revoke_attempts, created_at, updated_at)
           SELECT id, user_id, kind, '', CASE WHEN type = 'person' THEN external_id END, access_token_encrypted, id,
                  refresh_token_encrypted, expires_at, scopes, state, 0, created_at, updated_at
           FROM accounts WHERE disconnected_at IS NULL"""
    )
    op.execute("UPDATE accounts SET grant_id = id WHERE disconnected_at IS NULL")
    op.create_foreign_key(
        "fk_accounts_grant_id_grants", "accounts", "grants", ["grant_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index("ix_accounts_grant_id", "accounts", ["grant_id"])
    op.alter_column("accounts", "access_token_encrypted", nullable=True)
    op.execute("UPDATE accounts SET access_token_encrypted = NULL, state = 'connected'")
    op.alter_column("accounts", "state", new_column_name="own_state")
    for column in ("refresh_token_encrypted", "expires_at", "scopes"):
        op.drop_column("accounts", column)
    op.drop_constraint(_OLD_KEY, "accounts")
    op.create_unique_constraint(_NEW_KEY, "accounts", ["user_id", "kind", "base_url", "external_id"])


def downgrade() -> None:
    op.drop_constraint(_NEW_KEY, "accounts")
    op.create_unique_constraint(_OLD_KEY, "accounts", ["user_id", "kind", "external_id"])
    op.add_column("accounts", sa.Column("refresh_token_encrypted", sa.Text(), nullable=True))
    op.add_column("accounts", sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("accounts", sa.Column("scopes", postgresql.JSONB(), nullable=False, server_default="[]"))
    op.alter_column("accounts", "scopes", server_default=None)
    op.alter_column("accounts", "own_state", new_column_name="state")
    op.execute(
        """UPDATE accounts SET access_token_encrypted = coalesce(accounts.access_token_encrypted, grants.access_token_encrypted),
                  refresh_token_encrypted = grants.refresh_token_encrypted, expires_at = grants.expires_at,
                  scopes = grants.scopes,
                  state = CASE WHEN accounts.state = 'connected' THEN grants.state ELSE accounts.state END
           FROM grants WHERE grants.id = accounts.grant_id"""
    )
    # without a token that can be read, a disconnected one is as good as without any
    op.execute("UPDATE accounts SET access_token_encrypted = '' WHERE access_token_encrypted IS NULL")
    op.alter_column("accounts", "access_token_encrypted", nullable=False)
    op.drop_constraint("fk_accounts_grant_id_grants", "accounts", type_="foreignkey")
    op.drop_index("ix_accounts_grant_id", "accounts")
    for column in ("own_token_id", "base_url", "grant_id"):
        op.drop_column("accounts", column)
    op.drop_table("grants")
