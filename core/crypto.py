"""Hashing and encryption of what must not be readable in the database."""

import base64
import hashlib
import hmac
import os
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

# no look-alikes: 0 O 1 I L
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def new_token() -> str:
    """256 random bits, safe in URLs."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Tokens are long and random, so a plain SHA-256 is enough to make a stolen table useless."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_code() -> str:
    """An invitation code: ten characters, about 49 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def normal_code(typed: str) -> str:
    """As people type it, or copy it: only its letters and figures count, whatever their case and width."""
    return "".join(one for one in unicodedata.normalize("NFKC", typed).upper() if one.isalnum())


def shown_code(code: str) -> str:
    return f"{code[:5]}-{code[5:]}"


@dataclass(frozen=True)
class Vault:
    """AES-256-GCM with the keys of the settings. The first key encrypts, all decrypt, so that a list rotates."""

    keys: Sequence[bytes] = field(repr=False)

    @classmethod
    def from_secrets(cls, secret_keys: Sequence[str]) -> "Vault":
        return cls([hashlib.sha256(b"postloom vault\0" + key.encode()).digest() for key in secret_keys])

    def encrypt(self, plain: str) -> str:
        nonce = os.urandom(12)
        sealed = nonce + AESGCM(self.keys[0]).encrypt(nonce, plain.encode(), None)
        return base64.urlsafe_b64encode(sealed).decode()

    def decrypt(self, sealed: str) -> str:
        """Raises ValueError where no key fits: the secret key was lost or changed."""
        raw = base64.urlsafe_b64decode(sealed)
        for key in self.keys:
            try:
                return AESGCM(key).decrypt(raw[:12], raw[12:], None).decode()
            except InvalidTag:
                continue
        raise ValueError("no SECRET_KEY fits what was encrypted")

    def renewed(self, sealed: str) -> str | None:
        """The same by the first key; None where it is by that already. Raises ValueError as `decrypt`."""
        raw = base64.urlsafe_b64decode(sealed)
        try:
            AESGCM(self.keys[0]).decrypt(raw[:12], raw[12:], None)
        except InvalidTag:
            return self.encrypt(self.decrypt(sealed))
        return None

    def keyed_hash(self, value: str) -> str:
        """For short secrets such as codes, which a plain hash would not protect."""
        return hmac.new(self.keys[-1], value.encode(), hashlib.sha256).hexdigest()

    def sign(self, message: str) -> str:
        return _signature(self.keys[0], message)

    def verify(self, message: str, signature: str) -> bool:
        given = signature.encode(errors="replace")  # as text only ASCII could be compared
        return any(hmac.compare_digest(_signature(key, message).encode(), given) for key in self.keys)


def _signature(key: bytes, message: str) -> str:
    """By a key of its own, made of `key`: a signature, which people see, is never a keyed hash of anything."""
    own = hmac.digest(key, b"postloom signatures", "sha256")
    return hmac.new(own, message.encode(), hashlib.sha256).hexdigest()
