"""Strong play and proofs on boards of m columns and n rows where k in a row win, or lose in misère.

    from random import Random
    from engine import Limits
    from engine.search.driver import Budget
    from engine.search.mnk.bits import board
    from engine.search.mnk.search import Searcher
    from engine.search.mnk.solve import Solver

    on = board(5, 5, 4)
    str(Solver(on).value(0, 0, Budget()))                                             # "draw"
    Searcher(on).best(0, on.bits[12], Budget(Limits(seconds=0.3)), Random(1)).cell    # a reply to the centre

`bits` has the boards. `bounds` and `threats` shrink a search. `proof`, `misere` and `solve` prove values.
`alphabeta`, `book` and `search` choose cells.

Everywhere, `own` and `other` are the bits of the marks of the side to move and of the other side; for a prover,
those of the attacker and of the defender. `misere` says whether a line loses, `entries` how large a table is
(`engine.search.table`). What is asked with a budget raises `Spent` when that is not enough.
"""
