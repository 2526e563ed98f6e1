"""which keys of SECRET_KEY the database needs, by their fingerprints"""

import sqlalchemy as sa
from alembic import op

revision = "0111"
down_revision = "0110"
branch_labels = None
depends_on = None
offline = True  # a part of the release whose other migrations need it


def upgrade() -> None:
    op.create_table(
        "secret_key_uses",
        sa.Column(
            "use",
            sa.Enum("encrypts", "hashes", name="keyuse_known", native_enum=False, create_constraint=True, length=32),
            nullable=False,
        ),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("use", "fingerprint", name="pk_secret_key_uses"),
    )


def downgrade() -> None:
    op.drop_table("secret_key_uses")
