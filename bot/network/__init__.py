"""What leaves and reaches this process: HTTP calls to Telegram, proxies, connections and open files."""
