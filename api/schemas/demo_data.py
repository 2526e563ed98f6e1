from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from core.demo.demo_data import DemoDataState
from core.demo.tables import DemoItemKind


class KeptOut(Out):
    kind: DemoItemKind = Field(description="Kind of the item", examples=["template"])
    id: UUID = Field(description="Id of the item")
    name: str = Field(description="Current name", examples=["Practical tip"])


class DemoDataOut(Out):
    """Demo data for new users. The numbers count what its removal deletes."""

    state: DemoDataState = Field(description="`incomplete`: the creation stopped halfway", examples=["present"])
    publishes: bool = Field(
        description="Whether the assistants post to the sandbox; without a sandbox they are inactive and write drafts"
    )
    pays: bool = Field(description="Whether a text model writes the posts, which costs money")
    assistants: int = Field(description="Assistants to delete", examples=[2])
    posts: int = Field(description="Posts to delete, made by these assistants", examples=[14])
    templates: int = Field(description="Templates to delete", examples=[4])
    topic_trees: int = Field(description="Topic trees to delete", examples=[2])
    pictures: int = Field(description="Images to delete, including those of the posts", examples=[16])
    accounts: int = Field(description="Sandbox accounts to delete", examples=[2])
    kept: list[KeptOut] = Field(description="Items that stay because the user changed them or uses them elsewhere")
