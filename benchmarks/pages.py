"""Check the pages of a feed with Lighthouse and the W3C's HTML checker: `python -m benchmarks.pages`.

Both are npm packages in `benchmarks/lighthouse` (`npm ci` there); they need Chromium and Java.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image, ImageFilter

from benchmarks.serving import ApiServer, run_api
from core.ids import new_id
from core.networks.connections import Credentials
from core.networks.posts import Article, Outgoing
from core.networks.posts import Image as Sent
from core.networks.registry import channel
from core.networks.rules.channels import AccountType, ChannelKind
from core.texts.rules.markdown import html_of
from core.users.tables.users import User
from core.websites.repositories.websites import WebsiteRepository
from core.websites.site_feeds import FeedFacts

HERE: Final = Path(__file__).parent / "lighthouse"
ARTICLES: Final = 30  # so that there is a second page
GOAL: Final = 95
CATEGORIES: Final = ("performance", "accessibility", "best-practices", "seo")
TEXT: Final = """Winter does not arrive on a date. It arrives on a **temperature**.

## When to change

Look at the mornings: [the forecast](https://example.org/forecast) is yours.

- Studs for ice
- Soft compound for wet asphalt

> The best tyre is the one that you have put on before you needed it.

![Two wheels](media:{media})

| tyre | width |
|:-----|------:|
| front | 32 mm |

```
etrto = rim_width + 2 * shoulder
```
"""


def draw_picture(shade: int) -> bytes:
    """Return a PNG as large and as hard to compress as a photograph."""
    noise = Image.effect_noise((2400, 1350), 90).filter(ImageFilter.GaussianBlur(6))
    flat = Image.new("L", noise.size, shade)
    png = BytesIO()
    Image.merge("RGB", (noise, flat, noise.transpose(Image.Transpose.ROTATE_180))).save(png, "PNG")
    return png.getvalue()


async def publish_articles(server: ApiServer, user: User) -> list[str]:
    """Publish articles to a feed. Return the URLs of the newest one and of the feed."""
    services, kind = server.services, next(one for one in ChannelKind if one.value.endswith("feed"))
    form = {"site_name": "Notes from the workshop", "address": f"workshop-{new_id()}"}
    website_id = await services.websites.connect(user.id, kind, form, "en")
    facts = FeedFacts("What we learn about bicycles and weather.", "Mara Lind", indexed=True)
    await services.websites.change(user.id, website_id, 1, form["site_name"], "en", facts)
    async with services.sessions() as session:
        account = (await WebsiteRepository(session).get(user.id, website_id)).row.account
        to: Credentials = services.connecting.credentials(account)
    images = tuple(Sent(draw_picture(shade), "image/png", "A bicycle in the rain") for shade in (90, 160))
    permalink = ""
    for number in reversed(range(ARTICLES)):
        with_images = images if number == 0 else ()
        media = tuple(new_id() for _ in with_images)
        text = TEXT.replace("{media}", str(media[1]) if media else "")
        article = Article(
            title=f"Winter tyres: when, which, and why ({number})",
            slug=f"winter-tyres-{number}",
            summary="Below seven degrees your summer tyres stop gripping.",
            html=html_of(text),
            tags=("Winter", "Tyres & rims"),
            image_ids=media,
            language="en",
        )
        post = Outgoing(text, with_images, article=article)
        site = channel(kind)
        staged = await site.stage(to, post)
        permalink = (await site.prepare(to, post, staged.refs).publish()).permalink or ""
    return [permalink, site.posts_url(AccountType.organisation, to.external_id)]


async def run_command(*command: str | Path) -> str:
    """Run a command and return its output. Raise SystemExit if it fails."""
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env=os.environ
    )
    output, _ = await process.communicate()
    if process.returncode:
        sys.exit(output.decode())
    return output.decode()


async def check_html(server: ApiServer, addresses: Sequence[str]) -> None:
    """Check the pages' HTML. Raise SystemExit with the errors."""
    java = shutil.which("java")
    if java is None:
        sys.exit("Java is needed.")
    async with server.client() as client:
        found = [(await client.get(one)).text for one in (*addresses, f"{addresses[1]}?page=2", f"{addresses[1]}no/")]
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.html") for number in range(len(found))]
        await asyncio.to_thread(lambda: [file.write_text(page) for file, page in zip(files, found, strict=True)])
        jar = HERE / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
        sys.stdout.write(await run_command(java, "-jar", jar, "--format", "text", *files))


async def main() -> None:
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules").is_dir():
        sys.exit("Node.js is needed, and `npm ci` in benchmarks/lighthouse.")
    os.environ.setdefault("CHROMIUM_PATH", shutil.which("chromium") or "")
    async with run_api(worker=False) as server:
        user, _ = await server.add_user()
        addresses = await publish_articles(server, user)
        await check_html(server, addresses)
        missed = False
        for line in (await run_command(node, HERE / "judge.mjs", *addresses)).splitlines():
            found: dict[str, Any] = json.loads(line)
            scores = [found[name] for name in CATEGORIES]
            missed |= min(scores) < GOAL
            page = "article" if found["address"] == addresses[0] else "index"
            sys.stdout.write(
                f"{page:8} {found['form']:8} {found['scheme']:6} {' '.join(f'{score:4}' for score in scores)}"
                f"  largest paint {found['largest']:5} ms, {found['kilobytes']} KB {' '.join(found['failed'])}\n"
            )
        if missed:
            sys.exit(f"a score is below {GOAL}")


if __name__ == "__main__":
    asyncio.run(main())
