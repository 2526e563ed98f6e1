"""Passwords become argon2id hashes, and are compared with them: off the event loop, since each takes its time."""

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
"""Of their own, so that many sign-ins at once leave the others' threads to pictures and files. Each takes 64 MB."""
_NICE = 10

T = TypeVar("T")


def _behind_the_others() -> None:
    """Who signs in waits anyway; whoever looks at pages meanwhile does not. Linux alone has priorities of threads."""
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
    def _nobodys(self) -> str:
        return self.hasher.hash(new_token())

    async def hash(self, password: str) -> str:
        return await self._beside(lambda: self.hasher.hash(normal_password(password)))

    async def fits(self, password: str, known: str) -> bool:
        right, _ = await self.renewed(password, known)
        return right

    async def renewed(self, password: str, known: str) -> tuple[bool, str | None]:
        """Whether it fits, and a new hash where the old one was made with less work than today's, or of the password as
        it was typed, which earlier releases did."""
        return await self._beside(lambda: self._compared(password, known))

    def _compared(self, password: str, known: str) -> tuple[bool, str | None]:
        normal = normal_password(password)
        right, renewed = self.hasher.verify_and_update(normal, known)
        if right or password == normal:
            return right, renewed
        right = self.hasher.verify(password, known)
        return right, self.hasher.hash(normal) if right else None

    async def nobodys(self) -> str:
        """No password fits. Compared where the e-mail is unknown, so that the answer takes the same time."""
        return await self._beside(lambda: self._nobodys)
