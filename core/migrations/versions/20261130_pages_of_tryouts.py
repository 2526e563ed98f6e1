"""pages of carousels that try-outs have made"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0120"
down_revision = "0119"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "tryouts", sa.Column("page_ids", postgresql.JSONB(), nullable=False, server_default=sa.text("'[]'::jsonb"))
    )


def downgrade() -> None:
    op.drop_column("tryouts", "page_ids")
