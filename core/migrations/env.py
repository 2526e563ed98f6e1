"""Alembic's entry: one history for all tables."""

import os
import time

from alembic import context
from sqlalchemy import NullPool, create_engine

from core.database import CONNECTING
from core.tables import Base

config = context.config
url = config.attributes.get("database_url") or os.environ.get("DATABASE_URL", "")
url = url.replace("postgresql://", "postgresql+psycopg://", 1)

if context.is_offline_mode():
    context.configure(url=url, target_metadata=Base.metadata, literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()
else:
    engine = create_engine(
        url,
        hide_parameters=True,
        poolclass=NullPool,
        connect_args={**CONNECTING, "application_name": "postloom migrate"},
    )
    with engine.connect() as connection:
        # a migration that waits for its lock lets all others wait behind it. Not as one of the connection's `options`,
        # which PgBouncer refuses
        connection.exec_driver_sql(f"SET lock_timeout = '{config.attributes.get('lock_seconds', 0)}s'")
        # two starts at once: the second waits and finds nothing left to do. It asks again and again, since
        # CREATE INDEX CONCURRENTLY waits for all statements, and so for one that waits for the lock
        while not connection.exec_driver_sql("SELECT pg_try_advisory_lock(7305441)").scalar():
            connection.commit()
            time.sleep(0.2)
        connection.commit()
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            compare_type=True,
            transaction_per_migration=True,  # which autocommit blocks need
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()
        connection.exec_driver_sql("SELECT pg_advisory_unlock(7305441)")
