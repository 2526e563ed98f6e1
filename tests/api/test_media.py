"""Uploading, finding and showing pictures."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image
from sqlalchemy import update

from api.app import connected_app
from api.limits import RECEIVING_FORMS
from core.ai.pictures.base import Picture
from core.ai.rules.usage import Usage
from core.clock import utcnow
from core.container import Services, wire
from core.errors import ErrorCode
from core.ids import new_id
from core.media.rules.media import UPLOAD_BYTES, MediaKind
from core.media.tables import Media, MediaSource
from core.posts.rules.posts import PostStatus
from core.settings import Settings
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing
from tests.documents import a_pdf, locked_pdf
from tests.factories import Factory
from tests.media.test_library import a_post
from tests.pictures import (
    HTML,
    PDF,
    SVG,
    ZIP,
    animation,
    claiming_png,
    exif_of_a_phone,
    jpeg,
    opened,
    png,
    real_bomb,
    saved,
    scene,
)
from tests.serving import serve

pytest_plugins = ["tests.bucket"]

MEGABYTE = 1024 * 1024


@pytest.fixture
def settings(settings: Settings, media_url: str) -> Settings:
    return settings.model_copy(update={"media_url": media_url})


async def upload(api: httpx2.AsyncClient, data: bytes, name: str = "photo.jpg") -> httpx2.Response:
    return await api.post("/media/", files={"file": (name, data, "image/jpeg")})


async def uploaded(api: httpx2.AsyncClient, data: bytes, name: str = "photo.jpg") -> dict[str, Any]:
    found: dict[str, Any] = done(await upload(api, data, name), 201)
    return found


async def shown(api: httpx2.AsyncClient, url: str) -> httpx2.Response:
    """As a browser's picture: without the token."""
    answer = await api.get(f"http://postloom.test{url}", headers={"Authorization": ""})
    assert answer.status_code == 200, answer.text
    return answer


async def test_a_photo_is_uploaded_cleaned_and_shown(api: httpx2.AsyncClient) -> None:
    photo = saved(scene(1200, 800), "JPEG", exif=exif_of_a_phone(6))
    assert b"Secret" in photo
    made = await uploaded(api, photo, "Regen am Kanal.jpg")
    assert (made["name"], made["source"], made["mime"]) == ("Regen am Kanal.jpg", "upload", "image/jpeg")
    assert (made["width"], made["height"], made["duplicate"], made["made_by"]) == (800, 1200, False, "")
    large, small = await shown(api, made["url"]), await shown(api, made["thumbnail_url"])
    assert (large.headers["content-type"], len(large.content)) == ("image/jpeg", made["bytes"])
    assert opened(large.content).size == (800, 1200)
    assert not opened(large.content).getexif()
    assert b"Secret" not in large.content
    assert (small.headers["content-type"], opened(small.content).size) == ("image/webp", (320, 480))
    assert "sandbox" in large.headers["content-security-policy"]
    assert large.headers["content-disposition"] == f'inline; filename="{made["id"]}.jpeg"'
    assert small.headers["content-disposition"] == f'inline; filename="{made["id"]}.webp"'
    assert large.headers["x-content-type-options"] == "nosniff"
    assert large.headers["etag"] != small.headers["etag"]
    again = await uploaded(api, photo, "other.jpg")
    assert (again["id"], again["name"], again["duplicate"]) == (made["id"], "Regen am Kanal.jpg", True)


@pytest.mark.parametrize(
    ("data", "mime"),
    [(png(), "image/png"), (saved(scene(96, 64), "WEBP"), "image/webp"), (animation(), "image/gif")],
    ids=["png", "webp", "gif"],
)
async def test_the_name_does_not_say_what_it_is(api: httpx2.AsyncClient, data: bytes, mime: str) -> None:
    assert (await uploaded(api, data, "photo.jpg"))["mime"] == mime


