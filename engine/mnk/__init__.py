"""Strong play and proofs on boards of m columns and n rows where k in a row win, or lose."""
