"""The Telegram side of OXO: settings, intake, use cases, views and delivery."""
