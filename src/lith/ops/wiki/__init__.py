"""Operations on a wiki, one module per use case: they find the vault, the moment and the model, and call the room `wiki`.

None of this is imported before a wiki command is called. Only `capture` looks at the map; all the others work on a folder alone.
"""
