"""What runs beside the updates: deadlines, pairing, erasure, retention."""
