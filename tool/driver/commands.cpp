#include "driver/command.h"

namespace structured::gen {

std::unique_ptr<Command> make_scan();
std::unique_ptr<Command> make_precompile();
std::unique_ptr<Command> make_check();
std::unique_ptr<Command> make_emit();
std::unique_ptr<Command> make_list();
std::unique_ptr<Command> make_explain();
std::unique_ptr<Command> make_docs();
std::unique_ptr<Command> make_python();
std::unique_ptr<Command> make_import();
std::unique_ptr<Command> make_aten_signatures();
std::unique_ptr<Command> make_select();
std::unique_ptr<Command> make_stable_report();

llvm::ArrayRef<CommandEntry> commands() {
  static constexpr CommandEntry all[] = {
      {"scan", "Scan annotated sources and write one fragment per source", make_scan},
      {"precompile", "Precompile headers to speed up later scans", make_precompile},
      {"check", "Check annotated sources or fragments and report diagnostics", make_check},
      {"emit", "Merge the fragments of a library and write its C++ and JSON files", make_emit},
      {"list", "Print the schemas of a library's operators, sorted, one per line", make_list},
      {"explain", "Describe one operator", make_explain},
      {"docs", "Write a page that documents a library's operators", make_docs},
      {"python", "Write the sources and stubs of a Python module", make_python},
      {"import", "Write annotated declarations of the operators in a native_functions.yaml", make_import},
      {"aten-signatures", "Write the signatures of ATen's operators, read from the headers of libtorch",
       make_aten_signatures},
      {"select", "Select the operators and dtypes that saved programs need, for `emit --select`", make_select},
      {"stable-report", "List what of a library needs which version of PyTorch's stable ABI", make_stable_report},
  };
  return all;
}

}  // namespace structured::gen
