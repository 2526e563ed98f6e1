"""Hashing, signing and encryption of secrets kept in the database."""

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
    """Return 256 random bits, safe in URLs."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Return the SHA-256 of a token. Tokens are long and random, so a plain hash makes a stolen table useless."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_code() -> str:
    """Return an invitation code: ten characters, about 49 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def normal_code(typed: str) -> str:
    """Normalize a typed or pasted code: keep only letters and digits, in upper case and normal width."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", typed).upper() if sign.isalnum())


def shown_code(code: str) -> str:
    return f"{code[:5]}-{code[5:]}"


@dataclass(frozen=True)
class Vault:
    """AES-256-GCM with the keys of the settings. The first key encrypts, all keys decrypt, so keys can be rotated."""

    keys: Sequence[bytes] = field(repr=False)

    @classmethod
    def from_secrets(cls, secret_keys: Sequence[str]) -> "Vault":
        return cls([hashlib.sha256(b"postloom vault\0" + key.encode()).digest() for key in secret_keys])

    def encrypt(self, plain: str) -> str:
        nonce = os.urandom(12)
        sealed = nonce + AESGCM(self.keys[0]).encrypt(nonce, plain.encode(), None)
        return base64.urlsafe_b64encode(sealed).decode()

    def decrypt(self, sealed: str) -> str:
        """Raise ValueError if no key fits: the secret key was lost or changed."""
        raw = base64.urlsafe_b64decode(sealed)
        for key in self.keys:
            try:
                return AESGCM(key).decrypt(raw[:12], raw[12:], None).decode()
            except InvalidTag:
                continue
        raise ValueError("no SECRET_KEY can decrypt the value")

    def renewed(self, sealed: str) -> str | None:
        """Encrypt again with the first key; None if the first key was used already. Raise ValueError as `decrypt`."""
        raw = base64.urlsafe_b64decode(sealed)
        try:
            AESGCM(self.keys[0]).decrypt(raw[:12], raw[12:], None)
        except InvalidTag:
            return self.encrypt(self.decrypt(sealed))
        return None

    def can_decrypt(self, sealed: str) -> bool:
        try:
            self.decrypt(sealed)
        except ValueError:
            return False
        return True

    def fingerprints(self) -> list[str]:
        """Return what tells each key from others, in their order, and says nothing about it."""
        return [hmac.new(_derive(key, b"postloom fingerprints"), b"", hashlib.sha256).hexdigest() for key in self.keys]

    def keyed_hash(self, value: str) -> str:
        """Hash short secrets such as codes, which a plain hash would not protect."""
        return hmac.new(self.keys[-1], value.encode(), hashlib.sha256).hexdigest()

    def sign(self, message: str) -> str:
        return _signature(self.keys[0], message)

    def verify(self, message: str, signature: str) -> bool:
        signature_bytes = signature.encode(errors="replace")  # compare_digest accepts str only if it is ASCII
        return any(hmac.compare_digest(_signature(key, message).encode(), signature_bytes) for key in self.keys)


def _signature(key: bytes, message: str) -> str:
    """Sign with a key derived from `key`: a signature, which people see, never equals a keyed hash."""
    own = _derive(key, b"postloom signatures")
    return hmac.new(own, message.encode(), hashlib.sha256).hexdigest()


def _derive(key: bytes, purpose: bytes) -> bytes:
    """Return a key for one purpose, so that no result for it equals one for another."""
    return hmac.digest(key, purpose, "sha256")
