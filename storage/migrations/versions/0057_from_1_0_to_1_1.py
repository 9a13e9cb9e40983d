"""What 1.1 does to a database of 1.0: a part of `upgrade` for each subject, with its reason."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import ColumnElement, case, column

revision = "0057"
down_revision = "0040"
branch_labels = None
depends_on = None
schema = "84495d6cb575"

GONE_BELOW = sa.literal_column(str(-(2**53)), sa.BigInteger())
"""Below it are the pseudonyms and aliases of forgotten people."""
PART_IN_GAMES = ("x_seat", "o_seat", "rival_id", "host", "inline_person", "ended_by")


def upgrade() -> None:
    _forget_pseudonyms()
    _remember_what_was_done()
    _change_games()
    _change_messages()
    _change_puzzles()
    _change_cups()
    op.add_column("chats", sa.Column("timezone", sa.String(48)))  # a group may have one
    op.drop_column("results", "opening")  # hardly anybody misses the favourite first move


def _forget_pseudonyms() -> None:
    """Whoever is forgotten leaves another alias in each game and cup, instead of one lasting pseudonym.

    So what else was kept under a pseudonym goes. Who has played whom is kept for a day by a digest of both.
    """
    for name in ("ratings", "rating_days", "levels", "milestones", "results", "pairs"):
        op.execute(_table(name).delete().where(_is_gone("person")))
    op.execute(_table("pairs").delete().where(_is_gone("opponent")))
    op.execute(
        _table("results", "opponent")
        .update()
        .where(_is_gone("opponent"))
        .values(opponent=_alias("game_id", case((column("mark") == "X", 1), else_=0)))
    )
    _forget_in_games()
    _forget_in_cups()
    op.drop_table("pseudonyms")
    op.create_table(
        "former_pairs",
        sa.Column("digest", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_former_pairs"),
    )
    op.drop_column("erasures", "alias")


def _forget_in_games() -> None:
    changes = {}
    for name in PART_IN_GAMES:
        part = case((column(name) == column("x_seat"), 0), (column(name) == column("o_seat"), 1), else_=2)
        alias = _alias("id", part)
        changes[name] = case((_is_gone(name), alias), else_=column(name))
    is_theirs = _is_gone("x_seat") | _is_gone("o_seat") | _is_gone("host")
    for name in ("next_game", "beats"):
        changes[name] = case((is_theirs, None), else_=column(name))
    these = sa.or_(*map(_is_gone, PART_IN_GAMES))
    op.execute(_table("games", *changes).update().where(these).values(changes))


def _forget_in_cups() -> None:
    cups, players = _table("cup_games", "game_id"), _table("cup_players", "person")
    own = (column("cup") == sa.literal_column("cup_games.cup"), column("number").in_((column("x"), column("o"))))
    left = sa.select(sa.literal(1)).select_from(players).where(*own, _is_gone("person"))
    op.execute(cups.update().where(column("result").is_not(None), left.exists()).values(game_id=None))
    op.execute(players.update().where(_is_gone("person")).values(person=GONE_BELOW - 1 - column("number")))


def _remember_what_was_done() -> None:
    """Keys of what was done within a day take the place of the updates that games, chats and cups remembered."""
    at = sa.Column("at", sa.BigInteger(), nullable=False)
    op.create_table("done", sa.Column("key", sa.BigInteger(), nullable=False), at, sa.PrimaryKeyConstraint("key"))
    op.execute("INSERT INTO done SELECT digest, at FROM taken")
    op.create_index("ix_done_at", "done", ["at"])
    op.drop_table("taken")
    op.drop_column("chats", "seen_updates")
    op.drop_column("cups", "update_id")


def _change_games() -> None:
    """A game counts hints, and knows its round of a cup and when a player last nudged the other.

    Its comments no longer alternate from game to game.
    """
    with op.batch_alter_table("games") as games:  # SQLite rebuilds it, as it drops no column with a constraint
        games.drop_constraint("uq_games_update_id", type_="unique")
        games.drop_column("update_id")
        games.drop_column("seen_updates")
        games.drop_column("wordings")
        games.add_column(sa.Column("hints", sa.Integer(), server_default=sa.text("0"), nullable=False))
        games.add_column(sa.Column("round", sa.Integer()))
        games.add_column(sa.Column("nudged_at", sa.BigInteger()))
    op.execute("UPDATE games SET hints = 1 WHERE kind = 'solo'")  # nobody knows
    filled = sa.text("beats IS NOT NULL")
    op.create_index("ix_games_beats", "games", ["beats"], sqlite_where=filled, postgresql_where=filled)


def _change_messages() -> None:
    """What a message replies to has a column of its own: it was the topic's, below 0.

    A reminder is the board as a new message, a champion is said by the cup's own, and a score is no picture any
    more: what was still to be sent of them goes, and so do the pictures that Telegram keeps.
    """
    for table in ("boards", "outbox", "cups"):
        op.add_column(table, sa.Column("reply_to", sa.BigInteger()))
        op.execute(f"UPDATE {table} SET reply_to = -thread_id, thread_id = NULL WHERE thread_id < 0")  # noqa: S608 - our own names
    op.execute("DELETE FROM outbox WHERE kind IN ('reminder', 'champion', 'rivals card')")
    op.execute("DELETE FROM replays WHERE form = 'rivals card'")


def _change_puzzles() -> None:
    """A group has a message of its puzzle, and a streak."""
    op.create_table(
        "group_puzzles",
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("reply_to", sa.BigInteger()),
        sa.Column("language", sa.String(16)),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("solved", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("streak", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("chat_id", name="pk_group_puzzles"),
    )
    op.create_index("ix_puzzles_day", "puzzles", ["day", "wrong"])


def _change_cups() -> None:
    """A cup is one message, can be planned, and says when it starts by itself, who is away and how long games are.

    What is said of a cup names it, and its games name their round.
    """
    op.add_column("cups", sa.Column("starts_at", sa.BigInteger()))
    op.add_column("cups", sa.Column("is_planned", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("cups", sa.Column("drawn_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.add_column("cup_players", sa.Column("away_at", sa.BigInteger()))
    op.add_column("cup_games", sa.Column("plies", sa.Integer()))
    op.add_column("outbox", sa.Column("cup", sa.BigInteger().with_variant(sa.Integer(), "sqlite")))
    op.create_table(
        "cup_plans",
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("is_weekly", sa.Boolean(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("language", sa.String(16)),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("clock", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("chat_id", name="pk_cup_plans"),
    )
    op.create_index("ix_cup_plans_at", "cup_plans", ["at"])
    # An open cup with enough players starts when it was to; a running one is looked at for its latest end.
    enough = "(SELECT count(*) FROM cup_players WHERE cup_players.cup = cups.id) >= 4"
    op.execute(f"UPDATE cups SET starts_at = due_at WHERE stage = 'open' AND {enough}")  # noqa: S608 - our own words
    op.execute("UPDATE cups SET due_at = 0 WHERE stage = 'running'")
    newest = "SELECT max(cups.id) FROM cups WHERE cups.chat_id = outbox.chat_id"
    op.execute(f"UPDATE outbox SET cup = ({newest}) WHERE kind = 'cup'")  # noqa: S608 - our own names
    game = "SELECT cup_games.round FROM cup_games WHERE cup_games.game_id = games.id"
    op.execute(f"UPDATE games SET round = ({game}) WHERE time_limits = 'cup' AND termination IS NULL")  # noqa: S608 - likewise


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *(column(each) for each in columns))


def _is_gone(name: str) -> ColumnElement[bool]:
    return column(name, sa.BigInteger()) < GONE_BELOW


def _alias(game_id: str, part: ColumnElement[int]) -> ColumnElement[int]:
    return GONE_BELOW - 1 - 3 * column(game_id, sa.BigInteger()) - part
