"""Workflow modules stay light, and what they order of Temporal changes only on purpose."""

import ast
import asyncio
import gc
import inspect
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from temporalio import workflow
from temporalio.api.common.v1 import Payloads
from temporalio.common import Priority, TypedSearchAttributes
from temporalio.worker import WorkflowInstanceDetails
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner
from temporalio.workflow import Info, _Definition

from temporal.client import data_converter
from temporal.registry import WORKFLOWS
from tests.patience import PATIENCE

Method = ast.FunctionDef | ast.AsyncFunctionDef

ROOT = Path(__file__).parents[2]
COMMANDS = Path(__file__).with_name("commands.txt")
HEAVY = ("sqlalchemy", "httpx", "httpx2", "fastapi", "openai", "psycopg", "pydantic", "core.settings", "core.models")


def test_workflow_modules_load_no_io_library() -> None:
    program = f"""
import sys
import workflows.assistant, workflows.mail, workflows.run, workflows.suggestion, workflows.tryout
print(*[name for name in {HEAVY!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [], "import it under TYPE_CHECKING"


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.__name__)
async def test_an_instance_is_ready_within_ten_milliseconds(workflow: type) -> None:
    """Every start and every eviction from the cache pays for it: one heavy import would make it two hundred.

    Processor time of this thread, and the best of many: what a busy machine adds (twice as much, where another
    process shares the core) is not the module's, nor is the collector's walk through all that other tests left.
    """
    runner = SandboxedWorkflowRunner()
    definition = _Definition.must_from_class(workflow)
    runner.prepare_workflow(definition)  # as the worker does at its start
    details = _details(definition)

    def load() -> float:
        began = time.thread_time()
        runner.create_instance(details)
        return time.thread_time() - began

    gc.collect()
    gc.freeze()  # and for the rest, as all that was loaded before the first test (`tests/conftest.py`)
    assert any(load() < 0.010 for _ in range(200))


def _details(definition: _Definition) -> WorkflowInstanceDetails:
    converter, now = data_converter(), datetime.now(UTC)
    return WorkflowInstanceDetails(
        payload_converter_factory=converter.payload_converter_class,
        failure_converter_class=converter.failure_converter_class,
        interceptor_classes=[],
        defn=definition,
        info=Info(
            attempt=1,
            continued_run_id=None,
            cron_schedule=None,
            execution_timeout=None,
            first_execution_run_id="run",
            headers={},
            namespace="default",
            original_execution_run_id="run",
            parent=None,
            root=None,
            priority=Priority.default,
            raw_memo={},
            retry_policy=None,
            run_id="run",
            run_timeout=None,
            search_attributes={},
            start_time=now,
            workflow_start_time=now,
            task_queue="queue",
            task_timeout=timedelta(seconds=10),
            typed_search_attributes=TypedSearchAttributes.empty,
            workflow_id="workflow",
            workflow_type=definition.name or "",
        ),
        randomness_seed=1,
        extern_functions={},
        disable_eager_activity_execution=False,
        worker_level_failure_exception_types=[],
        patch_activation_callback=None,
        last_completion_result=Payloads(),
        last_failure=None,
    )


# the sequence of commands

ORDERS = frozenset(
    {
        "execute_activity_method",
        "start_activity_method",
        "execute_local_activity_method",
        "start_local_activity_method",
        "execute_child_workflow",
        "start_child_workflow",
        "get_external_workflow_handle",
        "upsert_search_attributes",
        "upsert_memo",
        "continue_as_new",
        "patched",
        "deprecate_patch",
        "sleep",
        "wait_condition",
        "uuid4",
        "random",
    }
)
ASYNCIO_TIMERS = frozenset({"sleep", "timeout", "timeout_at", "wait_for"})
WHAT_TO_DO = (
    "what the workflows order has changed. Workflows that run now were begun by the old code: put the change behind "
    '`if workflow.patched("…"):` unless it only adds a message or a query, run the replay test, then write the new '
    "sequence down with `python -m pytest tests/architecture --record-commands` and commit it"
)


def test_the_sequence_of_commands_is_the_committed_one(request: pytest.FixtureRequest) -> None:
    now = "\n".join(line for workflow in WORKFLOWS for line in _sequence(workflow)) + "\n"
    if request.config.getoption("--record-commands"):
        COMMANDS.write_text(now)
    assert now == COMMANDS.read_text(), WHAT_TO_DO


def test_a_reordered_step_changes_the_sequence() -> None:
    class Before:
        async def run(self) -> None:
            await workflow.execute_activity_method(first)  # type: ignore[name-defined] # noqa: F821
            await workflow.sleep(1)

    class After:
        async def run(self) -> None:
            await workflow.sleep(1)
            await workflow.execute_activity_method(first)  # type: ignore[name-defined] # noqa: F821

    assert list(_sequence(Before))[1:] == ["  run", "    execute_activity_method first", "    sleep"]
    assert list(_sequence(After))[1:] == ["  run", "    sleep", "    execute_activity_method first"]


def test_helpers_and_what_a_workflow_is_based_on_are_seen_as_well() -> None:
    class Waiting(_Based):
        async def run(self) -> None:
            await self.rest()
            await helper(self)

    assert list(_sequence(Waiting))[1:] == [
        "  run",
        "    self.rest",
        "    helper()",
        "  rest",
        "    asyncio.sleep",
        "  helper()",
        "    sleep",
    ]


class _Based:
    async def rest(self) -> None:
        await asyncio.sleep(5)


async def helper(_: object) -> None:
    await workflow.sleep(1)


def _sequence(workflow: type) -> Iterator[str]:
    """Per method, in the order of the source: commands, calls of methods with commands, and what they hang on. Then
    the same of what it is based on, and of functions that it calls."""
    methods: dict[str, Method] = {}
    for kind in workflow.__mro__[:-1]:
        for method in _methods(kind):
            methods.setdefault(method.name, method)
    helpers, callers = _helpers(workflow), list(methods.values())
    while callers:
        called = {
            part.func.id
            for part in ast.walk(callers.pop())
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
        }
        for name in sorted(called & helpers.keys()):
            callers.append(methods.setdefault(f"{name}()", helpers.pop(name)))
    yield from _sequence_of(workflow.__name__, methods)


def _methods(kind: type) -> list[Method]:
    [body] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    return [part for part in body.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]


def _helpers(workflow: type) -> dict[str, Method]:
    """Functions of ours that its modules know, by name."""
    known = {
        name: value
        for kind in workflow.__mro__[:-1]
        for name, value in vars(sys.modules[kind.__module__]).items()
        if inspect.isfunction(value) and value.__module__.split(".")[0] in ("workflows", "tests")
    }
    found: dict[str, Method] = {}
    for name, value in known.items():
        if not name.startswith("test_"):
            [body] = ast.parse(textwrap.dedent(inspect.getsource(value))).body
            assert isinstance(body, ast.FunctionDef | ast.AsyncFunctionDef)
            found[name] = body
    return found


def _sequence_of(name: str, methods: dict[str, Method]) -> Iterator[str]:
    ordering: set[str] = set()
    while True:  # a method that calls one with commands has commands itself
        found = {name for name, method in methods.items() if list(_lines(method.body, ordering, ""))}
        if found == ordering:
            break
        ordering = found
    yield name
    for named, method in methods.items():
        handlers = [name for name in map(ast.unparse, method.decorator_list) if name.startswith("workflow.")]
        if named in ordering or handlers:
            yield " ".join(["  " + named, *(f"@{name}" for name in handlers)])
            yield from _lines(method.body, ordering, "    ")


def _lines(nodes: list[ast.stmt], ordering: set[str], indent: str) -> Iterator[str]:
    for node in nodes:
        inner = [getattr(node, name) for name in ("body", "handlers", "orelse", "finalbody") if hasattr(node, name)]
        head = _head(node)
        own = [
            f"{indent}{call}"
            for part in ast.iter_child_nodes(node)
            if not isinstance(part, ast.stmt | ast.ExceptHandler)
            for call in _calls(part, ordering)
        ]
        blocks = [list(_lines(_flat(block), ordering, indent + "  " if head else indent)) for block in inner if block]
        yield from own
        if head and any(blocks):
            yield f"{indent}{head}"
        for block in blocks:
            yield from block


def _head(node: ast.stmt) -> str:
    match node:
        case ast.If(test=test):
            return f"if {ast.unparse(test)}"
        case ast.While(test=test):
            return f"while {ast.unparse(test)}"
        case ast.For(target=target, iter=over):
            return f"for {ast.unparse(target)} in {ast.unparse(over)}"
    return ""


def _flat(block: list[ast.stmt] | list[ast.ExceptHandler]) -> list[ast.stmt]:
    return [found for part in block for found in (part.body if isinstance(part, ast.ExceptHandler) else [part])]


def _calls(node: ast.AST, ordering: set[str]) -> Iterator[str]:
    for part in sorted(
        (part for part in ast.walk(node) if isinstance(part, ast.Call | ast.Attribute)),
        key=lambda part: (part.lineno, part.col_offset),
    ):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="workflow"), attr=name)) if name in ORDERS:
                named = name.endswith(("_method", "_child_workflow")) or "patch" in name
                timed = name == "wait_condition" and any(word.arg == "timeout" for word in part.keywords)
                target = ast.unparse(part.args[0]) if named else "with a timer" if timed else ""
                yield f"{name} {target}".strip()
            case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr=name)) if name in ASYNCIO_TIMERS:
                yield f"asyncio.{name}"
            case ast.Call(func=ast.Name(id=name)) if f"{name}()" in ordering:
                yield f"{name}()"
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in ordering:
                yield f"self.{name}"
