"""How updates come in and are confirmed: polling, the webhook, their order."""
