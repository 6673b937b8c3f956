"""The vocabulary: what a transcript says, as frozen values. Pure; every room may import it."""
