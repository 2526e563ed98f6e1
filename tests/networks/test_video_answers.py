"""What networks answer to a video beside what their stand-ins do."""

from collections.abc import Callable
from typing import Any

import pytest

from core.deliveries.rules.retries import MAX_FAILURES
from core.errors import Blocked, ErrorCode, ProviderError, RateLimited, Refused, RetrySafe, RoleLost, StagedLost
from core.networks.bluesky import BlueskyChannel, BlueskySettings
from core.networks.bluesky_videos import JOB
from core.networks.connections import Credentials
from core.networks.facebook import FacebookChannel
from core.networks.graph import MetaSettings
from core.networks.linkedin import LinkedInChannel, LinkedInSettings
from core.networks.linkedin_videos import processing_time
from core.networks.posts import Image, Outgoing
from core.networks.rules.channels import AccountType
from tests.http_server import Answer, Server
from tests.videos import Film, chunk_at

TOKEN, URN = "a-secret-token", "urn:li:video:C5"
SIZE = 100_000
FILM = Film(SIZE)
POST = Outgoing("Rain", (), video=FILM.video())
COVER = Image(b"jpeg bytes", "image/jpeg", "")
STATE = "/rest/videos/urn%3Ali%3Avideo%3AC5"


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.networks.uploads.PART_WAITS", (0.0, 0.0))
    monkeypatch.setattr("core.networks.bluesky_videos.JOB_WAITS", (0.0,))
    monkeypatch.setattr("core.networks.facebook.FIND_WAITS", (0.0, 0.0))
    monkeypatch.setattr("core.networks.graph_calls.MISSING_WAITS", (0.0, 0.0))


# LinkedIn


def linkedin(server: Server) -> tuple[LinkedInChannel, Credentials]:
    settings = LinkedInSettings(client_id="us", api_url=server.url, auth_url=server.url)
    return LinkedInChannel(settings), Credentials("ada", AccountType.person, TOKEN)


def begun(*parts: tuple[str, int, int]) -> Callable[[Server], dict[str, Any]]:
    def body(server: Server) -> dict[str, Any]:
        listed = [
            {"uploadUrl": url if "//" in url else server.url + url, "firstByte": first, "lastByte": last}
            for url, first, last in parts
        ]
        return {"value": {"video": URN, "uploadToken": "", "uploadInstructions": listed}}

    return body


WHOLE = begun(("/dms-uploads/1", 0, 49_999), ("/dms-uploads/2", 50_000, SIZE - 1))


@pytest.mark.parametrize(
    ("answer", "comes_to"),
    [
        (begun(("/dms-uploads/1", 0, 49_999)), RetrySafe),
        (begun(("/dms-uploads/1", 0, 49_999), ("/dms-uploads/2", 50_001, SIZE - 1)), RetrySafe),
        (begun(("/dms-uploads/2", 50_000, SIZE - 1), ("/dms-uploads/1", 0, 49_999)), RetrySafe),
        (begun(), RetrySafe),
        (begun(("https://uploads.example/1", 0, SIZE - 1)), ErrorCode.video_refused),
    ],
)
async def test_a_video_is_sent_nowhere_where_its_parts_are_not_the_whole_file(
    server: Server, answer: Callable[[Server], dict[str, Any]], comes_to: object
) -> None:
    network, to = linkedin(server)
    server.answers("/rest/videos", Answer(body=answer(server)))
    with pytest.raises(ProviderError) as raised:
        await network.stage(to, POST)
    assert comes_to in (type(raised.value), raised.value.code)
    assert [request.method for request in server.requests] == ["POST"]


@pytest.mark.parametrize(
    ("answer", "comes_to"),
    [
        (Answer(200, headers={}), RetrySafe),
        (Answer(400, {"code": "EXPIRED_UPLOAD_URL"}), RetrySafe),
        (Answer(403), RetrySafe),
        (Answer(404), RetrySafe),
        (Answer(500), RetrySafe),
        (Answer(drop=True), RetrySafe),
        (Answer(422), ErrorCode.video_refused),
    ],
)
async def test_the_answer_to_a_part_has_its_class(server: Server, answer: Answer, comes_to: object) -> None:
    network, to = linkedin(server)
    server.answers("/rest/videos", Answer(body=WHOLE(server)))
    server.answers("/dms-uploads/1", Answer(200, headers={"ETag": '"one"'}))
    server.answers("/dms-uploads/2", answer)
    with pytest.raises(ProviderError) as raised:
        await network.stage(to, POST)
    assert comes_to in (type(raised.value), raised.value.code)


