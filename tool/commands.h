// The commands of the program. Each returns the exit status.
#pragma once

#include "command_line.h"

namespace structured::gen {

int run_scan(const CommandLine& line);
int run_precompile(const CommandLine& line);
int run_check(const CommandLine& line);
int run_emit(const CommandLine& line);
int run_list(const CommandLine& line);
int run_explain(const CommandLine& line);
int run_docs(const CommandLine& line);
int run_python(const CommandLine& line);
int run_import(const CommandLine& line);
int run_aten_signatures(const CommandLine& line);
int run_select(const CommandLine& line);
/// `explain --selection`.
int explain_selection(const CommandLine& line);

}  // namespace structured::gen
