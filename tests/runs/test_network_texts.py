"""A text for each network: written in one answer, finished each on its own, looked at again, and learnt from."""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from core.ai.tables.transactions import Transaction
from core.approvals.rules import ApprovalState
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import Mode, SecondLook, StepKind, TextKind, TextPer
from core.assistants.rules.budgets import BudgetUnit
from core.assistants.tables import Assistant
from core.brands.tables import Brand
from core.container import Services
from core.errors import RetrySafe
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import PostSource, PostStatus
from core.posts.tables.posts import Post
from core.runs import unstored_texts
from core.runs.repositories.runs import RunRepository
from core.runs.tables import RunStep
from core.texts.rules.endings import Ending, HashtagPolicy
from tests.ai.test_model_calls import SLOT, answered, begun, models, told, writing
from tests.conftest import Networks
from tests.factories import Factory
from tests.http_server import Answer, Request, Server
from tests.runs.dying import Died, die_after_kept_answers

__all__ = ["models"]

LINKEDIN = (
    "Wet trousers end many rides to work.\n\nFull mudguards keep both legs dry, and the chain as well. Ride once this "
    "week in the rain and judge for yourself."
)
FACEBOOK = "Rain on the way to the office? With full mudguards the water stays on the road, and the bag stays clean."
MASTODON = "Full mudguards: the cheapest way to arrive dry by bike. The chain thanks you as well. #BikeCommuting"
TEXTS = {"linkedin": LINKEDIN, "facebook": FACEBOOK, "mastodon": MASTODON}
SHORTER = "Mudguards keep legs, bag and chain dry."
OTHER = "Snow is soft at first, and hard the morning after. Let some air out of both tyres."
GERMAN = (
    "Regen ist kein Drama, wenn du die richtigen Schutzbleche hast. Wir zeigen dir heute, wie du sie in fünf Minuten "
    "anbaust und worauf es dabei ankommt."
)
LONG = " ".join(f"Sentence after sentence tells {'some' * number}thing about mudguards." for number in range(20))
WORN = "In today's fast-paced world, mudguards are a game changer. They keep legs and chain dry."
MENDED = "Mudguards change how a ride in the rain ends. They keep legs and chain dry."
TOKENS = 1100
"""Of one answer, both ways."""


@dataclass
class Model:
    """A stub of a model: it answers with JSON where several texts are asked for, else with a text alone."""

    together: Mapping[str, str] | str = field(default_factory=lambda: TEXTS)
    alone: list[str | Answer] = field(default_factory=list)
    revised: Mapping[str, str] | str | Answer | None = None
    tokens: int = 1000
    """Input of each call."""
    keeps_quoted: bool = False
    """Answer each rewrite with the texts that it quotes, and a word before them."""
    requests: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, request: Request) -> Answer:
        asked = request.json
        self.requests.append(asked)
        schema = asked.get("text", {}).get("format", {}).get("schema")
        if "What to mend in it" in asked["input"] and self.revised is not None:
            given: Any = self.revised
        elif self.keeps_quoted:
            quoted = asked["input"].partition("- The text: ")[2].partition("\n- The remark: ")[0]
            texts = [f"Snow! {text}" for text in re.findall(r"<value>(.*?)</value>", quoted, re.DOTALL)]
            given = dict(zip(schema["properties"], texts, strict=True)) if schema else texts[0]
        elif schema:
            given = self.together
        else:
            given = self.alone.pop(0)
        if isinstance(given, Answer):
            return given
        if isinstance(given, Mapping):
            given = json.dumps({name: text for name, text in given.items() if name in schema["properties"]})
        content = {"type": "output_text", "text": given, "annotations": []}
        return answered(content, usage=told(self.tokens, 100))

    def asked_for(self) -> list[list[str]]:
        """The networks of each request that asked for several texts."""
        return [
            request["text"]["format"]["schema"]["required"] if "text" in request else [] for request in self.requests
        ]


