from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from core.demo.demo_data import DemoDataState
from core.demo.tables import DemoItemKind


class KeptOut(Out):
    kind: DemoItemKind = Field(description="What it is", examples=["template"])
    id: UUID = Field(description="Its id")
    name: str = Field(description="Its name now", examples=["Practical tip"])


class DemoDataOut(Out):
    """Demo data for new users. The numbers count what its removal deletes."""

    state: DemoDataState = Field(description="`incomplete`: its making died on the way", examples=["present"])
    publishes: bool = Field(description="To the sandbox; without one, its assistants are off and write drafts")
    pays: bool = Field(description="A text model writes its posts, and each costs something")
    assistants: int = Field(description="Assistants that go", examples=[2])
    posts: int = Field(description="Posts of those assistants", examples=[14])
    templates: int = Field(description="Templates that go", examples=[4])
    topic_trees: int = Field(description="Topic trees that go", examples=[2])
    pictures: int = Field(description="Pictures that go, those of the posts too", examples=[16])
    accounts: int = Field(description="Accounts of the sandbox that go", examples=[2])
    kept: list[KeptOut] = Field(
        description="What the user changed, or uses in something of their own: it stays, as the user's own"
    )
