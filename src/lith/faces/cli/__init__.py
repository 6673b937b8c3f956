"""The command line. `main` runs it, `output` is the only writer of standard output, `commands` has one file per command."""