@dataclass
class Running:
    services: Services
    assistant: Assistant
    run: UUID

    async def write(self, attempt: int = 1) -> None:
        await self.services.drafting.write(self.assistant.user_id, self.run, attempt)

    async def post(self) -> Post:
        async with self.services.sessions() as session:
            post = await session.scalar(select(Post).where(Post.run_id == self.run))
        assert post is not None
        return post

    async def texts(self) -> dict[str, str]:
        """The text of each network: the post's is that of the first."""
        post = await self.post()
        return {"linkedin": post.content} | {one["channel"]: one["content"] for one in post.variants}

    async def facts(self) -> dict[str, Any]:
        mine = select(RunStep.facts).where(RunStep.run_id == self.run, RunStep.kind == StepKind.text)
        async with self.services.sessions() as session:
            facts: dict[str, Any] = (await session.scalars(mine)).one()
        return facts

    async def calls(self) -> int:
        async with self.services.sessions() as session:
            return len(list(await session.scalars(select(Transaction.id).where(Transaction.run_id == self.run))))

    async def stored(self) -> list[tuple[TextKind, int, str | None]]:
        async with self.services.sessions() as session:
            versions = await RunRepository(session).list_texts(self.assistant.user_id, self.run)
        return sorted((version.kind, version.part, version.content) for version in versions)


Run = Callable[..., Any]


@pytest.fixture
def run(services: Services, make: Factory, networks: Networks, models: Server) -> Run:
    """Begin a run of an assistant with three networks, whose texts a model is to write."""

    @asynccontextmanager
    async def running(
        model: Model, *, earlier: tuple[Post, ...] = (), brand: dict[str, Any] | None = None, **more: Any
    ) -> AsyncIterator[Running]:
        models.judges("/v1/responses", model.answer)
        user = await make.user()
        kinds = (ChannelKind.linkedin, ChannelKind.facebook, ChannelKind.mastodon)
        accounts = [await make.account(user, networks.url, kind=kind) for kind in kinds]
        if brand is not None:
            async with services.sessions.begin() as session:
                session.add(own := Brand(id=new_id(), user_id=user.id, name="Spokes", **brand))
            more["brand_id"] = own.id
        more = {"second_look": SecondLook.off} | more
        ids = tuple(account.id for account in accounts)
        assistant = await make.assistant(user, accounts=ids, image=False, **more)
        async with services.sessions.begin() as session:
            for post in earlier:
                post.id, post.user_id, post.assistant_id = new_id(), user.id, assistant.id
                post.source = PostSource.assistant
                session.add(post)
        async with writing(services, models.url) as own_services:
            yield Running(own_services, assistant, await begun(own_services, assistant))

    return running


async def test_one_answer_has_the_text_of_each_network(run: Run) -> None:
    async with run(model := Model()) as running:
        await running.write()
        await running.write(2)
        post, facts = await running.post(), await running.facts()
        assert await running.texts() == TEXTS
        assert await running.calls() == 1
        assert await running.stored() == [
            (TextKind.written, 0, LINKEDIN),
            (TextKind.written, 1, FACEBOOK),
            (TextKind.written, 2, MASTODON),
        ]
    assert model.asked_for() == [["linkedin", "facebook", "mastodon"]]
    assert post.written == {"content": post.content, "variants": post.variants}
    assert (facts["texts"], facts["input_tokens"] + facts["output_tokens"]) == (3, TOKENS)
    assert {kind: each["characters"] for kind, each in facts["networks"].items()} == {
        kind: len(text) for kind, text in TEXTS.items()
    }
    assert "copied" not in str(facts["networks"])


async def test_an_assistant_with_one_text_for_all_asks_for_that(run: Run) -> None:
    async with run(model := Model(alone=[LINKEDIN]), text_per=TextPer.post) as running:
        await running.write()
        post = await running.post()
        assert (post.content, post.variants, await running.calls()) == (LINKEDIN, [], 1)
    assert "LinkedIn, Facebook, Mastodon" in model.requests[0]["instructions"]


