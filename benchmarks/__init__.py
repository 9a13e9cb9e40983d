"""The benchmarks: a load generator, baseline handlers to compare with, and the runs."""
