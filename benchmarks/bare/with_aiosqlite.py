"""What most would write: python-telegram-bot as it comes, and a game stored with SQLAlchemy's ORM on aiosqlite."""

import os
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from telegram import Update
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes

from benchmarks.bare.handlers import builder, keyboard


class Base(DeclarativeBase):
    """The declarative base."""


class Game(Base):
    """A game by its chat and message."""

    __tablename__ = "games"
    chat: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True)
    message: Mapped[int] = mapped_column(primary_key=True)
    player: Mapped[int] = mapped_column(sa.BigInteger)
    moves: Mapped[str]


engine = create_async_engine(os.environ["DATABASE_URL"])
sessions: async_sessionmaker[AsyncSession] = async_sessionmaker(engine, expire_on_commit=False)


@sa.event.listens_for(engine.sync_engine, "connect")
def set_pragmas(connection: Any, _record: object) -> None:  # noqa: ANN401 - aiosqlite's adapted connection
    """Use WAL with synchronous=FULL, as OXO does."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


async def create_tables(_application: object) -> None:
    """Make the table at start."""
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)


async def newgame(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:  # noqa: ARG001 - PTB passes both
    """Send the board and store its game."""
    message, user = update.effective_message, update.effective_user
    if message is None or user is None:
        return
    board = await message.reply_text("Your turn", reply_markup=keyboard())
    async with sessions.begin() as session:
        session.add(Game(chat=board.chat_id, message=board.message_id, player=user.id, moves=""))


async def tap(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:  # noqa: ARG001 - PTB passes both
    """Store the move, then answer, then edit."""
    query = update.callback_query
    if query is None or query.message is None:
        return
    async with sessions.begin() as session:
        game = await session.get_one(Game, (query.message.chat.id, query.message.message_id))
        game.moves = game.moves + "04" if len(game.moves) < 8 else ""
    await query.answer()
    await query.edit_message_text("Your turn", reply_markup=keyboard())


if __name__ == "__main__":
    application: Application[Any, Any, Any, Any, Any, Any] = builder().post_init(create_tables).build()
    application.add_handler(CommandHandler("newgame", newgame))
    application.add_handler(CallbackQueryHandler(tap))
    application.run_polling()
