"""try-outs get their own name"""

from alembic import op

revision = '0008'
down_revision = '0007'
branch_labels = None
depends_on = None

_CONSTRAINTS = (
    'pk_{}',
    'fk_{}_media_id_media',
    'fk_{}_template_id_templates',
    'fk_{}_user_id_users',
    'ck_{}_templatetype_known',
    'ck_{}_tryoutstate_known',
)
_INDEXES = ('ix_{}_media_id', 'ix_{}_template_id_created_at', 'ix_{}_user_id')


def upgrade() -> None:
    _rename('template_runs', 'template_run', 'template-run', 'tryouts', 'tryout', 'tryout')
    _rename_state('tryouts', 'tryoutstate', 'generationstate')
    _rename_state('topic_suggestions', 'tryoutstate', 'generationstate')


def downgrade() -> None:
    _rename_state('topic_suggestions', 'generationstate', 'tryoutstate')
    _rename_state('tryouts', 'generationstate', 'tryoutstate')
    _rename('tryouts', 'tryout', 'tryout', 'template_runs', 'template_run', 'template-run')


def _rename(table: str, column: str, cause: str, new_table: str, new_column: str, new_cause: str) -> None:
    op.rename_table(table, new_table)
    for name in _CONSTRAINTS:
        op.execute(f'ALTER TABLE {new_table} RENAME CONSTRAINT {name.format(table)} TO {name.format(new_table)}')
    for name in _INDEXES:
        op.execute(f'ALTER INDEX {name.format(table)} RENAME TO {name.format(new_table)}')
    old, new = f'{column}_id', f'{new_column}_id'
    op.alter_column('transactions', old, new_column_name=new)
    op.execute(f'ALTER INDEX ix_transactions_{old} RENAME TO ix_transactions_{new}')
    op.execute(
        f'ALTER TABLE transactions RENAME CONSTRAINT fk_transactions_{old}_{table} '
        f'TO fk_transactions_{new}_{new_table}'
    )
    # a call's key says what caused it, so that a repeat after the change finds it booked
    op.execute(
        f"UPDATE transactions SET key = '{new_cause}-' || substr(key, {len(cause) + 2}) WHERE key LIKE '{cause}-%'"
    )


def _rename_state(table: str, old: str, new: str) -> None:
    op.execute(f'ALTER TABLE {table} RENAME CONSTRAINT ck_{table}_{old}_known TO ck_{table}_{new}_known')
