"""Values of positions: tables of all, proofs, and searches that choose cells.

    from engine import SearchLimits, parse_rules
    from engine.levels import evaluator, search

    five = parse_rules("5x5x4")
    evaluator(five, SearchLimits(seconds=1)).value(five.start()).result         # GameValue.DRAW
    search(five, SearchLimits(seconds=0.3), seed=1).best(five.start().play(12))   # a reply to the centre

`base` has what all share, `solved` the tables of nine cells, `ultimate` its search. The rest is for boards where k
in a row win or lose: `bits` has the boards, `bounds` shrinks a search, `proof` and `solve` prove values, and
`alphabeta`, `book` and `mnk` choose cells. There, `own` and `other` are the bits of the marks of the side to move
and of the other side; for a prover, those of the attacker and of the defender. `misere` says whether a line loses,
`entries` how large a table is. What is asked with a budget raises `Spent` when that is not enough.
"""
