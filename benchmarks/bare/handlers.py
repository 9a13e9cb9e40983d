"""The handlers that the bare bots share: a board on /newgame, and for each tap an answer and an edit."""

import os
from typing import Any

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, ApplicationBuilder, CallbackQueryHandler, CommandHandler, ContextTypes


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


def builder() -> ApplicationBuilder[Any, Any, Any, Any, Any, Any]:
    """A builder with the token and the address from the environment."""
    return Application.builder().token(os.environ["BOT_TOKEN"]).base_url(os.environ["BOT_API_URL"] + "/bot")


def register(application: Application[Any, Any, Any, Any, Any, Any]) -> None:
    """Add both handlers."""
    application.add_handler(CommandHandler("newgame", newgame))
    application.add_handler(CallbackQueryHandler(tap))
