"""states and steps that nothing ever had"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = '0011'
down_revision = '0010'
branch_labels = None
depends_on = None

_STATES = ['connected', 'expires_soon', 'needs_reconnecting']
_STEPS = ['topic', 'text', 'image', 'check', 'stage']


def upgrade() -> None:
    _allow('accounts', 'state', 'accountstate', [state for state in _STATES if state != 'expires_soon'])
    _allow('run_steps', 'kind', 'stepkind', [step for step in _STEPS if step != 'stage'])


def downgrade() -> None:
    _allow('run_steps', 'kind', 'stepkind', _STEPS)
    _allow('accounts', 'state', 'accountstate', _STATES)


def _allow(table: str, column: str, enum: str, values: Sequence[str]) -> None:
    name = op.f(f'ck_{table}_{enum}_known')
    op.drop_constraint(name, table, type_='check')
    op.create_check_constraint(name, table, sa.column(column).in_(values))
