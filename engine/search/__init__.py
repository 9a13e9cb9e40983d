"""Values of positions: tables of all, proofs, and searches that choose cells.

`base` has what all share, `solved` the tables of nine cells, `ultimate` its search. The rest is for boards where k
in a row win or lose: `bits` has the boards, `bounds` shrinks a search, `proof` and `solve` prove values, and
`alphabeta`, `book` and `mnk` choose cells. There, `own` and `other` are the bits of the marks of the side to move
and of the other side; for a prover, those of the attacker and of the defender. `misere` says whether a line loses,
`entries` how large a table is. What is asked with a budget raises `Spent` when that is not enough.
"""
