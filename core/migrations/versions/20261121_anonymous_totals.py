"""anonymous totals"""

import sqlalchemy as sa
from alembic import op

revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('anonymous_totals',
    sa.Column('month', sa.Date(), nullable=False),
    sa.Column('type', sa.Enum('text', 'image', name='transactiontype_known', native_enum=False, create_constraint=True, length=32), nullable=False),
    sa.Column('provider', sa.String(length=64), nullable=False),
    sa.Column('model', sa.String(length=100), nullable=False),
    sa.Column('currency', sa.String(length=3), nullable=False),
    sa.Column('calls', sa.BigInteger(), nullable=False),
    sa.Column('input_tokens', sa.BigInteger(), nullable=False),
    sa.Column('output_tokens', sa.BigInteger(), nullable=False),
    sa.Column('images', sa.BigInteger(), nullable=False),
    sa.Column('cost_micros', sa.BigInteger(), nullable=False),
    sa.Column('uncounted', sa.BigInteger(), nullable=False),
    sa.Column('unpriced', sa.BigInteger(), nullable=False),
    sa.PrimaryKeyConstraint('month', 'type', 'provider', 'model', 'currency', name=op.f('pk_anonymous_totals'))
    )


def downgrade() -> None:
    op.drop_table('anonymous_totals')
