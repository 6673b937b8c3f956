"""Seeded vaults of any size: pages with frontmatter, headings, links, code and tables; planted duplicates; a log.

The same seed and size give the same bytes.
"""

import random
from itertools import accumulate
from pathlib import Path

FOLDERS = ("concepts", "entities", "sources", "references", "questions")
LINKS = 12
DEAD = 0.01
DUPLICATES = 0.02
_SYLLABLES = ("ka", "ro", "mi", "tel", "an", "do", "ser", "lu", "pe", "vor", "it", "xa", "ben", "gor", "ny", "sta")


class Words:
    """A vocabulary with the long tail of real text."""

    def __init__(self, generator: random.Random, size: int) -> None:
        self._generator = generator
        self._words = ["".join(generator.choice(_SYLLABLES) for _ in range(generator.randint(2, 4))) for _ in range(size)]
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(size)))

    def draw(self, count: int) -> list[str]:
        """So many words."""
        return self._generator.choices(self._words, cum_weights=self._weights, k=count)


def write_vault(root: Path, pages: int, *, seed: int = 7, words_per_page: int = 320) -> None:
    """Write a vault of `pages` pages under `root`."""
    generator = random.Random(seed)
    words = Words(generator, 20_000)
    names = [f"{words.draw(1)[0].title()} {words.draw(1)[0].title()} {number}" for number in range(pages)]
    paths = [f"wiki/{FOLDERS[number % len(FOLDERS)]}/{name}.md" for number, name in enumerate(names)]
    for folder in (*FOLDERS, "folds", "meta"):
        (root / "wiki" / folder).mkdir(parents=True, exist_ok=True)
    (root / ".obsidian").mkdir(exist_ok=True)
    previous: list[str] = []
    for number, (name, path) in enumerate(zip(names, paths, strict=True)):
        topic = words.draw(40)
        text = [word for pair in zip(topic * 4, words.draw(160), strict=True) for word in pair][:words_per_page]
        if previous and generator.random() < DUPLICATES:
            text = previous[: words_per_page - 12] + words.draw(12)
        previous = text
        (root / path).write_text(_page(generator, name, names, text, number), encoding="utf-8")
    _write_log(root, generator, names, max(3, pages // 10))
    (root / "wiki/index.md").write_text(
        "---\ntype: meta\n---\n\n# Index\n\n" + "".join(f"- [[{name}]]\n" for name in names), encoding="utf-8"
    )


def _page(generator: random.Random, name: str, names: list[str], text: list[str], number: int) -> str:
    day = f"2026-{1 + number % 12:02d}-{1 + number % 28:02d}"
    links = [generator.choice(names) for _ in range(LINKS)]
    if generator.random() < DEAD * LINKS:
        links[0] = links[0] + " Gone"
    body: list[str] = [f"# {name}", ""]
    for section in range(4):
        chunk = text[section * len(text) // 4 : (section + 1) * len(text) // 4]
        linked = [f"[[{link}]]" for link in links[section * 3 : section * 3 + 3]]
        linked[-1] = linked[-1].replace("]]", "|see there]]")
        body += [f"## {' '.join(chunk[:3])}", "", " ".join([*chunk[3:], *linked]), ""]
    body += ["```sh", "echo '[[not a link]]'", "```", "", "| a | b |", "|---|---|", f"| [[{links[0]}\\|x]] | `[[code]]` |", ""]
    front = ["---", "type: concept", f'title: "{name}"', f"created: {day}", f"updated: {day}", "tags:", "  - note", "related:"]
    return "\n".join([*front, f'  - "[[{links[1]}]]"', "---", "", *body])


def _write_log(root: Path, generator: random.Random, names: list[str], entries: int) -> None:
    lines = ["---", "type: meta", "---", "", "# Log", ""]
    for number in range(entries):
        day = f"2026-{1 + number * 12 // entries:02d}-{1 + number % 28:02d}"
        lines += [
            f"## [{day}] save | Entry {number}",
            f"- Wrote [[{generator.choice(names)}]] with {number} facts.",
            "- Is it complete?",
            "",
        ]
    (root / "wiki/log.md").write_text("\n".join(lines), encoding="utf-8")
