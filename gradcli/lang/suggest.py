"""Did you mean: the known name that is nearest to a wrong one."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name with the smallest edit distance, if it is small for the length of ``name``.

    Several changes are a slip only where the first letter is right: `format` is not a misspelled `normal`.
    """
    limit = 1 if len(name) <= 4 else 2 if len(name) <= 8 else 3
    best: tuple[float, int, str] | None = None
    for candidate in known:
        if abs(len(candidate) - len(name)) > limit or candidate == name:
            continue
        distance = 0.5 if candidate.lower() == name.lower() else edit_distance(name, candidate, limit)
        if distance > 1 and candidate[0].lower() != name[0].lower():
            continue
        rank = (distance, -_common_start(name, candidate), candidate)
        if distance <= limit and distance < len(name) and (best is None or rank < best):
            best = rank
    return best[2] if best else None


def _common_start(first: str, second: str) -> int:
    """Return how many letters agree at the start: of two equal distances the better guess has more."""
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def edit_distance(first: str, second: str, limit: int) -> int:
    """Return the number of insertions, deletions, changes and swaps of neighbours, or limit + 1 when it is larger."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        previous, row = row, [i] + [0] * len(second)
        for j, right in enumerate(second, 1):
            row[j] = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (left != right))
            if i > 1 and j > 1 and left == second[j - 2] and first[i - 2] == right:
                row[j] = min(row[j], before[j - 2] + 1)
        if min(row) > limit:
            return limit + 1
        before = previous
    return row[-1]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return the help line for a wrong name, or None when nothing is near."""
    found = nearest(name, known)
    return f"did you mean `{found}`?" if found else None
