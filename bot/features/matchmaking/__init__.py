"""Opponents for people who look for one."""
