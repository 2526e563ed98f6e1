"""ASGI middleware for all requests and answers: security headers, and HEAD for every GET."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PERMISSIONS = ("accelerometer", "camera", "geolocation", "gyroscope", "magnetometer", "microphone", "payment", "usb")
_HSTS = "max-age=31536000"  # seconds; a year


def headers(public_url: str, *, hsts_subdomains: bool = False) -> dict[str, str]:
    """Return the default headers of every answer."""
    secure = public_url.startswith("https:")
    # images also come from networks, and from the sandbox if everything runs on one machine
    pictures = "'self' data: blob: https:" if secure else "'self' data: blob: http: https:"
    policy = {
        "default-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",  # the components' styles are attributes
        "img-src": pictures,
        "object-src": "'none'",
        "frame-src": "'none'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
    }
    found = {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": ", ".join(f"{name}=()" for name in _PERMISSIONS),
        # addresses of pages may contain the token of a link
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }
    # subdomains may belong to others: only an operator of all of them can say that they have TLS
    hsts = f"{_HSTS}; includeSubDomains" if hsts_subdomains else _HSTS
    return found | {"Strict-Transport-Security": hsts} if secure else found


class SafeHeaders:
    """Adds the headers to every answer, including errors, files and pages."""

    def __init__(self, app: ASGIApp, public_url: str, *, hsts_subdomains: bool = False) -> None:
        self.app = app
        found = headers(public_url, hsts_subdomains=hsts_subdomains)
        self.headers = [(name.lower().encode(), value.encode()) for name, value in found.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = message.setdefault("headers", [])
                names = {name for name, _ in said}
                said += (header for header in self.headers if header[0] not in names)
                if scope["path"].startswith("/api/") and b"cache-control" not in names:
                    said.append((b"cache-control", b"no-store"))
            await send(message)

        await self.app(scope, receive, completed)


class Heads:
    """Answers HEAD like GET, with the same headers and no body. Without a GET, HEAD is refused like GET."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def headers_only(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body"})  # tells endless streams that the client is gone

        inner = {**scope, "method": "GET"}
        try:
            await self.app(inner, receive, headers_only)
        finally:
            if "route" in inner:
                scope["route"] = inner["route"]  # for the metrics and the log
