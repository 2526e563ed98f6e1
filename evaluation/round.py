"""A round: all series, several at a time, each post after the one before."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.ai.writers.base import Writer
from core.assistants.rules.assistants import SecondLook
from core.errors import NoMoreSpending, ProviderError
from core.networks.rules.channels import ChannelKind
from core.texts.rules.similarity import nearest
from core.texts.rules.texts import fits
from evaluation.cases import Series
from evaluation.judge import UnreadableMarks, ask_judge
from evaluation.meter import Budget, BudgetMeter, Spent
from evaluation.result import Failure, JudgedText, Note, Round, SeriesCost
from evaluation.writing import PostWriter, WrittenText


@dataclass
class Evaluation:
    """`judge`: None: rules alone."""

    writer: Writer
    judge: Writer | None
    budget: Budget
    networks: Sequence[ChannelKind]
    concurrency: int
    second_look: SecondLook
    texts: list[JudgedText] = field(default_factory=list)
    costs: list[SeriesCost] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    ended_by_budget: bool = False

    async def run(self, series: Sequence[Series]) -> Round:
        """Write and judge all posts. Raise UnknownPrice if there is a budget and a model has no price."""
        judging = BudgetMeter(self.budget)
        room = asyncio.Semaphore(self.concurrency)

        async def one(each: Series) -> None:
            async with room:
                await self._write(each, judging)

        async with asyncio.TaskGroup() as group:
            for each in series:
                group.create_task(one(each))
        order = {(each.template, each.language): place for place, each in enumerate(series)}
        self.texts.sort(key=lambda text: (order[text.template, text.language], text.number))
        self.costs.sort(key=lambda cost: order[cost.template, cost.language])
        return Round(
            written_at=datetime.now(UTC).isoformat(timespec="seconds"),
            model=self.writer.model,
            judge=self.judge.model if self.judge else None,
            networks=[kind.value for kind in self.networks],
            second_look=self.second_look.value,
            posts=max((len(each.subjects) for each in series), default=0),
            texts=self.texts,
            costs=self.costs,
            judging=_cost("judge", "", len(self.texts), judging.spent) if self.judge else None,
            failures=self.failures,
            ended_by_budget=self.ended_by_budget,
        )

    async def _write(self, series: Series, judging: BudgetMeter) -> None:
        meter = BudgetMeter(self.budget)
        write = PostWriter(meter, self.writer, tuple(self.networks), self.second_look).write
        posts: list[list[WrittenText]] = []
        for number in range(len(series.subjects)):
            if self.ended_by_budget:
                break
            try:
                post = await write(series, number, posts)
            except NoMoreSpending:
                self.ended_by_budget = True
                break
            except ProviderError as error:
                self._fail(series, number, "text", error.code.value)
                continue
            for written in post:
                await self._judge(series, number, written, posts, judging)
            posts.append(post)
        self.costs.append(_cost(series.template, series.language, len(posts), meter.spent))

    async def _judge(
        self,
        series: Series,
        number: int,
        written: WrittenText,
        posts: Sequence[Sequence[WrittenText]],
        judging: BudgetMeter,
    ) -> None:
        earlier = [text.text for post in posts for text in post if text.network == written.network]
        closest = nearest(written.text, earlier)
        subject = series.subjects[number]
        judged = JudgedText(
            template=series.template,
            language=series.language,
            network=written.network,
            number=number,
            topic=subject.topic,
            has_notes=bool(subject.notes),
            text=written.text,
            limit=written.limit,
            notes=[Note(finding=note.finding.value, params=dict(note.params)) for note in written.notes],
            too_long=not fits(written.text, written.limit),
            similarity=round(100 * closest.similarity) if closest else 0,
            facts=dict(written.facts),
        )
        self.texts.append(judged)
        if self.judge is None or self.ended_by_budget:
            return
        try:
            judged.marks = await ask_judge(
                judging, self.judge, written, language=series.language, tone=series.settings.tone, brand=series.brand
            )
        except NoMoreSpending:
            self.ended_by_budget = True
        except UnreadableMarks:
            self._fail(series, number, "judge", "unreadable")
        except ProviderError as error:
            self._fail(series, number, "judge", error.code.value)

    def _fail(self, series: Series, number: int, step: str, code: str) -> None:
        self.failures.append(
            Failure(template=series.template, language=series.language, number=number, step=step, code=code)
        )


def _cost(template: str, language: str, posts: int, spent: Spent) -> SeriesCost:
    return SeriesCost(template=template, language=language, posts=posts, **vars(spent))
