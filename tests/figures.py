"""What long proofs find amiss."""

from dataclasses import asdict, dataclass


@dataclass
class Figures:
    """How often something was lost, doubled, invented, wrong, stuck or unhealed, of which there may be nothing."""

    faults: int = 0
    """How many faults there were."""
    moves_lost: int = 0
    moves_invented: int = 0
    results_lost: int = 0
    results_doubled: int = 0
    boards_wrong: int = 0
    games_stuck: int = 0
    twins_unhealed: int = 0

    @property
    def amiss(self) -> dict[str, int]:
        """What there is of what there may be none of."""
        return {name: found for name, found in asdict(self).items() if found and name != "faults"}
