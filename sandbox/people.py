"""The invented people, pages and accounts of the networks."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Person:
    """An invented member. `roles` maps page ids to the person's role there."""

    sub: str
    given_name: str
    family_name: str
    email: str
    colour: str
    language: str
    country: str
    roles: dict[int, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.given_name} {self.family_name}"

    @property
    def urn(self) -> str:
        return f"urn:li:person:{self.sub}"


@dataclass(frozen=True)
class Organisation:
    id: int
    name: str
    vanity_name: str
    colour: str
    showcase: bool = False
    """A showcase page: lists of roles name it `organizationBrand`."""

    @property
    def urn(self) -> str:
        return f"urn:li:organization:{self.id}"

    @property
    def listed_urn(self) -> str:
        return f"urn:li:organizationBrand:{self.id}" if self.showcase else self.urn

    @property
    def logo(self) -> str:
        """The id of the logo's image."""
        return f"logo-{self.id}"


PEOPLE = {
    person.sub: person
    for person in (
        Person(
            "ada-lindqvist",
            "Ada",
            "Lindqvist",
            "ada@example.org",
            "#115d67",
            "en",
            "GB",
            {2414183: "ADMINISTRATOR", 2414184: "CONTENT_ADMIN"},
        ),
        Person(
            "jonas-weber",
            "Jonas",
            "Weber",
            "jonas@example.org",
            "#7a4ea3",
            "de",
            "DE",
            {2414184: "ADMINISTRATOR", 2414183: "ANALYST"},
        ),
        Person("mara-lind", "Mara", "Lind", "mara@example.org", "#a4472c", "en", "US", {2414185: "CONTENT_ADMIN"}),
        Person("tom-okafor", "Tom", "Okafor", "tom@example.org", "#5a6b1d", "en", "GB", {2414183: "ANALYST"}),
        Person("nora-feld", "Nora", "Feld", "nora@example.org", "#7d3556", "de", "AT"),
    )
}
ORGANISATIONS = {
    organisation.id: organisation
    for organisation in (
        Organisation(2414183, "Lindqvist Coffee", "lindqvist-coffee", "#6b4a2b"),
        Organisation(2414184, "Radwerk Weber", "radwerk-weber", "#2f5fa8"),
        Organisation(2414185, "Lind Printworks", "lind-printworks", "#a4472c", showcase=True),
    )
}


def author_of(urn: str) -> Person | Organisation | None:
    kind, _, value = urn.removeprefix("urn:li:").partition(":")
    if kind == "person":
        return PEOPLE.get(value)
    if kind == "organization" and value.isascii() and value.isdigit():
        return ORGANISATIONS.get(int(value))
    return None


@dataclass(frozen=True)
class GraphPage:
    id: str
    name: str
    slug: str
    colour: str
    of_business: bool = False
    """Owned by a business portfolio: missing from `/me/accounts`."""


@dataclass(frozen=True)
class InstagramAccount:
    """A professional account, linked to a page."""

    id: str
    name: str
    page: str
    slug: str
    colour: str


@dataclass(frozen=True)
class ThreadsAccount:
    id: str
    person: str
    """A member's key in `PEOPLE`, who consents for the account."""

    @property
    def username(self) -> str:
        return self.person.replace("-", ".")


@dataclass(frozen=True)
class Persona:
    """An invented Facebook user, with their tasks at each page and the scopes they decline."""

    id: str
    name: str
    tasks: Mapping[str, tuple[str, ...]]
    declines: tuple[str, ...] = ()


ALL_TASKS = ("ADVERTISE", "ANALYZE", "CREATE_CONTENT", "MANAGE", "MODERATE")
PAGES = {
    one.id: one
    for one in (
        GraphPage("723701", "Lindqvist Coffee", "lindqvist-coffee", "#6b4a2b"),
        GraphPage("723702", "Radwerk Weber", "radwerk-weber", "#2f5fa8", of_business=True),
        GraphPage("723703", "Mara Lind Studio", "mara-lind-studio", "#a4472c"),
    )
}
BUSINESS = "990001"
"""The business portfolio that owns pages."""
INSTAGRAM = {
    one.id: one
    for one in (
        InstagramAccount("17841400000000001", "lindqvist.coffee", "723701", "lindqvist-coffee-ig", "#6b4a2b"),
        InstagramAccount("17841400000000003", "mara.lind.studio", "723703", "mara-lind-studio-ig", "#a4472c"),
    )
}
THREADS = {
    one.id: one for one in (ThreadsAccount(f"261000000000000{at:02}", sub) for at, sub in enumerate(PEOPLE, start=1))
}
PERSONAS = {
    one.id: one
    for one in (
        Persona("ada-lindqvist", "Ada Lindqvist", {"723701": ALL_TASKS, "723702": ("ANALYZE", "CREATE_CONTENT")}),
        Persona("jonas-weber", "Jonas Weber", {"723702": ("ANALYZE",)}),
        Persona("mara-lind", "Mara Lind", {"723703": ALL_TASKS}),
        Persona("nils-brandt", "Nils Brandt", {}),
        Persona(
            "lea-hartmann",
            "Lea Hartmann",
            {"723701": ALL_TASKS},
            declines=("pages_manage_posts", "instagram_content_publish"),
        ),
        Persona("tove-berg", "Tove Berg", {"723702": ("ANALYZE", "CREATE_CONTENT")}),
    )
}