async def test_a_part_that_was_lost_is_sent_again_and_no_other(server: Server) -> None:
    network, to = linkedin(server)
    server.answers("/rest/videos", Answer(body=WHOLE(server)), Answer(200))
    server.answers("/dms-uploads/1", Answer(200, headers={"ETag": '"one"'}))
    server.answers("/dms-uploads/2", Answer(drop=True), Answer(503), Answer(200, headers={"ETag": 'W/"two"'}))
    server.answers(STATE, Answer(body={"status": "PROCESSING"}))
    staged = await network.stage(to, POST)
    assert staged.refs == (URN,)
    parts = [request for request in server.requests if request.method == "PUT"]
    assert [request.path for request in parts] == ["/dms-uploads/1", *["/dms-uploads/2"] * 3]
    assert parts[0].body + parts[-1].body == chunk_at(1, 0, SIZE)
    assert not any("authorization" in request.headers for request in parts)
    [_, finished] = [request for request in server.requests if request.method == "POST"]
    assert finished.json["finalizeUploadRequest"]["uploadedPartIds"] == ["one", "two"]
    assert await network.ready(to, staged.refs) is not None


@pytest.mark.parametrize("status", [400, 403, 404, 410, 200])
async def test_a_video_whose_state_cannot_be_read_is_waited_for(server: Server, status: int) -> None:
    network, to = linkedin(server)
    server.answers(STATE, Answer(status, {"status": "AVAILABLE"} if status == 200 else b""))
    staged = await network.stage(to, POST, had=(URN,))
    assert (staged.ready_in == processing_time(SIZE)) is (status != 200)
    assert await network.ready(to, staged.refs) is None
    assert [request.method for request in server.requests] == ["GET", "GET"], "nothing is uploaded again"


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_the_address_of_a_cover_that_has_ended_is_replaced(server: Server, status: int) -> None:
    """The account keeps its access."""
    network, to = linkedin(server)
    place = WHOLE(server)
    place["value"]["thumbnailUploadUrl"] = f"{server.url}/cover"
    server.answers("/rest/videos", Answer(body=place))
    for part in ("/dms-uploads/1", "/dms-uploads/2"):
        server.answers(part, Answer(200, headers={"ETag": '"one"'}))
    server.answers("/cover", Answer(status))
    with pytest.raises(ProviderError) as raised:
        await network.stage(to, Outgoing("Rain", (), video=FILM.video(cover=COVER)))
    assert type(raised.value) is RetrySafe


# Bluesky

DID, UPLOAD = "did:plc:ada", "/xrpc/app.bsky.video.uploadVideo"
BLOB = {"$type": "blob", "ref": {"$link": "bafkreiabc"}, "mimeType": "video/mp4", "size": 70_000}
REF = "bafkreiabc video/mp4 70000 1280x720"


def bluesky(server: Server) -> tuple[BlueskyChannel, Credentials]:
    service = {"id": f"{DID}#atproto_pds", "serviceEndpoint": "https://morel.host.example"}
    server.answers("/xrpc/com.atproto.server.getSession", Answer(body={"didDoc": {"service": [service]}}))
    server.answers("/xrpc/com.atproto.server.getServiceAuth", Answer(body={"token": "for-the-service"}))
    settings = BlueskySettings(internal_servers=server.url, video_url=server.url)
    return BlueskyChannel(settings), Credentials(DID, AccountType.person, TOKEN, server.url)


