"""Background jobs: deadlines, matchmaking, erasure, retention."""
