"""How things look to a person that more than one command shows. Text only; `output` writes it."""
