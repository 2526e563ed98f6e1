"""Hashes and verifies passwords with argon2id, outside of the event loop, since each hash takes time."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from core.crypto import new_token
from core.users.rules.passwords import normal_password

_THREADS = 2
"""A separate pool, so that many sign-ins do not use up the threads for images and files. Each hash takes 64 MB."""
_NICE = 10

T = TypeVar("T")


def _behind_the_others() -> None:
    """Lower the thread's priority: pages stay fast during sign-ins. Only Linux has thread priorities."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


@dataclass(frozen=True)
class Hashing:
    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(_THREADS, "hashing", initializer=_behind_the_others)

    async def _beside(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    @cached_property
    def hasher(self) -> PasswordHash:
        return PasswordHash([Argon2Hasher()])

    @cached_property
    def _dummy_hash(self) -> str:
        return self.hasher.hash(new_token())

    async def hash(self, password: str) -> str:
        return await self._beside(lambda: self.hasher.hash(normal_password(password)))

    async def fits(self, password: str, password_hash: str) -> bool:
        right, _ = await self.renewed(password, password_hash)
        return right

    async def renewed(self, password: str, password_hash: str) -> tuple[bool, str | None]:
        """Return whether the password fits, and a new hash if the old one used weaker parameters or the password as
        typed, without normalization, as in earlier releases."""
        return await self._beside(lambda: self._compared(password, password_hash))

    def _compared(self, password: str, password_hash: str) -> tuple[bool, str | None]:
        normal = normal_password(password)
        right, renewed = self.hasher.verify_and_update(normal, password_hash)
        if right or password == normal:
            return right, renewed
        right = self.hasher.verify(password, password_hash)
        return right, self.hasher.hash(normal) if right else None

    async def dummy_hash(self) -> str:
        """Return a hash that no password fits. It is verified for unknown e-mails, so that the answer takes the same
        time."""
        return await self._beside(lambda: self._dummy_hash)
