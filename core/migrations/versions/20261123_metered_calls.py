"""calls of models are reserved, and an assistant has a budget"""

import sqlalchemy as sa
from alembic import op

revision = '0020'
down_revision = '0019'
branch_labels = None
depends_on = None

_OLD = ('succeeded', 'refused', 'incomplete', 'failed')
_STATES = ('preparing', 'ready', 'publishing', 'published', 'drafted', 'unknown', 'failed', 'missed')
_NEW = ('calling', *_OLD, 'lost')


def upgrade() -> None:
    for name, kind in (
        ('most_input_tokens', sa.Integer()),
        ('most_output_tokens', sa.Integer()),
        ('most_micros', sa.BigInteger()),
        ('assistant_id', sa.Uuid()),
    ):
        op.add_column('transactions', sa.Column(name, kind, nullable=True))
    op.create_foreign_key(
        op.f('fk_transactions_assistant_id_assistants'),
        'transactions',
        'assistants',
        ['assistant_id'],
        ['id'],
        ondelete='SET NULL',
    )
    op.execute('UPDATE transactions SET assistant_id = runs.assistant_id FROM runs WHERE runs.id = transactions.run_id')
    op.create_index('ix_transactions_assistant_id_created_at', 'transactions', ['assistant_id', 'created_at'])
    op.create_index(
        'ix_transactions_calling', 'transactions', ['created_at'], postgresql_where=sa.text("outcome = 'calling'")
    )
    _allow('transactions', 'outcome', 'calloutcome', _NEW)
    op.add_column('assistants', sa.Column('budget_unit', sa.String(length=32), nullable=True))
    op.add_column('assistants', sa.Column('budget_amount', sa.BigInteger(), nullable=True))
    op.add_column('assistants', sa.Column('budget_told', sa.Date(), nullable=True))
    op.create_check_constraint(
        op.f('ck_assistants_budgetunit_known'), 'assistants', "budget_unit IN ('money', 'tokens')"
    )
    op.create_check_constraint(
        op.f('ck_assistants_budget_whole'),
        'assistants',
        '(budget_unit IS NULL) = (budget_amount IS NULL) AND coalesce(budget_amount, 1) > 0',
    )
    _allow('runs', 'state', 'runstate', (*_STATES, 'skipped'))


def downgrade() -> None:
    op.execute("UPDATE runs SET state = 'failed' WHERE state = 'skipped'")
    _allow('runs', 'state', 'runstate', _STATES)
    for name in ('budget_told', 'budget_amount', 'budget_unit'):
        op.drop_column('assistants', name)
    op.execute("UPDATE transactions SET outcome = 'failed' WHERE outcome IN ('calling', 'lost')")
    _allow('transactions', 'outcome', 'calloutcome', _OLD)
    op.drop_index('ix_transactions_calling', 'transactions')
    op.drop_index('ix_transactions_assistant_id_created_at', 'transactions')
    for name in ('assistant_id', 'most_micros', 'most_output_tokens', 'most_input_tokens'):
        op.drop_column('transactions', name)


def _allow(table: str, column: str, enum: str, values: tuple[str, ...]) -> None:
    name = op.f(f'ck_{table}_{enum}_known')
    op.drop_constraint(name, table)
    listed = ', '.join(f"'{value}'" for value in values)
    op.create_check_constraint(name, table, f'{column} IN ({listed})')
