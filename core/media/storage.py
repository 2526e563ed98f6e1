"""File storage: a local folder or an S3 bucket."""

import asyncio
import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, S3Store

from core.errors import ErrorCode, NotFound, Unavailable
from core.ids import new_id
from core.metrics import STORAGE_FAILURES

CONNECT = timedelta(seconds=5)
TIMEOUT = timedelta(seconds=60)
RETRIES = 2
_PART = 5 * 1024**2
"""Bytes; a bucket takes no smaller parts of a file, and at most 10,000."""
_PARTS_AT_ONCE = 2
_CHUNK = 256 * 1024  # bytes
_UNFINISHED = re.compile(r".+#\d+")
"""The name under which a local folder has a file until all of it is written."""
_UNFINISHED_FOR = timedelta(days=1)

Store = LocalStore | S3Store
T = TypeVar("T")


class Storage:
    """Keys are relative paths with `/`. Methods raise Unavailable (storage_unavailable)."""

    def __init__(self, open_store: Callable[[], Store], signing: Callable[[], S3Store] | None = None) -> None:
        """`signing`: opens the same bucket by its address for outside."""
        self._open, self._open_signing = open_store, signing

    @property
    def is_reached_outside(self) -> bool:
        """Whether a `signed_url` can be reached from outside."""
        return self._open_signing is not None

    @cached_property
    def _store(self) -> Store:
        return self._open()

    @cached_property
    def _signing(self) -> S3Store:
        assert self._open_signing is not None
        return self._open_signing()

    async def put(self, key: str, data: bytes | Path, mime: str) -> None:
        """Write or replace a file atomically. `data`: the bytes, or a local file, which is copied in parts."""
        _check(key)

        async def write(store: Store) -> None:
            # a local folder cannot store a type
            attributes = {"Content-Type": mime} if isinstance(store, S3Store) else None
            await store.put_async(key, data, attributes=attributes, chunk_size=_PART, max_concurrency=_PARTS_AT_ONCE)

        try:
            await self._do(write)
        except FileNotFoundError as error:  # the bucket is missing
            raise Unavailable(ErrorCode.storage_unavailable, reason=type(error).__name__) from error

    async def ensure_writable(self, room: int = 0) -> None:
        """Write a file of `room` bytes and delete it."""
        key = f"start-checks/{new_id()}"  # a folder that backups leave out
        await self.put(key, bytes(room), "application/octet-stream")
        await self.delete(key)

    async def get(self, key: str) -> bytes:
        """Return a file. Raise NotFound if the key does not exist."""
        _check(key)

        async def read(store: Store) -> bytes:
            return bytes(await (await store.get_async(key)).bytes_async())

        try:
            return await self._do(read)
        except FileNotFoundError as error:
            raise NotFound(what="file", key=key) from error

    async def stream(self, key: str, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield a file's bytes from `start` up to `end` (None: to its end), never the whole file at once. Raise
        NotFound if the key does not exist.

        Each part is a request of its own: a request has to end within `TIMEOUT`, also if the reader is slow."""
        end = await self.size(key) if end is None else end
        for at in range(start, end, _PART):
            part = await self._read_part(key, at, min(at + _PART, end))
            for begin in range(0, len(part), _CHUNK):
                # small, since a server keeps what its reader has not taken yet
                yield bytes(memoryview(part)[begin : begin + _CHUNK])

    async def _read_part(self, key: str, start: int, end: int) -> obstore.Bytes:
        _check(key)
        try:
            return await self._do(lambda store: store.get_range_async(key, start=start, end=end))
        except FileNotFoundError as error:
            raise NotFound(what="file", key=key) from error

    async def size(self, key: str) -> int:
        """Return the file's number of bytes. Raise NotFound if the key does not exist."""
        _check(key)
        try:
            return (await self._do(lambda store: store.head_async(key)))["size"]
        except FileNotFoundError as error:
            raise NotFound(what="file", key=key) from error

    async def ensure_exists(self, key: str) -> None:
        """Raise NotFound if the key does not exist."""
        await self.size(key)

    async def signed_url(self, key: str, valid_for: timedelta) -> str:
        """Return a public URL valid for `valid_for`, also if the file is missing. Requires `is_reached_outside`."""
        _check(key)
        try:
            return await obstore.sign_async(self._signing, "GET", key, valid_for)
        except BaseError as error:
            raise Unavailable(ErrorCode.storage_unavailable, reason=type(error).__name__) from error

    async def delete(self, key: str) -> None:
        """Delete a file. A missing file is no error."""
        _check(key)

        async def remove(store: Store) -> None:
            try:
                await store.delete_async(key)
            except FileNotFoundError:
                return

        await self._do(remove)

    async def clear(self, folder: str) -> None:
        """Delete all keys that begin with `folder/`, and leftovers of failed writes. Idempotent."""
        _check(folder)

        async def remove_all(store: Store) -> None:
            if isinstance(store, LocalStore):
                # a listing shows neither empty folders nor half-written files
                await asyncio.to_thread(shutil.rmtree, Path(str(store.prefix)) / folder)
                return
            async for found in store.list(f"{folder}/", chunk_size=1000):
                await store.delete_async([file["path"] for file in found])

        try:
            await self._do(remove_all)
        except FileNotFoundError:
            return

    async def remove_unfinished(self) -> int:
        """Remove what killed processes had begun to write to a folder a day ago. Return the number of files. A bucket
        ends unfinished uploads by a rule of its own."""

        async def remove_old(store: Store) -> int:
            return await asyncio.to_thread(_remove_unfinished, store.prefix) if isinstance(store, LocalStore) else 0

        return await self._do(remove_old)

    async def _do(self, action: Callable[[Store], Awaitable[T]]) -> T:
        try:
            # opening a local folder creates it
            store = await asyncio.to_thread(lambda: self._store)
            return await action(store)
        except FileNotFoundError:
            raise
        except (BaseError, OSError) as error:
            STORAGE_FAILURES.inc()
            raise Unavailable(ErrorCode.storage_unavailable, reason=type(error).__name__) from error


def open_storage(media_url: str, outside_url: str | None = None) -> Storage:
    """Return the storage at `file:///folder` or `s3://bucket/prefix` (with AWS's environment variables) without
    opening it. `outside_url`: address of the bucket's server for outside.

    Raise ValueError for any other address.
    """
    parts = urlsplit(media_url)
    if parts.scheme == "file" and not parts.netloc and parts.path.startswith("/"):
        folder = Path(unquote(parts.path))
        return Storage(lambda: LocalStore(folder, mkdir=True))
    if parts.scheme == "s3" and parts.netloc:
        return Storage(lambda: _bucket(media_url), (lambda: _bucket(media_url, outside_url)) if outside_url else None)
    raise ValueError("must be file:///folder or s3://bucket/prefix")


def _bucket(url: str, endpoint: str | None = None) -> S3Store:
    return S3Store.from_url(
        url,
        config={"endpoint": endpoint} if endpoint else {},
        # the endpoint's scheme decides about TLS; the default is https
        client_options={"allow_http": True, "connect_timeout": CONNECT, "timeout": TIMEOUT},
        retry_config={"max_retries": RETRIES, "retry_timeout": TIMEOUT},
    )


def _remove_unfinished(folder: Path | str | None) -> int:
    before, removed = time.time() - _UNFINISHED_FOR.total_seconds(), 0
    for file in Path(str(folder)).rglob("*#*"):
        # another process may have removed it, or ended writing it
        with suppress(FileNotFoundError):
            if _UNFINISHED.fullmatch(file.name) and file.stat().st_mtime < before:
                file.unlink()
                removed += 1
    return removed


def _check(key: str) -> None:
    if any(part in ("", ".", "..") for part in key.split("/")):
        raise ValueError(f"not a key: {key!r}")
