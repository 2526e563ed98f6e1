"""the outcome of a call has a name of its own"""

from alembic import op

revision = '0010'
down_revision = '0009'
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rename('outcome', 'calloutcome')


def downgrade() -> None:
    _rename('calloutcome', 'outcome')


def _rename(old: str, new: str) -> None:
    # a check is named after its enum
    op.execute(f'ALTER TABLE transactions RENAME CONSTRAINT ck_transactions_{old}_known TO ck_transactions_{new}_known')