def job(state: str, **more: Any) -> Answer:
    return Answer(body={"jobStatus": {"jobId": "j1", "state": state, **more}})


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body={"jobId": "j1", "state": "JOB_STATE_CREATED"}),
        job("JOB_STATE_CREATED"),
        Answer(409, {"jobId": "j1", "error": "already_exists", "state": "JOB_STATE_COMPLETED"}),
    ],
)
async def test_every_form_of_a_job_is_read(server: Server, answer: Answer) -> None:
    network, to = bluesky(server)
    server.answers(UPLOAD, answer)
    known = job("JOB_STATE_FAILED", error="already_exists", blob=BLOB)
    server.answers("/xrpc/app.bsky.video.getJobStatus", job("JOB_STATE_ENCODING"), known)
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    staged = await network.stage(to, POST, keep=keep)
    assert kept[:2] == [f"{JOB}j1", REF]
    assert staged.refs == (REF, kept[2])
    asked = next(one.path for one in server.requests if "getServiceAuth" in one.path)
    assert "aud=did%3Aweb%3Amorel.host.example&lxm=com.atproto.repo.uploadBlob&exp=" in asked
    sent = next(one for one in server.requests if one.method == "POST")
    assert sent.headers["authorization"] == "Bearer for-the-service"
    assert (sent.headers["content-length"], sent.headers["content-type"]) == (str(SIZE), "video/mp4")


@pytest.mark.parametrize(
    ("status", "body", "comes_to"),
    [
        (400, {"jobStatus": {"jobId": "", "did": "", "error": "unconfirmed_email", "state": ""}}, Blocked),
        (401, {"error": "BadJwt"}, RetrySafe),
        (400, {"error": "InvalidRequest"}, ErrorCode.video_refused),
        (413, {"error": "PayloadTooLarge"}, ErrorCode.video_refused),
        (500, b"<html>", RetrySafe),
        (200, {}, RetrySafe),
    ],
)
async def test_a_refused_upload_to_the_video_service_has_its_class(
    server: Server, status: int, body: Any, comes_to: object
) -> None:
    network, to = bluesky(server)
    server.answers(UPLOAD, Answer(status, body))
    with pytest.raises(ProviderError) as raised:
        await network.stage(to, POST)
    assert comes_to in (type(raised.value), raised.value.code)
    assert "for-the-service" not in raised.value.detail


@pytest.mark.parametrize(
    ("code", "comes_to"),
    [
        ("validation_failure", Refused),
        ("encoding_failure", Refused),
        ("pds_upload_failure", StagedLost),
        ("", StagedLost),
    ],
)
async def test_a_job_that_failed_is_final_where_the_file_is_at_fault(
    server: Server, code: str, comes_to: type[ProviderError]
) -> None:
    network, to = bluesky(server)
    server.answers(UPLOAD, job("JOB_STATE_CREATED"))
    server.answers("/xrpc/app.bsky.video.getJobStatus", job("JOB_STATE_FAILED", failureCode=code))
    with pytest.raises(ProviderError) as raised:
        await network.stage(to, POST)
    assert (type(raised.value), raised.value.code) == (comes_to, ErrorCode.video_refused)


async def test_the_job_of_an_attempt_before_is_waited_for_or_replaced(server: Server) -> None:
    network, to = bluesky(server)
    server.answers(UPLOAD, Answer(body={"jobId": "j2", "state": "JOB_STATE_CREATED"}))
    state = "/xrpc/app.bsky.video.getJobStatus"
    server.answers(state, job("JOB_STATE_ENCODING"))
    with pytest.raises(RetrySafe) as raised:
        await network.stage(to, POST, had=(f"{JOB}j1",))
    assert raised.value.code is ErrorCode.video_not_ready
    server.answers(state, job("JOB_STATE_COMPLETED", blob=BLOB))
    assert (await network.stage(to, POST, had=(f"{JOB}j1",))).refs[0] == REF
    assert not any(request.method == "POST" for request in server.requests), "nothing is uploaded again"
    server.answers(state, job("JOB_STATE_FAILED"), job("JOB_STATE_COMPLETED", blob=BLOB))
    assert (await network.stage(to, POST, had=(f"{JOB}j1",))).refs[0] == REF
    assert sum(request.method == "POST" for request in server.requests) == 1
    done = (f"{JOB}j1", REF, "3lbqz5xk2pc2a")
    assert (await network.stage(to, POST, had=done)).refs == done[1:]


