"""accounts, mails and limits"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('rate_limits',
    sa.Column('key', sa.String(length=64), nullable=False),
    sa.Column('free_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('key', name=op.f('pk_rate_limits'))
    )
    op.create_index(op.f('ix_rate_limits_free_at'), 'rate_limits', ['free_at'], unique=False)
    op.create_table('mails',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('user_id', sa.Uuid(), nullable=False),
    sa.Column('kind', sa.Enum('verify_email', 'change_email', 'email_changed', 'reset_password', 'password_changed', 'invitation', name='mailkind', native_enum=False, length=32), nullable=False),
    sa.Column('to_email', sa.String(length=254), nullable=False),
    sa.Column('language', sa.String(length=2), nullable=False),
    sa.Column('params', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('secret_encrypted', sa.String(length=512), nullable=True),
    sa.Column('state', sa.Enum('pending', 'sent', 'refused', name='mailstate_known', native_enum=False, create_constraint=True, length=32), nullable=False),
    sa.Column('error', sa.String(length=64), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('sent_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['user_id'], ['users.id'], name=op.f('fk_mails_user_id_users'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_mails'))
    )
    op.create_index('ix_mails_state_created_at', 'mails', ['state', 'created_at'], unique=False)
    op.create_index(op.f('ix_mails_user_id'), 'mails', ['user_id'], unique=False)
    op.create_table('recovery_codes',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('user_id', sa.Uuid(), nullable=False),
    sa.Column('code_hash', sa.String(length=64), nullable=False),
    sa.Column('used_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['user_id'], ['users.id'], name=op.f('fk_recovery_codes_user_id_users'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_recovery_codes')),
    sa.UniqueConstraint('code_hash', name=op.f('uq_recovery_codes_code_hash'))
    )
    op.create_index(op.f('ix_recovery_codes_user_id'), 'recovery_codes', ['user_id'], unique=False)
    op.add_column('access_tokens', sa.Column('kind', sa.Enum('session', 'api_key', name='tokenkind_known', native_enum=False, create_constraint=True, length=32), nullable=False, server_default='session'))
    op.alter_column('access_tokens', 'kind', server_default=None)
    op.add_column('access_tokens', sa.Column('scope', sa.Enum('read', 'write', name='scope_known', native_enum=False, create_constraint=True, length=32), nullable=False, server_default='write'))
    op.alter_column('access_tokens', 'scope', server_default=None)
    op.add_column('access_tokens', sa.Column('name', sa.String(length=100), nullable=False, server_default=''))
    op.alter_column('access_tokens', 'name', server_default=None)
    op.alter_column('access_tokens', 'last_used_at',
               existing_type=postgresql.TIMESTAMP(timezone=True),
               nullable=True)
    op.alter_column('access_tokens', 'expires_at',
               existing_type=postgresql.TIMESTAMP(timezone=True),
               nullable=True)
    op.add_column('invitations', sa.Column('email', sa.String(length=254), nullable=True))
    op.add_column('invitations', sa.Column('revoked_at', sa.DateTime(timezone=True), nullable=True))
    op.drop_constraint('ck_mail_links_linkpurpose_known', 'mail_links')
    op.create_check_constraint(
        op.f('ck_mail_links_linkpurpose_known'), 'mail_links', "purpose IN ('sign_in', 'verify_email', 'reset_password')"
    )
    op.add_column('mail_links', sa.Column('email', sa.String(length=254), nullable=True))
    op.add_column('mail_links', sa.Column('used_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('users', sa.Column('disabled_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('users', sa.Column('leaving_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('users', sa.Column('totp_secret_encrypted', sa.String(length=255), nullable=True))
    op.add_column('users', sa.Column('totp_enabled_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('users', sa.Column('totp_last_step', sa.Integer(), nullable=True))
    op.create_index(op.f('ix_users_leaving_at'), 'users', ['leaving_at'], unique=False)


def downgrade() -> None:
    op.drop_index(op.f('ix_users_leaving_at'), table_name='users')
    op.drop_column('users', 'totp_last_step')
    op.drop_column('users', 'totp_enabled_at')
    op.drop_column('users', 'totp_secret_encrypted')
    op.drop_column('users', 'leaving_at')
    op.drop_column('users', 'disabled_at')
    op.drop_column('mail_links', 'used_at')
    op.drop_column('mail_links', 'email')
    op.execute("DELETE FROM mail_links WHERE purpose <> 'sign_in'")
    op.drop_constraint('ck_mail_links_linkpurpose_known', 'mail_links')
    op.create_check_constraint(op.f('ck_mail_links_linkpurpose_known'), 'mail_links', "purpose IN ('sign_in')")
    op.drop_column('invitations', 'revoked_at')
    op.drop_column('invitations', 'email')
    op.execute("DELETE FROM access_tokens WHERE kind <> 'session'")
    op.alter_column('access_tokens', 'expires_at',
               existing_type=postgresql.TIMESTAMP(timezone=True),
               nullable=False)
    op.alter_column('access_tokens', 'last_used_at',
               existing_type=postgresql.TIMESTAMP(timezone=True),
               nullable=False)
    op.drop_column('access_tokens', 'name')
    op.drop_column('access_tokens', 'scope')
    op.drop_column('access_tokens', 'kind')
    op.drop_index(op.f('ix_recovery_codes_user_id'), table_name='recovery_codes')
    op.drop_table('recovery_codes')
    op.drop_index(op.f('ix_mails_user_id'), table_name='mails')
    op.drop_index('ix_mails_state_created_at', table_name='mails')
    op.drop_table('mails')
    op.drop_index(op.f('ix_rate_limits_free_at'), table_name='rate_limits')
    op.drop_table('rate_limits')