REFUSED = {
    "html": (HTML, ErrorCode.image_type_refused),
    "svg": (SVG, ErrorCode.image_type_refused),
    "broken pdf": (PDF, ErrorCode.document_unreadable),
    "locked pdf": (locked_pdf(user="rain", owner=""), ErrorCode.document_locked),
    "long pdf": (a_pdf(301), ErrorCode.document_too_long),
    "nothing": (b"", ErrorCode.image_type_refused),
    "bomb by its header": (claiming_png(60_000, 60_000), ErrorCode.image_too_many_pixels),
    "bomb": (real_bomb(), ErrorCode.image_too_many_pixels),
    "half a photo": (jpeg()[: len(jpeg()) // 2], ErrorCode.image_truncated),
    "broken": (png()[:60] + bytes(200) + png()[260:], ErrorCode.image_unreadable),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_what_is_no_plain_picture_is_refused(api: httpx2.AsyncClient, case: str) -> None:
    data, code = REFUSED[case]
    problem = refused(await upload(api, data), 422, code)
    if code is ErrorCode.image_too_many_pixels:
        assert problem["params"]["limit"] == 50
    assert done(await api.get("/media/"))["total"] == 0


@pytest.mark.parametrize("more", [ZIP, HTML, b"*/=1;alert(1);//"], ids=["archive", "page", "script"])
async def test_what_stands_behind_a_picture_is_left_out(api: httpx2.AsyncClient, more: bytes) -> None:
    for original in (jpeg(), png(), animation()):
        plain = await uploaded(api, original)
        again = await uploaded(api, original + more)
        assert (again["id"], again["duplicate"], again["first_frame_only"]) == (plain["id"], True, False)


async def test_that_only_the_first_frame_was_kept_is_told(api: httpx2.AsyncClient) -> None:
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("#ff0000", "#00ff00")]
    film = saved(frames[0], "WEBP", save_all=True, append_images=frames[1:], duration=100)
    made = await uploaded(api, film)
    assert (made["first_frame_only"], made["duplicate"]) == (True, False)
    assert (await uploaded(api, film))["first_frame_only"]  # also of one that was here already


async def test_a_document_is_uploaded_and_its_pages_are_shown(api: httpx2.AsyncClient) -> None:
    data = a_pdf(3, sizes=((595, 842), (842, 595)))
    made = await uploaded(api, data, "Eight questions.pdf")
    assert (made["kind"], made["mime"], made["pages"], made["seconds"]) == ("document", "application/pdf", 3, None)
    assert (made["width"], made["height"], made["bytes"], made["name"]) == (595, 842, len(data), "Eight questions.pdf")
    assert (made["page_sizes_differ"], made["duplicate"], made["first_frame_only"]) == (True, False, False)
    assert (await uploaded(api, data, "Again.pdf"))["duplicate"]
    large, small = await shown(api, made["url"]), await shown(api, made["thumbnail_url"])
    assert (large.content, large.headers["content-type"]) == (data, "application/pdf")
    # no browser opens it as a page of this server
    assert large.headers["content-disposition"] == f'attachment; filename="{made["id"]}.pdf"'
    assert large.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert large.headers["x-content-type-options"] == "nosniff"
    assert opened(small.content).size[1] == 480
    first, second = [await shown(api, made["page_url"].replace("{page}", str(page))) for page in (1, 2)]
    assert (opened(first.content).size[1], opened(second.content).size[0]) == (1200, 1200)
    assert first.headers["etag"] != second.headers["etag"]
    assert first.headers["cache-control"] == "private, max-age=86400, immutable"
    # what a browser has is not drawn again
    known = {"If-None-Match": f'"other", {first.headers["etag"]}'}
    kept = await api.get(f"http://postloom.test{made['page_url'].replace('{page}', '1')}", headers=known)
    assert (kept.status_code, kept.content, kept.headers["etag"]) == (304, b"", first.headers["etag"])
    for wrong in (made["page_url"].replace("{page}", "4"), made["page_url"].replace("{page}", "1")[:-1]):
        refused(await api.get(f"http://postloom.test{wrong}"), 404, ErrorCode.not_found)
    photo = await uploaded(api, jpeg())
    assert photo["page_url"] is None
    # a signature is valid for its own file, and for what it names
    other = made["page_url"].replace("{page}", "1").replace(made["id"], photo["id"])
    for wrong in (other, made["url"].replace("/file/", "/pages/1/")):
        refused(await api.get(f"http://postloom.test{wrong}"), 404, ErrorCode.not_found)


async def test_a_user_sends_two_files_at_once_and_the_next_waits(api: httpx2.AsyncClient, user: User) -> None:
    subject = str(user.id)
    async with RECEIVING_FORMS.place(subject), RECEIVING_FORMS.place(subject):
        waiting = asyncio.create_task(upload(api, jpeg()))
        await asyncio.wait({waiting}, timeout=1)
        assert not waiting.done()
    done(await waiting, 201)


async def test_twenty_megabytes_are_the_most(api: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for more in (1, 100_000):
        answer = await upload(api, bytes(20 * MEGABYTE + more))
        assert refused(answer, 413, ErrorCode.too_large)["params"] == {"limit": 20}
    refused(await upload(api, bytes(20 * MEGABYTE)), 422, ErrorCode.image_type_refused)
    refused(await upload(api, PDF + bytes(20 * MEGABYTE)), 422, ErrorCode.document_unreadable)
    monkeypatch.setitem(UPLOAD_BYTES, MediaKind.document, 30 * MEGABYTE)
    answer = await upload(api, PDF + bytes(30 * MEGABYTE))
    assert refused(answer, 413, ErrorCode.too_large)["params"] == {"limit": 31}

    async def endless() -> AsyncIterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'
        while True:
            yield bytes(MEGABYTE)

    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = await api.post("/media/", content=endless(), headers=kind)
    assert refused(answer, 413, ErrorCode.too_large)["params"] == {"limit": 96}


async def test_a_form_without_a_file_is_bad_input(api: httpx2.AsyncClient) -> None:
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    assert wrong_fields(await api.post("/media/")) == {"file": ErrorCode.invalid_input}
    assert wrong_fields(await api.post("/media/", json={"file": "x"})) == {"file": ErrorCode.invalid_input}
    assert wrong_fields(await api.post("/media/", files={"picture": ("a.png", png())})) == {
        "file": ErrorCode.invalid_input
    }
    for body in (b"--x", b"--x\r\n\r\nno header\r\n--x--", b""):
        assert (await api.post("/media/", content=body, headers=kind)).status_code == 422
    two = [("file", ("a.png", png())), ("file", ("b.png", png()))]
    refused(await api.post("/media/", files=two), 422, ErrorCode.invalid_input)
    refused(await api.post("/media/", data={"note": "x"}, files={"file": png()}), 422, ErrorCode.invalid_input)


async def test_nobody_uploads_without_a_token(anonymous: httpx2.AsyncClient) -> None:
    """And nothing of what they send is read."""

    async def body() -> AsyncIterator[bytes]:
        pytest.fail("it was read")
        yield b""

    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    refused(await anonymous.post("/media/", content=body(), headers=kind), 401, ErrorCode.unauthenticated)


async def test_pictures_are_found_and_changed(api: httpx2.AsyncClient) -> None:
    first = await uploaded(api, jpeg(), "Rain.jpg")
    second = await uploaded(api, png(), "Sun.png")
    body = {"version": first["version"], "alt": "A wet road", "tags": ["Berlin", " berlin", "Wet"]}
    changed = done(await api.patch(f"/media/{first['id']}/", json=body))
    refused(await api.patch(f"/media/{first['id']}/", json={**body, "alt": "Rain"}), 409, ErrorCode.stale_version)
    now = {"version": changed["version"]}
    assert wrong_fields(await api.patch(f"/media/{first['id']}/", json={**now, "tags": ["x" * 60]})) == {
        "tags.0": ErrorCode.content_too_long
    }
    assert (changed["name"], changed["alt"], changed["tags"]) == ("Rain.jpg", "A wet road", ["Berlin", "Wet"])
    for query, ids in {
        "": [second["id"], first["id"]],
        "search=WET": [first["id"]],
        "tag=berlin": [first["id"]],
        "sort=oldest": [first["id"], second["id"]],
        "sort=name": [first["id"], second["id"]],
        "origin=card": [],
        "origin=upload&search=sun": [second["id"]],
    }.items():
        assert [found["id"] for found in done(await api.get(f"/media/?{query}"))["items"]] == ids, query
    page = done(await api.get("/media/?page_size=1"))
    rest = done(await api.get(f"/media/?page_size=1&cursor={page['next_cursor']}"))
    assert [page["items"][0]["id"], rest["items"][0]["id"], rest["next_cursor"]] == [second["id"], first["id"], None]
    assert done(await api.get("/media/tags/")) == [{"tag": "Berlin", "count": 1}, {"tag": "Wet", "count": 1}]
    detail = done(await api.get(f"/media/{first['id']}/"))
    assert (detail["uses"], detail["card"]) == ([], None)
    assert wrong_fields(await api.patch(f"/media/{first['id']}/", json={**now, "alt": "x" * 1001})) == {
        "alt": ErrorCode.invalid_input
    }


async def test_each_source_says_how_many_it_has(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    async def counts(query: str = "") -> tuple[list[int], int]:
        page = done(await api.get(f"/media/?{query}"))
        return [page["origins"][name] for name in ("upload", "ai", "card")], page["total"]

    assert await counts() == ([0, 0, 0], 0)
    rain, sun = await uploaded(api, jpeg(), "Rain.jpg"), await uploaded(api, png(), "Sun.png")
    done(await api.patch(f"/media/{rain['id']}/", json={"version": rain["version"], "tags": ["Wet"]}))
    for headline in ("Rain again", "Sunday"):
        card = {"headline": headline, "tags": ["wet"]}
        done(await api.post("/cards/", json=card), 201)
    async with browsing(services, away, await make.user()) as other:
        await uploaded(other, jpeg(), "Rain elsewhere.jpg")
    assert await counts() == ([2, 0, 2], 4)
    assert await counts("page_size=1") == ([2, 0, 2], 4)
    # a source narrows the list, not what the other sources would show
    assert await counts("origin=card") == ([2, 0, 2], 2)
    assert await counts("origin=ai") == ([2, 0, 2], 0)
    assert await counts("search=rain") == ([1, 0, 1], 2)
    assert await counts("tag=WET") == ([1, 0, 2], 3)
    assert await counts("tag=wet&search=rain&origin=upload") == ([1, 0, 1], 1)
    done(await api.delete(f"/media/{sun['id']}/"), 204)
    assert await counts() == ([1, 0, 2], 3)
    done(await api.post(f"/media/{sun['id']}/restore/"))
    assert await counts() == ([2, 0, 2], 4)


async def test_what_assistants_made_is_told_apart(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    async def found(query: str = "") -> tuple[list[str], dict[str, int]]:
        page = done(await api.get(f"/media/?sort=name&{query}"))
        assert page["total"] == len(page["items"])
        return [one["name"] for one in page["items"]], page["origins"]

    def picture(side: int) -> Picture:
        return Picture(
            data=png(side),
            mime="image/png",
            width=side,
            height=64,
            provider="cards",
            model="quote",
            usage=Usage(input_tokens=0, output_tokens=0),
            request_id=None,
        )

    await uploaded(api, jpeg(), "Rain.jpg")
    for side, name, source in ((10, "Card of a run", MediaSource.card), (20, "Painted by a run", MediaSource.ai)):
        await services.media.store(user.id, picture(side), source=source, name=name, by_assistant=True)
    await services.media.store(user.id, picture(30), source=MediaSource.ai, name="Tried out")
    counts = {"own": 2, "upload": 1, "ai": 1, "card": 0, "assistant": 2}
    assert await found() == (["Card of a run", "Painted by a run", "Rain.jpg", "Tried out"], counts)
    assert await found("origin=own") == (["Rain.jpg", "Tried out"], counts)
    assert await found("origin=ai") == (["Tried out"], counts)
    assert await found("origin=assistant") == (["Card of a run", "Painted by a run"], counts)
    assert await found("origin=own&search=run") == ([], {"own": 0, "upload": 0, "ai": 0, "card": 0, "assistant": 2})
    # what a person makes as well is theirs from then on, and a further run does not take it away
    for by_assistant in (False, True):
        await services.media.store(user.id, picture(10), by_assistant=by_assistant)
    assert (await found("origin=own"))[0] == ["Card of a run", "Rain.jpg", "Tried out"]


async def test_a_picture_is_deleted_and_brought_back(api: httpx2.AsyncClient, services: Services) -> None:
    made = await uploaded(api, jpeg())
    path = f"/media/{made['id']}/"
    done(await api.delete(path), 204)
    refused(await api.get(path), 404, ErrorCode.not_found)
    assert done(await api.get("/media/"))["items"] == []
    await shown(api, made["url"])  # a page that is open still shows it
    assert done(await api.post(f"{path}restore/"))["id"] == made["id"]
    done(await api.get(path))
    done(await api.delete(path), 204)
    async with services.sessions.begin() as session:
        await session.execute(update(Media).values(deleted_at=utcnow().replace(year=2020)))
    refused(await api.post(f"{path}restore/"), 409, ErrorCode.undo_expired)
    assert await services.gallery.sweep() == 1
    refused(await api.post(f"{path}restore/"), 404, ErrorCode.not_found)
    assert (await api.get(f"http://postloom.test{made['url']}")).status_code == 404


async def test_a_scheduled_post_keeps_its_picture(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    made = await uploaded(api, jpeg())
    async with services.sessions() as session:
        media = await session.get_one(Media, made["id"])
    post = await a_post(services, user, media, PostStatus.complete)
    problem = refused(await api.delete(f"/media/{made['id']}/"), 409, ErrorCode.in_use)
    assert problem["params"] == {"by": "Rain"}
    assert done(await api.get(f"/media/{made['id']}/"))["uses"] == [
        {"kind": "post", "id": str(post), "name": "Rain", "blocks": True}
    ]


async def test_another_users_pictures_are_not_there(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    made = await uploaded(api, jpeg())
    async with browsing(services, away, await make.user()) as other:
        for method, path in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "restore/")):
            body = {"version": made["version"]} if method == "PATCH" else None
            answer = await other.request(method, f"/media/{made['id']}/{path}", json=body)
            refused(answer, 404, ErrorCode.not_found)
        assert done(await other.get("/media/"))["items"] == []
        own = await uploaded(other, jpeg())  # the same photo is another picture
        assert (own["id"] != made["id"], own["duplicate"]) == (True, False)
    refused(await api.get(f"/media/{new_id()}/"), 404, ErrorCode.not_found)


async def test_an_address_that_somebody_made_up_shows_nothing(api: httpx2.AsyncClient) -> None:
    made = await uploaded(api, jpeg())
    url, small = (f"http://postloom.test{made[name]}" for name in ("url", "thumbnail_url"))
    for wrong in (url[:-1], f"{url}&thumbnail=true", small.replace("&thumbnail=true", ""), url.replace("es=", "es=9")):
        refused(await api.get(wrong), 404, ErrorCode.not_found)


async def test_while_the_storage_is_away_the_answer_says_so(
    services: Services, away: Gateway, user: User, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    gone = services.settings.model_copy(update={"media_url": (tmp_path / "file" / "media").as_uri()})
    async with browsing(wire(gone, services.engine, services.sessions), away, user) as api:
        answer = await upload(api, jpeg())
        refused(answer, 503, ErrorCode.storage_unavailable)
        assert int(answer.headers["retry-after"]) > 0
        assert done(await api.get("/media/"))["items"] == []


# many at once, over a real server


@pytest.fixture
async def address(standing: Services, away: Gateway) -> AsyncIterator[str]:
    async with serve(connected_app(standing.settings, standing, away)) as address:
        yield address


@pytest.mark.slow
@pytest.mark.parametrize("media_url", ["folder"], indirect=True)
async def test_twenty_uploads_at_once_let_others_through(standing: Services, address: str) -> None:
    """Photos of six megapixels, each another one."""
    user = await Factory(standing.sessions, standing.vault).user()
    link = await standing.identity.sign_in_link(user.id)
    _, token = await standing.identity.sign_in_by_link(link, "a test")
    photo = saved(scene(3000, 2000), "JPEG", quality=90)
    photos = [saved(scene(3000, 2000).crop((at, 0, 3000, 2000)), "JPEG", quality=90) for at in (1, 2)]
    worst, answered, over = 0.0, 0, asyncio.Event()
    loop = asyncio.get_running_loop()
    limits, header = httpx2.Limits(max_connections=30), {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(base_url=address, limits=limits, headers=header, timeout=120) as people,
        httpx2.AsyncClient(base_url=address, headers=header, timeout=30) as other,
    ):

        async def look() -> None:
            nonlocal worst, answered
            while not over.is_set():
                began = loop.time()
                done(await other.get("/api/media/"))
                worst = max(worst, loop.time() - began)
                answered += 1
                await asyncio.sleep(0.01)

        looking, began = asyncio.create_task(look()), loop.time()
        try:
            answers = await asyncio.gather(*(upload_to(people, [photo, *photos][at % 3]) for at in range(20)))
        finally:
            whole = loop.time() - began
            over.set()
            await looking
    assert [answer.status_code for answer in answers] == [201] * 20
    assert sorted(answer.json()["duplicate"] for answer in answers) == [False] * 3 + [True] * 17
    # not in seconds, which say how busy the machine is: a server that decodes itself answers between batches only
    assert answered > 10, f"{answered} answers in {whole:.1f} s"
    assert worst < whole / 2, f"somebody waited {worst:.1f} s of {whole:.1f} s"


async def upload_to(people: httpx2.AsyncClient, data: bytes) -> httpx2.Response:
    return await people.post("/api/media/", files={"file": ("photo.jpg", data, "image/jpeg")})
