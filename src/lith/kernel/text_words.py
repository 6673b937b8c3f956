"""Word lists of the query language: stopwords, suffixes, and what tells a shell command from a question.

Read by the other `text_*` modules only. The lists are short on purpose: words that are frequent in one body of text are dropped by
their counts, which the caller knows; these are the words that say nothing anywhere.
"""

# A few words of German, French and Spanish stand here as well, folded; none that carries weight in English (die, war, son, mit).
_STOPWORDS = """
    a about am an and any are as at be been being but by can could did do does doing for from had has have having he her here hers him
    his how i if in into is it its just me my no nor not of on or our ours she should so some such than that the their theirs them then
    there these they this those to too us was we were what when where which who whom whose why will with would you your yours
    der das dem ein eine einen und oder ist sind von zu auf wie ich wir nicht
    le la les une et ou est sont dans pour avec sur que qui je nous
    el los las una para como
"""
STOPWORDS = frozenset(_STOPWORDS.split())

CONTRACTIONS = ("n't", "'m", "'re", "'ve", "'ll", "'d")
"""Endings of words that are stopwords too: don't, I'm, they're."""

# A prefix is matched against stems, which can be shorter than it (`authentica` against `authent`): these endings complete it to words
# whose stems are there. Of 1,500 English words, every prefix of three letters or more finds its word in 99.5 % of cases (87 % without).
_SUFFIXES = """
    ability able al ance ate ating ation ator ed ence er ful ible ically ies ing ion ism ity ive ize izing ly ment ness ous
"""
SUFFIXES = tuple(_SUFFIXES.split())

SHORT_ENDINGS = ("ings", "ies", "ied", "ing", "es", "ed", "s", "e", "y")
_LONG_ENDINGS = """
    d er ers ion ions ation ations ational ier able ably ment ments ly ness al ally ive ively ity or ors
    ate ates ated ating ize izes ized izing ization
"""
ENDINGS = (*sorted(_LONG_ENDINGS.split(), key=len, reverse=True), *SHORT_ENDINGS)
"""Endings under which a word is still highlighted as the word that was asked for; a short word takes only the short ones."""

NOT_AFTER = frozenset({"NULL", "FOUND", "EXISTS", "IN", "LIKE", "BETWEEN"})
"""Words before which NOT is the language of SQL or HTTP (`NOT NULL`, `404 NOT FOUND`) and no operator."""

_FLAG_TAKERS = """
    apt awk bash brew cargo cat chmod chown cmake cp curl cut dd df docker du find gcc gh git go grep head java javac journalctl kill
    kubectl ln ls make mkdir mv nc node npm npx perl pip pnpm podman ps pytest python python3 rg rm rsync scp sed sh sort ssh sudo
    systemctl tail tar tmux top tsc unzip uv wget xargs yarn zip
"""
FLAG_TAKERS = frozenset(_FLAG_TAKERS.split())
"""Commands: in a query that begins with one, `-rf` is a flag and no exclusion."""
