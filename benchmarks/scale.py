"""What very many assistants need: `python -m benchmarks.scale` computes docs/scale.md from the table at its top.

A day is simulated minute by minute: when posts are due, when they are prepared, and how many cores each minute takes.
`--check` only tells whether the page is as computed.
"""

import argparse
import math
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.settings import ROOT

PAGE: Final = ROOT / "docs" / "scale.md"
MARK: Final = "<!-- computed by python -m benchmarks.scale; changes below are lost -->\n"
_ROW: Final = re.compile(r"^\| `(\w+)` \| ([-\d.: ]+) \|", re.MULTILINE)
_WIDTH: Final = 120
_DAY: Final = 24 * 60
_HOURS_A_MONTH: Final = 730
_DAYS_A_MONTH: Final = 30
_OTHER_MINUTES: Final = 58
"""Of an hour: all but its first one and its half."""
_GB: Final = 1e6
"""In KB."""


class Figures:
    """The table of the page. Each figure is a number, or a list of numbers or of pairs."""

    def __init__(self, page: str) -> None:
        self._found = dict(_ROW.findall(page))

    def __getitem__(self, name: str) -> float:
        return float(self._found[name])

    def numbers(self, name: str) -> list[float]:
        return [float(one) for one in self._found[name].split()]

    def pairs(self, name: str) -> list[tuple[float, float]]:
        return [
            (float(left), float(right)) for left, _, right in (one.partition(":") for one in self._found[name].split())
        ]


@dataclass(frozen=True)
class Day:
    """Posts per minute of a day in UTC."""

    due: list[float]
    prepared: list[float]
    """Runs that begin."""
    closed: list[float]
    """Deliveries and ends of runs, spread over the minutes that they may take."""

    @classmethod
    def simulate(cls, figures: Figures) -> "Day":
        posts = figures["assistants"] * figures["posts_a_day"]
        weights = figures.numbers("hour_weights")
        due = [0.0] * _DAY
        for offset, percent in figures.pairs("zones"):
            for hour, weight in enumerate(weights):
                in_hour = posts * percent / 100 * weight / sum(weights)
                for minute in range(60):
                    share = {0: figures["full_hour"], 30: figures["half_hour"]}.get(
                        minute, (100 - figures["full_hour"] - figures["half_hour"]) / _OTHER_MINUTES
                    )
                    due[int((hour - offset) * 60 + minute) % _DAY] += in_hour * share / 100
        # an assistant starts at a fixed moment between lead and jitter before its slot
        lead = int(figures["lead_minutes"])
        jitter = min(int(figures["jitter_minutes"]), lead)
        return cls(due, _spread(due, -lead - jitter, jitter), _spread(due, -1, int(figures["closing_minutes"]) + 1))

    def cores(self, minute: int, cpu_ms: float, slot_percent: float) -> float:
        """Return how many cores are busy in this minute with work that takes so many CPU milliseconds per post."""
        at_slot = slot_percent / 100
        return (self.prepared[minute] * (1 - at_slot) + self.closed[minute] * at_slot) * cpu_ms / 1000 / 60

    def busiest(self, measure: Callable[[int], float]) -> float:
        return max(map(measure, range(_DAY)))


def _spread(due: Sequence[float], begin: int, minutes: int) -> list[float]:
    """Return the same posts, each spread evenly over so many minutes from `begin` minutes after its own on."""
    spread = [0.0] * _DAY
    for minute, posts in enumerate(due):
        for later in range(begin, begin + minutes):
            spread[(minute + later) % _DAY] += posts / minutes
    return spread


@dataclass(frozen=True)
class Need:
    """One thing that ends somewhere: how much of it is needed, and how much there is."""

    name: str
    needed: float
    limit: float
    unit: str
    way_out: str

    def assistants(self, asked: float) -> float:
        """Return at how many assistants the limit is reached."""
        return asked * self.limit / self.needed


