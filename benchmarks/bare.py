"""A minimal python-telegram-bot bot to compare with: a board on /newgame, an answer and an edit for each tap."""

import os

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes


def keyboard() -> InlineKeyboardMarkup:
    """Nine cells and two buttons below, as on a real board."""
    rows = [
        [InlineKeyboardButton("·", callback_data=f"tap:{row * 3 + column}") for column in range(3)]
        for row in range(3)
    ]
    below = [
        InlineKeyboardButton("Play again", callback_data="again"),
        InlineKeyboardButton("Swap sides", callback_data="swap"),
    ]
    return InlineKeyboardMarkup([*rows, below])


async def newgame(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:  # noqa: ARG001 - PTB passes both
    """Send the board."""
    if update.effective_message is not None:
        await update.effective_message.reply_text("Your turn", reply_markup=keyboard())


async def tap(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:  # noqa: ARG001 - PTB passes both
    """Answer, then edit."""
    query = update.callback_query
    if query is not None:
        await query.answer()
        await query.edit_message_text("Your turn", reply_markup=keyboard())


def main() -> None:
    """Poll for updates, and handle one at a time."""
    address = os.environ["BOT_API_URL"] + "/bot"
    application = Application.builder().token(os.environ["BOT_TOKEN"]).base_url(address).build()
    application.add_handler(CommandHandler("newgame", newgame))
    application.add_handler(CallbackQueryHandler(tap))
    application.run_polling()


if __name__ == "__main__":
    main()
