// The language server for annotated kernels, as a function for main.
#pragma once

namespace structured::lsp {

/// Runs the server over standard input and output. `argv[0]` is the path of the program, and options follow. Returns
/// the exit status after wrong options, `--help` and `--version`, and otherwise ends the process.
int run(int argc, const char* const* argv);

}  // namespace structured::lsp
