"""What holds for every answer and every request, whatever becomes of it in between."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PERMISSIONS = ("accelerometer", "camera", "geolocation", "gyroscope", "magnetometer", "microphone", "payment", "usb")
_HSTS = "max-age=31536000"  # seconds; a year


def headers(public_url: str, *, hsts_subdomains: bool = False) -> dict[str, str]:
    """For every answer that does not say otherwise itself."""
    secure = public_url.startswith("https:")
    # pictures come from the networks, too, and from the sandbox where all of this runs on one machine
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
        # addresses of pages may hold the token of a link
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }
    # hosts below this one may be others': only whoever runs them all can say that they have TLS, too
    hsts = f"{_HSTS}; includeSubDomains" if hsts_subdomains else _HSTS
    return found | {"Strict-Transport-Security": hsts} if secure else found


class SafeHeaders:
    """The headers on every answer: of errors, files and pages alike."""

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
    """HEAD wherever GET is: the same headers, and no body. What has no GET refuses it as it would refuse a GET."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def headers_only(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body"})  # a stream without end hears that nobody listens

        await self.app({**scope, "method": "GET"}, receive, headers_only)
