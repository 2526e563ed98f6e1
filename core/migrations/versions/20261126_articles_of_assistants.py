"""assistants write articles: for which website, and their texts part by part; parts of articles are tried by hand"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0096"
down_revision = "0095"
branch_labels = None
depends_on = None

_TEXTS = ("written", "shortened", "rewritten")
_STEPS = ("topic", "text", "image", "check")


def _known(table: str, name: str, kinds: tuple[str, ...]) -> None:
    op.drop_constraint(op.f(f"ck_{table}_{name}_known"), table, type_="check")
    told = ", ".join(f"'{kind}'" for kind in kinds)
    op.create_check_constraint(op.f(f"ck_{table}_{name}_known"), table, f"kind IN ({told})")


def upgrade() -> None:
    op.add_column("assistants", sa.Column("website_id", sa.Uuid()))
    op.create_foreign_key(
        op.f("fk_assistants_website_id_websites"), "assistants", "websites", ["website_id"], ["id"], ondelete="RESTRICT"
    )
    op.create_unique_constraint(op.f("uq_assistants_website_id"), "assistants", ["website_id"])
    op.add_column("text_versions", sa.Column("part", sa.Integer(), nullable=False, server_default="0"))
    op.alter_column("text_versions", "part", server_default=None)
    op.drop_constraint(op.f("uq_text_versions_run_id_kind"), "text_versions", type_="unique")
    op.create_unique_constraint(op.f("uq_text_versions_run_id_kind_part"), "text_versions", ["run_id", "kind", "part"])
    op.add_column("tryouts", sa.Column("part", postgresql.JSONB()))
    _known("text_versions", "textkind", (*_TEXTS, "outline", "section", "summary", "search"))
    _known("run_steps", "stepkind", (*_STEPS, "outline", "summary", "search"))


def downgrade() -> None:
    op.execute("DELETE FROM text_versions WHERE kind NOT IN ('written', 'shortened', 'rewritten')")
    op.execute("DELETE FROM run_steps WHERE kind NOT IN ('topic', 'text', 'image', 'check')")
    _known("run_steps", "stepkind", _STEPS)
    _known("text_versions", "textkind", _TEXTS)
    op.execute("DELETE FROM tryouts WHERE part IS NOT NULL")
    op.drop_column("tryouts", "part")
    op.drop_constraint(op.f("uq_text_versions_run_id_kind_part"), "text_versions", type_="unique")
    op.create_unique_constraint(op.f("uq_text_versions_run_id_kind"), "text_versions", ["run_id", "kind"])
    op.drop_column("text_versions", "part")
    op.drop_constraint(op.f("uq_assistants_website_id"), "assistants", type_="unique")
    op.drop_constraint(op.f("fk_assistants_website_id_websites"), "assistants", type_="foreignkey")
    op.drop_column("assistants", "website_id")
