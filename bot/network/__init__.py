"""HTTP calls to Telegram, proxies, connections and open files."""
