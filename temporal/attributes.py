"""Register search attributes, which a namespace has to know before a workflow uses them."""

import logging

from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest, ListSearchAttributesRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from temporal.away import AWAY
from workflows.names import SEARCH_ATTRIBUTES

logger = logging.getLogger(__name__)


async def register_attributes(client: Client) -> list[str]:
    """Add the missing search attributes. Return their names.

    If this process is not allowed to, log once that an operator has to. Raises RPCError while Temporal is away.
    """
    namespace = client.namespace
    try:
        known = await client.operator_service.list_search_attributes(ListSearchAttributesRequest(namespace=namespace))
        missing = {
            key.name: IndexedValueType.ValueType(key.indexed_value_type)
            for key in SEARCH_ATTRIBUTES
            if key.name not in known.custom_attributes
        }
        if missing:
            await client.operator_service.add_search_attributes(
                AddSearchAttributesRequest(namespace=namespace, search_attributes=missing)
            )
    except RPCError as error:
        if error.status is RPCStatusCode.ALREADY_EXISTS:  # another worker was faster
            return []
        if error.status in AWAY:
            raise
        names = ", ".join(key.name for key in SEARCH_ATTRIBUTES)
        logger.warning("search attributes not registered (%s); register them by hand: %s", error.status.name, names)
        return []
    if missing:
        logger.info("search attributes registered: %s", ", ".join(missing))
    return sorted(missing)
