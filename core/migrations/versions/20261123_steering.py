"""assistants pause, runs are asked for, and a cancelled run is skipped"""

import sqlalchemy as sa
from alembic import op

revision = '0022'
down_revision = '0021'
branch_labels = None
depends_on = None

_PHASES = ('inactive', 'activating', 'asleep', 'planning_failed', 'finished')


def upgrade() -> None:
    for name, kind in (
        ('paused_at', sa.DateTime(timezone=True)),
        ('paused_until', sa.DateTime(timezone=True)),
        ('pause_reason', sa.String(length=64)),
        ('failures_from', sa.DateTime(timezone=True)),
    ):
        op.add_column('assistants', sa.Column(name, kind, nullable=True))
    op.create_check_constraint(
        op.f('ck_assistants_pause_whole'),
        'assistants',
        'paused_at IS NOT NULL OR (paused_until IS NULL AND pause_reason IS NULL)',
    )
    op.add_column('runs', sa.Column('by_hand', sa.Boolean(), nullable=False, server_default=sa.false()))
    op.alter_column('runs', 'by_hand', server_default=None)
    op.execute("UPDATE runs SET state = 'skipped' WHERE state = 'missed' AND reason = 'run_cancelled'")
    _allow((*_PHASES, 'paused'))


def downgrade() -> None:
    op.execute("UPDATE assistant_statuses SET phase = 'asleep', reason = NULL WHERE phase = 'paused'")
    _allow(_PHASES)
    op.execute("UPDATE runs SET state = 'missed' WHERE state = 'skipped' AND reason = 'run_cancelled'")
    op.drop_column('runs', 'by_hand')
    op.drop_constraint(op.f('ck_assistants_pause_whole'), 'assistants')
    for name in ('failures_from', 'pause_reason', 'paused_until', 'paused_at'):
        op.drop_column('assistants', name)


def _allow(phases: tuple[str, ...]) -> None:
    name = op.f('ck_assistant_statuses_assistantphase_known')
    op.drop_constraint(name, 'assistant_statuses')
    listed = ', '.join(f"'{phase}'" for phase in phases)
    op.create_check_constraint(name, 'assistant_statuses', f'phase IN ({listed})')
