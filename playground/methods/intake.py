"""How the bot gets its updates: long polling and the webhook."""

import re
from urllib.parse import urlsplit

from playground.errors import Json, bad_request, conflict, too_many_requests
from playground.methods.registry import Array, Described, method
from playground.world import World

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_MAXIMUM_CONNECTIONS = 100


@method()
async def get_updates(
    world: World,
    *,
    offset: int = 0,
    limit: int = 100,
    timeout: int = 0,  # noqa: ASYNC109 - the Bot API's word
    allowed_updates: Array | None = None,
) -> list[Json]:
    """The next updates; confirms all below the offset."""
    if world.webhook.url:
        raise conflict(
            "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
        )
    world.updates.allow(allowed_updates)
    return await world.updates.poll(offset, limit, timeout)


@method(certificate=str, ip_address=str)
def set_webhook(
    world: World,
    *,
    url: str = "",
    max_connections: int = 40,
    allowed_updates: Array | None = None,
    drop_pending_updates: bool = False,
    secret_token: str = "",
) -> Described:
    """Have updates brought to an address on loopback, where http will do."""
    if not url:
        return delete_webhook(world, drop_pending_updates=drop_pending_updates)
    parts = urlsplit(url)
    loopback = parts.hostname in _LOOPBACK
    if parts.scheme != "https" and not (parts.scheme == "http" and loopback):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    if not loopback:
        raise bad_request("bad webhook: the playground brings updates to loopback addresses only")
    if secret_token and not _SECRET.fullmatch(secret_token):
        raise bad_request("secret token contains unallowed characters")
    if not 1 <= max_connections <= _MAXIMUM_CONNECTIONS:
        max_connections = 40
    webhook = world.webhook
    world.updates.allow(allowed_updates)
    if drop_pending_updates:
        world.updates.clear()
    same = (webhook.url, webhook.secret, webhook.connections) == (url, secret_token, max_connections)
    if same and not drop_pending_updates:
        return Described("Webhook is already set")
    if world.clock.now() - webhook.set_at < 1.0:
        raise too_many_requests(1)
    world.updates.interrupt(conflict("terminated by setWebhook request"))
    webhook.set(url, secret_token, max_connections)
    return Described("Webhook was set")


@method()
def delete_webhook(world: World, *, drop_pending_updates: bool = False) -> Described:
    """Go back to polling."""
    if drop_pending_updates:
        world.updates.clear()
    if not world.webhook.url:
        return Described("Webhook is already deleted")
    world.webhook.remove()
    return Described("Webhook was deleted")


@method()
def get_webhook_info(world: World) -> Json:
    """The webhook as it stands."""
    webhook, updates = world.webhook, world.updates
    info: Json = {
        "url": webhook.url,
        "has_custom_certificate": False,
        "pending_update_count": len(updates.pending()),
    }
    if webhook.url:
        info |= {"max_connections": webhook.connections, "ip_address": "127.0.0.1"}
    if webhook.last_error:
        info["last_error_date"], info["last_error_message"] = webhook.last_error
    if updates.allowed is not None:
        info["allowed_updates"] = sorted(updates.allowed)
    return info