@dataclass(frozen=True)
class Size:
    """How large everything is, from the simulated day."""

    figures: Figures
    day: Day

    @property
    def posts(self) -> float:
        return sum(self.day.due)

    def cores(self, *parts: str) -> float:
        """Return the busy cores of the busiest minute."""
        cpu = sum(self.figures[part] for part in parts)
        return self.day.busiest(lambda minute: self.day.cores(minute, cpu, self.figures["slot_percent"]))

    def rooms(self, *parts: str) -> float:
        """Return how many cores that takes if none may be busier than allowed."""
        return self.cores(*parts) / self.figures["use_percent"] * 100

    def average_cores(self, *parts: str) -> float:
        return self.posts * sum(self.figures[part] for part in parts) / 1000 / 86_400

    def rate(self, per_post: float) -> float:
        """Return how many a second there are in the busiest minute of what happens so often per post."""
        return self.day.busiest(lambda minute: self.day.cores(minute, 1000, self.figures["slot_percent"])) * per_post

    @property
    def at_once(self) -> float:
        return max(self.day.due)

    def workers(self) -> dict[str, float]:
        """Return the number of worker processes by what asks for it."""
        figures = self.figures
        armed = self.at_once * figures["largest_network_percent"] / 100 / figures["armed_slots"]
        return {
            "their CPU in the busiest minute": self.rooms("worker_ms"),
            "the posts of the busiest slot, out in time": self.at_once
            / figures["sends_a_second"]
            / figures["late_seconds"],
            "armed deliveries of one network": armed,
        }

    @property
    def most_workers(self) -> int:
        return math.ceil(max(self.workers().values()))

    @property
    def shards(self) -> int:
        asked = self.rate(self.figures["temporal_writes"]) / self.figures["writes_a_shard"]
        return 2 ** math.ceil(math.log2(asked)) if asked > 1 else 1

    @property
    def connections(self) -> float:
        figures = self.figures
        workers = self.most_workers * figures["worker_connections"]
        return workers + figures["api_processes"] * figures["api_connections"] + 10

    def product_gb(self) -> tuple[float, float]:
        """Return how much of Postloom's database is evidence that is removed, and what stays of a year."""
        figures = self.figures
        daily = self.posts * figures["product_kb"] / _GB
        kept = figures["kept_percent"] / 100
        return daily * (1 - kept) * figures["evidence_days"], daily * kept * 365

    def temporal_gb(self) -> tuple[float, float]:
        """Return the size of sleeping assistants and of closed runs."""
        figures = self.figures
        return (
            figures["assistants"] * figures["asleep_kb"] / _GB,
            self.posts * figures["temporal_kb"] * figures["temporal_days"] / _GB,
        )

    def list_needs(self) -> list[Need]:
        figures = self.figures
        writes = self.rate(figures["temporal_writes"])
        return [
            Need(
                "connections to Postloom's database",
                self.connections,
                figures["most_connections"],
                "in all",
                "smaller pools per worker (most are idle), then fewer, larger workers",
            ),
            Need(
                "writes of Temporal's database",
                writes,
                figures["most_writes"],
                "a second",
                "a larger server; then Cassandra, or several clusters with a part of the users each",
            ),
            Need(
                "write-ahead log of Temporal's database",
                self.rate(figures["temporal_log_kb"]) / 1000,
                figures["most_log_mb"],
                "MB a second",
                "faster disks; the same",
            ),
            Need(
                "commits of Postloom's database",
                self.rate(figures["product_commits"]),
                figures["most_writes"],
                "a second",
                "a larger server",
            ),
            Need(
                "history shards, 4 as in docker/compose.yaml",
                writes,
                4 * figures["writes_a_shard"],
                "writes a second",
                "none later: choose them at the first start",
            ),
            Need(
                "history shards, 512",
                writes,
                512 * figures["writes_a_shard"],
                "writes a second",
                "none later: choose them at the first start",
            ),
            Need(
                "actions of a new namespace of Temporal Cloud",
                self.rate(figures["actions"]),
                figures["cloud_actions_a_second"],
                "a second",
                "grows with its use over seven days; provisioned capacity",
            ),
            Need(
                "calls of one frontend of Temporal",
                self.rate(figures["calls"]),
                figures["calls_a_second"],
                "a second",
                "more frontends, or a higher `frontend.namespaceRPS`",
            ),
            Need(
                "a round of the reconcile",
                figures["assistants"] / figures["reconciled_a_second"],
                3600,
                "seconds",
                "one round per part of the users",
            ),
        ]


def price_actions(millions: float, prices: Sequence[tuple[float, float]]) -> float:
    """Return the price in USD of so many million actions a month; the last price is that of all others."""
    total, done = 0.0, 0.0
    for up_to, price in prices:
        within = min(millions, up_to) - done
        if within > 0:
            total, done = total + within * price, done + within
    return total + max(millions - done, 0) * prices[-1][1]


def compute(figures: Figures) -> str:
    """Return the computed part of the page."""
    size = Size(figures, Day.simulate(figures))
    parts = {
        "workers": ("worker_ms",),
        "Temporal's services": ("temporal_ms",),
        "Temporal's PostgreSQL": ("temporal_postgres_ms",),
        "Postloom's PostgreSQL": ("product_postgres_ms",),
    }
    every = tuple(name for names in parts.values() for name in names)
    lines = [
        "",
        "## Load",
        "",
        textwrap.fill(
            f"{_round(size.posts)} posts a day, {size.posts / 86_400:.0f} a second on average. The busiest slot has "
            f"{_round(size.at_once)} posts, due at the same instant; in the busiest minute "
            f"{size.day.busiest(lambda minute: size.day.prepared[minute]) / 60:.0f} runs a second begin.",
            _WIDTH,
        ),
        "",
        "| part | cores on average | in the busiest minute | to provide |",
        "|---|---|---|---|",
        *(
            f"| {name} | {size.average_cores(*cpu):.1f} | {size.cores(*cpu):.0f} | {math.ceil(size.rooms(*cpu))} |"
            for name, cpu in {**parts, "all": every}.items()
        ),
        "",
        "## Processes",
        "",
        "| worker processes for | |",
        "|---|---|",
        *(f"| {name} | {math.ceil(count)} |" for name, count in size.workers().items()),
        "",
        textwrap.fill(
            f"So {size.most_workers} workers at the busiest slot, with a core and {figures['worker_mb']:.0f} MB each, "
            f"and {figures['api_processes']:.0f} API processes: up to {_round(size.connections)} connections to "
            f"Postloom's database. Temporal needs {size.shards} history shards, which cannot be changed later.",
            _WIDTH,
        ),
        "",
        "## Databases",
        "",
        *_describe_databases(size),
        "",
        "## Cost",
        "",
        *_describe_cost(size, every),
        "",
        "## What breaks first",
        "",
        "Each line by itself, from the first to break to the last; everything else is taken to hold.",
        "",
        "| what | needed | there is | breaks at | way out |",
        "|---|---|---|---|---|",
        *(
            f"| {need.name} | {_round(need.needed)} {need.unit} | {_round(need.limit)} {need.unit} | "
            f"{_round(need.assistants(figures['assistants']))} assistants | {need.way_out} |"
            for need in sorted(size.list_needs(), key=lambda need: need.assistants(1))
        ),
    ]
    return "\n".join(lines) + "\n"


