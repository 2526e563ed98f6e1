"""What people name, and names lead to, that must never be asked: addresses in every spelling, and what carries them."""

import pytest

from core.outgoing.destinations import Outside, is_outside

# no operator has named any of these
TYPED = [
    # this machine, and others inside, as numbers
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "017700000001",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "0177.0x0.0.1",
    "127.000.000.001",
    "0.0.0.0",  # noqa: S104 - an address that is refused
    "0",
    "10.0.0.1",
    "012.0.0.1",
    "192.168.0.1",
    "3232235521",
    "172.16.0.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "100.100.100.200",
    "255.255.255.255",
    # the same of IPv6
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[fe80::1%25eth0]",
    "[fd00:ec2::254]",
    "::1",
    # names of this machine
    "localhost",
    "LOCALHOST",
    "localhost.",
    # who it looks like, and who it is
    "https://mastodon.social:443@127.0.0.1/",
    "https://mastodon.social@[::1]/",
    "https://127.0.0.1\\@mastodon.social",
    "https://mastodon.social#@127.0.0.1",
    "https://mastodon.social%2f@127.0.0.1",
    "https://127.0.0.1?@mastodon.social",
    # figures and dots of other alphabets
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127．0．0．1",
    "１６９.２５４.１６９.２５４",
    # an end that is none
    "127.0.0.1.",
    "127.0.0.1:80",
    "mastodon.social:22",
    # other ways than HTTPS
    "http://mastodon.social",
    "ftp://mastodon.social",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_INFO",
    "javascript:alert(1)",
    "data:text/html,x",
    "unix:/run/docker.sock",
    # what splits a request
    "mastodon.social\r\nHost: 127.0.0.1",
    "mastodon.social\n.example",
    "mastodon\x00.social",
    "mastodon.social\t",
    "mas todon.social",
    # no names
    "-mastodon.social",
    "mastodon..social",
    ".mastodon.social",
    "metadata",
    "*.example.org",
    "a" * 64 + ".example.org",
]


@pytest.mark.parametrize("typed", TYPED)
def test_nobody_names_what_is_inside(typed: str) -> None:
    """As a server, and as a site below one: it is refused, or it is the name that it looks like."""
    outside = Outside()
    for found in (outside.base_url(typed), outside.site_url(typed)):
        assert found in (None, "https://mastodon.social"), found


@pytest.mark.parametrize(
    ("typed", "base_url"),
    [
        ("https://127.0.0.1@mastodon.social/", "https://mastodon.social"),
        ("mastodon.social.", None),
        ("https://mastodon.social?lang=de", "https://mastodon.social"),
        ("mastodon.social#about", "https://mastodon.social"),
        ("mastodon.social/explore?x=@evil.example", "https://mastodon.social"),
        ("mastodon.social?x=@evil.example", "https://mastodon.social"),
        ("„mastodon.social“", None),
        ("ｍastodon.social", "https://mastodon.social"),
        ("mastodon。social", "https://mastodon.social"),
        ("xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    ],
)
def test_what_is_told_is_what_is_asked(typed: str, base_url: str | None) -> None:
    assert Outside().base_url(typed) == base_url


V4 = [
    "0.0.0.1",
    "0.255.255.255",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.53",
    "127.255.255.254",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.251",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "100.100.100.200",
    "192.88.99.1",
]


@pytest.mark.parametrize("address", V4)
def test_what_is_no_address_of_the_internet_leads_inside_whatever_carries_it(address: str) -> None:
    high, low = (int.from_bytes(bytes(map(int, address.split(".")))[at : at + 2]) for at in (0, 2))
    carried = [
        address,
        f"::ffff:{address}",  # mapped
        f"::{address}",  # compatible
        f"::ffff:0:{address}",  # translated
        f"64:ff9b::{address}",  # NAT64
        f"64:ff9b:1::{address}",  # NAT64 of one's own
        f"2002:{high:x}:{low:x}::1",  # 6to4
        f"2001:0:{high:x}:{low:x}::",  # the server of Teredo
        f"2001:0:5db8:d70e:0:0:{high ^ 0xFFFF:x}:{low ^ 0xFFFF:x}",  # the client of Teredo
        f"2606:4700::5efe:{high:x}:{low:x}",  # ISATAP
        f"2606:4700::200:5efe:{high:x}:{low:x}",  # ISATAP
    ]
    assert [one for one in carried if is_outside(one)] == []


@pytest.mark.parametrize(
    "address",
    [
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "febf::1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "ff02::1",
        "ff05::2",
        "2001:db8::1",
        "3fff::1",
        "100::1",
        "2001:2::1",
        "2001:10::1",
        "5f00::1",
        "2001:4:112::1%eth0",
    ],
)
def test_what_is_no_ipv6_address_of_the_internet_leads_inside(address: str) -> None:
    assert not is_outside(address)


@pytest.mark.parametrize(
    "address",
    [
        "93.184.215.14",
        "1.1.1.1",
        "2606:4700::1111",
        "64:ff9b::1.1.1.1",
        "::ffff:1.1.1.1",
        "2a00:1450:4001:80b::200e",
        "2606:4700::5efe:101:101",
    ],
)
def test_what_is_one_leads_outside(address: str) -> None:
    assert is_outside(address)
