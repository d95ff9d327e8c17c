"""The commands structured-gen and structured-lsp, which replace the process of Python by the program."""
import os
import sys

import structured_gen


def _replace(*arguments):
    try:
        program = structured_gen.program()
        os.execv(program, [str(program), *arguments])
    except structured_gen.Missing as error:
        sys.exit(f"structured-gen: error: {error}")
    except OSError as error:
        sys.exit(f"structured-gen: error: cannot start {program}: {error.strerror}")


def structured_gen_program():
    _replace(*sys.argv[1:])


def structured_lsp():
    _replace("lsp", *sys.argv[1:])
