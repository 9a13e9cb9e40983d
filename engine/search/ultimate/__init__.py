"""The search for ultimate: an evaluation of its boards, and alpha-beta on it."""
