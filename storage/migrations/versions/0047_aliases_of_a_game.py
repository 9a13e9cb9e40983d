"""Whoever is forgotten leaves another alias in each game and cup, instead of one lasting pseudonym."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op
from sqlalchemy import ColumnElement, case, column

revision = Path(__file__).name.partition("_")[0]
down_revision = "0041"
branch_labels = None
depends_on = None
schema = "4c1574035c46"

GONE_BELOW = sa.literal_column(str(-(2**53)), sa.BigInteger())
PART_IN_GAMES = ("x_seat", "o_seat", "rival_id", "host", "inline_person", "ended_by")


def upgrade() -> None:
    """Give each game and cup its own aliases, and delete what was kept under a pseudonym besides."""
    for name in ("ratings", "rating_days", "levels", "milestones", "results", "pairs"):
        op.execute(_table(name).delete().where(_is_gone("person")))
    op.execute(_table("pairs").delete().where(_is_gone("opponent")))
    op.execute(
        _table("results", "opponent")
        .update()
        .where(_is_gone("opponent"))
        .values(opponent=_alias("game_id", case((column("mark") == "X", 1), else_=0)))
    )
    _games()
    _cups()
    op.drop_table("pseudonyms")
    op.create_table(
        "former_pairs",
        sa.Column("digest", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_former_pairs"),
    )
    op.drop_column("erasures", "alias")


def _games() -> None:
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


def _cups() -> None:
    cups, players = _table("cup_games", "game_id"), _table("cup_players", "person")
    own = (column("cup") == sa.literal_column("cup_games.cup"), column("number").in_((column("x"), column("o"))))
    left = sa.select(sa.literal(1)).select_from(players).where(*own, _is_gone("person"))
    op.execute(cups.update().where(column("result").is_not(None), left.exists()).values(game_id=None))
    op.execute(players.update().where(_is_gone("person")).values(person=GONE_BELOW - 1 - column("number")))


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *(column(each) for each in columns))


def _is_gone(name: str) -> ColumnElement[bool]:
    return column(name, sa.BigInteger()) < GONE_BELOW


def _alias(game_id: str, part: ColumnElement[int]) -> ColumnElement[int]:
    return GONE_BELOW - 1 - 3 * column(game_id, sa.BigInteger()) - part
