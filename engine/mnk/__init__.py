"""Strong play and proofs on boards of m columns and n rows where k in a row win, or lose.

    from random import Random
    from engine.mnk.bits import board
    from engine.mnk.budget import Budget
    from engine.mnk.search import Searcher
    from engine.mnk.solve import Solver

    on = board(5, 5, 4)
    str(Solver(on).value(0, 0, Budget()))                                      # "draw"
    Searcher(on).best(0, on.bits[12], Budget(seconds=0.3), Random(1)).cell     # a reply to the centre

`bits` has the boards, `bounds`, `pairing` and `threats` what shrinks a search, `proof`, `misere` and `solve` prove
values, `alphabeta`, `evaluation`, `rollouts`, `traps`, `prospects`, `comparison`, `openings` and `search` play,
and `table` and `budget` serve all of them.
"""
