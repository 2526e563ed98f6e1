"""when the deletion of an account was asked for"""

from alembic import op

revision = '0009'
down_revision = '0008'
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rename('leaving_at', 'deletion_requested_at')


def downgrade() -> None:
    _rename('deletion_requested_at', 'leaving_at')


def _rename(old: str, new: str) -> None:
    op.alter_column('users', old, new_column_name=new)
    op.execute(f'ALTER INDEX ix_users_{old} RENAME TO ix_users_{new}')
