"""The use cases: one module per operation, each a function from a request and the runtime to a result.

Faces call them, by way of `table`. Nothing here prints, parses a command line or knows how an answer is shown.
"""
