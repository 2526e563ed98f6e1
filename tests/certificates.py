"""Certificates of a certificate authority made per test."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class Authority:
    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._made = self._signed("Authority", self._key, x509.BasicConstraints(ca=True, path_length=0))

    @property
    def pem(self) -> str:
        """The authority's certificate, for clients that trust it."""
        return self._made.public_bytes(Encoding.PEM).decode()

    def for_server(self, name: str, *, until: timedelta = timedelta(days=1)) -> str:
        """Return certificate and key for a name or an IP address; expired if `until` is negative."""
        key = ec.generate_private_key(ec.SECP256R1())
        try:
            of: x509.GeneralName = x509.IPAddress(ip_address(name))
        except ValueError:
            of = x509.DNSName(name)
        made = self._signed(name, key, x509.SubjectAlternativeName([of]), until=until)
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return (made.public_bytes(Encoding.PEM) + secret).decode()

    def _signed(
        self,
        name: str,
        key: ec.EllipticCurvePrivateKey,
        *more: x509.ExtensionType,
        until: timedelta = timedelta(days=1),
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(_named(name))
            .issuer_name(_named("Authority"))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=2))
            .not_valid_after(now + until)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        )
        for extension in more:
            builder = builder.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
        return builder.sign(self._key, hashes.SHA256())


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
