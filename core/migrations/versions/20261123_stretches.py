"""stretches of a schedule, and what the reconcile has told"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0019'
down_revision = '0018'
branch_labels = None
depends_on = None

_OLD = ('inactive', 'activating', 'asleep', 'finished')
_NEW = ('inactive', 'activating', 'asleep', 'planning_failed', 'finished')


def upgrade() -> None:
    op.add_column(
        'assistants',
        sa.Column('stretches', postgresql.JSONB(astext_type=sa.Text()), nullable=False, server_default='[]'),
    )
    op.alter_column('assistants', 'stretches', server_default=None)
    op.add_column('assistant_statuses', sa.Column('reason', sa.String(length=64), nullable=True))
    op.add_column('assistant_statuses', sa.Column('retry_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('assistant_statuses', sa.Column('restarted_at', sa.DateTime(timezone=True), nullable=True))
    for name in ('told_version', 'told_times'):
        op.add_column('assistant_statuses', sa.Column(name, sa.Integer(), nullable=False, server_default='0'))
        op.alter_column('assistant_statuses', name, server_default=None)
    op.add_column('assistant_statuses', sa.Column('told_at', sa.DateTime(timezone=True), nullable=True))
    _allow(_NEW)


def downgrade() -> None:
    op.execute("UPDATE assistant_statuses SET phase = 'activating' WHERE phase = 'planning_failed'")
    _allow(_OLD)
    for name in ('told_at', 'told_times', 'told_version', 'restarted_at', 'retry_at', 'reason'):
        op.drop_column('assistant_statuses', name)
    op.drop_column('assistants', 'stretches')


def _allow(phases: tuple[str, ...]) -> None:
    name = op.f('ck_assistant_statuses_assistantphase_known')
    op.drop_constraint(name, 'assistant_statuses')
    listed = ', '.join(f"'{phase}'" for phase in phases)
    op.create_check_constraint(name, 'assistant_statuses', f'phase IN ({listed})')
