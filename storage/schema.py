"""The tables, as SQLAlchemy typed mappings.

Telegram's ids need up to 52 bits (Bot API, `User.id`), so they are 64-bit everywhere. Times are whole seconds
since 1970, UTC: the same integers on both databases, and no time zones to get wrong.
"""

from sqlalchemy import BigInteger, Boolean, ForeignKey, Index, Integer, MetaData, String, text, true
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# SQLite numbers rows by itself only where the key is declared INTEGER (its INTEGER is 64-bit).
ROW_ID = BigInteger().with_variant(Integer(), "sqlite")


class Base(DeclarativeBase):
    """The tables of one database; every constraint has a name, so that migrations can speak of it."""

    metadata = MetaData(naming_convention=NAMES)


class ChatRow(Base):
    """A chat and what was chosen in it; no row means that nothing was."""

    __tablename__ = "chats"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    level: Mapped[str | None] = mapped_column(String(16))
    """The computer's level in new games; None stands for the default."""
    first: Mapped[str | None] = mapped_column(String(8))
    """Who moves first in new games: me, bot or random; None stands for the default."""
    taken: Mapped[str] = mapped_column(String(200), server_default=text("''"))


class PersonRow(Base):
    """A person who plays, as last seen."""

    __tablename__ = "people"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(256))
    language: Mapped[str | None] = mapped_column(String(16))
    takebacks: Mapped[bool] = mapped_column(Boolean, server_default=true())
    """Whether others may ask this person for a takeback."""


class GameRow(Base):
    """A game; `storage.game.Game` is the value that the rest of the program works with."""

    __tablename__ = "games"

    id: Mapped[int] = mapped_column(ROW_ID, primary_key=True)
    chat_id: Mapped[int | None] = mapped_column(ForeignKey("chats.id", onupdate="CASCADE"))
    thread_id: Mapped[int | None] = mapped_column(BigInteger)
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    geometry: Mapped[str] = mapped_column(String(8))
    moves: Mapped[str] = mapped_column(String(64))
    x_seat: Mapped[int | None] = mapped_column(BigInteger)
    o_seat: Mapped[int | None] = mapped_column(BigInteger)
    x_name: Mapped[str | None] = mapped_column(String(256))
    o_name: Mapped[str | None] = mapped_column(String(256))
    level: Mapped[str | None] = mapped_column(String(16))
    language: Mapped[str | None] = mapped_column(String(16))
    termination: Mapped[str | None] = mapped_column(String(16))
    winner: Mapped[str | None] = mapped_column(String(1))
    next_game: Mapped[int | None] = mapped_column(ROW_ID, ForeignKey("games.id"))
    update_id: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    version: Mapped[int] = mapped_column(Integer)
    shown: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[int] = mapped_column(BigInteger)
    changed_at: Mapped[int] = mapped_column(BigInteger)
    sweep_at: Mapped[int] = mapped_column(BigInteger)
    inline_message_id: Mapped[str | None] = mapped_column(String(64))
    guest_chat_id: Mapped[int | None] = mapped_column(BigInteger)
    guest_message_id: Mapped[int | None] = mapped_column(BigInteger)
    guest_language: Mapped[str | None] = mapped_column(String(16))
    token: Mapped[str | None] = mapped_column(String(32))
    rival_id: Mapped[int | None] = mapped_column(BigInteger)
    rival_name: Mapped[str | None] = mapped_column(String(256))
    offer: Mapped[str | None] = mapped_column(String(32))
    x_wins: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    o_wins: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    draws: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    moved_at: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    due_at: Mapped[int | None] = mapped_column(BigInteger)
    reminded: Mapped[int | None] = mapped_column(Integer)
    taken: Mapped[str] = mapped_column(String(200), server_default=text("''"))

    __table_args__ = (
        # The sweep looks for boards that Telegram does not show yet; there are only ever a few.
        Index(
            "ix_games_lagging",
            "sweep_at",
            sqlite_where=text("shown < version"),
            postgresql_where=text("shown < version"),
        ),
        Index(
            "ix_games_running",
            "chat_id",
            "id",
            sqlite_where=text("termination IS NULL"),
            postgresql_where=text("termination IS NULL"),
        ),
        Index(
            "ix_games_due",
            "due_at",
            sqlite_where=text("termination IS NULL"),
            postgresql_where=text("termination IS NULL"),
        ),
        Index("uq_games_inline_message_id", "inline_message_id", unique=True),
        Index("uq_games_token", "token", unique=True),
        Index(
            "ix_games_guest",
            "guest_chat_id",
            "id",
            sqlite_where=text("guest_chat_id IS NOT NULL"),
            postgresql_where=text("guest_chat_id IS NOT NULL"),
        ),
        # Moves are also typed in answer to a board, which names its message.
        Index("ix_games_message", "chat_id", "message_id"),
        *(
            Index(
                f"ix_games_finished_{mark}",
                f"{mark}_seat",
                "id",
                sqlite_where=text("winner IS NOT NULL OR termination = 'full board'"),
                postgresql_where=text("winner IS NOT NULL OR termination = 'full board'"),
            )
            for mark in ("x", "o")
        ),
    )