@pytest.mark.parametrize(("status", "comes_to"), [(429, RateLimited), (408, RetrySafe), (401, RetrySafe)])
async def test_a_job_whose_state_cannot_be_read_is_not_lost(
    server: Server, status: int, comes_to: type[ProviderError]
) -> None:
    network, to = bluesky(server)
    server.answers(UPLOAD, job("JOB_STATE_CREATED"))
    state = "/xrpc/app.bsky.video.getJobStatus"
    server.answers(state, Answer(status))
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    with pytest.raises(ProviderError) as raised:
        await network.stage(to, POST, keep=keep)
    assert type(raised.value) is comes_to
    server.answers(state, job("JOB_STATE_COMPLETED", blob=BLOB))
    assert (await network.stage(to, POST, had=tuple(kept))).refs[0] == REF
    assert sum(request.method == "POST" for request in server.requests) == 1, "uploaded once"


# Facebook


def facebook(server: Server) -> tuple[FacebookChannel, Credentials]:
    settings = MetaSettings(client_id="us", graph_url=server.url, video_url=server.url, dialog_url=server.url)
    return FacebookChannel(settings), Credentials("7", AccountType.organisation, TOKEN)


BEGUN = {"video_id": "9", "upload_session_id": "8", "start_offset": "0", "end_offset": "60000"}
MISSING = Answer(400, {"error": {"code": 100, "error_subcode": 33}})
END = {"start_offset": str(SIZE), "end_offset": str(SIZE)}


async def test_after_a_lost_answer_to_a_part_facebook_says_where_to_go_on(server: Server) -> None:
    network, to = facebook(server)
    other = {"code": 6001, "error_subcode": 1363037, "error_data": {"start_offset": "60000", "end_offset": str(SIZE)}}
    server.answers(
        "/v26.0/7/videos",
        Answer(body=BEGUN),
        Answer(drop=True),
        Answer(400, {"error": other}),
        Answer(body=END),
        Answer(body={"success": True}),
    )
    FILM.reads.clear()
    assert (await network.stage(to, POST)).refs == ("9", "9")
    assert FILM.reads == [(0, 60_000), (0, 60_000), (60_000, SIZE)]


@pytest.mark.parametrize("subcode", [1363019, 1363021, 1363030, 1363033, 1363037, 1363041])
async def test_an_upload_that_facebook_breaks_off_is_begun_again(server: Server, subcode: int) -> None:
    network, to = facebook(server)
    error = {"code": 6000, "error_subcode": subcode}
    server.answers("/v26.0/7/videos", Answer(body=BEGUN), Answer(400, {"error": error}))
    with pytest.raises(ProviderError) as raised:
        await network.stage(to, POST)
    assert type(raised.value) is RetrySafe
    assert raised.value.code not in MAX_FAILURES


@pytest.mark.parametrize(
    "before",
    [
        [],
        [Answer(body=BEGUN)],
        [Answer(body=BEGUN), Answer(body={"start_offset": str(SIZE), "end_offset": str(SIZE)})],
    ],
    ids=["start", "transfer", "finish"],
)
@pytest.mark.parametrize(
    "error", [{"code": 100, "error_subcode": 33}, {"code": 6000}, {"code": 6000, "error_subcode": 6000}]
)
async def test_an_upload_that_facebook_no_longer_knows_is_begun_again_a_few_times(
    server: Server, before: list[Answer], error: dict[str, int]
) -> None:
    network, to = facebook(server)
    server.answers("/v26.0/7", Answer(body={"id": "7"}))
    server.answers("/v26.0/7/videos", *before, Answer(400, {"error": error}))
    with pytest.raises(ProviderError) as raised:
        await network.stage(to, POST)
    assert type(raised.value) is RetrySafe
    assert raised.value.code in MAX_FAILURES


async def test_a_page_that_is_lost_during_an_upload_is_no_fault_of_the_video(server: Server) -> None:
    network, to = facebook(server)
    server.answers("/v26.0/7", MISSING)
    server.answers("/v26.0/7/videos", Answer(body=BEGUN), MISSING)
    with pytest.raises(RoleLost):
        await network.stage(to, POST)


@pytest.mark.parametrize("subcode", [1363020, 1363022, 1363023, 1363031])
async def test_a_file_that_facebook_refuses_is_not_uploaded_again(server: Server, subcode: int) -> None:
    network, to = facebook(server)
    error = {"code": 6000, "error_subcode": subcode}
    server.answers("/v26.0/7/videos", Answer(body=BEGUN), Answer(400, {"error": error}))
    with pytest.raises(Refused) as raised:
        await network.stage(to, POST)
    assert raised.value.code is ErrorCode.video_refused


