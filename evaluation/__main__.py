"""`python -m evaluation`: write, judge, print the tables and store the round."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import SecretStr

from core.ai.writers import open_writer
from core.ai.writers.base import Writer
from core.assistants.rules.assistants import SecondLook
from core.brands.rules import BrandVoice
from core.demo.story_files import STORIES
from core.networks.rules.channels import NETWORKS
from core.settings import Settings, WrongSetting, read_settings
from core.settings_check import prices_of
from core.templates.rules.templates import ReasoningEffort
from evaluation.cases import list_series
from evaluation.meter import MICROS_A_CENT, Budget, UnknownPrice
from evaluation.report import compare, render
from evaluation.result import Round, read_round, store_round
from evaluation.round import Evaluation
from evaluation.settings import EvaluationSettings

_MICROS_A_CENT = 10_000
_LANGUAGES = tuple(sorted({story.language for story in STORIES}))
_USUAL = "linkedin,facebook,bluesky"


def main(arguments: list[str] | None = None) -> int:
    """Return 0, or 1 if a post or a judgement is missing."""
    told = _parser().parse_args(arguments)
    if told.out and not told.out.resolve().parent.is_dir():
        sys.exit(f"The folder of {told.out} does not exist")
    if told.compare:
        print(compare(*map(read_round, told.compare)))
        return 0
    try:
        result = asyncio.run(_run(told, read_settings(), EvaluationSettings()))
    except WrongSetting as error:
        sys.exit(str(error))
    except UnknownPrice as unknown:
        sys.exit(
            f"The model {unknown} has no price, so no budget can be kept: name its price in PRICES_FILE "
            "(docs/prices.md), or say --budget 0"
        )
    try:
        print(render(result))
    finally:
        # the round is paid for
        if told.out:
            store_round(result, told.out)
    return 1 if result.failures or result.ended_by_budget else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__)
    parser.add_argument("--posts", type=_positive, default=3, help="posts per template and language (default: 3)")
    parser.add_argument("--languages", type=_names_among(_LANGUAGES), default=_LANGUAGES, metavar="A,B")
    parser.add_argument(
        "--networks", type=_names_among(NETWORKS), default=_names_among(NETWORKS)(_USUAL), metavar="A,B"
    )
    parser.add_argument("--templates", type=_names_among(_templates()), default=(), metavar="A,B", help="only these")
    second_looks = (SecondLook.rules, SecondLook.revision)
    parser.add_argument("--second-look", type=SecondLook, choices=second_looks, default=SecondLook.revision)
    parser.add_argument("--brand", type=Path, metavar="FILE", help="JSON of a brand that all posts are written for")
    parser.add_argument("--base-url", help="server of the model that writes (default: OPENAI_BASE_URL)")
    parser.add_argument("--model", help="model that writes (default: TEXT_MODEL)")
    parser.add_argument("--concurrency", type=_positive, help="templates at a time (default: EVALUATION_CONCURRENCY)")
    parser.add_argument("--budget", type=float, metavar="CENTS", help="default: EVALUATION_BUDGET_CENTS; 0: no limit")
    parser.add_argument("--out", type=Path, metavar="FILE", help="store the round as JSON")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="FILE", help="show the difference of two rounds")
    return parser


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def _names_among(known: Iterable[str]) -> Callable[[str], tuple[str, ...]]:
    names = {str(name): name for name in known}

    def names_in(text: str) -> tuple[str, ...]:
        wanted = [name.strip() for name in text.split(",")]
        if unknown := [name for name in wanted if name not in names]:
            raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(names)}")
        return tuple(names[name] for name in dict.fromkeys(wanted))

    return names_in


def _templates() -> list[str]:
    return sorted({series.template for series in list_series(_LANGUAGES, (), 1)})


async def _run(told: argparse.Namespace, settings: Settings, own: EvaluationSettings) -> Round:
    base_url, key = told.base_url or settings.openai_base_url, settings.openai_api_key
    writer = _open(key, base_url, told.model or settings.text_model, settings.reasoning_effort)
    judge = (
        _open(own.judge_api_key or key, own.judge_base_url or base_url, own.judge_model) if own.judge_model else None
    )
    cents = own.budget_cents if told.budget is None else told.budget
    budget = Budget(prices_of(settings), round(cents * MICROS_A_CENT) if cents else None)
    for one in filter(None, (writer, judge)):
        budget.ensure_price(one.provider, one.model)
    brand = BrandVoice.from_json(json.loads(told.brand.read_text(encoding="utf-8"))) if told.brand else None
    concurrency = told.concurrency or own.concurrency
    evaluation = Evaluation(writer, judge, budget, told.networks, concurrency, told.second_look)
    try:
        return await evaluation.run(list_series(told.languages, told.templates, told.posts, brand))
    finally:
        await writer.close()
        if judge:
            await judge.close()


def _open(
    key: SecretStr | None, base_url: str | None, model: str | None, effort: ReasoningEffort | None = None
) -> Writer:
    return open_writer(key.get_secret_value() if key else None, base_url, model, effort)


if __name__ == "__main__":
    sys.exit(main())
