"""python-telegram-bot as it comes: httpx, one update at a time."""

from benchmarks.bare.handlers import builder, register

if __name__ == "__main__":
    application = builder().build()
    register(application)
    application.run_polling()
