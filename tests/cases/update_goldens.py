"""Rewrite the renderings in the folder of mistakes: ``python -m tests.cases.update_goldens [PART-OF-A-NAME]...``.

It says which ones changed; read each of them as the person who made the mistake would.
"""

from __future__ import annotations

import sys

from tests.cases.rendering import MISTAKES, golden_of, mistakes, shown


def update(parts: list[str]) -> None:
    """Write the renderings of the mistakes whose names contain one of ``parts`` (or of all), and drop stray ones."""
    for path in mistakes():
        name = str(path.relative_to(MISTAKES).with_suffix(""))
        if parts and not any(part in name for part in parts):
            continue
        golden, text = golden_of(path), shown(path).text
        if not golden.exists() or golden.read_text(encoding="utf-8") != text:
            golden.write_text(text, encoding="utf-8")
            print(name)
    for golden in MISTAKES.glob("*/*.txt"):
        if not golden.with_suffix(".gx").exists():
            golden.unlink()
            print(f"{golden.name} removed")


if __name__ == "__main__":
    update(sys.argv[1:])
