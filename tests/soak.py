"""How much the tests check: what a release needs, or for `make soak` everything, at full length."""

import os
from typing import Final

SOAK: Final = os.environ.get("OXO_SOAK", "") not in ("", "0")
"""Whether proofs run at full length, and tests marked `soak` run at all."""