async def test_a_video_is_not_uploaded_again_for_its_cover(server: Server) -> None:
    network, to = facebook(server)
    post = Outgoing("Rain", (), video=FILM.video(cover=COVER))
    done = {"start_offset": "0", "end_offset": str(SIZE)}
    server.answers("/v26.0/7/videos", Answer(body=BEGUN | done), Answer(body=END), Answer(body={"success": True}))
    server.answers("/v26.0/9/thumbnails", Answer(500), Answer(body={"success": True}))
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    with pytest.raises(RetrySafe):
        await network.stage(to, post, keep=keep)
    assert kept == ["9"]
    assert (await network.stage(to, post, had=tuple(kept), keep=keep)).refs == ("9", "9") == tuple(kept)
    paths = [request.path for request in server.requests]
    assert paths[-2:] == ["/v26.0/9/thumbnails"] * 2


@pytest.mark.parametrize(
    ("answers", "comes_to"),
    [
        ([{"video_id": "9", "upload_session_id": "8"}], RetrySafe),
        ([{"start_offset": "0", "end_offset": "5"}], RetrySafe),
        ([{"start_offset": "0", "end_offset": "9" * 5000}], RetrySafe),
        ([{"start_offset": "0", "end_offset": "60000"}, {"start_offset": "0", "end_offset": "60000"}], RetrySafe),
        ([{"start_offset": "0", "end_offset": "60000"}, {"start_offset": "60000", "end_offset": "60000"}], RetrySafe),
        ([{"error": {"code": 352, "message": "no video"}}], ErrorCode.video_refused),
    ],
)
async def test_an_upload_to_facebook_that_cannot_end_is_given_up(
    server: Server, answers: list[dict[str, Any]], comes_to: object
) -> None:
    ids = {"video_id": "9", "upload_session_id": "8"}
    with_ids = [body if "error" in body else ids | body for body in answers]
    told = [Answer(400 if "error" in body else 200, body) for body in with_ids]
    server.answers("/v26.0/7/videos", *told)
    network, to = facebook(server)
    with pytest.raises(ProviderError) as raised:
        await network.stage(to, POST)
    assert comes_to in (type(raised.value), raised.value.code)


async def test_a_video_that_reads_as_missing_for_a_moment_is_still_waited_for(server: Server) -> None:
    network, to = facebook(server)
    server.answers("/v26.0/9", MISSING, Answer(body={"status": {"video_status": "ready"}}))
    assert await network.ready(to, ("9", "9")) is None


async def test_the_cover_of_a_video_that_reads_as_missing_for_a_moment_is_still_chosen(server: Server) -> None:
    network, to = facebook(server)
    post = Outgoing("Rain", (), video=FILM.video(cover=COVER))
    server.answers("/v26.0/9/thumbnails", MISSING, Answer(body={"success": True}))
    assert (await network.stage(to, post, had=("9",))).refs == ("9", "9")
    assert [b"jpeg bytes" in request.body for request in server.requests] == [True, True]


async def test_a_video_that_stays_missing_is_staged_again(server: Server) -> None:
    network, to = facebook(server)
    server.answers("/v26.0/7", Answer(body={"id": "7"}))
    server.answers("/v26.0/9", MISSING)
    server.answers("/v26.0/9/thumbnails", MISSING)
    with pytest.raises(StagedLost):
        await network.ready(to, ("9", "9"))
    with pytest.raises(StagedLost):
        await network.stage(to, Outgoing("Rain", (), video=FILM.video(cover=COVER)), had=("9",))


async def test_a_video_of_a_page_that_was_lost_is_not_staged_again(server: Server) -> None:
    network, to = facebook(server)
    server.answers("/v26.0/7", MISSING)
    server.answers("/v26.0/9", MISSING)
    with pytest.raises(RoleLost):
        await network.ready(to, ("9", "9"))


async def test_a_cover_that_facebook_refuses_is_no_fault_of_the_video(server: Server) -> None:
    network, to = facebook(server)
    server.answers("/v26.0/9/thumbnails", Answer(400, {"error": {"code": 100}}))
    with pytest.raises(Refused) as raised:
        await network.stage(to, Outgoing("Rain", (), video=FILM.video(cover=COVER)), had=("9",))
    assert raised.value.code is ErrorCode.image_refused
