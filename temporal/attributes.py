"""Namespace and search attributes, which the Temporal server has to know before a workflow uses them."""

import logging
from typing import Final

from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest, ListSearchAttributesRequest
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from core.installation.start_checks import StartRefused
from workflows.names import SEARCH_ATTRIBUTES

logger = logging.getLogger(__name__)

NO_RIGHT: Final = frozenset({RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNIMPLEMENTED})
"""The login may not do this, or the server lets nobody do it (Temporal Cloud)."""

TYPES: Final = {key.name: IndexedValueType.ValueType(key.indexed_value_type) for key in SEARCH_ATTRIBUTES}


async def ensure_namespace(client: Client) -> None:
    """Raise StartRefused if the namespace is missing, RPCError while Temporal is away."""
    try:
        await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace=client.namespace))
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            raise StartRefused(
                f"TEMPORAL_NAMESPACE: the Temporal server has no namespace {client.namespace}: run "
                "`postloom temporal-setup`"
            ) from None
        if error.status not in NO_RIGHT:  # who may not ask finds out by working
            raise


async def register_attributes(client: Client) -> list[str]:
    """Add the missing search attributes. Return their names.

    Raise StartRefused if this login may not add them, RPCError while Temporal is away.
    """
    missing = await find_missing_attributes(client)
    if not missing:
        return []
    try:
        await client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(
                namespace=client.namespace, search_attributes={name: TYPES[name] for name in missing}
            )
        )
    except RPCError as error:
        if error.status is RPCStatusCode.ALREADY_EXISTS:  # another worker was faster
            return []
        if error.status not in NO_RIGHT:
            raise
        raise StartRefused(describe_missing(client.namespace, missing)) from None
    logger.info("search attributes registered: %s", ", ".join(missing))
    return missing


async def find_missing_attributes(client: Client) -> list[str]:
    """Return the names of the search attributes that the namespace lacks. Raise StartRefused if one has another type,
    RPCError while Temporal is away."""
    try:
        answer = await client.operator_service.list_search_attributes(
            ListSearchAttributesRequest(namespace=client.namespace)
        )
    except RPCError as error:
        if error.status not in NO_RIGHT:
            raise
        return sorted([name for name in TYPES if not await _is_known(client, name)])
    known = answer.custom_attributes
    if wrong := sorted(name for name, kind in TYPES.items() if name in known and known[name] != kind):
        raise StartRefused(
            f"Temporal: namespace {client.namespace} has search attributes of another type than Postloom's "
            f"({', '.join(wrong)}): use a namespace of its own"
        )
    return sorted(TYPES.keys() - known.keys())


async def _is_known(client: Client, name: str) -> bool:
    """Ask by a query, which needs no rights of an administrator."""
    try:
        await client.count_workflows(f"{name} IS NOT NULL")
    except RPCError as error:
        if error.status is not RPCStatusCode.INVALID_ARGUMENT:
            raise
        return False
    return True


def describe_missing(namespace: str, missing: list[str]) -> str:
    """Return the line that says what to do."""
    return (
        f"Temporal: namespace {namespace} lacks the search attributes {', '.join(missing)}: run "
        "`postloom temporal-setup` with a login that may register them"
    )
