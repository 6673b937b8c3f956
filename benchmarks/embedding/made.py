"""Made texts: words of the vocabulary in the sentences of somebody who talks to an assistant.

Called by `build.py`. Documentation teaches a table the words of the trade; it never says I, you, yesterday or bakery. These texts give
every word of the vocabulary some company, and teach how little "what did we say about" weighs. A topic is a word and its neighbours.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

FRAMES = """
what did we decide about {a}
why did we choose {a} over {b}
what was the reason for {a}
do you remember what I said about {a}
can you remind me where I put the {a}
when did I last work on {a} and {b}
how many {a} did I have in {b}
how long did {a} take me
which {a} did you recommend for {b}
what was the name of the {a} we talked about
who told me about the {a}
where did I buy the {a} for my {b}
what is the latest version of {a}
what do I need before I start with {a}
how do I fix {a} in {b}
how do we run {a}
how can I make {a} faster without {b}
what does {a} mean when {b} fails
is there a way to use {a} with {b}
should I use {a} or {b} for {c}
I'm looking for {a}, any ideas for {b}?
I've been thinking about {a} lately and I'd like some tips on {b}.
I just got back from {a} and I need help with {b}.
I recently started {a}, and it's been great for my {b}.
I'm planning {a} next week. Can you suggest some {b}?
By the way, I finished {a} yesterday, so now I have time for {b}.
My favorite {a} is {b}, but my friend prefers {c}.
I used to like {a}. Now I would rather have {b}.
I spent about two hours on {a} this morning.
I bought {a} last month and paid for it with {b}.
We went to {a} with my family, and we saw {b}.
Thanks, that helps! What about {a}?
Could you explain {a} to me like {b}?
Can you write {a} about {b}?
Please rewrite {a} so that {b} works.
Let's add {a} to {b} and then test {c}.
Actually, don't use {a}; we agreed on {b}.
No, that's wrong: {a} is not {b}.
Please always use {a} and never {b} in this project.
Here are some tips for {a}: first {b}, then {c}.
That's a great question! {a} can be {b}, depending on {c}.
Sure, here is {a} with {b}.
Of course! To get {a}, you'll want {b}.
It sounds like you had {a}. Congratulations on {b}!
It's important to note that {a} may affect {b}.
There are several types of {a}, such as {b} and {c}.
Some popular options are {a}, {b} and {c}.
I recommend {a} because it is better for {b}.
As an assistant, I can't do {a}, but I can help with {b}.
Consider {a} if you want to avoid {b}.
The problem was {a}; setting {b} fixed it.
The {a} test fails because {b} is missing.
The error says {a}, so {b} must be wrong.
I ran {a} and got {b} instead of {c}.
I found the bug: {a} was never closed when {b}.
It turned out that {a} was caused by {b}.
Now the tests pass; I changed {a} to {b}.
Next I'll look at {a}, then update {b}.
We moved {a} into {b} to keep {c} simple.
We dropped {a} since nobody needs {b}.
Let me check {a} first.
I'll read {a} to understand {b}.
The build is broken after {a}.
There's a conflict between {a} and {b}.
add {a} to {b}
fix {a} when {b}
remove {a}
update {a} for {b}
{a} is slow on {b}
{a} not found in {b}
cannot open {a}: {b}
{a} for {b}
{a} vs {b}
{a}, {b} and {c}
{a} {b} {c}
""".strip().splitlines()

_PHRASE = (0.45, 0.4, 0.15)
"""How often a slot holds one, two or three words."""


def made_texts(seed: int, count: int, vocabulary: Sequence[str], tokens: NDArray[np.float32]) -> Iterator[str]:
    """So many texts; `tokens` are the teacher's vectors of the single entries, which say what is near what."""
    random = np.random.default_rng(seed)
    rows = np.array([row for row, entry in enumerate(vocabulary) if entry.isascii() and entry.isalpha() and len(entry) > 2])
    centred = tokens[rows] - tokens.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    rank = np.arange(len(rows))  # the vocabulary is sorted by how frequent its words are
    rare, common = (1 / (rank + flat) for flat in (6000.0, 200.0))
    for topic in random.choice(len(rows), count, p=rare / rare.sum()):
        near = np.argpartition(-(centred @ centred[topic]), 40)[:40]
        frame = FRAMES[random.integers(len(FRAMES))]
        slots = {}
        for slot in "abc":
            length = int(random.choice(3, p=_PHRASE)) + 1
            words = random.choice(near, length, replace=False)
            if slot != "a" and random.random() < 0.4:
                words = random.choice(len(rows), length, p=common / common.sum())
            slots[slot] = " ".join(vocabulary[rows[word]] for word in words)
        if random.random() < 0.8:
            slots["a"] = f"{slots['a']} {vocabulary[rows[topic]]}"
        yield frame.format(**slots)