async def test_a_network_that_the_answer_leaves_out_is_asked_for_alone(run: Run) -> None:
    model = Model({"linkedin": LINKEDIN, "facebook": FACEBOOK, "mastodon": " "}, alone=[MASTODON])
    async with run(model) as running:
        await running.write()
        assert await running.texts() == TEXTS
        assert await running.calls() == 2
    assert "social media post for Mastodon." in model.requests[1]["instructions"]


async def test_a_model_without_json_is_asked_for_each_alone_and_later_at_once(run: Run) -> None:
    """The first two answers in another form are paid for; the third run no longer asks for the form."""
    model = Model(LINKEDIN, alone=[*TEXTS.values()] * 3)
    async with run(model) as running:
        for number, calls in enumerate((4, 4, 3), 1):
            await running.write()
            assert await running.texts() == TEXTS
            assert await running.calls() == calls
            facts = await running.facts()
            assert facts["input_tokens"] + facts["output_tokens"] == calls * TOKENS
            async with running.services.sessions.begin() as session:
                # what was posted before must not be repeated, but that is not the story here
                await session.execute(update(Post).where(Post.run_id == running.run).values(content="", variants=[]))
            running.run, assistant = new_id(), running.assistant
            slot = SLOT + timedelta(hours=number)
            await running.services.drafting.begin(assistant.user_id, assistant.id, running.run, f"run-{number}", slot)


