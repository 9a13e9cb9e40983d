"""The evaluation of the empty board, and the nodes that each search visits."""

import pytest

from engine import CLASSIC
from engine.cli.full_depth import CENTRE_CORNERS_EDGES, FullDepth
from engine.rules.mnk import mnk_rules
from tests.boards import board as position_of
from tests.engine import naive


@pytest.mark.parametrize(
    ("search", "nodes"),
    [
        pytest.param(FullDepth(CLASSIC), 549_946, id="plain"),
        pytest.param(FullDepth(CLASSIC, table=True), 5_478, id="table"),
        pytest.param(FullDepth(CLASSIC, table=True, symmetric=True), 765, id="table and symmetries"),
    ],
)
def test_minimax_finds_a_draw_in_so_many_nodes(search: FullDepth, nodes: int) -> None:
    assert search.minimax(CLASSIC.start()) == 0
    assert search.nodes == nodes


@pytest.mark.parametrize(
    ("search", "nodes"),
    [
        pytest.param(FullDepth(CLASSIC), 18_297, id="reading order"),
        pytest.param(FullDepth(CLASSIC, order=CENTRE_CORNERS_EDGES), 7_275, id="centre, corners, edges"),
        pytest.param(
            FullDepth(CLASSIC, order=CENTRE_CORNERS_EDGES, table=True, symmetric=True),
            295,
            id="and table and symmetries",
        ),
    ],
)
def test_alpha_beta_finds_a_draw_in_so_many_nodes(search: FullDepth, nodes: int) -> None:
    assert search.alpha_beta(CLASSIC.start()) == 0
    assert search.nodes == nodes


@pytest.mark.parametrize("symmetric", [False, True])
def test_both_searches_evaluate_every_position_right(*, symmetric: bool) -> None:
    search = FullDepth(CLASSIC, table=True, symmetric=symmetric)
    pruned = FullDepth(CLASSIC, table=True, symmetric=symmetric)
    for board in naive.reachable():
        position = position_of(board)
        assert (search.minimax(position), pruned.alpha_beta(position)) == (naive.score(board),) * 2, str(position)


def test_what_the_table_holds_is_no_node() -> None:
    search = FullDepth(CLASSIC, table=True)
    search.minimax(CLASSIC.start())
    search.minimax(CLASSIC.start())
    assert search.nodes == 5_478


def test_on_four_columns_and_three_rows_the_first_player_wins() -> None:
    rules = mnk_rules(4, 3, 3)
    assert FullDepth(rules, table=True, symmetric=True).alpha_beta(rules.start()) == 1