def _describe_databases(size: Size) -> list[str]:
    figures = size.figures
    evidence, kept = size.product_gb()
    asleep, closed = size.temporal_gb()
    return [
        "| | Postloom's | Temporal's |",
        "|---|---|---|",
        f"| commits, or writes, a second in the busiest minute | {_round(size.rate(figures['product_commits']))} | "
        f"{_round(size.rate(figures['temporal_writes']))} |",
        f"| write-ahead log | | {size.rate(figures['temporal_log_kb']) / 1000:.0f} MB a second in the busiest minute, "
        f"{_round(size.posts * figures['temporal_log_kb'] / _GB)} GB a day |",
        f"| new rows a day | {_round(size.posts * figures['product_kb'] / _GB)} GB | "
        f"{_round(size.posts * figures['temporal_kb'] / _GB)} GB |",
        f"| size | {_round(evidence)} GB of evidence that is removed, and {_round(kept)} GB more each year | "
        f"{_round(closed)} GB of closed runs, {_round(asleep)} GB of sleeping assistants |",
    ]


def _describe_cost(size: Size, cpu: tuple[str, ...]) -> list[str]:
    figures = size.figures
    monthly = size.posts * _DAYS_A_MONTH
    asleep, closed = size.temporal_gb()
    evidence, kept = size.product_gb()
    actions = price_actions(monthly * figures["actions"] / 1e6, figures.pairs("action_prices"))
    active = asleep * _HOURS_A_MONTH * figures["active_gbh_usd"]
    retained = closed * _HOURS_A_MONTH * figures["retained_gbh_usd"]
    plan = (actions + active + retained) * figures["plan_percent"] / 100
    core = figures["core_hour_usd"] * _HOURS_A_MONTH
    own = ("temporal_ms", "temporal_postgres_ms")
    rest = tuple(part for part in cpu if part not in own)
    disk = figures["gb_month_usd"]
    product = (size.rooms(*rest) + figures["api_processes"]) * core + (evidence + kept) * disk
    temporal = size.rooms(*own) * core + (asleep + closed) * disk

    def row(name: str, *usd: float) -> str:
        return f"| {name} | {' | '.join(f'{_round(one)} | {one / monthly * 1000:.3f}' for one in usd)} |"

    return [
        textwrap.fill(
            "Machines are provided for the busiest minute, all month, without a second one of each for failures; "
            "workers that come and go by the backlog cost less. The storage is that of the first year.",
            _WIDTH,
        ),
        "",
        "| | USD a month | USD per thousand posts |",
        "|---|---|---|",
        row("Postloom's workers, APIs, database", product),
        row("Temporal on machines of one's own", temporal),
        row("**all, self-hosted**", product + temporal),
        row("Temporal Cloud: actions", actions),
        row("Temporal Cloud: open and closed workflows", active + retained),
        row("Temporal Cloud: plan", plan),
        row("**all, with Temporal Cloud**", product + actions + active + retained + plan),
    ]


def _round(number: float) -> str:
    """Return the number with two significant digits, as people write it."""
    if number <= 0:
        return "0"
    digits = 1 - math.floor(math.log10(number))
    rounded = round(number, digits)
    return f"{rounded:,.0f}" if digits <= 0 else f"{rounded:.{digits}f}"


def render(page: str) -> str:
    """Return the page with its computed part. Raise SystemExit if it has no mark."""
    given, mark, _ = page.partition(MARK)
    if not mark:
        raise SystemExit(f"the page lacks the line {MARK.strip()}")
    return given + mark + compute(Figures(given))


def main(path: Path, *, check: bool) -> int:
    page = path.read_text()
    computed = render(page)
    if check:
        return int(page != computed)
    path.write_text(computed)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=Path, default=PAGE, help="a copy of the page with other figures")
    parser.add_argument("--check", action="store_true", help="exit with 1 if the page is not as computed")
    chosen = parser.parse_args()
    sys.exit(main(chosen.page, check=chosen.check))
