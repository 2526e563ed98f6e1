"""Posts out to a CSV file, and in from one."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import func, select

from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts import csv_export as post_export
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus
from core.posts.tables.posts import Post, PostFile
from core.users.tables.users import User
from tests.api.conftest import done, refused, wrong_fields
from tests.api.made_posts import Posts
from tests.api.owned import own_a_post
from tests.api.test_media import uploaded
from tests.api.test_overview import an_account, save
from tests.clips import video
from tests.conftest import Networks, browsing
from tests.documents import a_pdf
from tests.factories import Factory
from tests.pictures import jpeg

PATH = "/social-media-posts/"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
async def posts(services: Services, make: Factory, user: User, networks: Networks) -> Posts:
    return Posts(services, user, await make.account(user, networks.url))


async def exported(api: httpx2.AsyncClient, **query: Any) -> list[dict[str, str]]:
    answer = await api.get(f"{PATH}export/", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="posts-')
    assert answer.content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""), strict=True))


async def test_a_file_has_what_the_list_shows(api: httpx2.AsyncClient, posts: Posts) -> None:
    await posts.add("no such status", status=PostStatus.failed)
    await posts.add("deleted", deleted_at=NOON)
    await posts.add(
        '=HYPERLINK("http://evil")\nsecond line, with "quotes"',
        status=PostStatus.published,
        delivery=DeliveryState.published,
        called_at=NOON,
        planned_at=NOON,
        time_zone="Europe/Berlin",
        tags=["winter", "a, b"],
        topic_title="@topic",
    )
    await posts.add("+1", planned_at=NOON - timedelta(days=1))
    rows = await exported(api, status=["published", "draft"])
    assert list(rows[0]) == list(post_export.COLUMNS)
    assert [row["content"] for row in rows] == ['\'=HYPERLINK("http://evil")\nsecond line, with "quotes"', "'+1"]
    first = rows[0]
    assert (first["topic"], first["tags"], first["accounts"], first["channels"]) == (
        "'@topic",
        'winter, "a, b"',
        "Mara Lind",
        "linkedin",
    )
    assert (first["planned_at"], first["published_at"]) == ("2026-12-01T13:00:00+01:00", "2026-12-01T12:00:00+00:00")
    assert [row["content"] for row in await exported(api, sort="planned_earliest", search="+1")] == ["'+1"]


async def test_accounts_are_found_again_by_what_the_file_calls_them(
    api: httpx2.AsyncClient, services: Services, user: User, posts: Posts
) -> None:
    others = [an_account(user, name) for name in ("mara  lind", "Hay & Co.", "Hay, Jonas")]
    others[0].kind = ChannelKind.facebook
    await save(services, *others)
    meant = [str(one.id) for one in (posts.account, *others)]
    await posts.add("a draft", account_ids=meant, planned_at=NOON)
    later = NOON + timedelta(hours=1)
    await posts.add("on its way", status=PostStatus.complete, delivery=DeliveryState.pending, planned_at=later)
    scheduled, draft = await exported(api, sort="planned_latest")
    assert draft["accounts"] == 'Mara Lind (LinkedIn), mara  lind (Facebook), Hay & Co., "Hay, Jonas"'
    assert draft["channels"] == "facebook, linkedin"
    assert scheduled["accounts"] == "Mara Lind (LinkedIn)"
    answer = await api.get(f"{PATH}export/")
    found = await previewed(api, answer.content.replace(str(NOON.year).encode(), b"2031"))
    assert sorted(len(line["accounts"]) for line in found["lines"]) == [1, 4]
    assert {one["id"] for line in found["lines"] for one in line["accounts"]} == set(meant)


async def test_a_file_of_many_is_made_in_portions_and_ends_at_the_most(
    api: httpx2.AsyncClient, posts: Posts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post_export, "_PORTION", 3)
    monkeypatch.setattr(post_export, "MOST_LINES", 8)
    for at in range(10):
        await posts.add(str(at), planned_at=NOON + timedelta(hours=at))
    assert [row["content"] for row in await exported(api)] == list("98765432")


async def send(api: httpx2.AsyncClient, path: str, file: str | bytes, **fields: str) -> httpx2.Response:
    data = file.encode() if isinstance(file, str) else file
    return await api.post(f"{PATH}{path}", files={"file": ("posts.csv", data, "text/csv")}, data=fields)


async def previewed(api: httpx2.AsyncClient, file: str | bytes, **choices: str) -> dict[str, Any]:
    found: dict[str, Any] = done(await send(api, "import/preview/", file, time_zone="Europe/Berlin", **choices))
    return found


async def imported(
    api: httpx2.AsyncClient,
    file: str | bytes,
    digest: str,
    import_id: UUID | None = None,
    only_right: bool = False,
    **choices: str,
) -> httpx2.Response:
    return await send(
        api,
        "import/",
        file,
        time_zone="Europe/Berlin",
        import_id=str(import_id or new_id()),
        digest=digest,
        only_right=str(only_right).lower(),
        **choices,
    )


async def count(services: Services, user: User) -> int:
    async with services.sessions() as session:
        return await session.scalar(select(func.count()).where(Post.user_id == user.id)) or 0


FILE = (
    "content;planned_at;accounts;tags\r\n"
    '"First line\r\nsecond line";2126-12-01 09:00;mara lind;winter, rain\r\n'
    "'=1+1;01.07.2126 09:00;;\r\n"
    "Never planned;;;\r\n"
)


async def test_drafts_by_hand_as_the_preview_has_shown_them(
    api: httpx2.AsyncClient, posts: Posts, services: Services, user: User
) -> None:
    found = await previewed(api, FILE)
    assert (found["encoding"], found["separator"], found["right"], found["wrong"]) == ("utf-8", ";", 3, 0)
    assert [one["field"] for one in found["columns"]] == ["content", "planned_at", "accounts", "tags"]
    first = found["lines"][0]
    assert (first["number"], first["content"], first["tags"]) == (2, "First line\nsecond line", ["winter", "rain"])
    assert first["accounts"] == [{"id": str(posts.account.id), "name": "Mara Lind", "channel": "linkedin"}]
    assert [line["number"] for line in found["lines"]] == [2, 4, 5]
    assert await count(services, user) == 0  # nothing is saved before

    import_id = new_id()
    saved = done(await imported(api, FILE, found["digest"], import_id), 201)
    assert saved["saved"] == 3
    listed = done(await api.get(PATH, params={"sort": "created_earliest"}))["items"]
    assert [post["id"] for post in listed] == saved["post_ids"]
    assert [(post["content"], post["planned_at"], post["status"], post["source"]) for post in listed] == [
        ("First line\nsecond line", "2126-12-01T08:00:00Z", "draft", "person"),
        ("=1+1", "2126-07-01T07:00:00Z", "draft", "person"),
        ("Never planned", None, "draft", "person"),
    ]
    assert [post["time_zone"] for post in listed] == ["Europe/Berlin"] * 3
    # the answer got lost, and it is sent again
    again = done(await imported(api, FILE, found["digest"], import_id), 201)
    assert (again["saved"], again["post_ids"]) == (0, saved["post_ids"])
    assert await count(services, user) == 3


async def test_what_is_wrong_is_told_by_line_and_column(
    api: httpx2.AsyncClient, posts: Posts, make: Factory, user: User, networks: Networks, services: Services
) -> None:
    other = await make.account(user, networks.url, person="ada-lindqvist")
    async with services.sessions.begin() as session:
        session.add(other)
        other.name = "MARA  lind"
    strange = str(new_id())
    file = (
        "content,planned_at,accounts,tags,image_ids\n"
        ",soon,Mara Lind,,\n"
        f"Right,,{posts.account.id},winter,\n"
        f'{"x" * 20_001},2001-01-01 09:00,"Nobody, {other.id}",{"y" * 41},"{strange}, z"\n'
        "ok,,,a,,a sixth\n"
    )
    found = await previewed(api, file)
    told = {
        (line["number"], error["column"]): error["code"] for line in found["wrong_lines"] for error in line["errors"]
    }
    assert told == {
        (2, "content"): ErrorCode.content_empty,
        (2, "planned_at"): ErrorCode.bad_date_time,
        (2, "accounts"): ErrorCode.account_ambiguous,
        (4, "content"): ErrorCode.content_too_long,
        (4, "planned_at"): ErrorCode.slot_past,
        (4, "accounts"): ErrorCode.account_unknown,
        (4, "tags"): ErrorCode.content_too_long,
        (4, "image_ids"): ErrorCode.image_unknown,
        (5, ""): ErrorCode.csv_too_many_cells,
    }
    assert (found["right"], found["wrong"]) == (1, 3)
    refused(await imported(api, file, found["digest"]), 422, ErrorCode.csv_wrong_lines)
    assert await count(services, user) == 0
    saved = done(await imported(api, file, found["digest"], only_right=True), 201)
    assert [post["content"] for post in done(await api.get(PATH))["items"]] == ["Right"]
    assert saved["saved"] == 1


async def test_what_the_preview_has_not_shown_is_not_saved(
    api: httpx2.AsyncClient, posts: Posts, services: Services, user: User
) -> None:
    found = await previewed(api, FILE)
    refused(await imported(api, FILE.replace("First", "Other"), found["digest"]), 409, ErrorCode.csv_changed)
    async with services.sessions.begin() as session:
        session.add(posts.account)
        posts.account.disconnected_at = NOON
    refused(await imported(api, FILE, found["digest"]), 409, ErrorCode.csv_changed)
    assert await count(services, user) == 0


async def test_a_file_of_excel_on_a_mac_asks_and_then_brings_what_was_answered(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    text = "Text;Image URL;Posting Time\rKöln;https://a.de/b.png;3/5/2126 9:00 AM\rschön;;4/6/2126\r"
    file = text.encode("mac_roman")
    found = await previewed(api, file)
    assert found["questions"] == ["encoding", "date_order", "time_of_day"]
    assert {"encoding": "macintosh", "example": text.splitlines()[1]} in found["encodings"]
    assert found["two_way_date"] == {
        "cell": "3/5/2126 9:00 AM",
        "day_first": "2126-05-03",
        "month_first": "2126-03-05",
    }
    assert (found["day_without_time"], found["columns"][1]["sign"]) == ("4/6/2126", "images")
    answer = await imported(api, file, found["digest"])
    assert wrong_fields(answer) == dict.fromkeys(found["questions"], ErrorCode.csv_question_open)
    assert await count(services, user) == 0
    answers: dict[str, Any] = {"encoding": "macintosh", "date_order": "month_first", "time_of_day": "10:30"}
    found = await previewed(api, file, **answers)
    assert (found["questions"], found["right"]) == ([], 2)
    # the same answers, or it is not what was shown
    other = answers | {"date_order": "day_first"}
    refused(await imported(api, file, found["digest"], **other), 409, ErrorCode.csv_changed)
    done(await imported(api, file, found["digest"], **answers), 201)
    listed = done(await api.get(PATH, params={"sort": "created_earliest"}))["items"]
    assert [(post["content"], post["planned_at"]) for post in listed] == [
        ("Köln", "2126-03-05T08:00:00Z"),
        ("schön", "2126-04-06T08:30:00Z"),
    ]


async def test_columns_that_nobody_knows_are_mapped_by_a_person(api: httpx2.AsyncClient) -> None:
    file = "Idee,Wann genau\nHallo,2126-03-05 09:00\n"
    found = await previewed(api, file)
    assert (found["questions"], found["lines"]) == (["content"], [])
    assert [one["sign"] for one in found["columns"]] == [None, "dates"]
    found = await previewed(api, file, columns="content,planned_at")
    assert (found["questions"], found["lines"][0]["planned_at"]) == ([], "2126-03-05T08:00:00Z")
    for columns, code in (
        ("content", ErrorCode.invalid_input),
        ("content,content", ErrorCode.csv_column_twice),
        ("content,when", ErrorCode.invalid_input),
    ):
        answer = await send(api, "import/preview/", file, time_zone="UTC", columns=columns)
        assert wrong_fields(answer) == {"columns": code}
    answer = await send(
        api, "import/preview/", file, time_zone="UTC", encoding="klingon", date_order="x", time_of_day="9"
    )
    assert list(wrong_fields(answer)) == ["encoding"]
    answer = await send(api, "import/preview/", file, time_zone="UTC", time_of_day="09:00+01:00")
    assert wrong_fields(answer) == {"time_of_day": ErrorCode.invalid_input}


async def test_one_bad_line_does_not_refuse_the_file(api: httpx2.AsyncClient) -> None:
    file = 'content,planned_at\nOne,\n"Two" or so,\nThree,soon\nFour,\n'
    found = await previewed(api, file)
    assert [
        (line["number"], error["column"], error["code"]) for line in found["wrong_lines"] for error in line["errors"]
    ] == [(3, "", ErrorCode.csv_broken_quote), (4, "planned_at", ErrorCode.bad_date_time)]
    assert done(await imported(api, file, found["digest"], only_right=True), 201)["saved"] == 2


async def test_images_come_with_their_alt_texts(
    api: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks, user: User
) -> None:
    theirs = (await own_a_post(services, make, networks)).ids["media_id"]
    found = await previewed(api, f"content,image_ids\nx,{theirs}\n")
    assert [error["code"] for error in found["lines"][0]["errors"]] == [ErrorCode.image_unknown]


async def test_own_images_are_attached(services: Services, away: Any, make: Factory, networks: Networks) -> None:
    mine = await own_a_post(services, make, networks)
    file = f"content,image_ids\nWith a picture,{mine.ids['media_id']}\n"
    async with browsing(services, away, mine.user) as owner:
        found = await previewed(owner, file)
        [post_id] = done(await imported(owner, file, found["digest"]), 201)["post_ids"]
        post = done(await owner.get(f"{PATH}{post_id}/"))
    assert [one["media_id"] for one in post["files"]] == [mine.ids["media_id"]]
    assert post["files"][0]["alt"]


async def test_an_exported_file_can_be_imported(api: httpx2.AsyncClient, posts: Posts) -> None:
    later = datetime(2126, 12, 1, 12, tzinfo=UTC)
    content = '=1+1, "quoted"; \'single;=2+2\n\n@last\t-line\n- item|＝3'
    tags = ["a, b", 'say "hi"', "@home"]
    await posts.add(content, source=PostSource.person, planned_at=later, tags=tags, delivery=DeliveryState.cancelled)
    file = (await api.get(f"{PATH}export/")).content.decode("utf-8-sig")
    found = await previewed(api, file)
    assert found["wrong_lines"] == []
    [post_id] = done(await imported(api, file, found["digest"]), 201)["post_ids"]
    copy = done(await api.get(f"{PATH}{post_id}/"))
    assert (copy["content"], copy["tags"], copy["planned_at"]) == (content, tags, "2126-12-01T12:00:00Z")
    assert found["lines"][0]["accounts"] == [{"id": str(posts.account.id), "name": "Mara Lind", "channel": "linkedin"}]


def a_post(**more: Any) -> dict[str, Any]:
    return {"id": str(new_id()), "content": "Rain", "time_zone": "UTC", "language": "en"} | more


async def test_an_exported_file_brings_its_videos_and_documents_again(api: httpx2.AsyncClient) -> None:
    clip = await video_uploaded(api)
    document = await uploaded(api, a_pdf(3), "Eight questions.pdf")
    photo = await uploaded(api, jpeg())
    together = [[clip["id"]], [document["id"]], [photo["id"], document["id"]]]
    for file_ids in together:
        done(await api.post(PATH, json=a_post(files=[{"media_id": id} for id in file_ids])), 201)
    file = (await api.get(f"{PATH}export/", params={"sort": "created_earliest"})).content
    found = await previewed(api, file)
    assert (found["wrong_lines"], [line["files"] for line in found["lines"]]) == ([], [1, 1, 2])
    copies = done(await imported(api, file, found["digest"]), 201)["post_ids"]
    files = [done(await api.get(f"{PATH}{post_id}/"))["files"] for post_id in copies]
    assert [[one["media_id"] for one in of_post] for of_post in files] == together
    assert [[one["title"] for one in of_post] for of_post in files] == [
        ["Rain"],
        ["Eight questions"],
        ["", "Eight questions"],
    ]


async def test_files_that_no_post_can_have_together_are_told_by_their_own_reason(api: httpx2.AsyncClient) -> None:
    clip, photo = await video_uploaded(api), await uploaded(api, jpeg())
    documents = [await uploaded(api, a_pdf(pages)) for pages in (1, 2, 3)]
    file = (
        "content,image_ids\n"
        f'A,"{clip["id"]}, {photo["id"]}"\n'
        f'B,"{", ".join(document["id"] for document in documents)}"\n'
    )
    found = await previewed(api, file)
    assert [[(error["column"], error["code"]) for error in line["errors"]] for line in found["wrong_lines"]] == [
        [("image_ids", ErrorCode.video_stands_alone)],
        [("image_ids", ErrorCode.one_document)],
    ]


async def video_uploaded(api: httpx2.AsyncClient) -> dict[str, Any]:
    sent = await api.post(
        "/media/videos/", params={"name": "Rain.mp4"}, content=video(), headers={"Content-Type": "video/mp4"}
    )
    found: dict[str, Any] = done(sent, 201)
    return found


async def test_what_is_wrong_with_the_form_is_named(api: httpx2.AsyncClient, user: User) -> None:
    assert wrong_fields(await send(api, "import/preview/", FILE)) == {"time_zone": ErrorCode.invalid_input}
    assert wrong_fields(await api.post(f"{PATH}import/preview/", data={"time_zone": "UTC"})) == {
        "file": ErrorCode.invalid_input
    }
    assert wrong_fields(await send(api, "import/preview/", FILE, time_zone="Mars/Base")) == {
        "time_zone": ErrorCode.unknown_time_zone
    }
    answer = await send(api, "import/", FILE, time_zone="UTC", import_id="mine", digest="x", only_right="false")
    assert wrong_fields(answer) == {"import_id": ErrorCode.invalid_input}
    refused(await send(api, "import/preview/", b"x" * (5 * 1024**2 + 1), time_zone="UTC"), 413, ErrorCode.too_large)


async def test_ten_thousand_lines_are_saved(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    file = "content,tags\n" + "".join(f"Post {at},bulk\n" for at in range(10_000))
    found = await previewed(api, file)
    assert (found["right"], len(found["lines"])) == (10_000, 50)
    assert done(await imported(api, file, found["digest"]), 201)["saved"] == 10_000
    assert await count(services, user) == 10_000
    async with services.sessions() as session:
        assert not await session.scalar(select(func.count()).select_from(PostFile))
