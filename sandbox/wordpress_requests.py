"""Bodies of requests to the stand-in for a WordPress site, and lists by page."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.wordpress_login import select_fields
from sandbox.wordpress_problems import refuse


async def read_body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(400, "rest_invalid_json", "Invalid JSON body passed.") from error
    return body if isinstance(body, dict) else {}


def respond_with_page(request: Request, rows: list[dict[str, Any]]) -> Response:
    count, at = request.query_params.get("per_page", "10"), request.query_params.get("page", "1")
    if not count.isdecimal() or not 1 <= int(count) <= 100 or not at.isdecimal() or int(at) < 1:
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): per_page")
    pages = -(-len(rows) // int(count))
    if int(at) > max(pages, 1):
        raise refuse(400, "rest_post_invalid_page_number", "The page number is larger than the number of pages.")
    shown = rows[(int(at) - 1) * int(count) : int(at) * int(count)]
    headers = {"X-WP-Total": str(len(rows)), "X-WP-TotalPages": str(pages)}
    return JSONResponse([select_fields(request, one) for one in shown], headers=headers)
