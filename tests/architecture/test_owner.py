"""Every query is bound to its user, by the syntax of the code that asks it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import ROOT

FILES = sorted({*(ROOT / "core").glob("*/repository.py"), *(ROOT / "core").glob("*/repositories/*.py")})
"""All that ask: `test_services.py` proves that services do not."""
STATEMENTS = {"select", "insert", "update", "delete"}
# who asks for more than one user's rows, and why
ALLOWED = {
    "PostRepository.count_due_with": "all users' posts are armed by the same workers",
    "PriceRepository.keep": "prices are nobody's",
    "PriceRepository.of": "prices are nobody's",
    "RunRepository.list_open": "the reconcile looks after all users",
    "StoryRepository.find_post": "the operator, who is told the id alone",
    "StripeEventRepository.failed": "its caller says which events",
    "StripeEventRepository.forget": "the customer is the owner",
    "StripeEventRepository.forget_older": "the sweep looks after all users",
    "StripeEventRepository.keep": "whose it is, is found later",
    "StripeEventRepository.open": "the round looks after all users",
    "StripeEventRepository.processed": "its caller says which events",
    "SubscriptionRepository.user_of": "it asks who the owner is",
    "_with_status": "its callers are the reconcile's, which looks after all users",
    "AccountRepository.count_comment_refusals": "the operator, who is told the number alone",
    "GrantRepository.latest_scopes": "the operator, who is told what the app may do",
    "AccountRepository.find_app": "our app at a server is everybody's",
    "AccountRepository.list_apps": "our app at a server is everybody's",
    "AccountRepository.save_app": "our app at a server is everybody's",
    "AccountRepository.delete_expired_attempts": "the sweep looks after all users",
    "AssistantRepository.list_expected_running": "the reconcile looks after all users",
    "AssistantRepository.list_with_old_rules": "the reconcile looks after all users",
    "AssistantRepository.mark_restarted": "the reconcile, for a row that it has just read",
    "AssistantRepository.mark_applied": "the reconcile, for a row that it has just read",
    "DeliveryRepository.end_published_runs": "the ledger, for posts that it has just settled for their owners",
    "DeliveryRepository.posts_of_ended_runs": "the ledger, for posts that it has just settled for their owners",
    "FiguresRepository.count_assistants": "the operator's figures are of all users",
    "FiguresRepository.count_deliveries": "the operator's figures are of all users",
    "FiguresRepository.count_expiring_grants": "the operator's figures are of all users",
    "FiguresRepository.count_open_runs": "the operator's figures are of all users",
    "_due_query": "the reconcile looks after all users",
    "FaultRepository.list_all": "providers are everybody's",
    "FaultRepository.clear": "providers are everybody's",
    "FaultRepository.release_check": "providers are everybody's",
    "FaultRepository.note": "providers are everybody's",
    "FaultRepository.find": "providers are everybody's",
    "FaultRepository.since": "providers are everybody's",
    "FaultRepository.claim_checks": "providers are everybody's",
    "AnnouncementRepository.fail_open": "a restore looks after all users",
    "AssistantRepository.begin_after": "a restore looks after all users",
    "DeliveryRepository.fence_due": "a restore looks after all users",
    "PostRepository.set_known_times": "a restore looks after all users",
    "RunRepository.list_due_without_delivery": "a restore looks after all users",
    "InstallationRepository.read_known_databases": "databases are the installation's",
    "InstallationRepository.record_database": "databases are the installation's",
    "InstallationRepository.record_restore": "databases are the installation's",
    "InstallationRepository.unfinished_restore": "databases are the installation's",
    "InstallationRepository.restored_at": "databases are the installation's",
    "InstallationRepository.forget_key_uses": "keys are the installation's",
    "InstallationRepository.lock_key_uses": "keys are the installation's",
    "InstallationRepository.read_revision": "the revision is the installation's",
    "InstallationRepository.record_key_use": "keys are the installation's",
    "InvitationRepository.is_open": "a code is asked for by nobody yet",
    "InvitationRepository.operators_open": "nobody's account made them",
    "InvitationRepository.redeem": "a code is anybody's who holds it",
    "InvitationRepository.serves": "a code is asked for by nobody yet",
    "AccountDeletionRepository._add_to_totals": "its caller says whose rows; the totals are nobody's",
    "AccountDeletionRepository.requested": "the deletion looks after all users",
    "FeedRepository.lock_by_address": "whoever has its key",
    "FeedRepository.take_address": "an address is anybody's until somebody has it",
    "FeedRepository.was_address_taken": "an address is anybody's until somebody has it",
    "ToneRepository.list_unconverted": "the conversion looks after all users",
    "claim_due": "the round looks after all users",
    "LimitRepository.first_free": "a key says whose it is",
    "LimitRepository.forget": "a key says whose it is",
    "LimitRepository.give_back": "a key says whose it is",
    "LimitRepository.sweep": "rows that say nothing any more",
    "LimitRepository.take": "whoever calls, who may be nobody yet",
    "MailRepository.find": "the worker, which is told the id alone",
    "MailRepository.list_pending": "the reconcile looks after all users",
    "MarketplaceRepository.count_copy": "anybody may copy what is public",
    "MarketplaceRepository.write_starters": "the bundled templates are nobody's",
    "MediaRepository.expired": "the sweep looks after all users",
    "MediaRepository.get_any": "the signature stands for the owner",
    "NetworkUsageRepository.forget": "a key says whose it is",
    "NetworkUsageRepository.keep": "a key says whose it is",
    "NetworkUsageRepository.read": "a key says whose it is",
    "NetworkUsageRepository.sweep": "rows that say nothing any more",
    "NotificationRepository.delete_old": "the sweep looks after all users",
    "PostListRepository.delete_older": "the sweep looks after all users",
    "PostRepository.list_unsynced": "the reconcile looks after all users",
    "PostRepository.list_open_without_run": "the reconcile looks after all users",
    "EncryptedColumnRepository.read_batch": "keys are rotated for all users",
    "EncryptedColumnRepository.store": "keys are rotated for all users",
    "RetentionRepository.fold_runs": "retention concerns all users",
    "RetentionRepository._lock_owners": "retention concerns all users",
    "RetentionRepository.sum_up_calls": "retention concerns all users",
    "RetentionRepository.delete_entries": "retention concerns all users",
    "_spent_by_run": "retention concerns all users",
    "SecurityEventRepository.sweep": "the sweep looks after all users",
    "SubscriptionRepository.maybe_ended": "the sweep looks after all users",
    "TopicRepository.purge": "the sweep looks after all users",
    "TransactionRepository.mark_older_lost": "the sweep looks after all users",
    "UserRepository.any_exists": "tells only whether there is one",
    "UserRepository.by_email": "finds out who the owner is",
    "UserRepository.remove_session": "a token says whose it is",
    "DeliveryRepository.take_from_worker": "a dead worker had deliveries of everybody in hand",
    "DeliveryRepository.oldest_due": "readiness and the operator's figures concern all users",
    "WorkerRepository.first_started": "workers are nobody's",
    "WorkerRepository.list_dead": "workers are nobody's",
    "WorkerRepository.beat": "workers are nobody's",
    "WorkerRepository.forget": "workers are nobody's",
    "WorkerRepository.last_seen": "workers are nobody's",
    "WorkerRepository.sweep": "workers are nobody's",
    "_accounts": "its callers say whose rows",
    "tag_counts": "its caller says whose rows",
    "claim_stale": "the reconcile looks after all users",
}


def asking(file: Path) -> Iterator[tuple[str, ast.AST]]:
    """Functions that build a statement or read a row by its key."""
    tree = ast.parse(file.read_text())
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    scopes = [(f"{owner.name}.", owner.body) for owner in owners] + [("", tree.body)]
    for prefix, body in scopes:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(map(_asks, ast.walk(node))):
                yield f"{prefix}{node.name}", node


def _asks(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in STATEMENTS
    on = node.func.value if isinstance(node.func, ast.Attribute) else None
    by_key = isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "get_one")
    return by_key and ast.unparse(on or node).endswith("session")


def _binds_its_owner(function: ast.AST) -> bool:
    """Somewhere in it rows are compared with, written for or asked of a user, who is not None: that is all of them."""
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    parameters = [*function.args.args, *function.args.kwonlyargs]
    if any(one.arg == "user_id" and one.annotation and "None" in ast.unparse(one.annotation) for one in parameters):
        return False
    return any(map(_binds, ast.walk(function)))


def _binds(part: ast.AST) -> bool:
    match part:
        case ast.Compare(ops=operators):
            return not any(isinstance(one, ast.Is | ast.IsNot) for one in operators) and _has_owner(part)
        case ast.keyword(arg="user_id"):
            return True
        case ast.Dict(keys=keys):
            return any(isinstance(key, ast.Constant) and key.value == "user_id" for key in keys)
        case ast.Call(func=called, args=given):
            # by key, by a helper of the same module, or as a value among others
            name = ast.unparse(called)
            takes_it = name.split(".")[-1].startswith("_") or name in ("tuple_", "literal", "self.session.get")
            return takes_it and any(map(_is_owner, given))
    return False


def _has_owner(node: ast.AST) -> bool:
    return any(map(_is_owner, ast.walk(node)))


def _is_owner(node: ast.AST) -> bool:
    return "user_id" in (getattr(node, "id", None), getattr(node, "attr", None))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT / "core").as_posix())
def test_every_query_is_bound_to_its_owner(file: Path) -> None:
    without = {name for name, node in asking(file) if not _binds_its_owner(node)} - set(ALLOWED)
    assert not without, f"bind to user_id, or say in ALLOWED why not: {sorted(without)}"


def test_the_exceptions_are_still_needed() -> None:
    found = {name for file in FILES for name, node in asking(file) if not _binds_its_owner(node)}
    assert set(ALLOWED) == found


UNBOUND = {
    "none": "def page(id): select(Post).where(Post.id == id)",
    "named in an error": "def get(user_id, id): select(Post).where(Post.id == id); raise NotFound(str(user_id))",
    "given back": "def get(id): select(Post.user_id).where(Post.id == id)",
    "left out for None": """
def page(user_id: UUID | None):
    query = select(Post)
    return query if user_id is None else query.where(Post.user_id == user_id)
""",
}


@pytest.mark.parametrize("code", UNBOUND.values(), ids=UNBOUND)
def test_a_query_for_everybody_would_be_seen(code: str) -> None:
    [function] = ast.parse(code).body
    assert not _binds_its_owner(function)
