"""What is personal: exports, erasure, retention."""
