"""security events"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0015'
down_revision = '0014'
branch_labels = None
depends_on = None

KINDS = (
    'signed_up',
    'signed_in',
    'signed_out',
    'sign_in_failed',
    'password_refused',
    'second_factor_failed',
    'second_factor_on',
    'second_factor_off',
    'recovery_code_used',
    'recovery_codes_renewed',
    'password_changed',
    'password_reset',
    'password_reset_asked',
    'email_change_asked',
    'email_changed',
    'email_verified',
    'api_key_made',
    'api_key_revoked',
    'session_ended',
    'other_sessions_ended',
    'invitation_made',
    'invitation_revoked',
    'invitation_redeemed',
    'data_exported',
    'account_deletion_asked',
    'access_refused',
)


def upgrade() -> None:
    op.create_table(
        'security_events',
        sa.Column('id', sa.Uuid(), nullable=False),
        sa.Column('user_id', sa.Uuid(), nullable=False),
        sa.Column(
            'kind',
            sa.Enum(*KINDS, name='securityeventkind_known', native_enum=False, create_constraint=True, length=32),
            nullable=False,
        ),
        sa.Column('at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('address', postgresql.INET(), nullable=True),
        sa.Column('device', sa.String(length=200), nullable=False),
        sa.Column('facts', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ['user_id'], ['users.id'], name=op.f('fk_security_events_user_id_users'), ondelete='CASCADE'
        ),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_security_events')),
    )
    op.create_index('ix_security_events_user_id_at', 'security_events', ['user_id', 'at'])
    op.create_index(op.f('ix_security_events_at'), 'security_events', ['at'])


def downgrade() -> None:
    op.drop_table('security_events')
