"""python-telegram-bot on aiohttp and uvloop, 64 updates side by side."""

import uvloop

from benchmarks.bare.aiohttp_request import AiohttpRequest
from benchmarks.bare.handlers import builder, register

if __name__ == "__main__":
    uvloop.install()
    application = (
        builder().request(AiohttpRequest()).get_updates_request(AiohttpRequest()).concurrent_updates(64).build()
    )
    register(application)
    application.run_polling()
