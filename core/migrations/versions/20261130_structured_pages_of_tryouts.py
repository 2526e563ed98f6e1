"""pages of a try-out's carousel that are paid for and not drawn yet"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0123"
down_revision = "0122"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tryouts", sa.Column("structured", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    op.drop_column("tryouts", "structured")