async def test_a_crash_behind_each_answer_pays_for_none_twice(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    dying = die_after_kept_answers(monkeypatch, 4)
    # no form, then three texts alone of which the last is too long: five calls
    model = Model(LINKEDIN, alone=[LINKEDIN, FACEBOOK, LONG, SHORTER])
    async with run(model) as running:
        for attempt in range(1, 5):
            with pytest.raises(Died):
                await running.write(attempt)
        dying.append(False)
        await running.write(5)
        assert await running.texts() == TEXTS | {"mastodon": SHORTER}
        assert await running.calls() == len(model.requests) == 5


async def test_each_text_is_corrected_and_shortened_on_its_own(run: Run) -> None:
    model = Model({"linkedin": LINKEDIN, "facebook": GERMAN, "mastodon": LONG}, alone=[FACEBOOK, SHORTER])
    async with run(model) as running:
        await running.write()
        assert await running.texts() == TEXTS | {"mastodon": SHORTER}
        facts, stored = (await running.facts())["networks"], await running.stored()
    assert (TextKind.written, -2, FACEBOOK) in stored
    assert (TextKind.shortened, 2, SHORTER) in stored
    assert (facts["facebook"]["flaw"], facts["facebook"]["correction"]) == ("language", "rewritten")
    assert (facts["mastodon"]["fitting"], facts["mastodon"]["limit"]) == ("shortened", 500)
    assert "flaw" not in facts["linkedin"]
    assert "An earlier answer to this was not in English." in model.requests[1]["input"]
    assert "at most 460 characters" in model.requests[2]["instructions"]


async def test_each_text_is_compared_with_what_its_network_had(run: Run) -> None:
    posted = Post(
        content=OTHER,
        topic_title="Rain",
        variants=[{"channel": "facebook", "account_id": None, "content": FACEBOOK}],
    )
    model = Model(alone=[SHORTER])
    async with run(model, earlier=(posted,)) as running:
        await running.write()
        assert await running.texts() == TEXTS | {"facebook": SHORTER}
        facts = (await running.facts())["networks"]
    assert facts["facebook"]["repetition"] == "rewritten"
    assert "repetition" not in facts["linkedin"]
    assert f"<value>{FACEBOOK}</value>" in model.requests[1]["input"]


async def test_a_network_whose_text_cannot_be_had_takes_the_first_ones(run: Run) -> None:
    refusal = answered({"type": "refusal", "refusal": "No."})
    model = Model({"linkedin": LINKEDIN, "facebook": FACEBOOK}, alone=[refusal])
    async with run(model) as running:
        await running.write()
        # as the post's own text: no variant
        assert await running.texts() == {"linkedin": LINKEDIN, "facebook": FACEBOOK}
        facts = (await running.facts())["networks"]["mastodon"]
    assert (facts["copied"], facts["copied_code"]) == (True, "model_refused")


async def test_a_passing_failure_of_one_network_is_tried_again(run: Run) -> None:
    model = Model({"linkedin": LINKEDIN, "facebook": FACEBOOK}, alone=[Answer(500), MASTODON])
    async with run(model) as running:
        with pytest.raises(RetrySafe):
            await running.write()
        await running.write(2)
        assert await running.texts() == TEXTS
        assert await running.calls() == 2


async def test_each_link_has_the_parameters_of_its_network(run: Run) -> None:
    brand = {"utm": {"utm_source": "{network}"}}
    link = Ending(link="https://spokes.example/dry")
    async with run(Model(), brand=brand, ending=link) as running:
        await running.write()
        texts = await running.texts()
    for kind, text in texts.items():
        assert f"\n\nhttps://spokes.example/dry?utm_source={kind}" in text


async def test_one_text_has_a_variant_where_the_link_names_the_network(run: Run) -> None:
    brand = {"utm": {"utm_source": "{network}"}}
    link = Ending(link="https://spokes.example/dry")
    async with run(Model(alone=[LINKEDIN]), brand=brand, ending=link, text_per=TextPer.post) as running:
        await running.write()
        texts = await running.texts()
    assert texts == {kind: f"{LINKEDIN}\n\nhttps://spokes.example/dry?utm_source={kind}" for kind in TEXTS}


# the second look


async def test_what_the_second_look_finds_is_shown_at_the_post(run: Run) -> None:
    model = Model(TEXTS | {"facebook": WORN})
    async with run(model, second_look=SecondLook.rules) as running:
        await running.write()
        post, facts = await running.post(), await running.facts()
        assert await running.calls() == 1
    assert {(note["finding"], note["network"]) for note in post.review} == {("cliche", "facebook")}
    assert facts["found"] == post.review
    assert "revision" not in facts


async def test_a_revision_mends_only_the_texts_with_findings(run: Run) -> None:
    model = Model(TEXTS | {"facebook": WORN, "mastodon": WORN}, revised={"facebook": MENDED, "mastodon": WORN})
    async with run(model, second_look=SecondLook.revision) as running:
        await running.write()
        await running.write(2)
        post, facts = await running.post(), await running.facts()
        assert await running.texts() == TEXTS | {"facebook": MENDED, "mastodon": WORN}
        assert await running.calls() == 2
    assert model.asked_for()[1] == ["facebook", "mastodon"]
    assert "game changer" in model.requests[1]["input"]
    assert {note["network"] for note in facts["found"]} == {"facebook", "mastodon"}
    assert (facts["revision"], facts["revised"]) == ("revised", 1)
    assert {note["network"] for note in post.review} == {"mastodon"}


async def test_a_revision_that_is_no_better_is_not_taken(run: Run) -> None:
    model = Model(TEXTS | {"linkedin": WORN}, revised=GERMAN)
    async with run(model, second_look=SecondLook.revision) as running:
        await running.write()
        facts = await running.facts()
        assert (await running.texts())["linkedin"] == WORN
        assert (TextKind.rewritten, -1, GERMAN) in await running.stored()
    assert (facts["revision"], facts["revised"]) == ("kept", 0)


@pytest.mark.parametrize(
    ("ending", "asked", "noted"),
    [
        (Ending(HashtagPolicy.at_most, 2), "0 to 3 hashtags", []),
        (Ending(HashtagPolicy.at_most, 1, always=("#Spokes",)), "No hashtags", []),
        (Ending(), "0 to 3 hashtags", ["too_many_hashtags"]),
    ],
)
async def test_hashtags_that_are_not_published_are_neither_wanted_nor_noted(
    run: Run, ending: Ending, asked: str, noted: list[str]
) -> None:
    tags = f"{FACEBOOK}\n\n#Rain #Bikes #Commute #Work #Dry #Road"
    async with run(model := Model(TEXTS | {"facebook": tags}), second_look=SecondLook.rules, ending=ending) as running:
        await running.write()
        post = await running.post()
    assert [note["finding"] for note in post.review] == noted
    assert asked in model.requests[0]["instructions"]


@pytest.mark.parametrize(
    "revised",
    [
        pytest.param("Done.", id="an answer about the answer"),
        pytest.param("They keep legs and chain dry.", id="less than half of it"),
        pytest.param(LINKEDIN, id="another text"),
        pytest.param(f"{MENDED} They save 73 % of the washing.", id="an invention"),
        pytest.param(f"{MENDED} {'They keep legs and chain dry. ' * 20}", id="too long for the network"),
    ],
)
async def test_a_revision_that_is_worse_in_another_way_is_not_taken(run: Run, revised: str) -> None:
    model = Model(TEXTS | {"mastodon": WORN}, revised=revised)
    async with run(model, second_look=SecondLook.revision) as running:
        await running.write()
        facts = await running.facts()
        assert (await running.texts())["mastodon"] == WORN
    assert {note["finding"] for note in facts["found"]} == {"cliche"}
    assert (facts["revision"], facts["revised"]) == ("kept", 0)


async def test_a_revision_in_the_right_language_need_not_be_like_the_text(run: Run) -> None:
    german = "Der Regen ist egal, und die Kette auch, wenn das Blech gut sitzt."
    model = Model(TEXTS | {"mastodon": german}, alone=[german], revised=SHORTER)
    async with run(model, second_look=SecondLook.revision) as running:
        await running.write()
        facts = await running.facts()
        assert (await running.texts())["mastodon"] == SHORTER
    assert [note["finding"] for note in facts["found"]] == ["wrong_language"]


@pytest.mark.parametrize("texts", [{"mastodon": WORN}, {"facebook": WORN, "mastodon": WORN}])
async def test_a_revision_that_fails_for_now_holds_back_no_finished_text(run: Run, texts: dict[str, str]) -> None:
    """The slot is hours ahead, so a first text would be tried again."""
    model = Model(TEXTS | texts, revised=Answer(500))
    async with run(model, second_look=SecondLook.revision) as running:
        await running.write()
        await running.write(2)
        facts = await running.facts()
        assert await running.texts() == TEXTS | texts
        assert [text for kind, _, text in await running.stored() if kind is TextKind.rewritten] == [None]
    assert len(model.requests) == 2
    assert (facts["revision"], facts["revision_code"]) == ("kept", "model_unavailable")


async def test_a_model_without_json_mends_each_text_alone(run: Run) -> None:
    """Two answers in another form are paid for, and then no revision asks for the form."""
    model = Model("No form", alone=[LINKEDIN, WORN, WORN] * 2, revised=MENDED)
    async with run(model, second_look=SecondLook.revision) as running:
        for number in (1, 2):
            model.requests.clear()
            await running.write()
            if number == 1:
                async with running.services.sessions.begin() as session:
                    await session.execute(
                        update(Post).where(Post.run_id == running.run).values(content="", variants=[])
                    )
                running.run, assistant = new_id(), running.assistant
                slot = SLOT + timedelta(hours=1)
                await running.services.drafting.begin(assistant.user_id, assistant.id, running.run, "run-2", slot)
        facts = await running.facts()
        assert await running.texts() == {"linkedin": LINKEDIN, "facebook": MENDED, "mastodon": MENDED}
        assert [part for kind, part, _ in await running.stored() if kind is TextKind.rewritten] == [-3, -2]
    assert [request["input"].count("What to mend in it") for request in model.requests[-2:]] == [1, 1]
    assert all("text" not in request or "format" not in request["text"] for request in model.requests[-2:])
    assert (facts["revision"], facts["revised"]) == ("revised", 2)


async def test_without_budget_there_is_no_revision_and_no_fault(run: Run) -> None:
    model = Model(TEXTS | {"linkedin": WORN}, revised=LINKEDIN, tokens=20_000)
    async with run(model, second_look=SecondLook.revision) as running:
        async with running.services.sessions.begin() as session:
            row = await session.get_one(Assistant, running.assistant.id)
            row.budget_unit, row.budget_amount = BudgetUnit.tokens, 22_000
        await running.write()
        facts = await running.facts()
        assert (await running.texts())["linkedin"] == WORN
    assert len(model.requests) == 1
    assert (facts["revision"], facts["revision_code"]) == ("kept", "budget_spent")


# what people change


def posted(content: str, *, status: PostStatus = PostStatus.published, **more: Any) -> Post:
    return Post(content=content, status=status, topic_title="Rain", **({"variants": []} | more))


async def test_what_people_changed_goes_into_the_prompt(run: Run) -> None:
    def on_facebook(text: str) -> list[dict[str, Any]]:
        return [{"channel": "facebook", "account_id": None, "content": text}]

    earlier = (
        posted("Fresh air is free.", written={"content": "Fresh  air is free.\n", "variants": []}),
        posted("Tyres cost less.", written={"content": "Tyres are a game changer.", "variants": []}),
        posted("A draft.", status=PostStatus.draft, written={"content": "What a model wrote.", "variants": []}),
        posted("Written by a person alone."),
        posted(
            "Chains need oil.",
            variants=on_facebook("Oil your chain on Friday."),
            written={"content": "Chains need oil.", "variants": on_facebook("Oil your chain on Monday.")},
        ),
    )
    async with run(model := Model(), earlier=earlier) as running:
        await running.write()
        facts = await running.facts()
    asked = model.requests[0]["input"]
    assert "<value>Tyres are a game changer.</value> became <value>Tyres cost less.</value>" in asked
    assert "<value>Oil your chain on Monday.</value> became <value>Oil your chain on Friday.</value>" in asked
    assert "What a model wrote" not in asked
    assert facts["edits"] == 2
    for post in ("Fresh air is free.", "A draft.", "Written by a person alone."):
        assert f"<value>{post}</value>" in asked.partition("How earlier posts began")[2]


# a rewrite after a remark


async def asked_about(running: Running) -> None:
    user_id, services = running.assistant.user_id, running.services
    await services.drafting.check(user_id, running.run)
    await services.approvals.check(user_id, (await running.post()).id, timedelta(minutes=2))


async def rewrite(running: Running, remark: str) -> None:
    services, post = running.services, await running.post()
    async with services.sessions.begin() as session:
        approval = await session.scalar(
            select(Approval).where(Approval.post_id == post.id, Approval.state == ApprovalState.waiting)
        )
        assert approval is not None
        approval.state, approval.remark = ApprovalState.rewritten, remark
    await services.rewriting.write(running.assistant.user_id, running.run, 1, timedelta(minutes=2))


async def test_a_remark_has_the_text_of_each_network_rewritten(run: Run) -> None:
    again = {"linkedin": OTHER, "facebook": SHORTER, "mastodon": "Low pressure, more grip on snow."}
    model = Model()
    async with run(model, mode=Mode.approval) as running:
        await running.write()
        await asked_about(running)
        model.together = again
        await rewrite(running, "More about snow")
        assert await running.texts() == again
        post, facts = await running.post(), await running.facts()
    assert post.written == {"content": post.content, "variants": post.variants}
    asked = model.requests[1]["input"]
    for name, text in (("LinkedIn", LINKEDIN), ("Facebook", FACEBOOK), ("Mastodon", MASTODON)):
        assert f"for {name}: <value>{text}</value>" in asked
    assert "<value>More about snow</value>" in asked
    assert (facts["rewrites"], facts["input_tokens"] + facts["output_tokens"]) == (1, 2 * TOKENS)


@pytest.mark.parametrize("text_per", TextPer)
async def test_a_rewrite_keeps_the_link_once_with_the_parameters_of_each_network(run: Run, text_per: TextPer) -> None:
    brand, link = {"utm": {"utm_source": "{network}"}}, "https://spokes.example/dry"
    model = Model(alone=[LINKEDIN])
    async with run(model, mode=Mode.approval, brand=brand, ending=Ending(link=link), text_per=text_per) as running:
        await running.write()
        await asked_about(running)
        model.keeps_quoted = True
        await rewrite(running, "More about snow")
        texts = await running.texts()
    assert f"<value>{LINKEDIN}\n\n{link}</value>" in model.requests[1]["input"]
    for kind, text in texts.items():
        assert text.startswith("Snow! ")
        assert re.findall(r"https://\S+", text) == [f"{link}?utm_source={kind}"]


async def test_each_rewrite_may_make_its_own_calls(run: Run) -> None:
    """Without JSON a call for each network: together with the first texts more than a run without rewrites may make."""
    again = [{name: f"{text} {word} it is." for name, text in TEXTS.items()} for word in ("Dry", "Warm", "Clean")]
    model = Model("No form", alone=[*TEXTS.values(), *(text for texts in again for text in texts.values())])
    async with run(model, mode=Mode.approval) as running:
        await running.write()
        await asked_about(running)
        for texts in again:
            await rewrite(running, "More")
            assert await running.texts() == texts
        assert await running.calls() == 14


async def test_a_network_that_a_rewrite_leaves_out_is_named_in_the_evidence(run: Run) -> None:
    again = {"linkedin": OTHER, "facebook": SHORTER}
    model = Model(alone=[answered({"type": "refusal", "refusal": "No."})])
    async with run(model, mode=Mode.approval) as running:
        await running.write()
        await asked_about(running)
        model.together = again
        await rewrite(running, "More about snow")
        facts = (await running.facts())["networks"]
    assert (facts["mastodon"]["copied"], facts["mastodon"]["copied_code"]) == (True, "model_refused")
    assert "copied" not in facts["linkedin"]


async def test_what_a_remark_says_is_known_and_the_evidence_is_of_the_new_text(run: Run) -> None:
    model = Model(TEXTS | {"facebook": WORN}, revised={"facebook": WORN}, alone=[])
    async with run(model, mode=Mode.approval, second_look=SecondLook.rules) as running:
        await running.write()
        await asked_about(running)
        assert [note["finding"] for note in (await running.post()).review] == ["cliche"] * 2
        model.together = {name: f"The workshop opens on 14 May at 9 am. {text}" for name, text in TEXTS.items()}
        await rewrite(running, "It is on 14 May, from 9 am")
        post, facts = await running.post(), await running.facts()
    assert post.review == []
    assert "found" not in facts
    assert facts["networks"]["facebook"] == {"characters": len(model.together["facebook"])}


async def test_a_rewrite_that_takes_long_asks_for_nothing_more(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model(alone=[])
    async with run(model, mode=Mode.approval) as running:
        await running.write()
        await asked_about(running)
        monkeypatch.setattr(unstored_texts, "PATIENCE", 0.0)
        model.together = {"linkedin": OTHER, "facebook": SHORTER}
        await rewrite(running, "More about snow")
        assert await running.texts() == {"linkedin": OTHER, "facebook": SHORTER}
        facts = (await running.facts())["networks"]
        assert await running.calls() == 2
    assert facts["mastodon"]["copied"]
